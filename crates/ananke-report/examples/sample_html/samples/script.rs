//! Turns that are told as a script, with the events an agent would send.

use ananke_model::plan::Clock;
use ananke_model::recording::{EventLog, ToolCall, Turn, TurnStatus, TurnTiming};
use ananke_model::result::{CheckResult, JudgedTurn};
use serde_json::{Value, json};

use super::STARTED_MS;

/// A turn under construction: each step says how long it took.
pub(crate) struct Script {
    pub(crate) turn: Turn,
    pub(crate) now_us: u64,
}

impl Script {
    pub(crate) fn new(user: &str) -> Self {
        let turn = Turn {
            kind: "user".to_owned(),
            user: Some(user.to_owned()),
            requests: vec![
                json!({"threadId": "t-1", "messages": [{"role": "user", "content": user}], "tools": []}),
            ],
            reached: true,
            status: TurnStatus::Finished,
            text: String::new(),
            reasoning: String::new(),
            messages: Vec::new(),
            tool_calls: Vec::new(),
            late_results: Vec::new(),
            state: Value::Null,
            activities: Vec::new(),
            opinions: Vec::new(),
            simulated: None,
            task: None,
            data: Value::Null,
            server: Value::Null,
            no_calls_because: None,
            interrupts: Vec::new(),
            usage: Vec::new(),
            timing: TurnTiming {
                started_at_ms: STARTED_MS,
                connect_us: Some(3_200),
                clock: Some(Clock::Arrival),
                ..TurnTiming::default()
            },
            findings: Vec::new(),
            warnings: Vec::new(),
            events: EventLog::default(),
        };
        let mut script = Self {
            turn,
            now_us: 3_000,
        };
        script.event(1_500, &json!({"type": "RUN_STARTED", "threadId": "6f9d2c1e-0d3b-4a55-9d7e-1c2f3a4b5c6d", "runId": "b1a7c7de-52d9-4c36-8a5e-93a6c6f0d9aa", "protocolVersion": "1.0"}));
        script
    }

    pub(crate) fn event(&mut self, after_us: u64, event: &Value) -> usize {
        self.now_us += after_us;
        let number = self.turn.events.len();
        self.turn.timing.first_event_us.get_or_insert(self.now_us);
        self.turn
            .events
            .push(event.to_string().as_bytes(), self.now_us);
        number
    }

    pub(crate) fn think(mut self, text: &str) -> Self {
        text.clone_into(&mut self.turn.reasoning);
        for word in text.split_inclusive(' ') {
            self.event(
                18_000,
                &json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": "r-1", "delta": word}),
            );
        }
        self
    }

    pub(crate) fn say(mut self, after_us: u64, text: &str) -> Self {
        self.event(
            after_us,
            &json!({"type": "TEXT_MESSAGE_START", "messageId": "m-1", "role": "assistant"}),
        );
        self.turn
            .timing
            .first_text_us
            .get_or_insert(self.now_us + 21_000);
        for (index, word) in text.split_inclusive(' ').enumerate() {
            let pause = 21_000 + (index as u64 * 7919) % 30_000;
            self.event(
                pause,
                &json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": word}),
            );
        }
        self.event(
            900,
            &json!({"type": "TEXT_MESSAGE_END", "messageId": "m-1"}),
        );
        self.turn.text.push_str(text);
        self
    }

    pub(crate) fn call(
        mut self,
        name: &str,
        args: &str,
        took_us: u64,
        result: Option<&str>,
    ) -> Self {
        let id = format!("call-{}", self.turn.tool_calls.len() + 1);
        let event = self.event(
            120_000,
            &json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name}),
        );
        let started_us = self.now_us;
        self.turn.timing.first_tool_us.get_or_insert(started_us);
        self.event(
            40_000,
            &json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": args}),
        );
        self.event(30_000, &json!({"type": "TOOL_CALL_END", "toolCallId": id}));
        let args_done_us = Some(self.now_us);
        if let Some(result) = result {
            self.event(took_us, &json!({"type": "TOOL_CALL_RESULT", "messageId": format!("tool-{id}"), "toolCallId": id, "content": result}));
        }
        self.turn.tool_calls.push(ToolCall {
            id,
            name: name.to_owned(),
            args_text: args.to_owned(),
            args_error: None,
            result: result.map(str::to_owned),
            error: None,
            started_us,
            args_done_us,
            completed_us: result.map(|_| self.now_us),
            event_clock: None,
            event,
            from_snapshot: false,
            restreamed: false,
        });
        self
    }

    pub(crate) fn end(mut self, checks: Vec<CheckResult>) -> JudgedTurn {
        self.event(2_000, &json!({"type": "RUN_FINISHED", "threadId": "6f9d2c1e-0d3b-4a55-9d7e-1c2f3a4b5c6d", "runId": "b1a7c7de-52d9-4c36-8a5e-93a6c6f0d9aa", "outcome": {"type": "success"}}));
        self.turn.timing.total_us = self.now_us;
        let turn = self.turn;
        JudgedTurn { turn, checks }
    }
}
