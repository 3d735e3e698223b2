//! One turn out of several: what hooks, a model and other agents did, one behind the other.

use std::sync::Arc;

use ananke_model::plan::Clock;
use ananke_model::recording::{EventLog, Turn, TurnStatus, TurnTiming};
use serde_json::Value;

/// Returns a turn in which nothing has happened yet.
pub(super) fn blank(kind: &str, user: Option<String>, unix_ms: i64) -> Turn {
    Turn {
        kind: kind.to_owned(),
        user,
        requests: Vec::new(),
        // Scripts are always there.
        reached: true,
        status: TurnStatus::Finished,
        text: String::new(),
        reasoning: String::new(),
        messages: Vec::new(),
        tool_calls: Vec::new(),
        late_results: Vec::new(),
        state: Value::Null,
        activities: Vec::new(),
        interrupts: Vec::new(),
        usage: Vec::new(),
        timing: TurnTiming {
            started_at_ms: unix_ms,
            clock: Some(Clock::Arrival),
            ..TurnTiming::default()
        },
        findings: Vec::new(),
        warnings: Vec::new(),
        opinions: Vec::new(),
        simulated: None,
        task: None,
        data: Value::Null,
        server: Value::Null,
        no_calls_because: None,
        events: EventLog::default(),
    }
}

/// Adds a part that began `offset_us` after the turn did. How the part ended is how the turn ended so far.
pub(super) fn join(turn: &mut Turn, part: Turn, offset_us: u64) {
    let later = |at_us: Option<u64>| at_us.map(|at_us| at_us.saturating_add(offset_us));
    let n_events = turn.events.len();
    for (payload, at_us) in part.events.iter() {
        turn.events.push(payload, at_us.saturating_add(offset_us));
    }
    turn.reached = match turn.requests.is_empty() {
        true => part.reached,
        false => turn.reached || part.reached,
    };
    turn.requests.extend(part.requests);
    turn.status = part.status;
    add_text(&mut turn.text, &part.text);
    add_text(&mut turn.reasoning, &part.reasoning);
    turn.messages.extend(part.messages);
    turn.tool_calls
        .extend(part.tool_calls.into_iter().map(|mut call| {
            call.event += n_events;
            call.started_us = call.started_us.saturating_add(offset_us);
            call.args_done_us = later(call.args_done_us);
            call.completed_us = later(call.completed_us);
            call
        }));
    turn.late_results.extend(part.late_results);
    turn.state = part.state;
    turn.activities = part.activities;
    turn.interrupts = part.interrupts;
    turn.usage.extend(part.usage);
    turn.findings
        .extend(part.findings.into_iter().map(|mut finding| {
            finding.event += n_events;
            finding
        }));
    turn.warnings.extend(part.warnings);
    let timing = &mut turn.timing;
    timing.connect_us = timing.connect_us.or(later(part.timing.connect_us));
    timing.first_event_us = timing.first_event_us.or(later(part.timing.first_event_us));
    timing.first_text_us = timing.first_text_us.or(later(part.timing.first_text_us));
    timing.first_tool_us = timing.first_tool_us.or(later(part.timing.first_tool_us));
    timing.total_us = part.timing.total_us.saturating_add(offset_us);
}

/// Says something in the place of what was said so far.
pub(super) fn say_instead(turn: &mut Turn, text: String, message: Arc<Value>, at_us: u64) {
    let same = |known: &&mut Arc<Value>| known["id"] == message["id"];
    match turn.messages.iter_mut().find(same) {
        Some(known) => *known = message,
        None => turn.messages.push(message),
    }
    turn.text = text;
    turn.timing.first_text_us.get_or_insert(at_us);
    turn.timing.total_us = at_us;
}

fn add_text(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}
