//! Writes the events of a run and remembers what is open.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use super::reply::Action;
use crate::input::RunInput;
use crate::script::{FinishStep, InterruptStep, TextDeltas, ToolStep};

/// The protocol version that we speak.
const PROTOCOL_VERSION: &str = "1.0";
/// 2026-01-01T00:00:00Z in milliseconds: where scripted timestamps begin.
const EPOCH_MS: u64 = 1_767_225_600_000;

/// Whether events carry timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// No timestamps.
    Absent,
    /// They begin at a fixed moment and advance by the scripted delays.
    Scripted,
}

/// A run that is being written.
pub(super) struct Composer<'a> {
    pub(super) input: &'a RunInput,
    clock: Clock,
    elapsed_ms: u64,
    n_ids: usize,
    calls: Vec<Call>,
    pub(super) actions: Vec<Action>,
    pub(super) is_finished: bool,
}

/// A call of this run.
struct Call {
    id: String,
    name: String,
    is_answered: bool,
}

impl<'a> Composer<'a> {
    pub(super) fn new(input: &'a RunInput, clock: Clock) -> Self {
        Self {
            input,
            clock,
            elapsed_ms: 0,
            n_ids: 0,
            calls: Vec::new(),
            actions: Vec::new(),
            is_finished: false,
        }
    }

    pub(super) fn run_started(&mut self) {
        let mut event = json!({
            "type": "RUN_STARTED",
            "threadId": self.input.thread_id,
            "runId": self.input.run_id,
        });
        let version = self
            .input
            .protocol_version
            .is_some()
            .then(|| json!(PROTOCOL_VERSION));
        set(&mut event, "protocolVersion", version);
        self.event(event);
    }

    pub(super) fn text(&mut self, text: &TextDeltas) {
        let id = self.next_id("msg");
        self.event(json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant"}));
        for delta in &text.deltas {
            self.wait(text.every_ms);
            self.event(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta}));
        }
        self.event(json!({"type": "TEXT_MESSAGE_END", "messageId": id}));
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        let span = self.next_id("span");
        let id = self.next_id("thought");
        self.event(json!({"type": "REASONING_START", "messageId": span}));
        self.event(
            json!({"type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning"}),
        );
        for delta in text.split_inclusive(' ') {
            self.event(
                json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": delta}),
            );
        }
        self.event(json!({"type": "REASONING_MESSAGE_END", "messageId": id}));
        self.event(json!({"type": "REASONING_END", "messageId": span}));
    }

    pub(super) fn tools(&mut self, tools: &[ToolStep]) {
        let ids: Vec<String> = tools
            .iter()
            .map(|tool| tool.id.clone().unwrap_or_else(|| self.next_id("call")))
            .collect();
        for (tool, id) in tools.iter().zip(&ids) {
            self.event(
                json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": tool.name}),
            );
        }
        for (tool, id) in tools.iter().zip(&ids) {
            self.event(
                json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": as_text(&tool.args)}),
            );
            self.event(json!({"type": "TOOL_CALL_END", "toolCallId": id}));
        }
        for (tool, id) in tools.iter().zip(&ids) {
            self.wait(tool.delay_ms);
            let result = match (&tool.result, &tool.error) {
                (Some(result), _) => Some(as_text(result)),
                (None, Some(error)) => Some(json!({"error": error}).to_string()),
                (None, None) => None,
            };
            self.calls.push(Call {
                id: id.clone(),
                name: tool.name.clone(),
                is_answered: result.is_some(),
            });
            if let Some(result) = result {
                self.tool_result(id, &result);
            }
        }
    }

    pub(super) fn tool_result(&mut self, call: &str, content: &str) {
        let id = self.next_id("result");
        self.event(json!({
            "type": "TOOL_CALL_RESULT",
            "messageId": id,
            "toolCallId": call,
            "content": content,
            "role": "tool",
        }));
    }

    pub(super) fn interrupt(&mut self, interrupt: &InterruptStep) {
        let call = interrupt
            .tool
            .as_ref()
            .and_then(|tool| self.calls.iter().rev().find(|call| call.name == *tool))
            .map(|call| call.id.clone());
        let id = match (&interrupt.id, &call) {
            (Some(id), _) => id.clone(),
            (None, Some(call)) => format!("interrupt-{call}"),
            (None, None) => self.next_id("interrupt"),
        };
        let mut entry = json!({"id": id, "reason": interrupt.reason});
        set(
            &mut entry,
            "message",
            interrupt.message.clone().map(Value::String),
        );
        set(&mut entry, "toolCallId", call.map(Value::String));
        set(
            &mut entry,
            "responseSchema",
            interrupt.response_schema.clone(),
        );
        set(
            &mut entry,
            "expiresAt",
            interrupt.expires_at.clone().map(Value::String),
        );
        self.finish(&FinishStep {
            outcome: Some(json!({"type": "interrupt", "interrupts": [entry]})),
            ..FinishStep::default()
        });
    }

    pub(super) fn error(&mut self, message: &str, code: Option<&str>) {
        self.is_finished = true;
        let mut event = json!({"type": "RUN_ERROR", "message": message});
        set(&mut event, "code", code.map(Value::from));
        self.event(event);
    }

    pub(super) fn finish(&mut self, finish: &FinishStep) {
        self.is_finished = true;
        let mut event = json!({
            "type": "RUN_FINISHED",
            "threadId": self.input.thread_id,
            "runId": self.input.run_id,
        });
        set(&mut event, "result", finish.result.clone());
        let outcome = finish.outcome.clone().or_else(|| self.success());
        set(&mut event, "outcome", outcome);
        set(&mut event, "usage", finish.usage.clone());
        self.event(event);
    }

    /// Returns the outcome of an ordinary end. Clients that declare no version get none: `pendingToolCallIds` is fatal to
    /// those of 0.x, and an absent outcome means success to all.
    fn success(&self) -> Option<Value> {
        self.input.protocol_version.as_ref()?;
        let pending: Vec<&str> = self
            .calls
            .iter()
            .filter(|call| !call.is_answered)
            .map(|call| call.id.as_str())
            .collect();
        let mut outcome = json!({"type": "success"});
        let pending = (!pending.is_empty()).then(|| json!(pending));
        set(&mut outcome, "pendingToolCallIds", pending);
        Some(outcome)
    }

    pub(super) fn event(&mut self, mut event: Value) {
        if self.clock == Clock::Scripted && event.get("timestamp").is_none() {
            set(
                &mut event,
                "timestamp",
                Some(json!(EPOCH_MS.saturating_add(self.elapsed_ms))),
            );
        }
        self.send(format!("data: {event}\n\n"));
    }

    pub(super) fn send(&mut self, text: String) {
        self.actions.push(Action::Send(Bytes::from(text)));
    }

    pub(super) fn wait(&mut self, ms: u64) {
        if ms > 0 {
            self.elapsed_ms = self.elapsed_ms.saturating_add(ms);
            self.actions.push(Action::Wait(Duration::from_millis(ms)));
        }
    }

    fn next_id(&mut self, kind: &str) -> String {
        self.n_ids += 1;
        format!("{kind}-{}-{}", self.input.run_id, self.n_ids)
    }
}

/// Adds an optional member: absent means absent on the wire, never null.
fn set(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
        object.insert(key.to_owned(), value);
    }
}

/// Returns a string as it is and anything else as compact JSON.
pub(super) fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
