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
                found.push(
                    Diagnostic::error(
                        &node.place,
                        format!("JSON cannot hold the number `{}`", scalar.text),
                    )
                    .hint("put it in quotes to send it as text"),
                );
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
