//! Conventions by which agents tell of their tools. The protocol itself knows none: agents are opaque by design.

use ananke_model::plan::CallRule;
use serde_json::{Map, Value, json};

use super::wire::{Content, Part};

/// Something about a call that was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sighting {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    /// The arguments as text; present where the call is told, absent where only its end is.
    pub(super) args: Option<String>,
    pub(super) end: Option<CallEnd>,
}

/// How a call ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CallEnd {
    pub(super) result: Option<String>,
    pub(super) error: Option<String>,
}

/// Finds calls in a part.
pub(super) fn in_part(part: &Part, rules: &[CallRule]) -> Vec<Sighting> {
    let subject = match &part.content {
        Content::Text(_) if rules.is_empty() && part.metadata.is_null() => return Vec::new(),
        Content::Text(text) => json!({"text": text, "metadata": part.metadata}),
        Content::Data(data) => json!({"data": data, "metadata": part.metadata}),
        Content::File(_) | Content::Other(_) => json!({"metadata": part.metadata}),
    };
    let described: Vec<Sighting> = rules
        .iter()
        .filter_map(|rule| by_rule(rule, &subject))
        .collect();
    if !described.is_empty() {
        return described;
    }
    let Content::Data(data) = &part.content else {
        return Vec::new();
    };
    by_type(data, &part.metadata)
        .or_else(|| by_bridge(data))
        .map(|sighting| vec![sighting])
        .unwrap_or_else(|| {
            let mut found = results(data);
            found.extend(steps(data));
            found
        })
}

/// Finds calls in the metadata of a status, a message, an artifact or a task.
pub(super) fn in_metadata(metadata: &Value, rules: &[CallRule]) -> Vec<Sighting> {
    if metadata.is_null() {
        return Vec::new();
    }
    let subject = json!({"metadata": metadata});
    let described: Vec<Sighting> = rules
        .iter()
        .filter_map(|rule| by_rule(rule, &subject))
        .collect();
    if !described.is_empty() {
        return described;
    }
    let mut found: Vec<Sighting> = by_event_type(metadata).into_iter().collect();
    found.extend(steps(metadata));
    let members = metadata.as_object().into_iter().flat_map(Map::values);
    found.extend(members.flat_map(steps));
    found
}

fn by_rule(rule: &CallRule, subject: &Value) -> Option<Sighting> {
    let fits = rule
        .when
        .iter()
        .all(|(place, expected)| subject.pointer(place).is_some_and(|seen| seen == expected));
    let at = |place: &Option<String>| {
        let found = subject.pointer(place.as_deref()?)?;
        (!found.is_null()).then_some(found)
    };
    let end = CallEnd {
        result: at(&rule.result).map(text_of),
        error: at(&rule.error).map(text_of),
    };
    let sighting = Sighting {
        id: at(&rule.id).map(text_of),
        name: at(&rule.name).map(text_of),
        args: at(&rule.args).map(text_of),
        end: (end != CallEnd::default()).then_some(end),
    };
    let says_anything = sighting.name.is_some() || sighting.end.is_some();
    (fits && says_anything).then_some(sighting)
}

/// A data part whose metadata has `adk_type`, with whatever prefix.
fn by_type(data: &Value, metadata: &Value) -> Option<Sighting> {
    let mut members = metadata.as_object()?.iter();
    let kind =
        members.find_map(|(name, value)| value.as_str().filter(|_| name.ends_with("_type")))?;
    let id = data["id"].as_str().map(str::to_owned);
    let name = data["name"].as_str().map(str::to_owned);
    match kind {
        "function_call" | "tool_call" => Some(Sighting {
            id,
            name: Some(name?),
            args: Some(first(data, &["args", "arguments"]).map_or_else(String::new, text_of)),
            end: None,
        }),
        "function_response" | "tool_response" | "tool_result" => Some(Sighting {
            id,
            name,
            args: None,
            end: Some(CallEnd {
                result: first(data, &["response", "result"]).map(text_of),
                error: None,
            }),
        }),
        "executable_code" => Some(Sighting {
            id,
            name: Some("executable_code".to_owned()),
            args: Some(data.to_string()),
            end: None,
        }),
        "code_execution_result" => Some(Sighting {
            id,
            name: Some("executable_code".to_owned()),
            args: None,
            end: Some(CallEnd {
                result: Some(text_of(data)),
                error: None,
            }),
        }),
        _ => None,
    }
}

