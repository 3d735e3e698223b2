//! What the agent says it can do: a document from a file, or from a server.

use ananke_protocol::http::{
    Ask, HttpClient, HttpOptions, NoAnswer, Piece, check_url, without_secrets,
};
use serde_json::Value;
use tokio::time::Instant;

use super::args::ConformArgs;
use super::command::configuration;
use super::file::bytes_of;
use super::live;
use crate::error::{CommandError, Exit};
use crate::settings::Environment;

/// The largest document.
const MAX_BYTES: usize = 1 << 20;

/// Reads the document. `headers` are those of requests to `agent`: another server gets none of them, for they may hold
/// credentials.
pub(super) async fn capabilities(
    source: &str,
    agent: Option<(&str, &[(String, String)])>,
    args: &ConformArgs,
    environment: &Environment,
) -> Result<Value, CommandError> {
    let shown = without_secrets(source);
    let wrong = |why: String| configuration(format!("capabilities `{shown}`: {why}"));
    let bytes = if source.starts_with("http://") || source.starts_with("https://") {
        let headers = agent.filter(|(url, _)| origin(url) == origin(source));
        let headers = headers.map_or(Vec::new(), |(_, headers)| headers.to_vec());
        fetched(source, headers, args, environment).await?
    } else {
        bytes_of(&environment.cwd.join(source), source)?
    };
    if bytes.len() > MAX_BYTES {
        return Err(wrong("it is larger than 1 MiB".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| wrong(format!("it is no JSON: {error}")))
}

/// Returns scheme, host and port as they are written.
fn origin(url: &str) -> Option<(String, String)> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    Some((scheme.to_ascii_lowercase(), host.to_ascii_lowercase()))
}

async fn fetched(
    source: &str,
    headers: Vec<(String, String)>,
    args: &ConformArgs,
    environment: &Environment,
) -> Result<Vec<u8>, CommandError> {
    let shown = without_secrets(source);
    let trouble =
        |why: String| CommandError::new(Exit::Trouble, format!("capabilities `{shown}`: {why}"));
    let needs_tls = check_url(source).map_err(configuration)?;
    let http = live::http(args, environment)?;
    let client = HttpClient::build(&HttpOptions {
        needs_tls: needs_tls || http.proxies.uses_tls(),
        ..http
    });
    let client = client.map_err(|error| configuration(error.to_string()))?;
    let ask = Ask {
        method: "GET",
        url: source.to_owned(),
        headers,
        body: None,
    };
    let deadline = Instant::now() + args.asking.timeout(live::USUAL_MS);
    let opened = client.open(&ask, deadline).await;
    let mut opened = opened.map_err(|error| match error {
        NoAnswer::Wrong(why) | NoAnswer::Unreachable(why) | NoAnswer::Broken(why) => trouble(why),
        NoAnswer::TooLate => trouble("no answer in time".to_owned()),
    })?;
    if opened.status != 200 {
        return Err(trouble(format!("HTTP {}", opened.status)));
    }
    let mut bytes = Vec::new();
    while bytes.len() <= MAX_BYTES {
        match opened.next(deadline).await {
            Piece::Bytes(more) => bytes.extend_from_slice(&more),
            Piece::End => break,
            Piece::Broken(why) => return Err(trouble(why)),
            Piece::TooLate => return Err(trouble("it did not come in time".to_owned())),
        }
    }
    Ok(bytes)
}
