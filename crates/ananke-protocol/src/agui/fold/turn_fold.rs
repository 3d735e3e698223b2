//! Folding: events of a turn, in order, into the text, calls, messages and state that they amount to.

use std::collections::{HashMap, HashSet};

use ananke_model::recording::{LateResult, ToolCall};
use serde_json::{Value, json};

use super::texts::{OpenText, Role};
use crate::agui::conversation::{Conversation, id_of};
use crate::agui::event::Event;
use crate::agui::stream::MAX_NOTES;
use crate::agui::work::Work;

/// When an event came: number in the turn, arrival, and its own timestamp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) event: usize,
    pub(crate) at_us: u64,
    pub(crate) timestamp: Option<f64>,
}

/// How the last run of a turn ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunEnd {
    Finished,
    Error {
        message: String,
        code: Option<String>,
    },
}

/// What a turn has brought so far.
#[derive(Debug)]
pub(crate) struct Fold<'c> {
    pub(crate) conversation: &'c mut Conversation,
    /// Replayed calls count in a connect turn only.
    pub(super) is_connect: bool,
    /// The last message that was sent, to tell new calls in a snapshot from old ones.
    pub(super) user_message_id: Option<String>,
    /// Role and text of what was sent behind the last words of the user.
    pub(super) sent_last: Vec<(String, String)>,
    /// Messages and calls from before this turn.
    pub(super) known_messages: HashSet<String>,
    pub(super) known_calls: HashSet<String>,
    /// The message that deltas are being added to; its text waits here so that the hot path only appends.
    pub(super) open_text: Option<OpenText>,
    /// Assistant messages of this turn in order, with texts that a snapshot took out of the conversation.
    pub(super) texts: Vec<(String, Option<String>)>,
    /// The ids in `texts`.
    pub(super) noted_texts: HashSet<String>,
    /// The texts in `texts` that a snapshot took out.
    pub(super) saved_texts: HashSet<String>,
    /// Bytes of text, arguments and results taken so far.
    pub(crate) n_text_bytes: usize,
    /// Reasoning messages joined with LF, and the one that was added last.
    pub(crate) reasoning: String,
    pub(super) reasoning_id: String,
    pub(crate) calls: Vec<ToolCall>,
    /// The newest call with an id, and whether its arguments are still coming.
    pub(super) call_positions: HashMap<String, usize>,
    pub(super) open_calls: HashSet<String>,
    pub(crate) late_results: Vec<LateResult>,
    pub(crate) usage: Vec<Value>,
    pub(crate) end: Option<RunEnd>,
    pub(crate) first_text_us: Option<u64>,
    pub(crate) first_tool_us: Option<u64>,
    pub(crate) warnings: Vec<String>,
    /// What patches and snapshots may still do in this turn.
    pub(crate) work: Work,
}

impl<'c> Fold<'c> {
    /// Begins a turn on `conversation`, which already holds what this turn sends.
    pub(crate) fn new(
        conversation: &'c mut Conversation,
        user_message_id: Option<&str>,
        is_connect: bool,
    ) -> Self {
        let mut known_messages = conversation.message_ids();
        if let Some(id) = user_message_id {
            known_messages.remove(id);
        }
        Self {
            known_messages,
            known_calls: conversation.call_ids(),
            sent_last: conversation.behind_user(),
            conversation,
            is_connect,
            user_message_id: user_message_id.map(str::to_owned),
            open_text: None,
            texts: Vec::new(),
            noted_texts: HashSet::new(),
            saved_texts: HashSet::new(),
            n_text_bytes: 0,
            reasoning: String::new(),
            reasoning_id: String::new(),
            calls: Vec::new(),
            call_positions: HashMap::new(),
            open_calls: HashSet::new(),
            late_results: Vec::new(),
            usage: Vec::new(),
            end: None,
            first_text_us: None,
            first_tool_us: None,
            warnings: Vec::new(),
            work: Work::default(),
        }
    }

