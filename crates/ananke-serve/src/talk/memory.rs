//! Conversations that the server keeps, for clients that send their newest message alone.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::bounded::Bounded;
use super::happening::{Happening, happenings};
use super::question::answer_of;
use crate::agent::Agent;
use crate::engine::Reply;
use crate::input::{Addressee, CalledFunction, Message, MessageCall, ResumeEntry, RunInput};

/// How many conversations are kept.
const MAX_TALKS: usize = 1024;
/// How much of all conversations is kept.
const MAX_BYTES: usize = 64 << 20;
/// How many messages of one conversation are kept; the oldest are forgotten first.
const MAX_MESSAGES: usize = 1000;

/// What a user says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    /// The id of the message.
    pub(crate) id: String,
    /// Its text.
    pub(crate) text: String,
    /// Its data, if it has some.
    pub(crate) data: Option<Value>,
    /// What the client hands on to the agent.
    pub(crate) metadata: Value,
}

/// Something that an agent waits for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Question {
    /// An interrupt.
    Interrupt(Value),
    /// The result of a call that is the client's to make: its id and the tool.
    Call(String, String),
}

/// One conversation.
#[derive(Clone, Debug, Default)]
struct Talk {
    messages: Vec<Message>,
    state: Value,
    open: Vec<Question>,
}

/// All conversations.
#[derive(Debug)]
pub(crate) struct Talks(Mutex<Bounded<Talk>>);

impl Default for Talks {
    fn default() -> Self {
        Self(Mutex::new(Bounded::new(MAX_TALKS, MAX_BYTES)))
    }
}

impl Talks {
    /// Lets the agent answer what was said on a thread, and keeps both.
    pub(crate) fn run(
        &self,
        agent: &dyn Agent,
        (thread, run): (&str, &str),
        addressee: Addressee,
        said: &Said,
    ) -> Reply {
        let mut talk = self.lock().get(thread).cloned().unwrap_or_default();
        let input = talk.input(thread, run, addressee, said);
        let reply = agent.reply(&input);
        if let Reply::Stream(actions) = &reply {
            talk.messages = input.messages;
            for happening in happenings(actions) {
                if let Happening::Event(event) = happening {
                    talk.keep(&event);
                }
            }
            let n_old = talk.messages.len().saturating_sub(MAX_MESSAGES);
            talk.messages.drain(..n_old);
            let n_bytes = json!([talk.messages, talk.state]).to_string().len();
            self.lock().put(thread, talk, n_bytes);
        }
        reply
    }

    /// Returns what the agent waits for on a thread.
    pub(crate) fn questions(&self, thread: &str) -> Vec<Question> {
        let talks = self.lock();
        talks
            .get(thread)
            .map_or_else(Vec::new, |talk| talk.open.clone())
    }

    /// Returns the shared state of a thread.
    pub(crate) fn state(&self, thread: &str) -> Value {
        let talks = self.lock();
        talks
            .get(thread)
            .map_or(Value::Null, |talk| talk.state.clone())
    }

    /// Sets the shared state of a thread.
    pub(crate) fn set_state(&self, thread: &str, state: Value) {
        let mut talk = self.lock().get(thread).cloned().unwrap_or_default();
        talk.state = state;
        let n_bytes = json!([talk.messages, talk.state]).to_string().len();
        self.lock().put(thread, talk, n_bytes);
    }

    pub(crate) fn forget(&self, thread: &str) {
        self.lock().take(thread);
    }

