//! Schemas of tools.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::{McpAsked, McpListed};
use crate::exchange::Exchange;
use crate::rpc::{response, shown};
use crate::rule::{Findings, Rule};

static TOOL_SCHEMA: Rule = Rule {
    id: "mcp.tool-schema",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "`inputSchema` and `outputSchema` are valid JSON Schema",
    reason: "One wrong schema makes models and clients refuse the whole list of tools.",
    section: "Tools, JSON Schema usage",
    advice: "Check the schemas against their meta-schema; without `$schema` they are of draft 2020-12.",
    needs: "schema of a tool",
};

pub(super) const RULES: &[&Rule] = &[&TOOL_SCHEMA];

pub(super) fn look(exchange: &Exchange, asked: McpAsked, found: &mut Findings) {
    if asked != McpAsked::List(McpListed::Tools) {
        return;
    }
    let Some(reply) = response(&exchange.answer) else {
        return;
    };
    let tools = reply
        .result()
        .and_then(|result| result.get("tools")?.as_array());
    for tool in tools.into_iter().flatten() {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        for member in ["inputSchema", "outputSchema"] {
            let Some(schema) = tool.get(member) else {
                continue;
            };
            found.saw(&TOOL_SCHEMA);
            if let Some(problem) = problem(schema) {
                let message = format!("`{member}` of the tool `{name}`: {problem}");
                found.told(&TOOL_SCHEMA, reply.event, message);
            }
        }
    }
}

fn problem(schema: &Value) -> Option<String> {
    if !schema.is_object() {
        // What is no object at all is told by the rule of shapes where it must be there.
        return Some(format!("expected an object, saw {}", shown(schema)));
    }
    let is_known = |name: &str| name.contains("json-schema.org/");
    let declared = schema.get("$schema").and_then(Value::as_str);
    // A dialect that we do not know cannot be judged.
    if declared.is_some_and(|name| !is_known(name)) {
        return None;
    }
    let error = jsonschema::meta::validate(schema).err()?;
    let at = error.instance_path().to_string();
    let at = if at.is_empty() { "/".to_owned() } else { at };
    Some(format!("at `{at}`: {error}"))
}

/// Says where a value does not fit a schema, if it does not; nothing if the schema cannot be used. Nothing is loaded.
pub(super) fn mismatch(schema: &Value, value: &Value) -> Option<String> {
    let validator = jsonschema::options()
        .with_retriever(Nowhere)
        .build(schema)
        .ok()?;
    let error = validator.iter_errors(value).next()?;
    let at = error.instance_path().to_string();
    let at = if at.is_empty() { "/".to_owned() } else { at };
    Some(format!("at `{at}`: {error}"))
}

/// Where other schemas come from.
struct Nowhere;

impl jsonschema::Retrieve for Nowhere {
    fn retrieve(
        &self,
        _uri: &jsonschema::Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err("schemas are not loaded from elsewhere".into())
    }
}
