//! Values that targets of several types have.

use std::collections::HashMap;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};
use ananke_model::plan::ClientTool;

use super::Found;
use super::object::Object;
use super::tool_name::tool_name;
use super::values::{boolean, bytes, items, json, mismatch, scalar, scalars, text};
use crate::schema::{CLIENT_TOOL, CONTEXT, LIMITS, Shape, TLS};
use crate::yaml::{Kind, Node};

/// Reads the name of a group. It decides who waits for whom before any hook runs, so it holds no references.
pub(super) fn group(node: &Node, found: &mut Found) -> Option<Text> {
    let name = text(node, found)?;
    if name.text.contains("${") {
        let message = "a group is named without references";
        found.push(Diagnostic::error(&name.place, message).label("expected a plain name"));
        return None;
    }
    Some(name)
}

/// Reads a map of header names with scalars.
pub(super) fn headers(node: &Node, found: &mut Found) -> Vec<(Text, Text)> {
    let mut headers = Vec::new();
    let mut places = HashMap::new();
    for (name, value) in scalars(node, found) {
        if !is_header_name(&name.text) {
            let message = format!("`{}` is not a header name", name.text.escape_debug());
            let label = "expected letters, digits and `-`";
            found.push(Diagnostic::error(&name.place, message).label(label));
        } else if is_new(
            &name,
            &name.text.to_lowercase(),
            "header",
            &mut places,
            found,
        ) {
            headers.push((name, value));
        }
    }
    headers
}

/// Tells whether `key` was not seen before, and reports it if it was.
fn is_new(
    name: &Text,
    key: &str,
    what: &str,
    places: &mut HashMap<String, Place>,
    found: &mut Found,
) -> bool {
    let Some(first) = places.get(key) else {
        places.insert(key.to_owned(), name.place.clone());
        return true;
    };
    let message = format!("the {what} `{}` is written twice", name.text);
    let label = format!("first written at {first}");
    found.push(Diagnostic::error(&name.place, message).label(label));
    false
}

/// Tells whether `name` is a `token` of RFC 9110.
pub(super) fn is_header_name(name: &str) -> bool {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(token)
}

/// Reads `context`.
pub(super) fn context(node: &Node, found: &mut Found) -> Option<Vec<(Text, Text)>> {
    let items = items(node, found)?;
    let entry = |item: &Node| {
        let object = Object::open(item, &CONTEXT, found)?;
        let description = object.get("description").and_then(|node| text(node, found));
        let value = object.get("value").and_then(|node| scalar(node, found));
        Some((description?, value?))
    };
    Some(items.iter().filter_map(entry).collect())
}

/// Reads `tools`.
pub(super) fn tools(node: &Node, found: &mut Found) -> Option<Vec<ClientTool>> {
    tools_like(node, &CLIENT_TOOL, found)
}

/// Reads tools that a client offers, each of the given shape.
pub(super) fn tools_like(
    node: &Node,
    shape: &'static Shape,
    found: &mut Found,
) -> Option<Vec<ClientTool>> {
    let items = items(node, found)?;
    let mut places = HashMap::new();
    let mut tools = Vec::new();
    for item in items {
        if let Some(tool) = tool(item, shape, found)
            && is_new(&tool.name, &tool.name.text, "tool", &mut places, found)
        {
            tools.push(tool);
        }
    }
    Some(tools)
}

fn tool(node: &Node, shape: &'static Shape, found: &mut Found) -> Option<ClientTool> {
    let object = Object::open(node, shape, found)?;
    let name = object.get("name").and_then(|node| tool_name(node, found));
    let description = object
        .get("description")
        .and_then(|node| scalar(node, found));
    let parameters = object.get("parameters").and_then(|node| {
        if !matches!(node.kind, Kind::Map(_)) {
            mismatch(node, "a JSON Schema, which is a map", found);
            return None;
        }
        json(node, found)
    });
    let result = object.get("result").and_then(|node| json(node, found));
    Some(ClientTool {
        name: name?,
        description: description.unwrap_or_else(|| Text {
            text: String::new(),
            place: node.place.clone(),
        }),
        parameters,
        result,
    })
}

/// Reads `tls`.
pub(super) fn tls(node: &Node, found: &mut Found) -> (Option<Text>, Option<bool>) {
    let Some(object) = Object::open(node, &TLS, found) else {
        return (None, None);
    };
    let ca = object.get("ca").and_then(|node| text(node, found));
    let insecure = object.get("insecure").and_then(|node| boolean(node, found));
    (ca, insecure)
}

/// Reads `limits`.
pub(super) fn limits(node: &Node, found: &mut Found) -> (Option<usize>, Option<usize>) {
    let Some(object) = Object::open(node, &LIMITS, found) else {
        return (None, None);
    };
    let mut size = |key| object.get(key).and_then(|node| bytes(node, found));
    (size("event_bytes"), size("turn_bytes"))
}
