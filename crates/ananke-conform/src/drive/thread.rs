//! A conversation with the agent: what was said so far, and the request of the next run.

use std::collections::HashSet;

use ananke_model::conformance::OfferedFrontendTool;
use ananke_protocol::agui::{Conversation, observe};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::target::Target;
use crate::exchange::Answer;
use crate::rule::Profile;

/// A thread as a client holds it.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    id: String,
    conversation: Conversation,
    tools: Vec<OfferedFrontendTool>,
    /// Messages that are ours, by id; the others are what answers amount to.
    own: Vec<String>,
}

/// A call that the conversation holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_answered: bool,
}

impl Thread {
    /// Begins a thread of its own: many servers remember theirs.
    pub(super) fn new(state: Option<&Value>, tools: &[OfferedFrontendTool]) -> Self {
        Self {
            id: fresh_id(),
            conversation: Conversation::new(state.cloned().unwrap_or(Value::Null)),
            tools: tools.to_vec(),
            own: Vec::new(),
        }
    }

    /// Adds what the user says.
    pub(super) fn say(&mut self, text: &str) {
        let id = fresh_id();
        self.conversation
            .put(json!({"id": id, "role": "user", "content": text}));
        self.own.push(id);
    }

    /// Adds what the front end answers to a call.
    pub(super) fn answer_call(&mut self, call: &str, result: &Value) {
        let id = fresh_id();
        let content = match result {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let message = json!({"id": id, "role": "tool", "toolCallId": call, "content": content});
        self.conversation.put_result(call, message);
        self.own.push(id);
    }

    /// Adds what an answer amounts to.
    pub(super) fn take(&mut self, answer: &Answer) {
        self.conversation.interrupts.clear();
        if answer.is_stream() {
            let payloads = answer.events.iter().map(|event| event.data.as_str());
            observe(&mut self.conversation, payloads);
        }
    }

    /// Returns the interrupts that the last run ended with.
    pub(super) fn interrupts(&self) -> &[Value] {
        &self.conversation.interrupts
    }

    /// Returns the calls that the conversation holds.
    pub(super) fn calls(&self) -> Vec<HeldCall> {
        let messages = self.conversation.messages();
        let results = messages.iter().filter(|message| message["role"] == "tool");
        let answered: HashSet<&str> = results
            .filter_map(|message| message["toolCallId"].as_str())
            .collect();
        let calls = messages
            .iter()
            .filter_map(|message| message.get("toolCalls")?.as_array())
            .flatten();
        calls
            .filter_map(|call| {
                let id = call.get("id")?.as_str()?;
                let name = call.get("function")?.get("name")?.as_str()?;
                Some(HeldCall {
                    id: id.to_owned(),
                    name: name.to_owned(),
                    is_answered: answered.contains(id),
                })
            })
            .collect()
    }

    /// Returns how much the assistant has said so far.
    pub(super) fn n_spoken(&self) -> usize {
        let messages = self.conversation.messages().iter();
        let spoken = messages.filter(|message| message["role"] == "assistant");
        spoken
            .filter_map(|message| message.get("content")?.as_str())
            .map(|text| text.trim().len())
            .sum()
    }

    /// Returns the request of the next run. All members are always there: servers before 1.0 refuse a body without them.
    pub(super) fn input(&self, target: &Target, resume: &[Value]) -> Value {
        let messages = self.conversation.messages().iter();
        // Activities belong to the front end and are never sent.
        let messages = messages.filter(|message| message["role"] != "activity");
        let messages: Vec<Value> = messages.map(|message| Value::clone(message)).collect();
        self.input_of(target, resume, messages, self.conversation.state.clone())
    }

    /// Returns what of the next request is ours alone. Whatever is wrong with it is our own mistake.
    pub(super) fn own_input(&self, target: &Target, resume: &[Value]) -> Value {
        let messages = self.conversation.messages().iter();
        let is_own = |message: &Value| {
            let id = message["id"].as_str();
            id.is_some_and(|id| self.own.iter().any(|own| own == id))
        };
        let own = messages.filter(|message| is_own(message));
        let own: Vec<Value> = own.map(|message| Value::clone(message)).collect();
        self.input_of(target, resume, own, Value::Null)
    }

    fn input_of(
        &self,
        target: &Target,
        resume: &[Value],
        messages: Vec<Value>,
        state: Value,
    ) -> Value {
        let no_members = || Value::Object(Map::new());
        let state = if state.is_null() { no_members() } else { state };
        let forwarded = target.forwarded_props.clone().unwrap_or_else(no_members);
        let tools: Vec<Value> = self.tools.iter().map(offered).collect();
        let mut input = Map::new();
        input.insert("threadId".to_owned(), self.id.as_str().into());
        input.insert("runId".to_owned(), fresh_id().into());
        if target.profile == Profile::V1 {
            input.insert("protocolVersion".to_owned(), "1.0".into());
        }
        input.insert("state".to_owned(), state);
        input.insert("messages".to_owned(), messages.into());
        input.insert("tools".to_owned(), tools.into());
        input.insert("context".to_owned(), json!([]));
        input.insert("forwardedProps".to_owned(), forwarded);
        if !resume.is_empty() {
            input.insert("resume".to_owned(), json!(resume));
        }
        Value::Object(input)
    }
}

fn offered(tool: &OfferedFrontendTool) -> Value {
    let mut offered = json!({"name": tool.name, "description": tool.description});
    if !tool.parameters.is_null() {
        offered["parameters"] = tool.parameters.clone();
    }
    offered
}

/// Returns an id that nobody has used: some servers take UUIDs only.
pub(super) fn fresh_id() -> String {
    Uuid::new_v4().to_string()
}
