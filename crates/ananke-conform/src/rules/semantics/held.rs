//! Messages that somebody holds: those of a request, or of a snapshot.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Messages by id, and the calls in them.
#[derive(Debug, Default)]
pub(super) struct Held<'a> {
    messages: BTreeMap<&'a str, &'a Value>,
    calls: BTreeMap<&'a str, &'a Value>,
    answers: BTreeMap<&'a str, &'a str>,
}

impl<'a> Held<'a> {
    /// Sorts messages. What has no id cannot be referred to and is left out.
    pub(super) fn new(messages: &'a [Value]) -> Self {
        let mut held = Self::default();
        for message in messages {
            let Some(id) = id_of(message) else { continue };
            held.messages.insert(id, message);
            for call in calls_of(message) {
                if let Some(call_id) = id_of(call) {
                    held.calls.insert(call_id, call);
                }
            }
            if let Some(call_id) = answered_by(message) {
                held.answers.entry(call_id).or_insert(id);
            }
        }
        held
    }

    /// Returns a message.
    pub(super) fn message(&self, id: &str) -> Option<&'a Value> {
        self.messages.get(id).copied()
    }

    /// Returns a call.
    pub(super) fn call(&self, id: &str) -> Option<&'a Value> {
        self.calls.get(id).copied()
    }

    /// Returns the id of the message that answers a call.
    pub(super) fn answer_to(&self, call_id: &str) -> Option<&'a str> {
        self.answers.get(call_id).copied()
    }

    /// Returns the calls in order of their ids.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.calls.iter().map(|(id, call)| (*id, *call))
    }

    /// Tells whether there is a message that an agent made.
    pub(super) fn has_agents_message(&self) -> bool {
        let mut messages = self.messages.values();
        messages.any(|message| matches!(role_of(message), "assistant" | "reasoning" | "tool"))
    }

    /// Tells whether there are calls.
    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Tells whether there are no messages.
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}

/// Returns the id of a message or a call.
pub(super) fn id_of(value: &Value) -> Option<&str> {
    value.get("id")?.as_str()
}

/// Returns the role of a message.
pub(super) fn role_of(message: &Value) -> &str {
    let role = message.get("role").and_then(Value::as_str);
    role.unwrap_or_default()
}

/// Returns the calls of a message.
pub(super) fn calls_of(message: &Value) -> impl Iterator<Item = &Value> {
    let calls = message.get("toolCalls").and_then(Value::as_array);
    calls.into_iter().flatten()
}

/// Returns the name of the tool that is called.
pub(super) fn name_of(call: &Value) -> Option<&str> {
    call.get("function")?.get("name")?.as_str()
}

/// Returns the call that a message answers.
pub(super) fn answered_by(message: &Value) -> Option<&str> {
    if role_of(message) != "tool" {
        return None;
    }
    message.get("toolCallId")?.as_str()
}

/// Returns what content says: text, or its text parts joined.
pub(super) fn said(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// Returns what makes two messages the same, whatever their ids; `None` if it says too little to tell.
pub(super) fn likeness(message: &Value) -> Option<String> {
    if let Some(call_id) = answered_by(message) {
        return Some(format!("tool\n{call_id}"));
    }
    let calls: BTreeSet<&str> = calls_of(message).filter_map(id_of).collect();
    let text = said(message.get("content"));
    if calls.is_empty() && text.is_empty() {
        return None;
    }
    Some(format!("{}\n{calls:?}\n{text}", role_of(message)))
}

/// Returns the beginning of a text, for a message.
pub(super) fn beginning(text: &str) -> String {
    let end = text.floor_char_boundary(100);
    match text.split_at(end) {
        (all, "") => all.to_owned(),
        (some, _) => format!("{some}…"),
    }
}
