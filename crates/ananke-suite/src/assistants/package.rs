//! `package.yao`: what an assistant is.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use serde_json::{Map, Value};

use super::options::options;
use super::refused::container_key;
use super::server_use::{ServerUse, ToolLoop, server_uses, tool_loop};
use super::values::{flag, text, warn_of_unknown};
use crate::parse::Found;
use crate::yaml::{Kind, Node, ScalarKind};

/// Keys that decide how the assistant is run.
const KEYS: [&str; 7] = [
    "name",
    "type",
    "description",
    "connector",
    "options",
    "mcp",
    "disable_global_prompts",
];

/// Keys that a test has no need of.
const IDLE: [&str; 18] = [
    "connector_options",
    "modes",
    "default_mode",
    "placeholder",
    "tags",
    "search",
    "kb",
    "db",
    "uses",
    "workflow",
    "dependencies",
    "avatar",
    "sort",
    "public",
    "share",
    "readonly",
    "mentionable",
    "automated",
];

/// Keys that are refused by others.
const REFUSED: [&str; 2] = ["sandbox", "container"];

/// A package as written.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) place: Place,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) kind: String,
    /// `None` inside if it was written wrong, which is reported.
    pub(super) connector: Option<Option<Text>>,
    /// Members of every request.
    pub(super) parameters: Map<String, Value>,
    pub(super) servers: Vec<ServerUse>,
    pub(super) tool_loop: ToolLoop,
    pub(super) has_global_prompts: bool,
}

/// Reads a package.
pub(super) fn package(node: &Node, found: &mut Found) -> Package {
    let known = [&KEYS[..], &IDLE, &REFUSED].concat();
    warn_of_unknown(node, "`package.yao`", &known, found);
    for key in REFUSED {
        if let Some(entry) = entry(node, key) {
            container_key(entry, found);
        }
    }
    let name = match node.get("name") {
        Some(name) => text(name, "`name`", found),
        None => {
            let message = "`name` is missing in `package.yao`";
            let hint = "write `\"name\": \"Refund\"`";
            found.push(Diagnostic::error(&node.place, message).hint(hint));
            None
        }
    };
    let mut words = |key: &str| {
        let value = node.get(key).filter(|value| !value.is_null())?;
        // An empty text is as good as none.
        let is_empty = value
            .scalar()
            .is_some_and(|scalar| scalar.kind == ScalarKind::Str && scalar.text.trim().is_empty());
        (!is_empty).then(|| text(value, &format!("`{key}`"), found))
    };
    let kind = words("type").flatten().map(|kind| kind.text);
    let description = words("description").flatten();
    let connector = words("connector");
    let set = |key: &str| node.get(key).filter(|value| !value.is_null());
    let is_disabled = set("disable_global_prompts")
        .and_then(|value| flag(value, "`disable_global_prompts`", found))
        .unwrap_or(false);
    Package {
        place: node.place.clone(),
        name: name.map(|name| name.text).unwrap_or_default(),
        description: description.map(|text| text.text).unwrap_or_default(),
        kind: kind.unwrap_or_else(|| "assistant".to_owned()),
        connector,
        parameters: set("options")
            .map(|node| options(node, found))
            .unwrap_or_default(),
        servers: set("mcp")
            .map(|node| server_uses(node, found))
            .unwrap_or_default(),
        tool_loop: set("mcp")
            .map(|node| tool_loop(node, found))
            .unwrap_or_default(),
        has_global_prompts: !is_disabled,
    }
}

fn entry<'n>(node: &'n Node, key: &str) -> Option<&'n crate::yaml::Entry> {
    match &node.kind {
        Kind::Map(entries) => entries.iter().find(|entry| entry.key.text == key),
        Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => None,
    }
}
