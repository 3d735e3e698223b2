//! Checks on the output: the entries of `checks` in a block, and of a case's `assert`. `type` decides which keys there are.

use ananke_model::check::{Check, JsonType, OutputCheck, OutputCheckKind, ToolCalled, ToolResult};
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Place, Text};
use serde_json::{Value, json};

use super::Found;
use super::judge::agent_check;
use super::object::{Object, word_list};
use super::pattern::pattern;
use super::script_check::script_check;
use super::tool_name::{tool_name, tool_names};
use super::values::{boolean, choice, items, json as json_value, mismatch, text};
use crate::schema::{
    CALLED_VALUE, CHECK_AGENT, CHECK_CONTAINS, CHECK_EQUALS, CHECK_JSON_PATH, CHECK_NOT_CONTAINS,
    CHECK_REGEX, CHECK_SCRIPT, CHECK_TOOL_CALLED, CHECK_TOOL_RESULT, CHECK_TYPE, CHECK_TYPES,
    JSON_TYPES, RESULT_VALUE, Shape,
};
use crate::yaml::{Kind, Node, ScalarKind};

/// Reads the list under `checks`.
pub(crate) fn checks(node: &Node, found: &mut Found) -> Option<Vec<(Place, Check)>> {
    if let Kind::Map(_) = node.kind {
        let message = "expected a list, found a map";
        found
            .push(Diagnostic::error(&node.place, message).hint("begin each item with `- type: …`"));
        return None;
    }
    let items = items(node, found)?;
    Some(items.iter().filter_map(|item| check(item, found)).collect())
}

/// Reads one check: a map with `type`, or a bare word that is told what it lacks.
pub(crate) fn check(node: &Node, found: &mut Found) -> Option<(Place, Check)> {
    let kind = match &node.kind {
        Kind::Map(_) => node.get("type").or_else(|| {
            found.push(without_type(node));
            None
        })?,
        _ => node,
    };
    let shape = shape(kind, found)?;
    if !matches!(node.kind, Kind::Map(_)) {
        let word = &node.scalar()?.text;
        let message = format!("{} needs more than its type", shape.title);
        let lacks = match word.as_str() {
            "json_path" => "path: $.status, value: paid",
            "tool_called" => "name: search",
            "tool_result" => "tool: search",
            "type" => "value: object",
            "agent" => "use: \"agents:…\", value: …",
            "script" => "script: scripts.test.Assert",
            _ => "value: …",
        };
        let hint = format!("write `{{type: {word}, {lacks}}}`");
        found.push(Diagnostic::error(&node.place, message).hint(hint));
        return None;
    }
    let object = Object::open(node, shape, found)?;
    // The type was read above.
    object.get("type");
    if is(shape, &CHECK_SCRIPT) {
        let check = script_check(&object, found)?;
        return Some((node.place.clone(), Check::Script(Box::new(check))));
    }
    if is(shape, &CHECK_AGENT) {
        let check = agent_check(&object, found)?;
        return Some((node.place.clone(), Check::Agent(Box::new(check))));
    }
    let n_before = found.len();
    let negate = object.get("negate").and_then(|node| boolean(node, found));
    let message = object.get("message").and_then(|node| text(node, found));
    let path = match is(shape, &CHECK_TOOL_CALLED) || is(shape, &CHECK_TOOL_RESULT) {
        true => None,
        false => object.get("path").and_then(|node| text(node, found)),
    };
    let demand = demand(&object, shape, found);
    // A demand without its path, or without `negate`, is another demand.
    let demand = demand.filter(|_| found.len() == n_before)?;
    let is_incomplete = is(shape, &CHECK_JSON_PATH) && path.is_none();
    if is_incomplete {
        return None;
    }
    let check = OutputCheck {
        kind: demand.kind,
        path,
        negate: negate.unwrap_or(false),
        message,
        value: demand.value,
    };
    Some((node.place.clone(), Check::Output(Box::new(check))))
}

