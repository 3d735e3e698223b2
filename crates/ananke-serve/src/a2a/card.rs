//! The agent card: one that carries the shapes of both versions.

use serde_json::{Value, json};

use crate::agent::About;
use crate::recorded::Foreign;

/// Returns the card of an agent that is reached at `base`, such as `http://127.0.0.1:8000/shop`.
pub(super) fn card(about: &About, base: &str) -> Value {
    let base = base.trim_end_matches('/');
    let (rpc, rest) = (format!("{base}/a2a"), format!("{base}/a2a/v1"));
    let interface = |url: &str, binding: &str, version: &str| json!({"url": url, "protocolBinding": binding, "protocolVersion": version});
    json!({
        "name": about.name,
        "description": about.description,
        "version": "1.0",
        "supportedInterfaces": [
            interface(&rpc, "JSONRPC", "1.0"),
            interface(&rest, "HTTP+JSON", "1.0"),
            interface(&rpc, "JSONRPC", "0.3"),
        ],
        "protocolVersion": "0.3.0",
        "url": rpc,
        "preferredTransport": "JSONRPC",
        "additionalInterfaces": [{"transport": "JSONRPC", "url": rpc}],
        "capabilities": {"streaming": true, "pushNotifications": false},
        "defaultInputModes": ["text/plain", "application/json"],
        "defaultOutputModes": ["text/plain", "application/json"],
        "skills": about.skills,
    })
}

/// Returns the card that a recorded agent had, with addresses that lead here. Only the recorded version is offered: that is
/// the one in which there are answers.
pub(super) fn recorded_card(recorded: &Foreign, base: &str) -> Value {
    let (mut card, version) = (recorded.about.clone(), recorded.version.as_str());
    let base = base.trim_end_matches('/');
    let (rpc, rest) = (format!("{base}/a2a"), format!("{base}/a2a/v1"));
    let Some(members) = card.as_object_mut() else {
        return card;
    };
    for name in [
        "supportedInterfaces",
        "additionalInterfaces",
        "url",
        "preferredTransport",
        "signatures",
    ] {
        members.remove(name);
    }
    if version == "0.3" {
        members.insert("url".to_owned(), rpc.as_str().into());
        members.insert("preferredTransport".to_owned(), "JSONRPC".into());
        members.insert("protocolVersion".to_owned(), "0.3.0".into());
    } else {
        let interfaces = [(rpc, "JSONRPC"), (rest, "HTTP+JSON")].map(|(url, binding)| {
            json!({"url": url, "protocolBinding": binding, "protocolVersion": version})
        });
        members.remove("protocolVersion");
        members.insert("supportedInterfaces".to_owned(), json!(interfaces));
    }
    card
}
