//! Who asks: the era, the session, and what the client can do.

use serde_json::{Value, json};

use crate::rpc::Call;

/// The revisions that begin with `initialize`, newest first.
pub(super) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The revision without a beginning.
pub(super) const MODERN: &str = "2026-07-28";

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// A client, as a request tells of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Who {
    /// What its conversation is kept under; of no session, it has none.
    pub(super) session: Option<String>,
    /// Whether it can be asked on the way, by messages beside the answer.
    pub(super) can_hear: bool,
    /// Whether it speaks the modern revision.
    pub(super) is_modern: bool,
    /// What it can do.
    pub(super) capabilities: Value,
    /// Where it sent its request.
    pub(super) path: String,
}

impl Who {
    /// Tells whether the client can put a question to its user.
    pub(super) fn can_elicit(&self) -> bool {
        let elicitation = &self.capabilities["elicitation"];
        let has_form = elicitation.get("form").is_some() || elicitation.get("url").is_none();
        elicitation.is_object() && has_form && (self.is_modern || self.can_hear)
    }

    /// Notes what a request of the modern era says of its client.
    pub(super) fn with_meta(mut self, call: &Call) -> Self {
        let meta = &call.params["_meta"];
        if meta.get(VERSION).is_some() {
            self.is_modern = true;
            self.capabilities = meta.get(CAPABILITIES).cloned().unwrap_or_default();
        }
        self
    }
}

/// Returns the revision that a request of the modern era names.
pub(super) fn named_version(call: &Call) -> Option<&str> {
    call.params.get("_meta")?.get(VERSION)?.as_str()
}

/// Returns what is said of a revision that is not spoken here.
pub(super) fn unsupported(id: &Value, asked: &str) -> Value {
    let mut supported = vec![MODERN];
    supported.extend(LEGACY);
    json!({"jsonrpc": "2.0", "id": id, "error": {
        "code": -32022,
        "message": format!("the revision {asked} is not spoken here"),
        "data": {"supported": supported, "requested": asked},
    }})
}
