//! From what was folded to a finished turn, and to what the next one begins with.

use ananke_model::recording::{
    ErrorLayer, Spoken, TaskError, TaskRecord, ToolCall, Trouble, Turn, TurnStatus, TurnTiming,
};
use serde_json::{Map, Value, json};

use super::turn::Driver;
use super::wire::{RpcError, State};
use crate::agui::{Conversation, args_error};
use crate::http::without_secrets;

/// Why it says nothing that no call was seen.
const NO_CALLS: &str = "this agent exposes no tool calls over A2A";
const NO_MATCH: &str = "this agent showed no tool calls, and no rule of `toolCalls` matched";

/// What a turn leaves in the conversation.
pub(super) struct Kept<'c> {
    pub(super) conversation: &'c mut Conversation,
    /// Where this turn's messages begin.
    pub(super) first_message: usize,
    /// The id of the agent's message.
    pub(super) answer_id: &'c str,
}

impl Driver<'_, '_> {
    /// Ends the turn.
    pub(super) fn into_turn(
        mut self,
        kept: Kept<'_>,
        user: Option<String>,
        run: Result<(), Trouble>,
    ) -> Turn {
        let ended_us = self.stream.ended_us.filter(|_| run.is_ok());
        let total_us = ended_us.unwrap_or_else(|| self.elapsed_us());
        let error = self.error().filter(|_| run.is_ok());
        let status = match (run, &error) {
            (Err(trouble), _) => TurnStatus::Broken(trouble),
            (Ok(()), Some(error)) => TurnStatus::RunError {
                message: error.message.clone(),
                code: error.code.clone(),
            },
            (Ok(()), None) => TurnStatus::Finished,
        };
        let (text, first_text_us) = self.stream.fold.text();
        let mut tool_calls = std::mem::take(&mut self.stream.fold.calls.list);
        for call in &mut tool_calls {
            call.args_error = args_error(&call.args_text);
        }
        let Kept {
            conversation,
            first_message,
            answer_id,
        } = kept;
        put_answer(conversation, answer_id, &text, &tool_calls);
        let interrupts = self.interrupts(&text);
        conversation.interrupts.clone_from(&interrupts);
        self.keep_ids();
        let record = self.record(error);
        let messages = conversation.messages().get(first_message..);
        let fold = &mut self.stream.fold;
        let turn = Turn {
            kind: self.request.action.kind().to_owned(),
            user,
            requests: self.requests,
            reached: self.reached,
            status,
            text,
            reasoning: fold.reasoning(),
            messages: messages.unwrap_or_default().to_vec(),
            tool_calls,
            late_results: std::mem::take(&mut fold.calls.late),
            state: conversation.state.clone(),
            activities: Vec::new(),
            interrupts,
            usage: Vec::new(),
            timing: TurnTiming {
                started_at_ms: self.request.unix_ms,
                connect_us: self.connect_us,
                first_event_us: self.stream.log.get(0).map(|(_, at_us)| at_us),
                first_text_us,
                first_tool_us: fold.first_tool_us,
                total_us,
                clock: Some(self.request.clock),
                // Only states have timestamps, and few of them.
                event_clock: None,
            },
            findings: Vec::new(),
            warnings: std::mem::take(&mut fold.warnings),
            opinions: Vec::new(),
            simulated: None,
            task: Some(Box::new(record)),
            data: Value::Null,
            server: Value::Null,
            no_calls_because: None,
            events: std::mem::take(&mut self.stream.log),
        };
        self.session.memory = self.stream.fold.into_memory();
        turn
    }

    /// Returns what the server or the agent said went wrong.
    fn error(&self) -> Option<TaskError> {
        if let Some(error) = &self.stream.error {
            let is_own_context = self.session.context_id.is_none() && self.sent_context.is_some();
            let hint = match is_own_context && self.stream.n_folded == 0 {
                true => "; an agent may refuse a `contextId` that it did not make",
                false => "",
            };
            return Some(TaskError {
                layer: ErrorLayer::Protocol,
                code: error.code.map(|code| code.to_string()),
                message: self.hidden(error.message.clone()) + hint,
            });
        }
        let state = self
            .stream
            .fold
            .state()
            .filter(|state| state.is_failure())?;
        let said = self.stream.fold.status_text();
        Some(TaskError {
            layer: ErrorLayer::Agent,
            code: Some(state.name().to_owned()),
            message: match said.is_empty() {
                true => format!(
                    "the task was given up as `{}`, without a word",
                    state.name()
                ),
                false => said,
            },
        })
    }

