//! What a connection is made of, references resolved.

use std::time::Duration;

use ananke_model::plan::{McpAnswer, McpTarget, McpWay};
use ananke_protocol::a2a::Auth;
use ananke_protocol::http::{check_url, without_secrets};
use ananke_protocol::mcp::{
    Elicited, Fits, McpEndpoint, McpOptions, McpTransport, McpVersion, Sampled, ScriptedAnswers,
};
use serde_json::Value;

use crate::session::Resolver;
use crate::speakers::Means;
use crate::speakers::auth::Proof;
use crate::speakers::http::HttpParts;

/// What a connection is made of, references resolved.
#[derive(Debug)]
pub(super) struct Settings {
    way: Way,
    http: HttpParts,
    proof: Proof,
    answers: ScriptedAnswers,
}

#[derive(Debug)]
enum Way {
    Stdio {
        command: Vec<String>,
        cwd: Option<String>,
        env: Vec<(String, String)>,
    },
    Http(String),
    Sse(String),
}

impl Settings {
    pub(super) fn resolve(server: &McpTarget, resolver: &mut Resolver<'_>) -> Self {
        Self {
            way: match &server.transport {
                McpWay::Stdio { command, cwd, env } => Way::Stdio {
                    command: command.iter().map(|word| resolver.text(word)).collect(),
                    cwd: cwd.as_ref().map(|cwd| resolver.text(cwd)),
                    env: env
                        .iter()
                        .map(|(name, value)| (name.clone(), resolver.text(value)))
                        .collect(),
                },
                McpWay::Http(url) => Way::Http(resolver.text(url)),
                McpWay::Sse(url) => Way::Sse(resolver.text(url)),
            },
            http: HttpParts::resolve(
                &server.headers,
                &server.tls,
                server.connect_timeout_ms,
                resolver,
            ),
            proof: Proof::resolve(server.auth.as_ref(), resolver),
            answers: answers(server, resolver),
        }
    }

    /// Returns where the server is, as it may be shown.
    pub(super) fn address(&self) -> String {
        match &self.way {
            Way::Stdio { command, .. } => {
                let program = command.first().map_or("", String::as_str);
                format!("the program `{program}`")
            }
            Way::Http(url) | Way::Sse(url) => without_secrets(url),
        }
    }

    /// Returns what is not shown of the credentials, so that two servers that differ in them alone are not taken for one.
    pub(super) fn secret(&self) -> String {
        match &self.proof.auth {
            Auth::None => String::new(),
            Auth::ApiKey { value, .. } => value.clone(),
            Auth::Bearer(token) => token.clone(),
            Auth::Basic { user, password } => format!("{user}:{password}"),
            Auth::ClientCredentials {
                client_id,
                client_secret,
                ..
            } => format!("{client_id}:{client_secret}"),
        }
    }

    pub(super) fn options(
        self,
        server: &McpTarget,
        means: &Means<'_>,
    ) -> Result<McpOptions, String> {
        self.proof.check()?;
        let Self {
            way,
            mut http,
            proof,
            answers,
        } = self;
        let transport = match way {
            Way::Stdio { command, cwd, env } => {
                let words = command.iter().chain(env.iter().map(|(_, value)| value));
                if words.into_iter().any(|word| word.contains('\0')) {
                    return Err("`command` and `env` must not hold NUL characters".to_owned());
                }
                McpTransport::Stdio {
                    command,
                    cwd: match cwd {
                        Some(cwd) => means.root.join(cwd),
                        None => means.root.to_owned(),
                    },
                    env,
                }
            }
            Way::Http(ref url) | Way::Sse(ref url) => {
                let is_tls = check_url(url).map_err(|why| format!("endpoint: {why}"))?;
                let token_url = proof.token_url().map(check_url).transpose();
                let token_url = token_url.map_err(|why| format!("auth.tokenUrl: {why}"))?;
                http.show(proof.certificate);
                let endpoint = McpEndpoint {
                    url: url.clone(),
                    headers: http.headers()?,
                    client: http.client(is_tls || token_url.unwrap_or_default(), means)?,
                    auth: proof.auth,
                };
                match way {
                    Way::Sse(_) => McpTransport::Sse(endpoint),
                    _ => McpTransport::Http(endpoint),
                }
            }
        };
        let version = server.version.as_deref().unwrap_or("auto");
        Ok(McpOptions {
            transport,
            version: McpVersion::parse(version).map_err(|why| format!("protocolVersion: {why}"))?,
            connect_timeout: Duration::from_millis(server.connect_timeout_ms),
            answers,
            validate_output: server.validate_output,
            limits: server.limits,
        })
    }
}

fn answers(server: &McpTarget, resolver: &mut Resolver<'_>) -> ScriptedAnswers {
    let mut fits = |answer: &McpAnswer| Fits {
        contains: answer.when.as_ref().map(|when| resolver.text(when)),
        once: answer.once,
    };
    let asked: Vec<Fits> = server.elicitation.iter().map(&mut fits).collect();
    let borrowed: Vec<Fits> = server.sampling.iter().map(&mut fits).collect();
    let elicitation = server.elicitation.iter().zip(asked);
    let sampling = server.sampling.iter().zip(borrowed);
    ScriptedAnswers {
        elicitation: elicitation
            .map(|(answer, fits)| Elicited {
                fits,
                action: answer.action,
                content: answer.content.as_ref().map(|json| resolver.json(json)),
            })
            .collect(),
        sampling: sampling
            .map(|(answer, fits)| Sampled {
                fits,
                answer: answer
                    .content
                    .as_ref()
                    .map_or(Value::Null, |json| resolver.json(json)),
            })
            .collect(),
        roots: server
            .roots
            .as_ref()
            .map(|roots| match resolver.json(roots) {
                Value::Array(roots) => roots,
                _ => Vec::new(),
            }),
    }
}
