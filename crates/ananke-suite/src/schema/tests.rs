//! The schema and the parser know the same keys, and every example is right.

use std::path::Path;
use std::sync::Arc;

use insta::assert_snapshot;
use serde_json::Value;

use super::shape::{Field, FieldKind, Shape};
use super::{BASELINE, CASE, CONFIG, CONFORM, CONTEXT_FILE, SCRIPT, SchemaKind, TEST, schema};
use crate::testing::{CONFIG as MINIMAL, Suite, line, problems};
use crate::yaml::{compose, json};
use crate::{load_conform_baseline, load_conform_setup, load_script};

/// Every shape, with the file around it: `@` stands for the map.
fn shapes() -> Vec<(&'static Shape, String, &'static str)> {
    let mut shapes = Vec::new();
    gather(&CONFIG, "@".to_owned(), "ananke.config.yaml", &mut shapes);
    gather(&TEST, "@".to_owned(), "a.test.yaml", &mut shapes);
    gather(&CASE, "@".to_owned(), "tests/a.jsonl", &mut shapes);
    gather(&SCRIPT, "@".to_owned(), "a.script.yaml", &mut shapes);
    gather(&CONTEXT_FILE, "@".to_owned(), "ctx.yaml", &mut shapes);
    gather(&CONFORM, "@".to_owned(), "conform.yaml", &mut shapes);
    gather(&BASELINE, "@".to_owned(), "known.yaml", &mut shapes);
    shapes
}

fn gather(
    shape: &'static Shape,
    around: String,
    file: &'static str,
    shapes: &mut Vec<(&'static Shape, String, &'static str)>,
) {
    if shapes
        .iter()
        .any(|(known, _, _)| std::ptr::eq(*known, shape))
    {
        return;
    }
    shapes.push((shape, around.clone(), file));
    for field in shape.fields {
        gather_kind(shape, field, &field.kind, &around, file, shapes);
    }
}

fn gather_kind(
    shape: &'static Shape,
    field: &'static Field,
    kind: &'static FieldKind,
    around: &str,
    file: &'static str,
    shapes: &mut Vec<(&'static Shape, String, &'static str)>,
) {
    let mut inside = |inner: &'static Shape, form: &str| {
        let map = map(shape, field.name, &form.replace('@', "\u{1}")).replace('\u{1}', "@");
        gather(inner, around.replace('@', &map), file, shapes);
    };
    match kind {
        FieldKind::Object(inner)
        | FieldKind::OneOrMore(inner)
        | FieldKind::NameOr(inner)
        | FieldKind::NamesOr(inner) => {
            inside(inner, "@");
        }
        FieldKind::Typed(inners) => inners.iter().for_each(|inner| inside(inner, "@")),
        FieldKind::TypedMap(inners) => {
            let form = "{no_errors: @}";
            inners.iter().for_each(|inner| inside(inner, form));
        }
        FieldKind::Objects(inner) | FieldKind::Steps(inner) => inside(inner, "[@]"),
        FieldKind::Checks(inners) => inners.iter().for_each(|inner| inside(inner, "[@]")),
        FieldKind::Prompt(inner) => inside(inner, "@"),
        FieldKind::Content(inners) => inners.iter().for_each(|inner| inside(inner, "[@]")),
        FieldKind::ObjectMap(inner) => inside(inner, "{no_errors: @}"),
        FieldKind::Turns(inners) => {
            // An `agui:resume` turn cannot be the first.
            let form = "[{user: Hello}, @]";
            inners.iter().for_each(|inner| inside(inner, form));
        }
        FieldKind::OrFalse(inner)
        | FieldKind::OrOff(inner)
        | FieldKind::OrBool(inner)
        | FieldKind::TextOr(inner) => {
            gather_kind(shape, field, inner, around, file, shapes);
        }
        _ => {}
    }
}

