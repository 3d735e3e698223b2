//! The two eras of MCP: with a handshake up to 2025-11-25, and without one since 2026-07-28.

use serde_json::{Value, json};

/// The newest version with a handshake.
pub(super) const LEGACY: &str = "2025-11-25";
/// The newest version without one.
pub(super) const MODERN: &str = "2026-07-28";
/// A version that there never was.
pub(super) const NEVER: &str = "1999-01-01";
/// Every version that there is.
pub(super) const KNOWN: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", LEGACY, MODERN];
/// Where a request without a handshake says its version.
pub(super) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// How a server is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// Every request says all.
    Modern,
    /// After a handshake, perhaps in a session.
    Legacy {
        /// What the server calls the session.
        session: Option<String>,
        /// The version that was agreed on.
        version: String,
    },
}

impl Era {
    /// Returns the version that requests name.
    pub(super) fn version(&self) -> &str {
        match self {
            Self::Modern => MODERN,
            Self::Legacy { version, .. } => version,
        }
    }
}

/// Returns what a request without a handshake says of itself.
pub(super) fn meta(version: &str) -> Value {
    json!({
        VERSION_KEY: version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "ananke", "version": "1"},
    })
}

/// Tells whether a request is one without a handshake.
pub(super) fn is_modern(request: Option<&Value>) -> bool {
    let meta = request.and_then(|request| request.get("params")?.get("_meta"));
    meta.is_some_and(|meta| meta.get(VERSION_KEY).is_some())
}
