//! MCP servers: what a target says, with the defaults.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::{KeyPlace, McpTarget, McpWay, TargetAuth};
use ananke_model::variables::Variables;

use super::complete::{CONNECT_TIMEOUT_MS, limits, plain_headers, tls};
use crate::parse::{AuthSpec, Found, McpSpec, TargetSpec};

/// How long a program may take until it can be called.
const START_TIMEOUT_MS: u64 = 30_000;

/// Fills in the defaults of an `mcp` target. `None` if it cannot be reached, which is then reported.
pub(super) fn mcp(
    spec: &TargetSpec,
    timeout_ms: u64,
    variables: &Variables,
    found: &mut Found,
) -> Option<McpTarget> {
    let own = &spec.mcp;
    let version = spec.protocol_version.as_ref();
    let is_known = version.is_none_or(|version| is_revision(version, found));
    let transport = way(spec, variables, found)?;
    let n_before = found.len();
    let default_connect = match &transport {
        McpWay::Stdio { .. } => {
            refuse_requests(spec, found);
            START_TIMEOUT_MS
        }
        McpWay::Http(_) | McpWay::Sse(_) => {
            refuse_program(spec, found);
            if let Some(auth) = &spec.auth {
                check_auth(auth, found);
            }
            CONNECT_TIMEOUT_MS
        }
    };
    // Turns would miss a tool that was only written wrong.
    let is_tool_refused = spec.refused.contains(&"userTool");
    if !is_known || is_tool_refused || found.len() > n_before {
        return None;
    }
    let version = version.map(|version| version.text.clone());
    Some(McpTarget {
        transport,
        version: version.filter(|version| version != "auto"),
        user_tool: own.user_tool.clone(),
        isolation: own.isolation.unwrap_or_default(),
        elicitation: own.elicitation.clone().unwrap_or_default(),
        sampling: own.sampling.clone().unwrap_or_default(),
        roots: own.roots.clone(),
        validate_output: own.validate_output.unwrap_or(true),
        auth: spec.auth.as_ref().map(|auth| auth.auth.clone()),
        headers: plain_headers(&spec.headers),
        timeout_ms,
        connect_timeout_ms: spec.connect_timeout_ms.unwrap_or(default_connect),
        tls: tls(spec),
        limits: limits(spec),
    })
}

/// Lays `over` on `base`. How the server is reached stands together: an address takes the place of a program, and a program
/// that of an address.
pub(super) fn merge_mcp(base: &TargetSpec, over: &TargetSpec) -> McpSpec {
    let (own, new) = (&base.mcp, &over.mcp);
    let is_moved = over.endpoint.is_some() || new.command.is_some();
    let moved = |base: &Option<Text>| base.clone().filter(|_| over.endpoint.is_none());
    let transport = own.transport.clone().filter(|_| !is_moved);
    McpSpec {
        transport: new.transport.clone().or(transport),
        command: match over.endpoint {
            Some(_) => new.command.clone(),
            None => new.command.clone().or_else(|| own.command.clone()),
        },
        cwd: new.cwd.clone().or_else(|| moved(&own.cwd)),
        user_tool: new.user_tool.clone().or_else(|| own.user_tool.clone()),
        isolation: new.isolation.or(own.isolation),
        elicitation: new.elicitation.clone().or_else(|| own.elicitation.clone()),
        sampling: new.sampling.clone().or_else(|| own.sampling.clone()),
        roots: new.roots.clone().or_else(|| own.roots.clone()),
        validate_output: new.validate_output.or(own.validate_output),
    }
}

