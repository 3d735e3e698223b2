//! The conversation as a client holds it: messages in order, and the shared state. It lives as long as a test.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::stream::MAX_NOTES;

/// Messages and state of one thread.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    messages: Vec<Arc<Value>>,
    positions: HashMap<String, usize>,
    /// Where each call is: the newest message that has it, and its place among the calls of that message.
    calls: HashMap<String, (String, usize)>,
    /// The last result behind a message, so that thousands of results are not counted for each of them.
    last_results: HashMap<String, String>,
    /// The shared state; `null` until somebody sets it.
    pub state: Value,
    /// The interrupts that the last run ended with.
    pub interrupts: Vec<Value>,
}

impl Conversation {
    /// Returns an empty conversation that begins with `state`.
    pub fn new(state: Value) -> Self {
        Self {
            state,
            ..Self::default()
        }
    }

    /// Returns the messages in order.
    pub fn messages(&self) -> &[Arc<Value>] {
        &self.messages
    }

    /// Returns the messages that an agent may be sent: all but activities.
    pub(crate) fn sendable(&self) -> impl Iterator<Item = &Value> {
        self.messages
            .iter()
            .map(AsRef::as_ref)
            .filter(|message| message["role"] != "activity")
    }

    /// Returns the ids of all messages.
    pub(crate) fn message_ids(&self) -> HashSet<String> {
        self.messages
            .iter()
            .map(|message| id_of(message).to_owned())
            .collect()
    }

    /// Returns the ids of all tool calls.
    pub(crate) fn call_ids(&self) -> HashSet<String> {
        let calls = self.messages.iter().flat_map(|message| tool_calls(message));
        calls
            .filter_map(|call| call["id"].as_str())
            .map(str::to_owned)
            .collect()
    }

    /// Returns role and text of the messages behind the last one of the user.
    pub(crate) fn behind_user(&self) -> Vec<(String, String)> {
        let newest = self.messages.iter().rev();
        let behind = newest.take_while(|message| message["role"] != "user");
        let mut behind: Vec<_> = behind.map(|message| role_and_text(message)).collect();
        behind.reverse();
        behind
    }

    /// Returns the message with `id`.
    pub(crate) fn get(&self, id: &str) -> Option<&Value> {
        self.position(id).map(|at| self.messages[at].as_ref())
    }

    /// Returns the message with `id`, to be changed.
    pub(crate) fn get_mut(&mut self, id: &str) -> Option<&mut Value> {
        let at = self.position(id)?;
        Some(Arc::make_mut(&mut self.messages[at]))
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.positions.get(id).copied()
    }

    /// Appends a message, or replaces the one with its id.
    pub fn put(&mut self, message: Value) {
        let id = id_of(&message).to_owned();
        match self.position(&id) {
            Some(at) => self.replace(at, message),
            None => self.insert(self.messages.len(), id, message),
        }
    }

    fn replace(&mut self, at: usize, message: Value) {
        let old = std::mem::replace(&mut self.messages[at], Arc::new(message));
        for call in tool_calls(&old).filter_map(|call| call["id"].as_str()) {
            if self
                .calls
                .get(call)
                .is_some_and(|(owner, _)| owner == id_of(&old))
            {
                self.calls.remove(call);
            }
        }
        self.find_calls(at);
    }

    /// Notes where the calls of a message are.
    fn find_calls(&mut self, at: usize) {
        let message = Arc::clone(&self.messages[at]);
        for (number, call) in tool_calls(&message).enumerate() {
            if let Some(call) = call["id"].as_str() {
                self.note_call(call, id_of(&message), number);
            }
        }
    }

    /// Notes where a call is, unless a newer message has it.
    pub(crate) fn note_call(&mut self, call_id: &str, message_id: &str, number: usize) {
        let at = self.position(message_id);
        let known = self
            .calls
            .get(call_id)
            .and_then(|(owner, _)| self.position(owner));
        if known <= at {
            let place = (message_id.to_owned(), number);
            self.calls.insert(call_id.to_owned(), place);
        }
    }

    /// Returns the call with this id in the newest message that has it, to be changed.
    pub(crate) fn call_mut(&mut self, call_id: &str) -> Option<&mut Map<String, Value>> {
        let (owner, number) = self.calls.get(call_id)?.clone();
        let calls = self.get_mut(&owner)?.get_mut("toolCalls")?;
        calls.get_mut(number)?.as_object_mut()
    }