/// What is demanded, and the same as written.
struct Written {
    kind: OutputCheckKind,
    value: Option<Json>,
}

fn is(shape: &'static Shape, other: &'static Shape) -> bool {
    std::ptr::eq(shape, other)
}

fn without_type(node: &Node) -> Diagnostic {
    let diagnostic = Diagnostic::error(&node.place, "`type` is missing in a check")
        .label(format!("expected {}", word_list(CHECK_TYPES)));
    let is_short = |word: &&&str| **word != "script" && node.get(word).is_some();
    let short = CHECK_TYPES.iter().find(is_short);
    match short {
        Some(word) => diagnostic.hint(format!("write `type: {word}` and `value: …`")),
        None if names_script(node) => diagnostic.hint("write `type: script`"),
        None if node.get("use").is_some() => diagnostic.hint("write `type: agent`"),
        None => diagnostic.hint("write `type: contains`"),
    }
}

/// Tells whether a check without a type names a function.
fn names_script(node: &Node) -> bool {
    let used = node.get("use").and_then(Node::scalar);
    node.get("script").is_some() || used.is_some_and(|used| used.text.starts_with("scripts"))
}

fn shape(node: &Node, found: &mut Found) -> Option<&'static Shape> {
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, &word_list(CHECK_TYPES), found);
        return None;
    };
    let word = scalar.text.as_str();
    let shape = match word {
        "equals" => &CHECK_EQUALS,
        "contains" => &CHECK_CONTAINS,
        "not_contains" => &CHECK_NOT_CONTAINS,
        "regex" => &CHECK_REGEX,
        "json_path" => &CHECK_JSON_PATH,
        "type" => &CHECK_TYPE,
        "tool_called" => &CHECK_TOOL_CALLED,
        "tool_result" => &CHECK_TOOL_RESULT,
        "agent" => &CHECK_AGENT,
        "script" => &CHECK_SCRIPT,
        _ => {
            let diagnostic = Diagnostic::error(&node.place, format!("unknown check type `{word}`"))
                .label(format!("expected {}", word_list(CHECK_TYPES)));
            found.push(match meant(word) {
                Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
                None => diagnostic,
            });
            return None;
        }
    };
    Some(shape)
}

/// Returns the type that another word for it most likely means.
fn meant(word: &str) -> Option<&'static str> {
    match word.to_lowercase().replace(['-', ' '], "_").as_str() {
        "equal" | "eq" | "exact" | "is" => Some("equals"),
        "include" | "includes" | "has" => Some("contains"),
        "excludes" | "not_include" | "not_includes" => Some("not_contains"),
        "match" | "matches" | "pattern" | "regexp" => Some("regex"),
        "json" | "jsonpath" | "path" => Some("json_path"),
        "tool" | "calls" | "called" | "tool_call" => Some("tool_called"),
        "result" => Some("tool_result"),
        "agents" | "judge" | "llm" | "validator" => Some("agent"),
        "scripts" | "function" | "code" | "javascript" | "typescript" => Some("script"),
        other => did_you_mean(other, CHECK_TYPES.iter().copied()),
    }
}

fn demand(object: &Object<'_>, shape: &'static Shape, found: &mut Found) -> Option<Written> {
    if is(shape, &CHECK_REGEX) {
        return regex(object, found);
    }
    if is(shape, &CHECK_TYPE) {
        return json_type(object.get("value")?, found);
    }
    if is(shape, &CHECK_TOOL_CALLED) {
        return tool_called(object, found);
    }
    if is(shape, &CHECK_TOOL_RESULT) {
        return tool_result(object, found);
    }
    let node = object.get("value");
    if is(shape, &CHECK_JSON_PATH) {
        let value = match node {
            Some(node) => Some(given(node, found)?),
            None => None,
        };
        return Some(Written {
            kind: OutputCheckKind::JsonPath(value.clone()),
            value,
        });
    }
    let value = given(node?, found)?;
    let kind = if is(shape, &CHECK_EQUALS) {
        OutputCheckKind::Equals(value.clone())
    } else {
        searchable(&value, found)?;
        match is(shape, &CHECK_CONTAINS) {
            true => OutputCheckKind::Contains(value.clone()),
            false => OutputCheckKind::NotContains(value.clone()),
        }
    };
    Some(Written {
        kind,
        value: Some(value),
    })
}

