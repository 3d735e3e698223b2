//! `connectors` of the config: models and how to reach them, shared by targets and agents.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Place, Text};
use ananke_model::plan::KeyHeader;

use super::Found;
use super::object::Object;
use super::target_chat::{key_header, parameters};
use super::target_parts::headers;
use super::values::{choice, entries, text};
use crate::schema::{CONNECTOR, CONNECTOR_TYPES};
use crate::yaml::Node;

/// A model and how to reach it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectorSpec {
    pub(crate) place: Place,
    pub(crate) host: Option<Text>,
    pub(crate) model: Option<Text>,
    pub(crate) key: Option<Text>,
    pub(crate) key_header: Option<KeyHeader>,
    pub(crate) headers: Vec<(Text, Text)>,
    /// Further members of each request.
    pub(crate) options: Option<Json>,
    /// Whether answers can come in pieces, if that is known.
    pub(crate) stream: Option<bool>,
}

/// Reads `connectors`. Those that could not be read have no spec.
pub(super) fn config_connectors(
    node: &Node,
    found: &mut Found,
) -> Vec<(Text, Option<ConnectorSpec>)> {
    let mut connectors = Vec::new();
    for entry in entries(node, found).unwrap_or_default() {
        if entry.key.text.trim().is_empty() {
            let message = "the name of a connector is empty";
            found.push(Diagnostic::error(&entry.key.place, message));
        }
        connectors.push((entry.key.clone(), connector(&entry.value, found)));
    }
    connectors
}

fn connector(node: &Node, found: &mut Found) -> Option<ConnectorSpec> {
    let object = Object::open(node, &CONNECTOR, found)?;
    let kind = object
        .get("type")
        .map(|node| choice(node, CONNECTOR_TYPES, found));
    let host = object.get("host").map(|node| text(node, found));
    let proxy = object.get("proxy").map(|node| text(node, found));
    let header = object.get("key_header").map(|node| key_header(node, found));
    let mode = object.get("auth_mode").map(|node| key_header(node, found));
    let both = [
        ("host", "proxy", host.is_some() && proxy.is_some()),
        (
            "key_header",
            "auth_mode",
            header.is_some() && mode.is_some(),
        ),
    ];
    for (one, other, _) in both.into_iter().filter(|(_, _, is_both)| *is_both) {
        let message = format!("a connector has `{one}` or `{other}`, not both");
        found.push(
            Diagnostic::error(&object.key_place(other), message)
                .hint(format!("they mean the same; keep `{one}`")),
        );
    }
    if let Some(node) = object.get("label") {
        text(node, found);
    }
    let spec = ConnectorSpec {
        place: node.place.clone(),
        host: host.or(proxy).flatten(),
        model: object.get("model").and_then(|node| text(node, found)),
        key: object.get("key").and_then(|node| text(node, found)),
        key_header: header.or(mode).flatten(),
        headers: object
            .get("headers")
            .map(|node| headers(node, found))
            .unwrap_or_default(),
        options: object
            .get("options")
            .and_then(|node| parameters(node, found)),
        stream: None,
    };
    Some(spec).filter(|_| kind != Some(None))
}