    /// Puts a tool message behind the message that made the call, and behind its other results.
    pub fn put_result(&mut self, call_id: &str, message: Value) {
        let id = id_of(&message).to_owned();
        if let Some(at) = self.position(&id) {
            return self.replace(at, message);
        }
        let owner = self.calls.get(call_id).map(|(owner, _)| owner.clone());
        let Some((owner, from)) = owner.and_then(|owner| {
            let at = self.position(&owner)?;
            let last = self
                .last_results
                .get(&owner)
                .and_then(|id| self.position(id));
            // Nothing but results may stand between the two, which a snapshot can change.
            let last = last.filter(|last| *last > at && self.messages[*last]["role"] == "tool");
            Some((owner, last.unwrap_or(at) + 1))
        }) else {
            return self.insert(self.messages.len(), id, message);
        };
        let results = self.messages[from..]
            .iter()
            .take_while(|message| message["role"] == "tool")
            .count();
        self.last_results.insert(owner, id.clone());
        self.insert(from + results, id, message);
    }

    fn insert(&mut self, at: usize, id: String, message: Value) {
        self.messages.insert(at, Arc::new(message));
        self.positions.insert(id, at);
        for (position, moved) in self.messages.iter().enumerate().skip(at + 1) {
            if let Some(known) = self.positions.get_mut(id_of(moved)) {
                *known = position;
            }
        }
        self.find_calls(at);
    }

    /// Reconciles with a `MESSAGES_SNAPSHOT`: same id is replaced in place, a new id is appended, a held id that is absent is
    /// dropped, except activity and reasoning messages unless the snapshot itself carries that role.
    pub(crate) fn reconcile(&mut self, snapshot: &[Value]) {
        let roles: HashSet<&str> = snapshot
            .iter()
            .filter_map(|message| message["role"].as_str())
            .collect();
        let mut fresh: HashMap<&str, &Value> = snapshot
            .iter()
            .map(|message| (id_of(message), message))
            .collect();
        let mut messages = Vec::with_capacity(snapshot.len());
        for held in &self.messages {
            let role = held["role"].as_str().unwrap_or_default();
            if let Some(message) = fresh.remove(id_of(held)) {
                messages.push(Arc::new(message.clone()));
            } else if matches!(role, "activity" | "reasoning") && !roles.contains(role) {
                messages.push(Arc::clone(held));
            }
        }
        for message in snapshot {
            if fresh.remove(id_of(message)).is_some() {
                messages.push(Arc::new(message.clone()));
            }
        }
        self.positions = messages
            .iter()
            .enumerate()
            .map(|(at, message)| (id_of(message).to_owned(), at))
            .collect();
        self.messages = messages;
        self.calls.clear();
        self.last_results.clear();
        for at in 0..self.messages.len() {
            self.find_calls(at);
        }
    }

    /// Returns the activity messages.
    pub(crate) fn activities(&self) -> Vec<Value> {
        let activities = self
            .messages
            .iter()
            .filter(|message| message["role"] == "activity");
        activities.map(|message| message.as_ref().clone()).collect()
    }

    /// Adds a user message.
    pub(crate) fn say(&mut self, id: &str, text: &str) {
        self.put(json!({"id": id, "role": "user", "content": text}));
    }
}

/// Returns a message's id, or the empty string.
pub(crate) fn id_of(message: &Value) -> &str {
    message["id"].as_str().unwrap_or_default()
}

/// Sets a member of a value that is an object, and leaves any other as it is: an agent may send what it likes.
pub(crate) fn set_member(value: &mut Value, name: &str, member: impl Into<Value>) {
    if let Some(members) = value.as_object_mut() {
        members.insert(name.to_owned(), member.into());
    }
}

/// Returns the tool calls of a message.
pub(crate) fn tool_calls(message: &Value) -> impl Iterator<Item = &Value> {
    message["toolCalls"].as_array().into_iter().flatten()
}

/// Returns the text of a message: its string content, or its text parts joined with LF.
pub(crate) fn text_of(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts
                .iter()
                .filter_map(|part| part["text"].as_str())
                .collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// Returns who speaks in a message, and what is said.
pub(crate) fn role_and_text(message: &Value) -> (String, String) {
    let role = message["role"].as_str().unwrap_or_default();
    (role.to_owned(), text_of(message))
}

/// Leaves out content parts of kinds that 1.0 does not describe; returns where they were, if those are not too many.
pub(crate) fn strip_unknown_parts(messages: &mut [Value]) -> Vec<String> {
    let mut stripped = Vec::new();
    for (message_index, message) in messages.iter_mut().enumerate() {
        let Some(parts) = message.get_mut("content").and_then(Value::as_array_mut) else {
            continue;
        };
        let mut part_index = 0;
        parts.retain(|part| {
            let known = matches!(
                part["type"].as_str(),
                Some("text" | "image" | "audio" | "video" | "document" | "binary")
            );
            if !known && stripped.len() < MAX_NOTES {
                stripped.push(format!("/messages/{message_index}/content/{part_index}"));
            }
            part_index += 1;
            known
        });
    }
    stripped
}

/// Returns an assistant message that owns no text yet.
pub(crate) fn assistant(id: &str) -> Value {
    let mut message = Map::new();
    message.insert("id".to_owned(), id.into());
    message.insert("role".to_owned(), "assistant".into());
    Value::Object(message)
}
