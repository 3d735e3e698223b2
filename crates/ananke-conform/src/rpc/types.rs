//! Members and their types, in words.

use serde_json::Value;

/// What a member must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string.
    Text,
    /// A string that is not empty.
    Name,
    /// A whole number.
    Integer,
    /// True or false.
    Flag,
    /// An object.
    Object,
    /// A list.
    List,
}

/// Says what is wrong with a member that must be there, if something is.
pub(crate) fn member(object: &Value, name: &str, kind: Kind) -> Option<String> {
    let Some(value) = object.get(name) else {
        return Some(format!("`{name}` is missing"));
    };
    let (fits, wanted) = match kind {
        Kind::Text => (value.is_string(), "a string"),
        Kind::Name => (
            value.as_str().is_some_and(|text| !text.is_empty()),
            "a string with something in it",
        ),
        Kind::Integer => (value.is_i64() || value.is_u64(), "a whole number"),
        Kind::Flag => (value.is_boolean(), "true or false"),
        Kind::Object => (value.is_object(), "an object"),
        Kind::List => (value.is_array(), "a list"),
    };
    (!fits).then(|| format!("`{name}` should be {wanted}, and is {}", shown(value)))
}

/// Returns what a value is, in words.
pub(crate) fn shown(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(text) if text.is_empty() => "an empty string",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
