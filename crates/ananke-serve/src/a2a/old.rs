//! From the form of 1.0 to that of 0.3: what a thing is, is said by `kind`, and names are in lower case.

use serde_json::{Map, Value, json};

/// Returns an event of a stream, or an answer.
pub(super) fn event(event: Value) -> Value {
    let Value::Object(members) = event else {
        return event;
    };
    let Some((name, inner)) = members.into_iter().next() else {
        return Value::Null;
    };
    match name.as_str() {
        "task" => task(inner),
        "message" => message(inner),
        "statusUpdate" => {
            let mut update = named("status-update", inner);
            update["status"] = status(update["status"].take());
            let state = update["status"]["state"].as_str().unwrap_or_default();
            let is_final =
                super::task::is_terminal(&state.to_uppercase()) || state == "input-required";
            update["final"] = is_final.into();
            update
        }
        _ => {
            let mut update = named("artifact-update", inner);
            update["artifact"] = artifact(update["artifact"].take());
            for flag in ["append", "lastChunk"] {
                update[flag] = (update[flag] == true).into();
            }
            update
        }
    }
}

/// Returns a task.
pub(super) fn task(inner: Value) -> Value {
    let mut task = named("task", inner);
    task["status"] = status(task["status"].take());
    for (name, convert) in [
        ("artifacts", artifact as fn(Value) -> Value),
        ("history", message),
    ] {
        if let Some(Value::Array(list)) = task.get_mut(name).map(Value::take) {
            task[name] = list.into_iter().map(convert).collect();
        }
    }
    task
}

fn status(mut status: Value) -> Value {
    let state = status["state"].as_str().unwrap_or_default();
    let state = state.strip_prefix("TASK_STATE_").unwrap_or(state);
    status["state"] = state.to_lowercase().replace('_', "-").into();
    if let Some(inner) = status.get_mut("message").map(Value::take) {
        status["message"] = message(inner);
    }
    status
}

fn message(inner: Value) -> Value {
    let mut message = named("message", inner);
    message["role"] = if message["role"] == "ROLE_USER" {
        "user".into()
    } else {
        "agent".into()
    };
    message["parts"] = parts(message["parts"].take());
    message
}

fn artifact(mut artifact: Value) -> Value {
    artifact["parts"] = parts(artifact["parts"].take());
    artifact
}

fn parts(parts: Value) -> Value {
    match parts {
        Value::Array(parts) => parts.into_iter().map(part).collect(),
        other => other,
    }
}

fn part(part: Value) -> Value {
    let kind = match &part {
        part if part["text"].is_string() => "text",
        part if part.get("data").is_some() => "data",
        _ => "file",
    };
    if kind != "file" {
        let mut part = named(kind, part);
        // In 0.3 data is always a map.
        if kind == "data" && !part["data"].is_object() {
            part["data"] = json!({"value": part["data"].take()});
        }
        return part;
    }
    let mut file = Map::new();
    for (new, old) in [
        ("url", "uri"),
        ("raw", "bytes"),
        ("mediaType", "mimeType"),
        ("filename", "name"),
    ] {
        file.extend(part.get(new).map(|value| (old.to_owned(), value.clone())));
    }
    let mut old = json!({"kind": "file", "file": file});
    if let Some(metadata) = part.get("metadata") {
        old["metadata"] = metadata.clone();
    }
    old
}

/// Says what a thing is, before all else.
fn named(kind: &str, inner: Value) -> Value {
    let mut named = json!({"kind": kind});
    if let (Some(named), Value::Object(inner)) = (named.as_object_mut(), inner) {
        named.extend(inner);
    }
    named
}
