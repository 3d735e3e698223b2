//! What a user's message says, in either version.

use serde_json::{Value, json};

use crate::rpc::{INVALID_PARAMS, Refused};
use crate::talk::Said;

/// Reads a message, or says what is wrong with it.
pub(super) fn said(message: &Value) -> Result<Said, Refused> {
    let wrong = |why: &str| Err(Refused::new(INVALID_PARAMS, why));
    if !message.is_object() {
        return wrong("expected `message`, an object with `messageId`, `role` and `parts`");
    }
    let Some(id) = message["messageId"].as_str().filter(|id| !id.is_empty()) else {
        return wrong("expected `message.messageId`, which is missing or empty");
    };
    if !matches!(message["role"].as_str(), Some("ROLE_USER" | "user")) {
        return wrong("expected `message.role` to be the user's: `ROLE_USER`, or `user` in 0.3");
    }
    let parts = message["parts"]
        .as_array()
        .filter(|parts| !parts.is_empty());
    let Some(parts) = parts else {
        return wrong("expected `message.parts`, a list with at least one part");
    };
    if !parts.iter().all(Value::is_object) {
        return wrong("expected every one of `message.parts` to be an object");
    }
    let texts = parts.iter().filter_map(|part| part["text"].as_str());
    Ok(Said {
        id: id.to_owned(),
        text: texts.collect(),
        data: parts.iter().find_map(|part| part.get("data")).cloned(),
        metadata: message["metadata"].clone(),
    })
}

/// Returns what a message says, as text by which it is told from others: its text, else its parts.
pub(crate) fn said_in(message: &Value) -> String {
    let parts = message.get("parts").or(message.get("content"));
    let parts = parts.and_then(Value::as_array);
    let mut said = String::new();
    for part in parts.into_iter().flatten() {
        match part["text"].as_str() {
            Some(text) => said.push_str(text),
            None => said.push_str(&part.to_string()),
        }
    }
    said
}

/// Returns the user's message in the form of 1.0, with the ids of the task that it belongs to.
pub(super) fn kept(message: &Value, task: &str, context: &str) -> Value {
    let mut kept = json!({
        "messageId": message["messageId"],
        "contextId": context,
        "taskId": task,
        "role": "ROLE_USER",
    });
    let parts = message["parts"].as_array().into_iter().flatten();
    kept["parts"] = parts.map(new_part).collect();
    if let Some(metadata) = message.get("metadata") {
        kept["metadata"] = metadata.clone();
    }
    kept
}

fn new_part(part: &Value) -> Value {
    let mut new = part.clone();
    if let Some(members) = new.as_object_mut() {
        members.remove("kind");
        if let Some(file) = members.remove("file") {
            for (new, old) in [
                ("url", "uri"),
                ("raw", "bytes"),
                ("mediaType", "mimeType"),
                ("filename", "name"),
            ] {
                let value = file.get(old).cloned();
                members.extend(value.map(|value| (new.to_owned(), value)));
            }
        }
    }
    new
}
