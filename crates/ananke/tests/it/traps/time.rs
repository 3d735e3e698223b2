//! Idle time, by the clock of the events, so that no test waits.

use serde_json::{Value, json};

use super::code;
use crate::project::Project;

/// An agent that sends these events at these milliseconds, between start (0) and end.
fn at(events: &[(u64, Value)], end_ms: u64) -> Project {
    let stamped = |(ms, event): &(u64, Value)| {
        let mut event = event.clone();
        event["timestamp"] = json!(1_700_000_000_000_u64 + ms);
        event
    };
    let mut all = vec![(
        0,
        json!({"type": "RUN_STARTED", "threadId": "$threadId", "runId": "$runId"}),
    )];
    all.extend(events.iter().cloned());
    all.push((
        end_ms,
        json!({"type": "RUN_FINISHED", "threadId": "$threadId", "runId": "$runId"}),
    ));
    let all: Vec<Value> = all.iter().map(stamped).collect();
    Project::sends(&all).target("clock: event")
}

fn idle(ms: u64) -> String {
    format!("{{timing: {{max_idle_ms: {ms}}}}}")
}

#[test]
fn a_tool_that_takes_long_counts_as_idle() {
    let project = at(
        &[
            (
                100,
                json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "search"}),
            ),
            (110, json!({"type": "TOOL_CALL_END", "toolCallId": "c"})),
            (
                5000,
                json!({"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "m", "content": "1"}),
            ),
        ],
        5200,
    );
    assert_eq!(code(&project, &idle(200)), Some(0), "limits are inclusive");
    assert_eq!(code(&project, &idle(199)), Some(1));
}

#[test]
fn a_turn_without_tools_is_never_idle() {
    let project = at(
        &[(
            10,
            json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "ok"}),
        )],
        900,
    );
    assert_eq!(code(&project, &idle(900)), Some(0));
    assert_eq!(code(&project, &idle(899)), Some(1));
}

#[test]
fn the_same_recording_is_judged_by_another_clock() {
    // Nothing here takes real time: only the recorded clock can fail this limit.
    let project = at(&[], 60_000);
    assert_eq!(
        code(&project, "{timing: {max_duration_ms: 59999}}"),
        Some(1)
    );
    assert_eq!(
        code(&project, "{timing: {max_duration_ms: 60000}}"),
        Some(0)
    );
}
