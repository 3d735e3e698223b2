//! A tree to plain JSON, for values that are handed on as they are.

use ananke_model::diagnostic::Diagnostic;
use serde_json::{Map, Number, Value};

use super::node::{Kind, Node, Scalar, ScalarKind};
use super::scalar::integer;

/// Returns `node` as JSON; `None` if JSON cannot say it, which is then reported.
pub(crate) fn json(node: &Node, found: &mut Vec<Diagnostic>) -> Option<Value> {
    match &node.kind {
        Kind::Scalar(scalar) => {
            let value = scalar_value(scalar);
            if value.is_none() {
                found.push(beyond(node, scalar));
            }
            value
        }
        Kind::Seq(items) => {
            let values: Vec<_> = items.iter().map(|item| json(item, found)).collect();
            values.into_iter().collect::<Option<_>>().map(Value::Array)
        }
        Kind::Map(entries) => {
            let members: Vec<_> = entries
                .iter()
                .map(|entry| Some((entry.key.text.clone(), json(&entry.value, found)?)))
                .collect();
            members
                .into_iter()
                .collect::<Option<Map<_, _>>>()
                .map(Value::Object)
        }
        Kind::Broken => None,
    }
}

/// Says that a number is none that could be sent, or compared without rounding it.
fn beyond(node: &Node, scalar: &Scalar) -> Diagnostic {
    let text = &scalar.text;
    if !text.contains(|c: char| c.is_ascii_digit()) {
        let message = format!("JSON cannot hold the number `{text}`");
        return Diagnostic::error(&node.place, message).hint("put it in quotes to send it as text");
    }
    let range = match scalar.kind {
        ScalarKind::Int => format!(
            "whole numbers from {} to {} are kept exactly",
            i64::MIN,
            u64::MAX
        ),
        _ => "numbers up to 1.7976931348623157e308 are kept".to_owned(),
    };
    Diagnostic::error(&node.place, format!("the number `{text}` is too large"))
        .label(range)
        .hint("put it in quotes to send it as text; demand it of an answer with `type: regex`")
}

fn scalar_value(scalar: &Scalar) -> Option<Value> {
    match scalar.kind {
        ScalarKind::Null => Some(Value::Null),
        ScalarKind::Bool(value) => Some(Value::Bool(value)),
        ScalarKind::Str => Some(Value::String(scalar.text.clone())),
        ScalarKind::Int => Number::from_i128(integer(&scalar.text)?).map(Value::Number),
        ScalarKind::Float => {
            let number: f64 = scalar.text.parse().ok()?;
            Number::from_f64(number).map(Value::Number)
        }
    }
}
