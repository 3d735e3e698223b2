//! Messages as hooks see them, and as a conversation holds them.

use std::sync::Arc;

use ananke_protocol::agui::{Action, Conversation};
use ananke_protocol::openai::wire_messages;
use serde_json::{Map, Value, json};

use super::create::{kind, mismatch};
use crate::ids::new_id;

const ROLES: [&str; 5] = ["system", "developer", "user", "assistant", "tool"];

/// Puts what a turn says into the conversation; returns the last message.
pub(super) fn say(action: &Action, conversation: &mut Conversation) -> Option<Arc<Value>> {
    let said = match action {
        Action::User(text) => vec![json!({"role": "user", "content": text})],
        Action::Messages(messages) => messages.clone(),
        Action::Connect { .. } | Action::Resume { .. } | Action::Send(_) | Action::Ask(_) => {
            Vec::new()
        }
    };
    for message in said {
        conversation.put(with_id(message));
    }
    conversation.messages().last().cloned()
}

/// Returns a conversation that consists of these messages.
pub(super) fn conversation_of(messages: &[Value]) -> Conversation {
    let mut conversation = Conversation::default();
    for message in messages {
        conversation.put(with_id(held(message)));
    }
    conversation
}

/// Returns the messages of a conversation as hooks see them; says which cannot be sent.
pub(super) fn seen(conversation: &Conversation) -> Result<Vec<Value>, String> {
    let messages = conversation.messages().iter();
    let messages: Vec<Value> = messages.map(|message| Value::clone(message)).collect();
    wire_messages(&messages)
}

/// Returns messages that a hook returned; a text is a message of the user.
pub(super) fn message_list(name: &str, value: Value) -> Result<Vec<Value>, String> {
    let items = match value {
        Value::String(text) => return Ok(vec![json!({"role": "user", "content": text})]),
        Value::Object(_) => vec![value],
        Value::Array(items) => items,
        other => return Err(mismatch(name, &other, "a list of messages")),
    };
    for (number, item) in items.iter().enumerate() {
        let Some(role) = item["role"].as_str() else {
            let kind = kind(item);
            return Err(format!(
                "`{name}/{number}` is {kind}, expected a message with `role`"
            ));
        };
        if !ROLES.contains(&role) {
            return Err(format!("`{name}/{number}` has the unknown role `{role}`"));
        }
    }
    Ok(items)
}

/// Returns a message in the form in which a conversation holds it.
pub(super) fn held(message: &Value) -> Value {
    let members = message.as_object().into_iter().flatten();
    let members = members.map(|(name, value)| {
        let name = match name.as_str() {
            "tool_calls" => "toolCalls",
            "tool_call_id" => "toolCallId",
            name => name,
        };
        (name.to_owned(), value.clone())
    });
    Value::Object(members.collect())
}

fn with_id(message: Value) -> Value {
    let mut members = Map::from_iter([("id".to_owned(), new_id().into())]);
    if let Value::Object(own) = message {
        members.extend(own.into_iter().filter(|(name, _)| name != "id"));
    }
    Value::Object(members)
}
