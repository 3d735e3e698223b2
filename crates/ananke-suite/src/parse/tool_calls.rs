//! `tool_calls` of a message: the function may stand under `function` or beside the id, its arguments may be an object or
//! text.

use ananke_model::diagnostic::Diagnostic;
use serde_json::{Value, json};

use super::Found;
use super::object::Object;
use super::values::{choice, items, json as json_value, text};
use crate::schema::{TOOL_CALL, TOOL_FUNCTION};
use crate::yaml::Node;

/// Reads a list of calls.
pub(super) fn tool_calls(node: &Node, found: &mut Found) -> Option<Vec<Value>> {
    let items = items(node, found)?;
    if items.is_empty() {
        let message = "the list of calls is empty";
        found.push(Diagnostic::error(&node.place, message).hint("leave it out"));
        return None;
    }
    let calls: Vec<_> = items.iter().map(|item| tool_call(item, found)).collect();
    calls.into_iter().collect()
}

fn tool_call(node: &Node, found: &mut Found) -> Option<Value> {
    let object = Object::open(node, &TOOL_CALL, found)?;
    let id = object.get("id").and_then(|node| text(node, found));
    if let Some(node) = object.get("type") {
        choice(node, &["function"], found);
    }
    let function = object.get("function");
    let (name, arguments) = (object.get("name"), object.get("arguments"));
    let (name, arguments) = match (function, name, arguments) {
        (None, Some(name), arguments) => (name, arguments),
        (Some(function), None, None) => {
            let inner = Object::open(function, &TOOL_FUNCTION, found)?;
            let (name, arguments) = (inner.get("name"), inner.get("arguments"));
            (name?, arguments)
        }
        (Some(_), _, _) => {
            let message = "the call has a `function` and what belongs in it beside it";
            found.push(Diagnostic::error(&node.place, message).hint("leave one of them out"));
            return None;
        }
        (None, None, _) => {
            let hint = "write `\"function\": {\"name\": \"…\", \"arguments\": {}}`";
            let message = "the call names no tool";
            found.push(Diagnostic::error(&node.place, message).hint(hint));
            return None;
        }
    };
    let name = text(name, found);
    let arguments = match arguments {
        None => Some("{}".to_owned()),
        Some(node) => json_value(node, found).map(|json| match json.value {
            Value::String(text) => text,
            other => other.to_string(),
        }),
    };
    let function = json!({"name": name?.text, "arguments": arguments?});
    Some(json!({"id": id?.text, "type": "function", "function": function}))
}
