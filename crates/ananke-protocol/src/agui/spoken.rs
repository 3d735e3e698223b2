//! What a turn says: its messages go into the conversation before anything is sent.

use ananke_model::plan::ResumeStatus;
use serde_json::{Map, Value, json};

use super::conversation::{Conversation, text_of};
use super::request::News;
use crate::action::Action;

/// Puts what `action` says into `conversation`; returns what of it is new to the agent, and the user's words.
pub(crate) fn say(
    action: &Action,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> (News, Option<String>) {
    let mut news = News::default();
    let mut user = None;
    match action {
        Action::User(text) => {
            let id = new_id();
            conversation.say(&id, text);
            news.message_ids.push(id);
            user = Some(text.clone());
        }
        Action::Messages(messages) => {
            for message in messages {
                let id = new_id();
                conversation.put(with_id(message, &id));
                news.message_ids.push(id);
            }
            user = last_user_text(messages);
        }
        Action::Connect { .. } | Action::Send(_) | Action::Ask(_) => {}
        Action::Resume { status, payload } => {
            let interrupts = conversation.interrupts.iter();
            news.resume = interrupts
                .map(|interrupt| resume(interrupt, *status, payload.as_ref()))
                .collect();
        }
    }
    (news, user)
}

/// Returns the text of the last user message, for people to read; `None` if there is none.
pub fn last_user_text(messages: &[Value]) -> Option<String> {
    let mut newest = messages.iter().rev();
    let message = newest.find(|message| message["role"] == "user")?;
    Some(text_of(message)).filter(|text| !text.is_empty())
}

/// Returns the message with its id in front, as agents are used to. An id of the file's own is not kept: two cases may
/// share it, and a server that keeps messages by id would mix them up.
fn with_id(message: &Value, id: &str) -> Value {
    let mut members = Map::from_iter([("id".to_owned(), id.into())]);
    let own = message.as_object().into_iter().flatten();
    let own = own.filter(|(name, _)| *name != "id");
    members.extend(own.map(|(name, value)| (name.clone(), value.clone())));
    Value::Object(members)
}

fn resume(interrupt: &Value, status: ResumeStatus, payload: Option<&Value>) -> Value {
    let status = match status {
        ResumeStatus::Resolved => "resolved",
        ResumeStatus::Cancelled => "cancelled",
    };
    let mut entry = json!({"interruptId": interrupt["id"], "status": status});
    if let Some(payload) = payload {
        entry["payload"] = payload.clone();
    }
    entry
}