/// Returns how the server is reached.
fn way(spec: &TargetSpec, variables: &Variables, found: &mut Found) -> Option<McpWay> {
    let own = &spec.mcp;
    let refuse = |place: &Place, message: &str, hint: &str| {
        Some(Diagnostic::error(place, message).hint(hint)).filter(|_| spec.refused.is_empty())
    };
    let word = own.transport.as_ref();
    match (&own.command, &spec.endpoint) {
        (Some(_), Some(endpoint)) => {
            found.extend(refuse(
                &endpoint.place,
                "an `mcp` target has `command` or `endpoint`, not both",
                "leave `command` out if the server runs already",
            ));
            None
        }
        (None, None) => {
            let (place, message, hint) = match word {
                Some((place, "stdio")) => (
                    place,
                    "`transport: stdio` needs a `command`",
                    "write `command: [python3, server.py]`",
                ),
                Some((place, "sse")) => (
                    place,
                    "`transport: sse` needs an `endpoint`",
                    "write `endpoint: \"http://localhost:8000/sse\"`",
                ),
                Some((place, _)) => (
                    place,
                    "`transport: http` needs an `endpoint`",
                    "write `endpoint: \"http://localhost:8000/mcp\"`",
                ),
                None => (
                    &spec.place,
                    "nothing says where the server of this `mcp` target is",
                    "write `command: [python3, server.py]` to start it, or `endpoint: \"http://localhost:8000/mcp\"`",
                ),
            };
            found.extend(refuse(place, message, hint));
            None
        }
        (Some(command), None) => match word {
            None | Some((_, "stdio")) => Some(McpWay::Stdio {
                command: command.clone(),
                cwd: own.cwd.clone(),
                env: spec.env.clone().unwrap_or_default(),
            }),
            Some((place, word)) => {
                found.extend(refuse(
                    place,
                    &format!("`transport: {word}` needs an `endpoint`, found `command`"),
                    "write `transport: stdio`, or leave it out",
                ));
                None
            }
        },
        (None, Some(endpoint)) => match word {
            Some((place, "stdio")) => {
                found.extend(refuse(
                    place,
                    "`transport: stdio` needs a `command`, found `endpoint`",
                    "write `command: [python3, server.py]` in place of `endpoint`, or `transport: http`",
                ));
                None
            }
            Some((_, "sse")) => Some(McpWay::Sse(endpoint.clone())),
            Some(_) => Some(McpWay::Http(endpoint.clone())),
            None if ends_in_sse(endpoint, variables) => Some(McpWay::Sse(endpoint.clone())),
            None => Some(McpWay::Http(endpoint.clone())),
        },
    }
}

/// Tells whether an address looks like one of the older kind, with an event stream of its own.
fn ends_in_sse(endpoint: &Text, variables: &Variables) -> bool {
    let url = variables.text(&endpoint.text);
    let url = url.as_deref().unwrap_or(&endpoint.text);
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.trim_end_matches('/').ends_with("/sse")
}

/// Refuses what is sent with requests, where none are made.
fn refuse_requests(spec: &TargetSpec, found: &mut Found) {
    if let Some(auth) = &spec.auth {
        found.push(
            Diagnostic::error(
                &auth.place,
                "`auth` is for servers with an `endpoint`: a program gets no requests over HTTP",
            )
            .hint("hand the secret over with `env: {TOKEN: \"${ENV.TOKEN}\"}`"),
        );
    }
    if let Some((name, _)) = spec.headers.first() {
        found.push(
            Diagnostic::error(
                &name.place,
                "`headers` are for servers with an `endpoint`: a program gets no requests over HTTP",
            )
            .hint("hand the values over with `env`"),
        );
    }
}

/// Refuses what is handed to a program, where none is started.
fn refuse_program(spec: &TargetSpec, found: &mut Found) {
    let env = spec.env.iter().flatten().map(|(_, value)| ("env", value));
    let cwd = spec.mcp.cwd.iter().map(|cwd| ("cwd", cwd));
    if let Some((key, value)) = cwd.chain(env).next() {
        let message = format!("`{key}` is for servers that are started with `command`");
        found.push(
            Diagnostic::error(&value.place, message)
                .hint("leave it out: the server behind an `endpoint` runs already"),
        );
    }
}

fn check_auth(auth: &AuthSpec, found: &mut Found) {
    if let TargetAuth::ApiKey {
        place: KeyPlace::Query | KeyPlace::Cookie,
        ..
    } = &auth.auth
    {
        found.push(
            Diagnostic::error(&auth.place, "an `mcp` server gets its key in a header")
                .hint("write `in: header`"),
        );
    }
}

/// Tells whether this is `auto` or a date, and reports it if it is neither.
fn is_revision(version: &Text, found: &mut Found) -> bool {
    let parts: Vec<&str> = version.text.split('-').collect();
    let lengths = parts.iter().map(|part| part.len());
    let are_digits = |part: &&str| part.chars().all(|c| c.is_ascii_digit());
    let is_date = lengths.eq([4, 2, 2]) && parts.iter().all(are_digits);
    let is_revision = is_date || version.text == "auto";
    if !is_revision {
        let message = format!("`{}` is no revision of MCP", version.text);
        found.push(
            Diagnostic::error(&version.place, message)
                .label("expected `auto` or a date such as `2025-11-25`")
                .hint("leave it out to speak the newest revision that the server knows"),
        );
    }
    is_revision
}