/// Returns a map with the required keys of `shape` and one more.
fn map(shape: &Shape, key: &str, value: &str) -> String {
    let required = shape
        .fields
        .iter()
        .filter(|field| field.required && field.name != key);
    let mut entries: Vec<_> = required
        .map(|field| match field.kind {
            // What it holds may need the newest.
            FieldKind::Version => "version: \"1.2\"".to_owned(),
            _ => format!("{}: {}", field.name, field.example),
        })
        .collect();
    if shape.name == "Config" && key != "assertions" {
        entries.push("assertions: {no_errors: {}}".to_owned());
    }
    // One of several keys must be there.
    entries.extend(beside(shape, key).map(str::to_owned));
    if shape.name == "AguiTarget" && key == "connector" {
        entries.push("connectors: {fast: {}}".to_owned());
    }
    // One of the two must be there.
    if shape.name == "Config" && !matches!(key, "target" | "targets") {
        entries.push("target: {type: agui, endpoint: 'http://h'}".to_owned());
    }
    // One of two keys holds the demand.
    let demand = match shape.name {
        "CheckRegex" if !matches!(key, "value" | "pattern") => Some("value: x"),
        "CheckToolCalled" if !matches!(key, "value" | "name") => Some("name: x"),
        "CheckToolResult" if !matches!(key, "value" | "tool") => Some("tool: x"),
        "CheckAgent" if key != "value" => Some("value: polite"),
        "CheckScript" if !matches!(key, "script" | "use") => Some("script: scripts.test.Assert"),
        "Judge" if key != "criteria" => Some("criteria: polite"),
        _ => None,
    };
    entries.extend(demand.map(str::to_owned));
    entries.push(format!("{key}: {value}"));
    format!("{{{}}}", entries.join(", "))
}

const CHECKPOINTS: &str = "checkpoints: [{id: a, assert: {type: contains, value: x}}]";
const SIMULATED: &str = "simulator: {use: user}";

/// Returns what a shape needs that has no required key for it.
fn beside(shape: &Shape, key: &str) -> Option<&'static str> {
    match (shape.name, key) {
        ("Case", "input" | "messages") | ("ToolCall", "function" | "name") => None,
        ("Case", "simulator") => Some(CHECKPOINTS),
        ("Case", "checkpoints") => Some(SIMULATED),
        ("Case", "max_turns") => Some(
            "simulator: {use: user}, checkpoints: [{id: a, assert: {type: contains, value: x}}]",
        ),
        ("Case", _) => Some("input: Hello"),
        ("Checkpoint", "assert" | "assertion") => None,
        ("Checkpoint", _) => Some("assert: {type: contains, value: x}"),
        ("OpenAiTarget", "host") => Some("model: m"),
        ("OpenAiTarget", "model") => Some("host: 'http://h'"),
        ("OpenAiTarget", _) => Some("host: 'http://h', model: m"),
        ("AssistantTarget", "folder" | "id") => None,
        ("AssistantTarget", _) => Some("id: shop.refund"),
        ("A2aTarget", "agentCardUrl" | "agentCard" | "endpoint")
        | ("McpTarget", "endpoint" | "command")
        | ("CallRule", "name")
        | ("SendTurn", "text" | "parts")
        | ("SendPart", "text" | "data" | "url" | "raw" | "file") => None,
        ("A2aTarget", _) | ("McpTarget", "headers" | "auth") => Some("endpoint: 'http://h'"),
        ("McpTarget", _) => Some("command: [a]"),
        ("CallRule", _) => Some("name: data.name"),
        ("SendTurn", _) => Some("text: Hello"),
        ("SendPart", "metadata") => Some("text: Hello"),
        ("SendPart", _) => Some("url: 'http://h/a'"),
        ("Connector", "host" | "proxy") => None,
        ("Connector", _) => Some("host: 'http://h'"),
        ("ToolCall", "arguments") => Some("name: search"),
        ("ToolCall", _) => Some("function: {name: search}"),
        ("Message", "tool_calls" | "toolCalls") => Some("role: assistant"),
        ("Message", "tool_call_id" | "toolCallId") => Some("role: tool, content: Hello"),
        ("Message", "error") => Some("role: tool, content: Hello, tool_call_id: c1"),
        ("Message", "content") => None,
        ("Message", _) => Some("content: Hello"),
        ("FilePart", "source" | "url" | "file") => None,
        ("FilePart", _) => Some("source: 'https://h/a'"),
        ("File", "filename") => Some("file_id: f"),
        _ => None,
    }
}

