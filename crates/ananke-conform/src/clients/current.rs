//! How `@ag-ui/client` 1.0.0 takes an event: what old servers send is translated, what is unknown is taken out, and what
//! is left must be as our shape rules want it.

use serde_json::{Value, json};

use super::reading::Taken;
use super::strip::strip;
use crate::rule::Profile;
use crate::rules::shape::check_event;
use crate::rules::shape::described::When;
use crate::rules::shape::events::EVENT;

/// Takes an event.
pub(super) fn take(event: &Value) -> Taken {
    let Some(members) = event.as_object() else {
        return Taken::Refused("its data is no JSON object".to_owned());
    };
    let kind = match members.get("type").and_then(Value::as_str) {
        None | Some("") => return Taken::Refused("the event has no type".to_owned()),
        Some(kind) => kind,
    };
    let Some(variant) = EVENT.variants.iter().find(|variant| variant.tag == kind) else {
        return Taken::Dropped;
    };
    let mut read = event.clone();
    translate(&mut read);
    let is_retired = variant.when == When::Before1;
    if is_retired {
        modernize(&mut read, kind);
    }
    strip(&mut read);
    let wrong = check_event(&read, Profile::V1).into_iter().next();
    if let Some((_, message)) = wrong {
        return Taken::Refused(message);
    }
    if is_retired {
        // The sequence rules know retired events by their own names, and which of them belong together.
        read["type"] = json!(kind);
    }
    Taken::Event(read)
}

/// Takes out the nulls of old servers, and makes media parts of binary ones.
fn translate(event: &mut Value) {
    omit_null(event, "rawEvent");
    match event["type"].as_str() {
        Some("RUN_FINISHED") => {
            omit_null(event, "result");
            omit_null(event, "outcome");
        }
        Some("SUBAGENT_FINISHED") => omit_null(event, "result"),
        Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK") => omit_null(event, "parentMessageId"),
        Some("MESSAGES_SNAPSHOT") => each(event, "messages", translate_message),
        Some("RUN_STARTED") => {
            if let Some(input) = event.get_mut("input") {
                omit_null(input, "state");
                omit_null(input, "forwardedProps");
                each(input, "tools", |tool| omit_null(tool, "parameters"));
                each(input, "resume", |entry| omit_null(entry, "payload"));
                each(input, "messages", translate_message);
            }
        }
        _ => {}
    }
}

fn translate_message(message: &mut Value) {
    each(message, "content", |part| match part["type"].as_str() {
        Some("image" | "audio" | "video" | "document") => omit_null(part, "metadata"),
        Some("binary") => translate_binary(part),
        _ => {}
    });
}

/// A binary part with data or a URL becomes a media part; what has neither stays, and is taken out as unknown.
fn translate_binary(part: &mut Value) {
    let Some(media_type) = part["mimeType"].as_str() else {
        return;
    };
    let is_given = |value: &&Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Bool(true) | Value::Array(_) | Value::Object(_) => true,
    };
    let found = ["data", "url"]
        .into_iter()
        .find_map(|name| Some((name, part.get(name).filter(is_given)?)));
    if let Some((name, value)) = found {
        *part = json!({
            "type": "document",
            "source": {"type": name, "value": value, "mimeType": media_type},
        });
    }
}

/// Makes a retired event the one that 1.0 has for it. The client makes up ids; which, does not matter for its shape.
fn modernize(event: &mut Value, kind: &str) {
    event["messageId"] = json!("made up");
    let twin = match kind {
        "THINKING_START" => "REASONING_START",
        "THINKING_END" => "REASONING_END",
        "THINKING_TEXT_MESSAGE_START" => {
            event["role"] = json!("reasoning");
            "REASONING_MESSAGE_START"
        }
        "THINKING_TEXT_MESSAGE_CONTENT" => "REASONING_MESSAGE_CONTENT",
        _ => "REASONING_MESSAGE_END",
    };
    event["type"] = json!(twin);
}

fn omit_null(value: &mut Value, name: &str) {
    if let Value::Object(members) = value
        && members.get(name).is_some_and(Value::is_null)
    {
        members.remove(name);
    }
}

fn each(value: &mut Value, name: &str, change: impl Fn(&mut Value)) {
    if let Some(Value::Array(items)) = value.get_mut(name) {
        items.iter_mut().for_each(change);
    }
}
