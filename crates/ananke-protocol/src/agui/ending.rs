//! From a folded stream to a finished turn.

use ananke_model::plan::Clock;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus, TurnTiming};
use serde_json::Value;

use super::fold::RunEnd;
use super::stream::{MAX_NOTES, Stream};
use crate::action::Action;

/// What is known of a turn beside its events.
pub(super) struct Ending {
    pub(super) user: Option<String>,
    pub(super) requests: Vec<Value>,
    pub(super) reached: bool,
    /// Whether the turn came to an end of its own.
    pub(super) run: Result<(), Trouble>,
    pub(super) unix_ms: i64,
    pub(super) connect_us: Option<u64>,
    pub(super) total_us: u64,
    pub(super) clock: Clock,
}

impl Ending {
    /// Makes a turn of what was folded for `action`.
    pub(super) fn turn(self, mut stream: Stream<'_>, action: &Action) -> Turn {
        let allow_empty = matches!(action, Action::Connect { allow_empty: true });
        let status = match (self.run, stream.fold.end.take()) {
            (Ok(()), Some(RunEnd::Error { message, code })) => {
                TurnStatus::RunError { message, code }
            }
            (Ok(()), _) => TurnStatus::Finished,
            (Err(trouble), _) if trouble.kind == TroubleKind::NothingToReplay && allow_empty => {
                TurnStatus::Finished
            }
            (Err(trouble), _) => TurnStatus::Broken(trouble),
        };
        let timing = TurnTiming {
            started_at_ms: self.unix_ms,
            connect_us: self.connect_us,
            first_event_us: stream.log.get(0).map(|(_, at_us)| at_us),
            first_text_us: stream.fold.first_text_us,
            first_tool_us: stream.fold.first_tool_us,
            total_us: self.total_us,
            clock: Some(self.clock),
            event_clock: stream.event_clock(),
        };
        let mut calls = std::mem::take(&mut stream.fold.calls);
        for call in &mut calls {
            call.args_error = args_error(&call.args_text);
        }
        let mut warnings = std::mem::take(&mut stream.warnings);
        warnings.append(&mut stream.fold.warnings);
        warnings.truncate(MAX_NOTES);
        Turn {
            kind: action.kind().to_owned(),
            user: self.user,
            requests: self.requests,
            reached: self.reached,
            status,
            text: stream.fold.text(),
            reasoning: std::mem::take(&mut stream.fold.reasoning),
            messages: stream.fold.new_messages(),
            tool_calls: calls,
            late_results: std::mem::take(&mut stream.fold.late_results),
            state: stream.fold.conversation.state.clone(),
            activities: stream.fold.conversation.activities(),
            opinions: Vec::new(),
            simulated: None,
            task: None,
            data: Value::Null,
            server: Value::Null,
            no_calls_because: None,
            interrupts: stream.fold.conversation.interrupts.clone(),
            usage: std::mem::take(&mut stream.fold.usage),
            timing,
            findings: std::mem::take(&mut stream.findings),
            warnings,
            events: std::mem::take(&mut stream.log),
        }
    }
}

/// Says why arguments are not JSON. No arguments at all are fine.
pub(crate) fn args_error(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return None;
    }
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .err()
        .map(|error| error.to_string())
}