    /// Takes one event, chunks expanded and retired types translated.
    pub(crate) fn take(&mut self, event: Event<'_>, moment: Moment) {
        match event {
            Event::TextContent { id, delta } => self.add_text(&id, &delta, Role::Assistant, moment),
            Event::ReasoningContent { id, delta } => {
                self.add_text(&id, &delta, Role::Reasoning, moment);
            }
            Event::ToolArgs { id, delta } => {
                if let Some(at) = self.call_positions.get(id.as_ref()) {
                    self.n_text_bytes += delta.len();
                    self.calls[*at].args_text.push_str(&delta);
                }
            }
            Event::TextStart { id, role, name } => {
                let role = role.unwrap_or("assistant".into());
                let mut message = json!({"id": id, "role": role, "content": ""});
                if let Some(name) = name {
                    message["name"] = name.into_owned().into();
                }
                self.begin_text(&id, &role, message);
            }
            Event::ReasoningMessageStart { id } => {
                self.begin_text(
                    &id,
                    "reasoning",
                    json!({"id": id, "role": "reasoning", "content": ""}),
                );
            }
            Event::TextEnd { .. } | Event::ReasoningMessageEnd { .. } => self.flush(),
            Event::ToolStart { id, name, parent } => {
                self.begin_call(&id, &name, parent.as_deref(), moment);
            }
            Event::ToolEnd { id } => self.end_call(&id, moment),
            Event::ToolResult {
                message_id,
                id,
                content,
                error,
            } => {
                let message_id =
                    message_id.map_or_else(|| format!("{id}-result"), |id| id.into_owned());
                self.tool_result(&message_id, &id, content, error.as_deref(), moment);
            }
            Event::StateSnapshot { snapshot } => self.conversation.state = snapshot,
            Event::StateDelta { delta } => self.state_delta(&delta),
            Event::MessagesSnapshot { messages } => self.messages_snapshot(messages, moment),
            Event::ActivitySnapshot {
                id,
                activity_type,
                content,
                replace,
            } if (replace || self.conversation.get(&id).is_none()) => {
                let message = json!({"id": id, "role": "activity", "activityType": activity_type, "content": content});
                self.conversation.put(message);
            }
            Event::ActivityDelta {
                id,
                activity_type,
                patch,
            } => self.activity_delta(&id, &activity_type, &patch),
            Event::ReasoningEncrypted {
                subtype,
                entity,
                value,
            } => self.encrypted(&subtype, &entity, &value),
            Event::RunFinished { outcome, usage } => self.run_finished(&outcome, usage),
            Event::RunError {
                message,
                code,
                usage,
            } => {
                self.add_usage(usage);
                self.end = Some(RunEnd::Error {
                    message: message.into_owned(),
                    code: code.map(std::borrow::Cow::into_owned),
                });
            }
            Event::RunStarted { .. } => {
                self.end = None;
                self.conversation.interrupts.clear();
            }
            _ => {}
        }
    }

    fn run_finished(&mut self, outcome: &Value, usage: Value) {
        self.add_usage(usage);
        self.end = Some(RunEnd::Finished);
        match outcome["type"].as_str() {
            Some("interrupt") => {
                self.conversation.interrupts = outcome["interrupts"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
            }
            Some("success" | "cancelled") => {}
            _ if outcome.is_null() => {}
            _ => self.warn(
                "/outcome of RUN_FINISHED is not described by AG-UI 1.0: left out".to_owned(),
            ),
        }
    }

    pub(super) fn warn(&mut self, message: String) {
        if self.warnings.len() < MAX_NOTES {
            self.warnings.push(message);
        }
    }

    fn add_usage(&mut self, usage: Value) {
        if let Value::Array(entries) = usage {
            self.usage.extend(entries);
        }
    }

    /// Returns the messages that were not there before this turn.
    pub(crate) fn new_messages(&self) -> Vec<std::sync::Arc<Value>> {
        let messages = self.conversation.messages().iter();
        messages
            .filter(|message| !self.known_messages.contains(id_of(message)))
            .cloned()
            .collect()
    }
}
