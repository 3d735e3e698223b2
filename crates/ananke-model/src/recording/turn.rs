//! A turn and what it is made of: calls, timing, findings, and how it ended.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{EventLog, TaskRecord};
use crate::agent::{Opinion, Simulated};
use crate::plan::{Clock, TestId};

/// Everything that one attempt at a test brought.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// Whose recording this is.
    pub test: TestId,
    /// The turns that were run, in order.
    pub turns: Vec<Turn>,
}

/// What was sent and what came back.
///
/// Times named `_us` are microseconds since the turn's request was sent, by a monotonic clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The turn's kind as the user types it: `user`, `agui:connect`, `agui:resume`.
    pub kind: String,
    /// The user message, if one was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The bodies that were sent; more than one where client tools were answered.
    pub requests: Vec<Value>,
    /// Whether any HTTP response came.
    pub reached: bool,
    /// How it ended.
    pub status: TurnStatus,
    /// This turn's assistant messages joined with `\n`, reasoning left out.
    pub text: String,
    /// The reasoning shown during this turn.
    pub reasoning: String,
    /// The messages that this turn added to the conversation or changed in it, in order.
    pub messages: Vec<Arc<Value>>,
    /// The calls that started in this turn, by start.
    pub tool_calls: Vec<ToolCall>,
    /// Results that answered calls of earlier turns.
    pub late_results: Vec<LateResult>,
    /// The shared state after this turn.
    pub state: Value,
    /// Activity messages after this turn.
    pub activities: Vec<Value>,
    /// The interrupts that the turn ended with.
    pub interrupts: Vec<Value>,
    /// Token usage, as reported.
    pub usage: Vec<Value>,
    /// How long things took.
    pub timing: TurnTiming,
    /// Violations of the protocol's sequence rules.
    pub findings: Vec<Finding>,
    /// Oddities that broke no rule.
    pub warnings: Vec<String>,
    /// What judges said about this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opinions: Vec<Opinion>,
    /// What the simulator said before this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
    /// The task that the agent worked on, where it works on tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Box<TaskRecord>>,
    /// What the answer gives as data beside its words; `null` if it has none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
    /// What the server says of itself, where it does; `null` otherwise.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub server: Value,
    /// Why it says nothing about tools that no call was seen, where that has nothing to do with a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_calls_because: Option<String>,
    /// Every event as it arrived.
    #[serde(default, skip_serializing_if = "EventLog::is_empty")]
    pub events: EventLog,
}

impl Turn {
    /// Returns why it says nothing about tools that no call was seen; nothing where calls can be seen.
    pub fn why_no_calls(&self) -> Option<&str> {
        let of_task = || self.task.as_deref()?.no_calls_because.as_deref();
        self.no_calls_because.as_deref().or_else(of_task)
    }
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum TurnStatus {
    /// The agent said that it is done.
    Finished,
    /// The agent said that it failed.
    RunError {
        /// Its message.
        message: String,
        /// Its code.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    /// The turn did not come to an end of its own.
    Broken(Trouble),
}

/// Why a turn did not come to an end of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// What kind of trouble.
    pub kind: TroubleKind,
    /// What happened, as a fragment that names the limit, status or event.
    pub message: String,
    /// The HTTP status that refused the request, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
}

/// A request that was refused by its HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The status, such as 429.
    pub status: u16,
    /// How long `Retry-After` asks to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

/// Kinds of trouble, from the wire to the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// No connection: nothing was ever received.
    Unreachable,
    /// The connection broke, or HTTP was malformed.
    Transport,
    /// A redirect that is not followed.
    Redirect,
    /// A status other than success.
    HttpStatus,
    /// A body that is not an event stream.
    ContentType,
    /// The stream held no event.
    Empty,
    /// There was nothing to replay.
    NothingToReplay,
    /// The stream ended before its terminal event.
    Truncated,
    /// A wall-clock limit was hit.
    Timeout,
    /// A size limit was hit.
    Limit,
    /// An event could not be read.
    BadEvent,
    /// The run was interrupted by the user.
    Cancelled,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The call's id on the wire.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments exactly as sent; JSON by convention.
    pub args_text: String,
    /// Why the arguments are not JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args_error: Option<String>,
    /// The result as text: JSON text if the agent sent JSON or parts, else the string it sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// What the agent said went wrong in the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When the call began.
    pub started_us: u64,
    /// When its arguments were complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args_done_us: Option<u64>,
    /// When its result came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_us: Option<u64>,
    /// The same three moments by the events' own timestamps, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_clock: Option<CallEventClock>,
    /// Number of the event that began it, counted from 0 in the turn.
    pub event: usize,
    /// Whether it was seen only in a snapshot of the conversation.
    pub from_snapshot: bool,
    /// Whether an earlier turn had this call already.
    pub restreamed: bool,
}

impl ToolCall {
    /// Returns the moment from which the call is no longer in progress.
    pub fn ended_us(&self) -> u64 {
        self.completed_us
            .or(self.args_done_us)
            .unwrap_or(self.started_us)
    }
}

/// A call's moments by event timestamps, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallEventClock {
    /// When it began.
    pub started: f64,
    /// When it was no longer in progress.
    pub ended: f64,
}

/// A result for a call of an earlier turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateResult {
    /// The call that it answers.
    pub id: String,
    /// The result as text.
    pub result: String,
}

/// How long things took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnTiming {
    /// When the request was sent, in Unix milliseconds.
    pub started_at_ms: i64,
    /// Until response headers came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_us: Option<u64>,
    /// Until the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_event_us: Option<u64>,
    /// Until the first assistant text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_text_us: Option<u64>,
    /// Until the first tool call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_tool_us: Option<u64>,
    /// Until the terminal event, or until the turn was given up.
    pub total_us: u64,
    /// Which clock timing checks use for this turn.
    pub clock: Option<Clock>,
    /// First and last event timestamp in milliseconds, if every event has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_clock: Option<(f64, f64)>,
}

/// A violation of a protocol rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The rule, such as `V8`.
    pub rule: String,
    /// Number of the event, counted from 0 in the turn.
    pub event: usize,
    /// What is wrong with it.
    pub message: String,
}