    /// Returns what the agent waits for, in the form in which every protocol's interrupts are kept.
    fn interrupts(&self, text: &str) -> Vec<Value> {
        let fold = &self.stream.fold;
        let Some(state) = fold.state().filter(|state| state.is_interrupted()) else {
            return Vec::new();
        };
        let reason = match state {
            State::AuthRequired => "auth_required",
            _ => "input_required",
        };
        let said = fold.status_text();
        let message = if said.is_empty() { text } else { &said };
        vec![json!({"id": fold.task_id, "reason": reason, "message": message})]
    }

    /// Keeps the ids that the next message is sent with.
    fn keep_ids(&mut self) {
        let fold = &mut self.stream.fold;
        if let (Some(sent), Some(seen)) = (&self.sent_context, &fold.context_id)
            && sent != seen
        {
            let message =
                format!("the agent answered in the context `{seen}` although `{sent}` was sent");
            fold.warn(message);
        }
        if fold.context_id.is_some() {
            self.session.context_id.clone_from(&fold.context_id);
        }
        let is_waiting = fold.state().is_some_and(|state| state.is_interrupted());
        let is_refused = self.stream.error.as_ref().is_some_and(|error| {
            matches!(
                error.code,
                Some(RpcError::TASK_NOT_FOUND | RpcError::UNSUPPORTED)
            )
        });
        if fold.state().is_some() || fold.has_message() || is_refused {
            self.session.open_task = fold.task_id.clone().filter(|_| is_waiting);
        }
    }

    fn record(&self, error: Option<TaskError>) -> TaskRecord {
        let fold = &self.stream.fold;
        let peer = self.session.peer.as_ref();
        // Rules that found nothing may be wrong: they prove nothing either.
        let why_silent = match self.request.options.tool_calls.is_empty() {
            true => NO_CALLS,
            false => NO_MATCH,
        };
        let is_silent = !fold.calls.known.is_any;
        TaskRecord {
            id: fold.task_id.clone(),
            context_id: fold.context_id.clone(),
            state: fold.state().map(|state| state.name().to_owned()),
            states: fold.states.clone(),
            artifacts: match fold.state() {
                Some(_) => fold.artifacts.records(),
                None => Vec::new(),
            },
            card: peer.and_then(|peer| peer.card.clone()),
            spoken: peer.map(|peer| Spoken {
                version: peer.wire.version.name().to_owned(),
                binding: peer.wire.binding.name().to_owned(),
                url: without_secrets(&peer.wire.url),
                streamed: self.is_streamed,
            }),
            no_calls_because: is_silent.then(|| why_silent.to_owned()),
            error,
        }
    }
}

/// Puts the agent's words and calls into the conversation.
fn put_answer(conversation: &mut Conversation, id: &str, text: &str, calls: &[ToolCall]) {
    if text.is_empty() && calls.is_empty() {
        return;
    }
    let mut message = Map::new();
    message.insert("id".to_owned(), id.into());
    message.insert("role".to_owned(), "assistant".into());
    if !text.is_empty() {
        message.insert("content".to_owned(), text.into());
    }
    if !calls.is_empty() {
        let made = calls.iter().map(|call| {
            let function = json!({"name": call.name, "arguments": call.args_text});
            json!({"id": call.id, "type": "function", "function": function})
        });
        message.insert("toolCalls".to_owned(), made.collect());
    }
    conversation.put(Value::Object(message));
    for (number, call) in calls.iter().enumerate() {
        let Some(content) = call.result.as_ref().or(call.error.as_ref()) else {
            continue;
        };
        let id = format!("{id}-result-{}", number + 1);
        let mut result =
            json!({"id": id, "role": "tool", "toolCallId": call.id, "content": content});
        if let Some(error) = &call.error {
            result["error"] = error.as_str().into();
        }
        conversation.put_result(&call.id, result);
    }
}