/// A data part that is `{type: "tool-call", …}` or `{type: "tool-result", …}`.
fn by_bridge(data: &Value) -> Option<Sighting> {
    match data["type"].as_str()? {
        "tool-call" => Some(Sighting {
            id: first(data, &["id", "toolCallId"]).map(text_of),
            name: Some(data["name"].as_str()?.to_owned()),
            args: Some(first(data, &["arguments", "args"]).map_or_else(String::new, text_of)),
            end: None,
        }),
        "tool-result" => Some(Sighting {
            id: first(data, &["toolCallId", "id"]).map(text_of),
            name: data["name"].as_str().map(str::to_owned),
            args: None,
            end: Some(CallEnd {
                result: first(data, &["payload", "result"]).map(text_of),
                error: first(data, &["error"]).map(text_of),
            }),
        }),
        _ => None,
    }
}

/// A data part with `tool_results`: results alone, without arguments.
fn results(data: &Value) -> Vec<Sighting> {
    let results = data["tool_results"].as_array().into_iter().flatten();
    let sightings = results.map(|result| {
        let content = first(result, &["content", "result"]).map(text_of);
        let is_error = result["status"] == "error";
        Sighting {
            id: first(result, &["toolCallId", "tool_call_id", "id"]).map(text_of),
            name: result["name"].as_str().map(str::to_owned),
            args: None,
            end: Some(CallEnd {
                error: content.clone().filter(|_| is_error),
                result: content.filter(|_| !is_error),
            }),
        }
    });
    sightings.collect()
}

/// Metadata of a status with `agno_event_type`, with whatever prefix.
fn by_event_type(metadata: &Value) -> Option<Sighting> {
    let mut members = metadata.as_object()?.iter();
    let kind = members
        .find_map(|(name, value)| value.as_str().filter(|_| name.ends_with("event_type")))?;
    let id = metadata["tool_call_id"].as_str().map(str::to_owned);
    let name = metadata["tool_name"].as_str().map(str::to_owned);
    let args = first(metadata, &["tool_args"]).map(text_of);
    match kind {
        "tool_call_started" => Some(Sighting {
            id,
            name: Some(name?),
            args: Some(args.unwrap_or_default()),
            end: None,
        }),
        "tool_call_completed" => Some(Sighting {
            id,
            name,
            args,
            end: Some(CallEnd {
                result: first(metadata, &["tool_result", "result", "tool_call_result"])
                    .map(text_of),
                error: first(metadata, &["tool_call_error", "error"])
                    .filter(|error| **error != Value::Bool(false))
                    .map(text_of),
            }),
        }),
        _ => None,
    }
}

/// A trace with `steps`, some of which are invocations of tools.
fn steps(trace: &Value) -> Vec<Sighting> {
    let steps = trace["steps"].as_array().into_iter().flatten();
    let sightings = steps.filter_map(|step| {
        let invocation = step.get("tool_invocation")?;
        let result = first(invocation, &["result", "output"]).map(text_of);
        let error = first(step, &["error"]).map(text_of);
        Some(Sighting {
            id: step["step_id"].as_str().map(str::to_owned),
            name: Some(invocation["tool_name"].as_str()?.to_owned()),
            args: Some(first(invocation, &["parameters"]).map_or_else(String::new, text_of)),
            end: Some(CallEnd { result, error }),
        })
    });
    sightings.collect()
}

fn first<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    let mut found = names.iter().filter_map(|name| value.get(*name));
    found.find(|value| !value.is_null())
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
