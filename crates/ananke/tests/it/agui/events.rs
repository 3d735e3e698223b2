//! What is understood of the events that come back.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::Project;

/// Puts events between the start and the end of a run.
fn run(events: Value) -> Project {
    let mut all = vec![json!({"type": "RUN_STARTED", "threadId": "$threadId", "runId": "$runId"})];
    all.extend(events.as_array().cloned().unwrap_or_default());
    all.push(json!({"type": "RUN_FINISHED", "threadId": "$threadId", "runId": "$runId"}));
    Project::sends(&all)
}

/// Says what a test with this block makes of these events.
fn judged(events: Value, block: &str) -> String {
    let project = run(events);
    project.test(&format!("turns:\n  - user: go\n    assert: {block}\n"));
    project.run(&["-v"])
}

/// Returns the one turn that these events make.
fn turn(events: Value) -> Value {
    let project = run(events);
    project.test("turns:\n  - user: go\n    assert: {tools: {forbid: [never]}}\n");
    project.turns().remove(0)
}

/// Shows the calls of a turn, one line each.
fn calls(turn: &Value) -> String {
    let calls = turn["tool_calls"].as_array().cloned().unwrap_or_default();
    let line = |call: &Value| {
        format!(
            "{} {} {} -> {}",
            call["id"], call["name"], call["args"], call["result"]
        )
    };
    calls.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn start(id: &str, name: &str) -> Value {
    json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name})
}

fn args(id: &str, delta: &str) -> Value {
    json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta})
}

fn end(id: &str) -> Value {
    json!({"type": "TOOL_CALL_END", "toolCallId": id})
}

fn result(id: &str, content: &str) -> Value {
    json!({"type": "TOOL_CALL_RESULT", "toolCallId": id, "messageId": format!("{id}-r"), "content": content})
}

