//! Arguments set against the schema of a tool: types, members, lists and enumerations. A model is told what is wrong, and
//! can do better.

use serde_json::{Map, Value};

use super::create::kind;

/// How deep schemas are followed; what they do not forbid there is allowed.
const MAX_DEPTH: usize = 32;
/// How many mistakes are told at once.
const MAX_MISTAKES: usize = 5;

/// Returns what is wrong with a value by a schema.
pub(super) fn mistakes(value: &Value, schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(value, schema, "", MAX_DEPTH, &mut found);
    found.truncate(MAX_MISTAKES);
    found
}

fn check(value: &Value, schema: &Value, path: &str, depth: usize, found: &mut Vec<String>) {
    let Some(schema) = schema.as_object().filter(|_| depth > 0) else {
        return;
    };
    if found.len() >= MAX_MISTAKES {
        return;
    }
    let name = if path.is_empty() {
        "the arguments"
    } else {
        path
    };
    let is = if path.is_empty() { "are" } else { "is" };
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|kind| is_of(value, kind)) {
        let expected: Vec<&str> = types.into_iter().map(described).collect();
        let expected = expected.join(" or ");
        found.push(format!("{name} {is} {}, expected {expected}", kind(value)));
        return;
    }
    let allowed = schema.get("enum").and_then(Value::as_array);
    if let Some(allowed) = allowed.filter(|allowed| !allowed.contains(value)) {
        let allowed: Vec<String> = allowed.iter().take(10).map(Value::to_string).collect();
        found.push(format!(
            "{name} {is} {value}, expected one of {}",
            allowed.join(", ")
        ));
    }
    if let Some(only) = schema.get("const").filter(|only| *only != value) {
        found.push(format!("{name} {is} {value}, expected {only}"));
    }
    match value {
        Value::Object(members) => check_members(members, schema, path, depth, found),
        Value::Array(items) => {
            let each = schema.get("items").filter(|items| items.is_object());
            for (number, item) in items.iter().enumerate() {
                if let Some(each) = each {
                    check(
                        item,
                        each,
                        &below(path, &number.to_string()),
                        depth - 1,
                        found,
                    );
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn check_members(
    members: &Map<String, Value>,
    schema: &Map<String, Value>,
    path: &str,
    depth: usize,
    found: &mut Vec<String>,
) {
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if !members.contains_key(name) {
            found.push(format!("{} is missing", below(path, name)));
        }
    }
    let known = schema.get("properties").and_then(Value::as_object);
    let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, member) in members {
        match known.and_then(|known| known.get(name)) {
            Some(schema) => check(member, schema, &below(path, name), depth - 1, found),
            None if is_closed => found.push(format!("{} is not known", below(path, name))),
            None => {}
        }
    }
}

fn below(path: &str, name: &str) -> String {
    let path = path.trim_matches('`');
    match path {
        "" => format!("`{name}`"),
        path => format!("`{path}/{name}`"),
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        // A kind that nobody knows forbids nothing.
        _ => true,
    }
}

fn described(kind: &str) -> &str {
    match kind {
        "boolean" => "true or false",
        "string" => "a text",
        "array" => "a list",
        "object" => "an object",
        "number" => "a number",
        "integer" => "a whole number",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn told(value: Value) -> String {
        let schema = json!({
            "type": "object",
            "required": ["id"],
            "additionalProperties": false,
            "properties": {
                "id": {"type": "string"},
                "n": {"type": ["integer", "null"]},
                "kind": {"enum": ["a", "b"]},
                "items": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}},
            },
        });
        mistakes(&value, &schema).join("; ")
    }

    #[test]
    fn mistakes_name_their_place() {
        assert_snapshot!(told(json!({"id": "7", "n": 2.0, "kind": "a", "items": [{"price": 1.5, "more": 1}]})), @"");
        assert_snapshot!(told(json!({"id": "7", "n": null})), @"");
        assert_snapshot!(told(json!({})), @"`id` is missing");
        assert_snapshot!(told(json!([1])), @"the arguments are a list, expected an object");
        assert_snapshot!(told(json!({"id": 7, "n": 1.5, "kind": "c", "other": 1})), @r#"`id` is a number, expected a text; `n` is a number, expected a whole number or null; `kind` is "c", expected one of "a", "b"; `other` is not known"#);
        assert_snapshot!(told(json!({"id": "7", "items": [{}, {"price": "1"}]})), @"`items/1/price` is a text, expected a number");
    }

    #[test]
    fn a_schema_without_end_is_not_followed_for_ever() {
        let mut schema = json!({"type": "string"});
        let mut value = json!(1);
        for _ in 0..100 {
            schema = json!({"properties": {"a": schema}});
            value = json!({"a": value});
        }
        assert!(mistakes(&value, &schema).is_empty());
    }
}
