//! What a connection to an MCP server is made from, references resolved.

use std::path::PathBuf;
use std::time::Duration;

use ananke_model::plan::{ElicitAction, Limits};
use serde_json::Value;

use crate::auth::Auth;
use crate::http::{Headers, HttpClient};

/// The first revision without a handshake: every request carries what the server must know.
const FIRST_MODERN: &str = "2026-07-28";
/// The last revision that begins with `initialize`.
const LAST_LEGACY: &str = "2025-11-25";

/// Everything that a connection needs.
#[derive(Debug)]
pub struct McpOptions {
    /// How to reach the server.
    pub transport: McpTransport,
    /// Which revision to speak.
    pub version: McpVersion,
    /// Limit for everything before the first call: start, handshake, and the list of tools.
    pub connect_timeout: Duration,
    /// What is said when the server asks.
    pub answers: ScriptedAnswers,
    /// Whether results are held against the tool's `outputSchema`.
    pub validate_output: bool,
    /// What is kept at most.
    pub limits: Limits,
}

/// How a server is reached.
#[derive(Debug)]
pub enum McpTransport {
    /// A program that is started, and spoken to over its pipes. It inherits the environment.
    Stdio {
        /// Program and arguments.
        command: Vec<String>,
        /// Where it runs.
        cwd: PathBuf,
        /// What is added to the environment.
        env: Vec<(String, String)>,
    },
    /// Streamable HTTP.
    Http(McpEndpoint),
    /// HTTP with events, as it was before streamable HTTP.
    Sse(McpEndpoint),
}

/// A server that is reached over HTTP.
#[derive(Debug)]
pub struct McpEndpoint {
    /// Its URL.
    pub url: String,
    /// The configured headers; they go to this origin only.
    pub headers: Headers,
    /// The shared client.
    pub client: HttpClient,
    /// Who the client is; it is told to this origin only.
    pub auth: Auth,
}

/// Which revision of the protocol is spoken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum McpVersion {
    /// The newest that both sides know: `server/discover` first, `initialize` where that is not understood.
    #[default]
    Auto,
    /// This one, such as `2025-11-25`.
    Pinned(String),
}

impl McpVersion {
    /// Reads `auto` or a revision.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let parts: Vec<&str> = text.split('-').collect();
        let lengths = parts.iter().map(|part| part.len());
        let is_date = lengths.eq([4, 2, 2])
            && parts
                .iter()
                .all(|part| part.chars().all(|c| c.is_ascii_digit()));
        if is_date {
            Ok(Self::Pinned(text.to_owned()))
        } else {
            Err(format!(
                "`{text}` is no revision of MCP: `auto`, or a date such as `{FIRST_MODERN}` or `{LAST_LEGACY}`"
            ))
        }
    }

    /// Returns the revision that is asked for without a handshake, if one may be.
    pub(super) fn modern(&self) -> Option<&str> {
        match self {
            Self::Auto => Some(FIRST_MODERN),
            Self::Pinned(version) => Some(version.as_str()).filter(|version| is_modern(version)),
        }
    }

    /// Returns the revision that `initialize` names, if there may be a handshake.
    pub(super) fn legacy(&self) -> Option<&str> {
        match self {
            Self::Auto => Some(LAST_LEGACY),
            Self::Pinned(version) => Some(version.as_str()).filter(|version| !is_modern(version)),
        }
    }
}

/// Revisions are dates, which sort as text.
pub(super) fn is_modern(version: &str) -> bool {
    version >= FIRST_MODERN
}

/// What is said when the server asks the client. Only what is scripted is offered to the server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptedAnswers {
    /// Answers to `elicitation/create`: the first that fits is given.
    pub elicitation: Vec<Elicited>,
    /// Answers to `sampling/createMessage`: the first that fits is given.
    pub sampling: Vec<Sampled>,
    /// The answer to `roots/list`, if there is one: objects with `uri`, and maybe `name`.
    pub roots: Option<Vec<Value>>,
}

/// Which questions an answer fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fits {
    /// What the question must contain, in upper or lower case; nothing fits all.
    pub contains: Option<String>,
    /// Whether it is given once only.
    pub once: bool,
}

/// An answer to a question for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Elicited {
    /// Which questions it fits.
    pub fits: Fits,
    /// What the user does.
    pub action: ElicitAction,
    /// What the user fills in. Members that are left out get the defaults of the question.
    pub content: Option<Value>,
}

/// An answer of the model that the server borrows.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Which questions it fits.
    pub fits: Fits,
    /// What the model says: a text, or a whole result with `role`, `content` and `model`.
    pub answer: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_belongs_to_one_era() {
        let eras = |text| {
            let version = McpVersion::parse(text).unwrap();
            format!("{:?} {:?}", version.modern(), version.legacy())
        };
        insta::assert_snapshot!(eras("auto"), @r#"Some("2026-07-28") Some("2025-11-25")"#);
        insta::assert_snapshot!(eras("2026-07-28"), @r#"Some("2026-07-28") None"#);
        insta::assert_snapshot!(eras("2024-11-05"), @r#"None Some("2024-11-05")"#);
    }

    #[test]
    fn anything_else_is_no_revision() {
        for text in ["", "latest", "2025-11", "2025-11-2x", "20251-1-25"] {
            assert!(McpVersion::parse(text).is_err(), "{text}");
        }
        insta::assert_snapshot!(McpVersion::parse("1.2").unwrap_err(), @"`1.2` is no revision of MCP: `auto`, or a date such as `2026-07-28` or `2025-11-25`");
    }
}