/// Reads a value that may be `null`, but not left out.
fn given(node: &Node, found: &mut Found) -> Option<Json> {
    if node.is_null() && node.scalar().is_some_and(|scalar| scalar.text != "null") {
        found.push(
            Diagnostic::error(&node.place, "expected a value, found nothing")
                .hint("write `null` if that is meant"),
        );
        return None;
    }
    json_value(node, found)
}

/// Refuses what would be found in any output.
fn searchable(value: &Json, found: &mut Found) -> Option<()> {
    let message = match &value.value {
        Value::String(text) if text.is_empty() => "the text is empty and is found in anything",
        Value::Array(items) if items.is_empty() => "the list is empty and demands nothing",
        Value::Array(items) if items.iter().any(|item| item == "") => {
            "one of the texts is empty and is found in anything"
        }
        _ => return Some(()),
    };
    found.push(Diagnostic::error(&value.place, message));
    None
}

fn regex(object: &Object<'_>, found: &mut Found) -> Option<Written> {
    let (value, other) = (object.get("value"), object.get("pattern"));
    let node = one_of(object, ("value", value), ("pattern", other), found)?;
    let pattern = pattern(node, found)?;
    let value = Json {
        value: Value::from(pattern.text.as_str()),
        place: pattern.place.clone(),
    };
    Some(Written {
        kind: OutputCheckKind::Regex(pattern),
        value: Some(value),
    })
}

/// Returns what stands under one of two keys, of which one must be there.
fn one_of<'n>(
    object: &Object<'n>,
    first: (&str, Option<&'n Node>),
    second: (&str, Option<&'n Node>),
    found: &mut Found,
) -> Option<&'n Node> {
    let (names, place) = ((first.0, second.0), object.place());
    match (first.1, second.1) {
        (Some(node), None) | (None, Some(node)) => Some(node),
        (Some(_), Some(node)) => {
            let message = format!("`{}` and `{}` say the same twice", names.0, names.1);
            found.push(Diagnostic::error(&node.place, message).hint("leave one of them out"));
            None
        }
        (None, None) => {
            let message = format!("`{}` is missing in {}", names.0, object.title());
            let hint = format!("write `{}: …`", names.0);
            found.push(Diagnostic::error(place, message).hint(hint));
            None
        }
    }
}

fn json_type(node: &Node, found: &mut Found) -> Option<Written> {
    let scalar = node.scalar();
    let word = match scalar {
        Some(scalar) if scalar.kind == ScalarKind::Null && scalar.text == "null" => "null",
        Some(scalar) if scalar.kind == ScalarKind::Str => match scalar.text.as_str() {
            alias @ ("bool" | "int" | "integer" | "float" | "double" | "list" | "map" | "dict"
            | "text" | "str" | "none" | "nil") => {
                let meant = match alias {
                    "bool" => "boolean",
                    "list" => "array",
                    "map" | "dict" => "object",
                    "text" | "str" => "string",
                    "none" | "nil" => "null",
                    _ => "number",
                };
                found.push(
                    Diagnostic::error(&node.place, format!("unknown word `{alias}`"))
                        .label(format!("expected {}", word_list(JSON_TYPES)))
                        .hint(format!("did you mean `{meant}`?")),
                );
                return None;
            }
            _ => choice(node, JSON_TYPES, found)?,
        },
        _ => {
            mismatch(node, &word_list(JSON_TYPES), found);
            return None;
        }
    };
    let kind = match word {
        "null" => JsonType::Null,
        "string" => JsonType::String,
        "number" => JsonType::Number,
        "boolean" => JsonType::Boolean,
        "array" => JsonType::Array,
        _ => JsonType::Object,
    };
    Some(Written {
        kind: OutputCheckKind::Type(kind),
        value: Some(Json {
            value: Value::from(word),
            place: node.place.clone(),
        }),
    })
}