/// Returns a map in flow style as JSON.
fn as_json(content: &str) -> String {
    let mut found = Vec::new();
    let node = compose(&Arc::from("x"), content, &mut found).unwrap();
    json(&node, &mut found).unwrap().to_string()
}

fn loaded(file: &str, content: &str) -> String {
    let content = &match file.ends_with(".jsonl") {
        true => as_json(content),
        false => content.to_owned(),
    };
    if file == "a.script.yaml" {
        let suite = Suite::new(&[(file, content)]);
        let found = load_script(&suite.root().join(file), file).diagnostics;
        return found.iter().map(line).collect::<Vec<_>>().join("\n");
    }
    if matches!(file, "conform.yaml" | "known.yaml") {
        let suite = Suite::new(&[(file, content)]);
        let (path, rules) = (suite.root().join(file), ["shape.null"]);
        let found = match file {
            "known.yaml" => load_conform_baseline(&path, file, &rules).diagnostics,
            _ => load_conform_setup(&path, file, &rules, &suite.variables).diagnostics,
        };
        return found.iter().map(line).collect::<Vec<_>>().join("\n");
    }
    let mut suite = Suite::new(&[
        (
            "ananke.config.yaml",
            &format!("{MINIMAL}assertions: {{no_errors: {{}}}}\n"),
        ),
        (file, content),
        (
            "connectors/local.conn.yao",
            "{\"type\": \"openai\", \"options\": {\"host\": \"http://h\", \"model\": \"m\", \"key\": \"k\"}}",
        ),
        (
            "assistants/shop/refund/package.yao",
            "{\"name\": \"Refund\", \"connector\": \"local\"}",
        ),
        (
            "assistants/shop/refund/prompts.yml",
            "- {role: system, content: Be kind.}\n",
        ),
        (
            "scripts/test.ts",
            "export function Assert(output) { return true }\n",
        ),
        (
            "tests/env_test.ts",
            "function TestEnv(t) {}\nfunction Before(ctx) {}\n",
        ),
        (
            "assistants/shop/refund/prompts/chat/friendly.yml",
            "- {role: system, content: Be kinder.}\n",
        ),
    ]);
    suite.allow_unchecked = true;
    suite.asking.ctx = (file == "ctx.yaml").then_some(Path::new("ctx.yaml"));
    problems(&suite.load())
}

#[test]
fn every_key_of_every_shape_is_accepted_with_its_example() {
    let mut n_keys = 0;
    for (shape, around, file) in shapes() {
        for field in shape.fields {
            let content = around.replace('@', &map(shape, field.name, field.example));
            let problems = loaded(file, &content);
            // The target demands no error, a named block inherits from no level, an interrupt needs a call: other tests say
            // so.
            let elsewhere = problems.contains("a target cannot demand")
                || problems.contains("no step before this one calls")
                || problems.contains("inherits from no level")
                || problems.contains("has no effect")
                || problems.contains("unknown target `local`")
                || problems.contains("has no connector `fast`")
                || problems.contains("there is no connector `fast`")
                || problems.contains("there is no agent")
                || problems.contains("or pass `--simulator`")
                || problems.contains("no message before this one")
                || problems.contains("` turns need an `")
                || problems.contains("needs the `userTool`")
                || problems.contains("there is no file")
                || problems.contains("a named block cannot demand");
            assert!(problems.is_empty() || elsewhere, "{content}\n{problems}");
            n_keys += 1;
        }
    }
    assert!(n_keys > 60, "{n_keys}");
}

#[test]
fn no_other_key_is_accepted() {
    for (shape, around, file) in shapes() {
        let content = around.replace('@', &map(shape, "qqqqqqqqq", "1"));
        let problems = loaded(file, &content);
        assert!(
            problems.contains("unknown key `qqqqqqqqq`"),
            "{content}\n{problems}"
        );
    }
}

