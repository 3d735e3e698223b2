//! What a turn says, as one message: the protocol takes one at a time, and keeps the conversation itself.

use serde_json::{Value, json};

use super::wire::{Content, Part, parts_of_content};
use crate::action::Action;
use crate::agui::{self, Conversation};

/// A message of its own making.
#[derive(Clone, Debug, Default)]
pub struct SendMessage {
    /// Objects with `text`, `data`, `url` or `raw`; files may have `mediaType` and `filename`.
    pub parts: Vec<Value>,
    /// Goes with the message.
    pub metadata: Option<Value>,
    /// The task to go on with, in place of the one that waits.
    pub task_id: Option<String>,
    /// Whether to begin another task although one waits.
    pub new_task: bool,
    /// The conversation, in place of the one that was begun.
    pub context_id: Option<String>,
}

/// What is to be sent, and what of it people read.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) message_id: String,
    pub(super) user: Option<String>,
    /// Says why there is nothing that can be sent.
    pub(super) parts: Result<Vec<Part>, String>,
    /// Whether the conversation has a message more.
    pub(super) is_kept: bool,
}

/// Returns what only a message of its own making says.
pub(super) fn own(action: &Action) -> Option<&SendMessage> {
    match action {
        Action::Send(send) => Some(send),
        _ => None,
    }
}

/// Puts what is said into `conversation`.
pub(super) fn say(
    action: &Action,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Said {
    if let Action::Send(send) = action {
        return own_message(send, conversation, new_id);
    }
    let (news, user) = agui::say(action, conversation, new_id);
    let message_id = news.message_ids.last().cloned();
    Said {
        is_kept: message_id.is_some(),
        message_id: message_id.unwrap_or_default(),
        user,
        parts: parts(action),
    }
}

fn own_message(
    send: &SendMessage,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Said {
    let parts: Vec<Part> = send.parts.iter().map(Part::read).collect();
    let texts = parts.iter().filter_map(|part| match &part.content {
        Content::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let text = texts.collect::<Vec<_>>().join("\n");
    let message_id = new_id();
    conversation.put(json!({"id": message_id, "role": "user", "content": text}));
    Said {
        message_id,
        user: (!text.is_empty()).then_some(text),
        parts: match parts.is_empty() {
            true => Err("`a2a:send` has no parts: there is nothing to send".to_owned()),
            false => Ok(parts),
        },
        is_kept: true,
    }
}

fn parts(action: &Action) -> Result<Vec<Part>, String> {
    match action {
        Action::User(text) => parts_of_content(&Value::String(text.clone())),
        Action::Messages(messages) => {
            if let Some(other) = messages.iter().find(|message| message["role"] != "user") {
                let role = other["role"].as_str().unwrap_or("none");
                return Err(format!(
                    "a message of the role `{role}` cannot be sent: an A2A agent keeps the conversation itself and takes messages of the user alone"
                ));
            }
            if messages.is_empty() {
                return Err("there is no message to send".to_owned());
            }
            let mut parts = Vec::new();
            for message in messages {
                parts.extend(parts_of_content(&message["content"])?);
            }
            Ok(parts)
        }
        Action::Connect { .. } => Err(
            "`agui:connect` needs an `agui` target: an A2A agent has no run to connect to".to_owned(),
        ),
        Action::Resume { .. } => Err(
            "`agui:resume` needs an `agui` target: a task of an A2A agent that waits goes on with the next message"
                .to_owned(),
        ),
        Action::Send(_) => Ok(Vec::new()),
        Action::Ask(asked) => Err(format!(
            "`{}` needs an `mcp` target: this one speaks A2A",
            asked.kind()
        )),
    }
}
