//! What every response of JSON-RPC must have.

use serde_json::Value;

use super::types::{Kind, shown};

/// Says what is wrong with a response as JSON-RPC 2.0 has it; what is in the result is not looked at.
pub(crate) fn envelope_problems(value: &Value) -> Vec<String> {
    let Some(object) = value.as_object() else {
        return vec![format!("expected an object, saw {}", shown(value))];
    };
    let mut problems = Vec::new();
    match object.get("jsonrpc") {
        Some(Value::String(version)) if version == "2.0" => {}
        Some(other) => problems.push(format!("`jsonrpc` should be \"2.0\", and is {other}")),
        None => problems.push("`jsonrpc` is missing".to_owned()),
    }
    match (object.get("result"), object.get("error")) {
        (Some(_), None) => {}
        (None, Some(error)) => problems.extend(error_problems(error)),
        (Some(_), Some(_)) => problems.push("it has both `result` and `error`".to_owned()),
        (None, None) => problems.push("it has neither `result` nor `error`".to_owned()),
    }
    problems
}

fn error_problems(error: &Value) -> Vec<String> {
    let members = [("code", Kind::Integer), ("message", Kind::Text)];
    let missing = members
        .iter()
        .filter_map(|(name, kind)| super::member(error, name, *kind));
    missing
        .map(|problem| format!("`error`: {problem}"))
        .collect()
}