#[test]
fn missing_required_keys_are_missed() {
    for (shape, around, file) in shapes() {
        for missing in shape.fields.iter().filter(|field| field.required) {
            let others = shape
                .fields
                .iter()
                .filter(|field| field.required && field.name != missing.name);
            let mut entries: Vec<_> = others
                .map(|field| format!("{}: {}", field.name, field.example))
                .collect();
            entries.extend(beside(shape, "").map(str::to_owned));
            let content = around.replace('@', &format!("{{{}}}", entries.join(", ")));
            // Overrides of a target need no key; a turn without `type` is a user turn.
            let needs_type = matches!(shape.name, "AguiTarget" | "Connector");
            if missing.name == "type" && !needs_type || missing.name == "scheme" {
                continue;
            }
            let problems = loaded(file, &content);
            let expected = format!("`{}` is missing in {}", missing.name, shape.title);
            assert!(problems.contains(&expected), "{content}\n{problems}");
        }
    }
}

#[test]
fn the_schema_has_the_shapes_and_their_keys() {
    for kind in [
        SchemaKind::Config,
        SchemaKind::Test,
        SchemaKind::Case,
        SchemaKind::Script,
        SchemaKind::Context,
        SchemaKind::Conform,
        SchemaKind::ConformBaseline,
    ] {
        let schema = schema(kind);
        let definitions = schema["$defs"].as_object().unwrap();
        for (shape, _, _) in shapes() {
            let Some(definition) = definitions.get(shape.name) else {
                continue;
            };
            let properties: Vec<_> = definition["properties"]
                .as_object()
                .unwrap()
                .keys()
                .collect();
            let fields: Vec<_> = shape.fields.iter().map(|field| field.name).collect();
            assert_eq!(properties, fields);
            assert_eq!(definition["additionalProperties"], Value::Bool(false));
        }
        for reference in references(&schema) {
            let name = reference.strip_prefix("#/$defs/").unwrap();
            assert!(definitions.contains_key(name), "{reference}");
        }
    }
}

fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str);
            own.into_iter()
                .chain(members.values().flat_map(references))
                .collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn the_schema_reads_like_this() {
    let schema = schema(SchemaKind::Test);
    assert_snapshot!(serde_json::to_string_pretty(&schema["$defs"]["Require"]).unwrap(), @r##"
    {
      "description": "Filters the calls of a tool, then counts them.",
      "type": "object",
      "properties": {
        "name": {
          "type": "string",
          "minLength": 1,
          "description": "The tool's whole name.",
          "examples": [
            "search"
          ]
        },
        "count": {
          "$ref": "#/$defs/Count",
          "description": "How many calls must match (default at least 1)."
        },
        "args_match": {
          "type": "object",
          "additionalProperties": {
            "type": [
              "string",
              "number",
              "boolean"
            ]
          },
          "description": "Argument paths with patterns that must match."
        },
        "args_not_match": {
          "type": "object",
          "additionalProperties": {
            "type": [
              "string",
              "number",
              "boolean"
            ]
          },
          "description": "Argument paths with patterns that must not match."
        },
        "result_match": {
          "type": [
            "string",
            "number",
            "boolean"
          ],
          "description": "A pattern that must match the result; a call without result does not match.",
          "examples": [
            "success"
          ]
        },
        "result_not_match": {
          "type": [
            "string",
            "number",
            "boolean"
          ],
          "description": "A pattern that must not match the result; a call without result is kept.",
          "examples": [
            "error"
          ]
        },
        "after": {
          "type": "string",
          "minLength": 1,
          "description": "A tool that must have been called before the first counted call.",
          "examples": [
            "login"
          ]
        }
      },
      "additionalProperties": false,
      "required": [
        "name"
      ]
    }
    "##);
    assert_snapshot!(serde_json::to_string(&schema["properties"]["target"]).unwrap(), @r##"{"anyOf":[{"type":"string","minLength":1},{"$ref":"#/$defs/AguiTargetOverrides"},{"$ref":"#/$defs/OpenAiTargetOverrides"},{"$ref":"#/$defs/CommandTargetOverrides"},{"$ref":"#/$defs/ScriptedTargetOverrides"},{"$ref":"#/$defs/AssistantTargetOverrides"},{"$ref":"#/$defs/ScriptTargetOverrides"},{"$ref":"#/$defs/A2aTargetOverrides"},{"$ref":"#/$defs/McpTargetOverrides"}],"description":"The name of one of the config's `targets`, or keys that override the config's target."}"##);
    assert_snapshot!(schema["required"], @r#"["version","name","turns"]"#);
}
