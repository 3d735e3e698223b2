//! The schema says what is written. Checked with as much of JSON Schema as it uses.

use serde_json::{Value, json};

use super::sample_bytes;
use crate::bundle_schema;

#[test]
fn the_golden_file_is_valid() {
    let text = include_str!("../../../testdata/bundle.v1.jsonl");
    assert_eq!(text.lines().count(), 10);
    for line in text.lines() {
        assert_eq!(mistakes(line), Vec::<String>::new());
    }
}

#[test]
fn whatever_is_written_is_described() {
    let text = String::from_utf8(zstd::decode_all(&sample_bytes()[..]).unwrap()).unwrap();
    for line in text.lines() {
        assert_eq!(undescribed(line), Vec::<String>::new());
    }
}

#[test]
fn mistakes_are_found() {
    assert_eq!(mistakes("{}"), ["/record is missing"]);
    assert_eq!(mistakes(r#"{"record":"later"}"#), Vec::<String>::new());
    assert_eq!(
        mistakes(r#"{"record":"source","file":1}"#),
        ["/text is missing", "/file is not a string"]
    );
}

/// Returns the members of a record that the schema does not know.
pub(super) fn undescribed(line: &str) -> Vec<String> {
    let schema = bundle_schema();
    let mut undescribed = Vec::new();
    let record = serde_json::from_str(line).unwrap();
    walk(
        &schema,
        &schema,
        &record,
        "",
        &mut Vec::new(),
        &mut undescribed,
    );
    undescribed
}

/// Returns what is wrong with a record.
pub(super) fn mistakes(line: &str) -> Vec<String> {
    let schema = bundle_schema();
    let mut mistakes = Vec::new();
    let record = serde_json::from_str(line).unwrap();
    walk(
        &schema,
        &schema,
        &record,
        "",
        &mut mistakes,
        &mut Vec::new(),
    );
    mistakes
}

/// Collects what is wrong in `value`, and the members that the schema does not know.
fn walk(
    root: &Value,
    schema: &Value,
    value: &Value,
    at: &str,
    mistakes: &mut Vec<String>,
    unknown: &mut Vec<String>,
) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).unwrap();
        walk(root, target, value, at, mistakes, unknown);
    }
    for branch in schema["allOf"].as_array().into_iter().flatten() {
        let mut misses = Vec::new();
        walk(root, &branch["if"], value, at, &mut misses, &mut Vec::new());
        if misses.is_empty() {
            walk(root, &branch["then"], value, at, mistakes, unknown);
        }
    }
    if let Some(kind) = schema["type"].as_str() {
        let is_kind = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("{other} is not known here"),
        };
        if !is_kind {
            mistakes.push(format!("{at} is not a {kind}"));
        }
    }
    let constant = schema.get("const").is_some_and(|one| one != value);
    let listed = schema["enum"]
        .as_array()
        .is_some_and(|list| !list.contains(value));
    if constant || listed {
        mistakes.push(format!("{at} is {value}"));
    }
    if schema["minimum"] == json!(0) && value.as_i64().is_some_and(|number| number < 0) {
        mistakes.push(format!("{at} is negative"));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            mistakes.push(format!("{at}/{} is missing", name.as_str().unwrap()));
        }
    }
    // What stands at the root is known from the branch that its kind took.
    let described = schema["properties"].as_object();
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match described.and_then(|described| described.get(name)) {
            Some(schema) => walk(root, schema, member, &at, mistakes, unknown),
            None if schema.get("additionalProperties").is_some() => {
                walk(
                    root,
                    &schema["additionalProperties"],
                    member,
                    &at,
                    mistakes,
                    unknown,
                );
            }
            None if described.is_some() && schema.get("allOf").is_none() && name != "record" => {
                unknown.push(at);
            }
            None => {}
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        let prefix = schema["prefixItems"].get(index);
        if let Some(schema) = prefix.or_else(|| schema.get("items")) {
            walk(
                root,
                schema,
                item,
                &format!("{at}/{index}"),
                mistakes,
                unknown,
            );
        }
    }
}