fn tool_called(object: &Object<'_>, found: &mut Found) -> Option<Written> {
    let (name, value) = (object.get("name"), object.get("value"));
    let beside = object.get("arguments");
    let node = one_of(object, ("name", name), ("value", value), found)?;
    let (names, arguments) = match (&node.kind, value.is_some()) {
        (Kind::Map(_), true) => {
            let inner = Object::open(node, &CALLED_VALUE, found)?;
            let (name, arguments) = (inner.get("name"), inner.get("arguments"));
            if let (Some(_), Some(twice)) = (arguments, beside) {
                let message = "`arguments` stands in `value` already";
                found.push(Diagnostic::error(&twice.place, message).hint("leave one of them out"));
                return None;
            }
            (tool_names(name?, found), arguments.or(beside))
        }
        _ => (tool_names(node, found), beside),
    };
    let arguments = match arguments {
        Some(node) => Some(map_of(node, found)?),
        None => None,
    };
    let names = names?;
    if names.is_empty() {
        let message = "the list is empty and demands nothing";
        found.push(Diagnostic::error(&node.place, message));
        return None;
    }
    Some(Written {
        value: Some(Json {
            value: called_value(&names, arguments.as_ref()),
            place: node.place.clone(),
        }),
        kind: OutputCheckKind::ToolCalled(ToolCalled { names, arguments }),
    })
}

fn called_value(names: &[Text], arguments: Option<&Json>) -> Value {
    let names = match names {
        [name] => Value::from(name.text.as_str()),
        names => names.iter().map(|name| name.text.as_str()).collect(),
    };
    match arguments {
        Some(arguments) => json!({"name": names, "arguments": arguments.value}),
        None => names,
    }
}

fn map_of(node: &Node, found: &mut Found) -> Option<Json> {
    if let Kind::Map(_) = node.kind {
        return json_value(node, found);
    }
    mismatch(node, "a map of arguments", found);
    None
}

fn tool_result(object: &Object<'_>, found: &mut Found) -> Option<Written> {
    let (tool, value) = (object.get("tool"), object.get("value"));
    let beside = object.get("result");
    let node = one_of(object, ("tool", tool), ("value", value), found)?;
    let (name, result) = match (value, &node.kind) {
        (None, _) => (tool_name(node, found), beside),
        (Some(_), Kind::Map(_)) => {
            let inner = Object::open(node, &RESULT_VALUE, found)?;
            let (tool, result) = (inner.get("tool"), inner.get("result"));
            if let (Some(_), Some(twice)) = (result, beside) {
                let message = "`result` stands in `value` already";
                found.push(Diagnostic::error(&twice.place, message).hint("leave one of them out"));
                return None;
            }
            (tool_name(tool?, found), result.or(beside))
        }
        (Some(_), _) => {
            let message = format!("expected a map, found {}", node.described());
            found.push(
                Diagnostic::error(&node.place, message)
                    .label("expected `tool` and `result`")
                    .hint("write `tool: search`, with `result: …` beside it if that matters"),
            );
            return None;
        }
    };
    let result = match result {
        Some(node) => Some(given(node, found)?),
        None => None,
    };
    let tool = name?;
    let mut value = json!({"tool": tool.text});
    if let Some(result) = &result {
        value["result"] = result.value.clone();
    }
    Some(Written {
        value: Some(Json {
            value,
            place: node.place.clone(),
        }),
        kind: OutputCheckKind::ToolResult(ToolResult { tool, result }),
    })
}
