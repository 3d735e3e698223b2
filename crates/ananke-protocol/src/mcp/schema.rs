//! What a tool returns, held against the schema that it announced. Nothing is ever loaded over the network.

use std::error::Error;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use jsonschema::{Retrieve, Uri};
use serde_json::Value;

use super::words::shortened;

/// How many differences are told.
const MAX_TOLD: usize = 3;
/// How long a schema with references is held against a result.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where other schemas come from.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(&self, _uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Err("schemas are not loaded from elsewhere".into())
    }
}

/// Says what is wrong with the result of a tool that announced `schema`, if something is.
pub(super) fn mismatch(tool: &str, schema: &Value, result: &Value) -> Option<String> {
    let Some(content) = result.get("structuredContent") else {
        return Some(format!(
            "the tool `{tool}` announces an `outputSchema`, but its result has no `structuredContent`"
        ));
    };
    if !has_reference(schema) {
        return held_against(tool, schema, content);
    }
    // A few references to references make a schema that takes years: nobody waits for it, and nothing else stands still.
    let (told, answer) = mpsc::channel();
    let (name, schema, content) = (tool.to_owned(), schema.clone(), content.clone());
    let checking = thread::Builder::new().name("output-schema".to_owned());
    let checking = checking.spawn(move || {
        // Nobody may be waiting any more.
        told.send(held_against(&name, &schema, &content)).ok();
    });
    let answer = checking
        .ok()
        .and_then(|_| answer.recv_timeout(PATIENCE).ok());
    answer.unwrap_or_else(|| {
        Some(format!(
            "the `outputSchema` of the tool `{tool}` is too costly: it could not be checked within {} ms",
            PATIENCE.as_millis()
        ))
    })
}

/// Tells whether a schema leads to others, or to itself.
fn has_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(key, value)| {
            matches!(key.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || has_reference(value)
        }),
        Value::Array(items) => items.iter().any(has_reference),
        _ => false,
    }
}

fn held_against(tool: &str, schema: &Value, content: &Value) -> Option<String> {
    let validator = match jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_retriever(Nowhere)
        .build(schema)
    {
        Ok(validator) => validator,
        Err(error) => {
            let why = shortened(&error.to_string());
            return Some(format!(
                "the `outputSchema` of the tool `{tool}` cannot be used: {why}"
            ));
        }
    };
    let mut errors = validator.iter_errors(content);
    let told: Vec<String> = errors
        .by_ref()
        .take(MAX_TOLD)
        .map(|error| {
            let at = error.instance_path().to_string();
            let at = if at.is_empty() { "/".to_owned() } else { at };
            format!("at `{at}`: {}", shortened(&error.to_string()))
        })
        .collect();
    if told.is_empty() {
        return None;
    }
    let more = match errors.count() {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    Some(format!(
        "the `structuredContent` of the tool `{tool}` does not fit its `outputSchema`: {}{more}",
        told.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn told(schema: &Value, result: &Value) -> String {
        mismatch("add", schema, result).unwrap_or_else(|| "fits".to_owned())
    }

    #[test]
    fn results_fit_their_schema_or_say_where_they_do_not() {
        let schema = json!({
            "type": "object",
            "properties": {"sum": {"type": "integer"}, "of": {"type": "array", "items": {"type": "integer"}}},
            "required": ["sum"],
        });
        assert_snapshot!(told(&schema, &json!({"structuredContent": {"sum": 3}})), @"fits");
        assert_snapshot!(told(&schema, &json!({"structuredContent": {"sum": "3"}})), @r#"the `structuredContent` of the tool `add` does not fit its `outputSchema`: at `/sum`: "3" is not of type "integer""#);
        assert_snapshot!(told(&schema, &json!({"structuredContent": {"of": ["a", "b", "c", "d"]}})), @r#"the `structuredContent` of the tool `add` does not fit its `outputSchema`: at `/`: "sum" is a required property; at `/of/0`: "a" is not of type "integer"; at `/of/1`: "b" is not of type "integer"; and 2 more"#);
        assert_snapshot!(told(&schema, &json!({"content": []})), @"the tool `add` announces an `outputSchema`, but its result has no `structuredContent`");
        assert_snapshot!(told(&json!({"type": "number"}), &json!({"structuredContent": 3})), @"fits");
    }

    #[test]
    fn a_schema_that_is_none_or_somewhere_else_is_said() {
        let result = json!({"structuredContent": {}});
        assert_snapshot!(told(&json!({"type": "nothing"}), &result), @r#"the `outputSchema` of the tool `add` cannot be used: "nothing" is not valid under any of the schemas listed in the 'anyOf' keyword"#);
        assert_snapshot!(told(&json!({"$ref": "http://127.0.0.1:1/schema.json"}), &result), @"the `outputSchema` of the tool `add` cannot be used: Resource 'http://127.0.0.1:1/schema.json' is not present in a registry and retrieving it failed: schemas are not loaded from elsewhere");
    }

    #[test]
    fn a_schema_that_takes_years_is_given_up() {
        let mut defs = serde_json::Map::new();
        for number in 0..40 {
            let next = json!({"$ref": format!("#/$defs/a{}", number + 1)});
            defs.insert(format!("a{number}"), json!({"allOf": [next.clone(), next]}));
        }
        defs.insert("a40".to_owned(), json!({}));
        let schema = json!({"$ref": "#/$defs/a0", "$defs": defs});
        assert_snapshot!(told(&schema, &json!({"structuredContent": {}})), @"the `outputSchema` of the tool `add` is too costly: it could not be checked within 1000 ms");
    }

    #[test]
    fn a_schema_may_lead_to_itself() {
        let tree = json!({"type": "object", "properties": {"left": {"$ref": "#"}, "value": {"type": "integer"}}});
        assert_snapshot!(told(&tree, &json!({"structuredContent": {"left": {"left": {"value": 1}}}})), @"fits");
        assert_snapshot!(told(&tree, &json!({"structuredContent": {"left": {"left": {"value": "1"}}}})), @r#"the `structuredContent` of the tool `add` does not fit its `outputSchema`: at `/left/left/value`: "1" is not of type "integer""#);
    }
}