    fn lock(&self) -> MutexGuard<'_, Bounded<Talk>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Talk {
    /// Returns the request that an AG-UI client would send now.
    fn input(&mut self, thread: &str, run: &str, addressee: Addressee, said: &Said) -> RunInput {
        let mut messages = std::mem::take(&mut self.messages);
        let mut resume = Vec::new();
        let open = std::mem::take(&mut self.open);
        for question in &open {
            match question {
                Question::Interrupt(interrupt) => {
                    let answer = serde_json::from_value::<ResumeEntry>(answer_of(interrupt, said));
                    resume.extend(answer);
                }
                Question::Call(id, _) => {
                    let content = said.data.as_ref().map(Value::to_string);
                    let content = content.unwrap_or_else(|| said.text.clone());
                    messages.push(tool_message(&said.id, id, content.into()));
                }
            }
        }
        if open.is_empty() {
            messages.push(Message {
                id: said.id.clone().into(),
                role: "user".to_owned(),
                content: said.text.clone().into(),
                tool_calls: None,
                tool_call_id: None,
            });
        }
        RunInput {
            thread_id: thread.to_owned(),
            run_id: run.to_owned(),
            messages,
            protocol_version: Some("1.0".to_owned()),
            state: self.state.clone(),
            forwarded_props: said.metadata.clone(),
            context: Value::Null,
            tools: Value::Null,
            resume: (!resume.is_empty()).then_some(resume),
            addressee,
        }
    }

    /// Keeps what an event says.
    fn keep(&mut self, event: &Value) {
        let text = |name: &str| event[name].as_str().unwrap_or_default();
        match text("type") {
            "TEXT_MESSAGE_START" => self.message(text("messageId")).content = "".into(),
            "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => {
                let message = self.message(text("messageId"));
                let more = message.text() + event["delta"].as_str().unwrap_or_default();
                message.content = more.into();
            }
            "TOOL_CALL_START" => {
                let call = MessageCall {
                    id: text("toolCallId").to_owned(),
                    function: CalledFunction {
                        name: text("toolCallName").to_owned(),
                        arguments: String::new(),
                    },
                };
                let id = format!("{}-made", call.id);
                self.message(&id).tool_calls = Some(vec![call]);
            }
            "TOOL_CALL_ARGS" => {
                let (id, delta) = (text("toolCallId"), text("delta"));
                let calls = self.messages.iter_mut().rev();
                let mut calls = calls.flat_map(|message| message.tool_calls.iter_mut().flatten());
                if let Some(call) = calls.find(|call| call.id == id) {
                    call.function.arguments.push_str(delta);
                }
            }
            "TOOL_CALL_RESULT" => {
                let content = event["content"].clone();
                let message = tool_message(text("messageId"), text("toolCallId"), content);
                self.messages.push(message);
            }
            "STATE_SNAPSHOT" => self.state = event["snapshot"].clone(),
            "STATE_DELTA" => patch(&mut self.state, &event["delta"]),
            "RUN_FINISHED" => self.open = self.questions(&event["outcome"]),
            _ => {}
        }
    }

    fn questions(&self, outcome: &Value) -> Vec<Question> {
        let interrupts = outcome["interrupts"].as_array().into_iter().flatten();
        let mut open: Vec<Question> = interrupts.cloned().map(Question::Interrupt).collect();
        let pending = outcome["pendingToolCallIds"].as_array();
        for id in pending.into_iter().flatten().filter_map(Value::as_str) {
            let mut calls = self
                .messages
                .iter()
                .flat_map(|m| m.tool_calls.iter().flatten());
            let name = calls.find(|call| call.id == id);
            let name = name.map_or("", |call| &call.function.name);
            open.push(Question::Call(id.to_owned(), name.to_owned()));
        }
        open
    }

    /// Returns the assistant's message with this id, a new one if there is none.
    fn message(&mut self, id: &str) -> &mut Message {
        let at = self.messages.iter().rposition(|message| message.id == id);
        let at = at.unwrap_or_else(|| {
            self.messages.push(Message {
                id: id.into(),
                role: "assistant".to_owned(),
                content: Value::Null,
                tool_calls: None,
                tool_call_id: None,
            });
            self.messages.len() - 1
        });
        &mut self.messages[at]
    }
}

fn tool_message(id: &str, call: &str, content: Value) -> Message {
    Message {
        id: id.into(),
        role: "tool".to_owned(),
        content,
        tool_calls: None,
        tool_call_id: Some(call.to_owned()),
    }
}

/// Applies a JSON Patch; one that does not fit changes nothing.
pub(crate) fn patch(state: &mut Value, delta: &Value) {
    if state.is_null() {
        *state = json!({});
    }
    if let Ok(delta) = serde_json::from_value::<json_patch::Patch>(delta.clone()) {
        json_patch::patch(state, &delta).ok();
    }
}