#[test]
fn chunks_are_text_and_calls() {
    let turn = turn(json!([
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Hel"},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "lo"},
        {"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "search", "delta": "{\"q\":"},
        {"type": "TOOL_CALL_CHUNK", "delta": "1}"},
        {"type": "REASONING_MESSAGE_CHUNK", "messageId": "r1", "delta": "hmm"},
    ]));
    assert_eq!(turn["text"], "Hello");
    assert_eq!(turn["reasoning"], "hmm");
    assert_snapshot!(calls(&turn), @r#""c1" "search" {"q":1} -> null"#);
    assert_eq!(turn["findings"], json!([]));
}

#[test]
fn thinking_of_earlier_days_is_reasoning() {
    let turn = turn(json!([
        {"type": "THINKING_START", "title": "Plan"},
        {"type": "THINKING_TEXT_MESSAGE_START"},
        {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "first "},
        {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "this"},
        {"type": "THINKING_TEXT_MESSAGE_END"},
        {"type": "THINKING_END"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Done"},
    ]));
    assert_eq!(turn["reasoning"], "first this");
    assert_eq!(turn["text"], "Done");
}

#[test]
fn unknown_events_are_warned_about_and_do_no_harm() {
    assert_snapshot!(judged(json!([
        {"type": "HOLOGRAM_STARTED", "payload": {"deep": [1]}},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Done"},
    ]), "{text: {must_match: Done}}"), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 1/1 passed
      ⚠ 1 warning (event 1 has the unknown type HOLOGRAM_STARTED: kept, not folded)
    ");
}

#[test]
fn two_messages_are_joined_by_a_line_feed() {
    let turn = turn(json!([
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "One"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "delta": "Two"},
    ]));
    assert_eq!(turn["text"], "One\nTwo");
}

#[test]
fn messages_that_are_woven_together_stay_apart() {
    let content = |id: &str, delta: &str| json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta});
    let turn = turn(json!([
        {"type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m2", "role": "assistant"},
        content("m1", "On"), content("m2", "Tw"), content("m1", "e"), content("m2", "o"),
        {"type": "TEXT_MESSAGE_END", "messageId": "m2"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m1"},
    ]));
    assert_eq!(turn["text"], "One\nTwo");
}

#[test]
fn only_what_the_assistant_says_is_text() {
    let turn = turn(json!([
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m0", "role": "system", "delta": "secret"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "role": "user", "delta": "echo"},
        {"type": "REASONING_MESSAGE_CHUNK", "messageId": "m2", "delta": "hmm"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m3", "delta": "Done"},
    ]));
    assert_eq!(turn["text"], "Done");
}

#[test]
fn a_call_without_a_result_is_a_call() {
    assert_snapshot!(judged(json!([start("c1", "delete"), args("c1", "{}"), end("c1")]), "{tools: {forbid: [delete]}}"), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.forbid delete: expected no call of `delete`, got 1 call
         event 1: delete({})
         demanded at t.test.yaml:5:31 (turn level)
      Turns: 1, Assertions: 0/1 passed
    ");
    assert_snapshot!(judged(json!([start("c1", "delete")]), "{tools: {forbid: [delete]}}"), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.forbid delete: expected no call of `delete`, got 1 call
         event 1: delete()
         demanded at t.test.yaml:5:31 (turn level)
      Turns: 1, Assertions: 0/1 passed
      ⚠ 1 protocol finding (V18: RUN_FINISHED while tool call 'c1' is open)
    ");
}

#[test]
fn calls_are_in_the_order_of_their_starts() {
    let events = json!([
        start("c1", "pay"),
        start("c2", "search"),
        args("c2", "{}"),
        end("c2"),
        result("c2", "found"),
        args("c1", "{}"),
        end("c1"),
        result("c1", "paid"),
    ]);
    assert_snapshot!(calls(&turn(events.clone())), @r#"
    "c1" "pay" {} -> "paid"
    "c2" "search" {} -> "found"
    "#);
    assert_snapshot!(judged(events, "{tools: {require: [{name: pay, after: search}]}}"), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.require pay: expected at least 1 call of `pay`, after a call of `search`, got no call of `search` before event 1: pay({})
         the first call of `search` is event 2: search({})
         demanded at t.test.yaml:5:32 (turn level)
      Turns: 1, Assertions: 0/1 passed
    ");
}

#[test]
fn calls_that_only_a_snapshot_shows_count() {
    let call = json!({"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{\"q\": \"mug\"}"}});
    let turn = turn(json!([{"type": "MESSAGES_SNAPSHOT", "messages": [
        {"id": "u", "role": "user", "content": "go"},
        {"id": "a", "role": "assistant", "content": "Looking.", "toolCalls": [call]},
        {"id": "t", "role": "tool", "toolCallId": "c1", "content": "one mug"},
        {"id": "b", "role": "assistant", "content": "Here."},
    ]}]));
    assert_snapshot!(calls(&turn), @r#""c1" "search" {"q":"mug"} -> "one mug""#);
    assert_eq!(turn["tool_calls"][0]["from_snapshot"], true);
    assert_eq!(turn["text"], "Looking.\nHere.");
}

#[test]
fn results_are_read_from_content_and_from_result() {
    let turn = turn(json!([
        start("c1", "a"), end("c1"), result("c1", "{\"n\": 1}"),
        start("c2", "b"), end("c2"), {"type": "TOOL_CALL_RESULT", "toolCallId": "c2", "messageId": "r2", "result": "old"},
        start("c3", "c"), end("c3"), {"type": "TOOL_CALL_RESULT", "toolCallId": "c3", "messageId": "r3", "content": [{"type": "text", "text": "parts"}]},
    ]));
    assert_snapshot!(calls(&turn), @r#"
    "c1" "a" "" -> {"n":1}
    "c2" "b" "" -> "old"
    "c3" "c" "" -> [{"type":"text","text":"parts"}]
    "#);
}

#[test]
fn a_run_error_fails_the_turn_unless_it_is_asserted() {
    let events = [
        json!({"type": "RUN_STARTED", "threadId": "$threadId", "runId": "$runId"}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "One moment"}),
        json!({"type": "RUN_ERROR", "message": "quota exceeded", "code": "429"}),
    ];
    let project = Project::sends(&events);
    project.test(
        "turns:\n  - user: go\n    assert: {text: {must_match: moment}}\n  - user: never sent\n",
    );
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1: the agent ended with an error: quota exceeded (429)
         captured in turn 1: 3 events, no tool call, text:
         │ One moment
    ");
    assert_eq!(project.asked(), ["go"]);
    project.test("turns:\n  - user: go\n    assert: {error: 'quota.*exceeded', text: {must_match: moment}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
    project.test("turns:\n  - user: go\n    assert: {error: network}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · error /network/: expected a run error matching /network/, got the run failed: quota exceeded (code 429)
         demanded at t.test.yaml:5:21 (turn level)
         captured in turn 1: 3 events, no tool call, text:
         │ One moment
    ");
}

#[test]
fn an_asserted_error_that_does_not_come_fails_the_turn() {
    let project = Project::ok();
    project.test("turns:\n  - user: go\n    assert: {error: quota}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · error /quota/: expected a run error matching /quota/, got the run finished without an error
         demanded at t.test.yaml:5:21 (turn level)
    ");
}

#[test]
fn sequence_findings_warn_and_fail_only_where_the_test_is_strict() {
    let events = json!([
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "orphan"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "delta": "Done"},
    ]);
    assert_snapshot!(judged(events.clone(), "{text: {must_match: Done}}"), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 1/1 passed
      ⚠ 1 protocol finding (V8: TEXT_MESSAGE_CONTENT: no active text message found with ID 'm1')
    ");
    assert_snapshot!(judged(events, "{text: {must_match: Done}, protocol: strict}"), @"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · protocol strict: expected no violation of the protocol, got 1 violation
         event 1: V8: TEXT_MESSAGE_CONTENT: no active text message found with ID 'm1'
         demanded at t.test.yaml:5:50 (turn level)
      Turns: 1, Assertions: 1/2 passed
      ⚠ 1 protocol finding (V8: TEXT_MESSAGE_CONTENT: no active text message found with ID 'm1')
    ");
}

/// Events with their own clock: a search of 400 ms after 100 ms, and an answer 200 ms later.
fn clocked(unit: f64) -> Project {
    let at = |ms: f64, mut event: Value| {
        event["timestamp"] = json!((1_700_000_000_000.0 + ms) / unit);
        event
    };
    Project::sends(&[
        at(
            0.0,
            json!({"type": "RUN_STARTED", "threadId": "$threadId", "runId": "$runId"}),
        ),
        at(100.0, start("c1", "search")),
        at(110.0, end("c1")),
        at(500.0, result("c1", "1")),
        at(
            700.0,
            json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Done"}),
        ),
        at(
            700.0,
            json!({"type": "RUN_FINISHED", "threadId": "$threadId", "runId": "$runId"}),
        ),
    ])
}

#[test]
fn the_clock_of_the_events_is_used_on_request() {
    let test =
        "turns:\n  - user: go\n    assert: {timing: {max_duration_ms: 699, max_idle_ms: 199}}\n";
    let project = clocked(1.0);
    project.test(test);
    assert_eq!(
        project.output(&[]).code,
        Some(0),
        "by arrival it takes no time"
    );
    let project = project.target("clock: event");
    let raw = project.output(&[]);
    assert_eq!(raw.code, Some(1), "{raw}");
    assert!(raw.stdout.contains("700"), "{raw}");
    assert!(raw.stdout.contains("200"), "{raw}");
    project.test(&test.replace("699", "700").replace("199", "200"));
    assert_eq!(project.output(&[]).code, Some(0), "limits are inclusive");
}

#[test]
fn seconds_and_milliseconds_are_told_apart() {
    let project = clocked(1000.0).target("clock: event");
    project.test(
        "turns:\n  - user: go\n    assert: {timing: {max_duration_ms: 700, max_idle_ms: 200}}\n",
    );
    let output = project.output(&[]);
    assert_eq!(output.code, Some(0), "{output}");
    project.test("turns:\n  - user: go\n    assert: {timing: {max_duration_ms: 600}}\n");
    assert_eq!(project.output(&[]).code, Some(1));
}

#[test]
fn a_clock_that_not_every_event_has_is_not_used() {
    let project = Project::sends(&[
        json!({"type": "RUN_STARTED", "threadId": "$threadId", "runId": "$runId", "timestamp": 1_700_000_000_000_u64}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "Done"}),
        json!({"type": "RUN_FINISHED", "threadId": "$threadId", "runId": "$runId", "timestamp": 1_700_000_900_000_u64}),
    ])
    .target("clock: event");
    project.test("turns:\n  - user: go\n    assert: {timing: {max_duration_ms: 60000}}\n");
    let report = project.json();
    let check = &report["results"][0]["assertions"][0];
    assert_eq!(check["passed"], true, "{check:#}");
    assert_snapshot!(check["details"].to_string(), @r#"["measured by arrival: not every event has a usable timestamp"]"#);
}
