//! Why there is no connection, in plain words.

use std::error::Error;

use ananke_model::recording::{Refusal, Trouble, TroubleKind};
use reqwest::header::LOCATION;
use reqwest::{Response, StatusCode};
use rmcp::model::ProtocolVersion;
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde_json::Value;

use super::turn::trouble;
use super::words::shortened;
use crate::http::{cause, retry_after_ms, without_secrets};

/// Why a request did not get through.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub(super) struct NotThrough(pub(super) Trouble);

/// What `rmcp` is told when something goes wrong.
pub(super) type HttpError = StreamableHttpError<NotThrough>;

/// Returns a revision as `rmcp` has it.
pub(super) fn version(text: &str) -> Result<ProtocolVersion, Trouble> {
    let version = serde_json::from_value(Value::from(text));
    version.map_err(|error| trouble(TroubleKind::BadEvent, error.to_string()))
}

/// Says why the handshake failed.
pub(super) fn not_connected(error: &ClientInitializeError) -> Trouble {
    match error {
        ClientInitializeError::JsonRpcError(error) => {
            let why = shortened(&error.message);
            trouble(
                TroubleKind::BadEvent,
                format!("the server refuses the handshake: {why} ({})", error.code.0),
            )
        }
        ClientInitializeError::ConnectionClosed(_) => trouble(
            TroubleKind::Transport,
            "the server closed the connection during the handshake",
        ),
        ClientInitializeError::ConflictInitResponseId(asked, answered) => trouble(
            TroubleKind::BadEvent,
            format!(
                "the server answered the handshake with the id `{answered}`; it was asked with `{asked}`"
            ),
        ),
        ClientInitializeError::ExpectedInitResult(_)
        | ClientInitializeError::ExpectedInitResponse(_) => trouble(
            TroubleKind::BadEvent,
            "the server answered the handshake with something else",
        ),
        ClientInitializeError::NoCompatibleProtocolVersion {
            server_supported, ..
        } => {
            let theirs: Vec<&str> = server_supported
                .iter()
                .map(ProtocolVersion::as_str)
                .collect();
            trouble(
                TroubleKind::BadEvent,
                format!("no revision fits: the server knows {}", theirs.join(", ")),
            )
        }
        // That the first question was not understood is no news.
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => not_connected(fallback),
        ClientInitializeError::TransportError { error, .. } => transport(error.error.as_ref()),
        other => trouble(TroubleKind::BadEvent, shortened(&cause(other))),
    }
}

/// Says why a message did not get through.
pub(super) fn transport(error: &(dyn Error + 'static)) -> Trouble {
    match error.downcast_ref::<HttpError>() {
        Some(HttpError::Client(error)) => error.0.clone(),
        Some(HttpError::SessionExpired) => Trouble {
            refusal: Some(Refusal {
                status: 404,
                retry_after_ms: None,
            }),
            ..trouble(
                TroubleKind::HttpStatus,
                "HTTP 404 Not Found: the server has lost the session",
            )
        },
        Some(other) => trouble(TroubleKind::Transport, shortened(&cause(other))),
        None => trouble(TroubleKind::Transport, shortened(&cause(error))),
    }
}

/// Returns what to look at next after a refusal.
pub(super) fn next_step(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 | 403 => "; is `auth` right?",
        _ => "",
    }
}

/// Says that no answer came from `url`.
pub(super) fn no_answer(url: &str, error: &reqwest::Error) -> Trouble {
    let kind = if error.is_connect() {
        TroubleKind::Unreachable
    } else {
        TroubleKind::Transport
    };
    let shown = without_secrets(url);
    trouble(kind, format!("{shown}: {}", cause(error)))
}

/// Says that the status is none that an answer comes with.
pub(super) fn with_status(response: &Response) -> Trouble {
    let status = response.status();
    let from = without_secrets(response.url().as_str());
    let target = response.headers().get(LOCATION);
    let (kind, to) = match target.filter(|_| status.is_redirection()) {
        Some(target) => {
            let target = String::from_utf8_lossy(target.as_bytes());
            let target = shortened(&without_secrets(&target));
            let to = format!(" to `{target}`, which is not followed");
            (TroubleKind::Redirect, to)
        }
        None => (TroubleKind::HttpStatus, String::new()),
    };
    let refusal = Refusal {
        status: status.as_u16(),
        // A date is set against the server's own clock; one without a clock asks for no wait that could be known.
        retry_after_ms: retry_after_ms(response.headers(), i64::MAX),
    };
    Trouble {
        refusal: Some(refusal),
        ..trouble(kind, format!("HTTP {status} from {from}{to}"))
    }
}
