//! Events that are not as AG-UI describes them.

use ananke_testkit::{RawServer, sse};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{Fault, call, finished, sends, started, text};

/// Puts a line of data between a greeting and the end of a run.
fn with(data: &str) -> String {
    with_all(&[data])
}

fn with_all(data: &[&str]) -> String {
    let data: String = data
        .iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect();
    let body = format!(
        "{}{data}{}",
        sse(&[started(), text("Hello")]),
        sse(&[finished()])
    );
    Fault::at(&sends(body).url()).shown()
}

/// Starts a server that sends these events between the beginning and the end of a run.
fn events(events: &[Value]) -> RawServer {
    let all = [&[started(), text("Hello")], events, &[finished()]].concat();
    sends(sse(&all))
}

fn shown(server: &RawServer) -> String {
    Fault::at(&server.url()).shown()
}

/// Shows a run in which `drop_table` was forbidden, or something else demanded.
fn judged(server: &RawServer, demand: &str) -> String {
    Fault::at(&server.url()).demands(demand).shown()
}

const NO_DROP: &str = "tools: {forbid: [drop_table]}";

#[test]
fn garbage_is_shown_and_what_follows_is_still_read() {
    assert_snapshot!(with("{\"type\": oops"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: not a JSON object: expected value at line 1 column 10: {"type": oops
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn only_the_first_200_characters_of_garbage_are_shown() {
    assert_snapshot!(with(&"x".repeat(5000)), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: not a JSON object: expected value at line 1 column 1: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn an_event_that_is_no_object() {
    assert_snapshot!(with("[\"RUN_FINISHED\"]"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: not a JSON object: invalid type: sequence, expected a JSON object at line 1 column 0: ["RUN_FINISHED"]
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
    assert_snapshot!(with("null"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: not a JSON object: invalid type: null, expected a JSON object at line 1 column 4: null
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn the_end_mark_of_another_api() {
    assert_snapshot!(with("[DONE]"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: not a JSON object: invalid type: sequence, expected a JSON object at line 1 column 0: [DONE]
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn an_event_without_a_type() {
    assert_snapshot!(with("{\"delta\":\"x\"}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: the event has no `type`: {"delta":"x"}
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
    assert_snapshot!(with("{\"type\":7}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: the event has no `type`: {"type":7}
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn a_member_of_the_wrong_type() {
    assert_snapshot!(with(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":{"text":"x"}}"#), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: TEXT_MESSAGE_CONTENT: `delta` is not a string: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":{"text":"x"}}
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
    assert_snapshot!(with(r#"{"type":"STATE_DELTA","delta":"x"}"#), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: STATE_DELTA: `delta` is not an array: {"type":"STATE_DELTA","delta":"x"}
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
    assert_snapshot!(with(r#"{"type":"MESSAGES_SNAPSHOT","messages":{}}"#), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: MESSAGES_SNAPSHOT: `messages` is not an array: {"type":"MESSAGES_SNAPSHOT","messages":{}}
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn a_member_that_is_missing() {
    assert_snapshot!(with(r#"{"type":"TOOL_CALL_START","toolCallId":"c"}"#), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: TOOL_CALL_START: `toolCallName` is missing: {"type":"TOOL_CALL_START","toolCallId":"c"}
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 4 events, text "Hello"
    "#);
}

#[test]
fn the_first_of_several_bad_events_is_named() {
    assert_snapshot!(with_all(&["{\"n\":1}", "2", "3"]), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: the event has no `type`: {"n":1}
         captured in turn 1: 6 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (bad_event), 6 events, text "Hello"
    "#);
}

#[test]
fn a_run_that_ends_without_its_ids() {
    let body = format!(
        "{}data: {{\"type\":\"RUN_FINISHED\"}}\n\n",
        sse(&[started()])
    );
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 1 cannot be read: RUN_FINISHED: `threadId` is missing: {"type":"RUN_FINISHED"}
         captured in turn 1: 2 events, no tool call, no text
    --- json
    error
    turn 1: broken (bad_event), 2 events, text ""
    "#);
}

#[test]
fn unknown_events_and_nulls_are_kept_and_passed_over() {
    let unknown = [
        json!({"type": "HOLOGRAM", "x": null}),
        json!({"type": "CUSTOM", "name": null, "value": null}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": null, "delta": null}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "m", "subagentRunId": null, "timestamp": null}),
    ];
    assert_snapshot!(shown(&events(&unknown)), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (event 2 has the unknown type HOLOGRAM: kept, not folded)
    --- json
    passed
    turn 1: finished, 7 events, text "Hello"
    finding: C1 First TOOL_CALL_CHUNK must have a toolCallId and a toolCallName
    finding: V5 TEXT_MESSAGE_END carries `subagentRunId: null`
    finding: V8 TEXT_MESSAGE_END: no active text message found with ID 'm'
    warning: event 2 has the unknown type HOLOGRAM: kept, not folded
    "#);
}

#[test]
fn two_calls_with_one_id() {
    let twice = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "search"}),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"q\":1}"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "c"}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "drop_table"}),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "c"}),
    ];
    assert_snapshot!(judged(&events(&twice), NO_DROP), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.forbid drop_table: expected no call of `drop_table`, got 1 call
         turn 1, event 5: drop_table({})
         demanded at hello.test.yaml:6:20 (test level)
    --- json
    failed
    turn 1: finished, 9 events, text "Hello"
    call: search {"q":1}
    call: drop_table {}
    "#);
}

#[test]
fn a_second_start_while_the_first_is_open() {
    let open = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "search"}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "drop_table"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "c"}),
    ];
    assert_snapshot!(judged(&events(&open), NO_DROP), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.forbid drop_table: expected no call of `drop_table`, got 1 call
         turn 1, event 3: drop_table()
         demanded at hello.test.yaml:6:20 (test level)
      ⚠ 1 protocol finding (V9: tool call 'c' is started while it is open)
    --- json
    failed
    turn 1: finished, 6 events, text "Hello"
    call: search ""
    call: drop_table ""
    finding: V9 tool call 'c' is started while it is open
    "#);
}

#[test]
fn arguments_of_no_call() {
    let orphans = [
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "nobody", "delta": "{}"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "nobody"}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "nobody", "content": "x"}),
    ];
    assert_snapshot!(shown(&events(&orphans)), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (a result answers the unknown tool call 'nobody')
    --- json
    passed
    turn 1: finished, 6 events, text "Hello"
    finding: V10 TOOL_CALL_ARGS: no active tool call found with ID 'nobody'
    finding: V10 TOOL_CALL_END: no active tool call found with ID 'nobody'
    warning: a result answers the unknown tool call 'nobody'
    "#);
}

#[test]
fn a_call_without_end_counts() {
    let endless = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "drop_table"}),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"a\":"}),
    ];
    assert_snapshot!(judged(&events(&endless), NO_DROP), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.forbid drop_table: expected no call of `drop_table`, got 1 call
         turn 1, event 2: drop_table({"a":)
         demanded at hello.test.yaml:6:20 (test level)
      ⚠ 1 protocol finding (V18: RUN_FINISHED while tool call 'c' is open)
    --- json
    failed
    turn 1: finished, 5 events, text "Hello"
    call: drop_table "{\"a\":"
    finding: V18 RUN_FINISHED while tool call 'c' is open
    "#);
}

#[test]
fn a_forbidden_call_before_the_stream_breaks_is_reported() {
    let body = sse(&[started(), call("c", "drop_table", "{}")]);
    assert_snapshot!(judged(&sends(body), NO_DROP), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 2 events
         captured in turn 1: 2 events, 1 tool call (drop_table), no text
    --- json
    error
    turn 1: broken (truncated), 2 events, text ""
    call: drop_table {}
    "#);
}

#[test]
fn findings_fail_the_test_where_the_protocol_is_strict() {
    let orphan = [json!({"type": "TOOL_CALL_END", "toolCallId": "nobody"})];
    assert_snapshot!(judged(&events(&orphan), "protocol: strict"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · protocol strict: expected no violation of the protocol, got 1 violation
         turn 1, event 2: V10: TOOL_CALL_END: no active tool call found with ID 'nobody'
         demanded at hello.test.yaml:6:13 (test level)
      ⚠ 1 protocol finding (V10: TOOL_CALL_END: no active tool call found with ID 'nobody')
    --- json
    failed
    turn 1: finished, 4 events, text "Hello"
    finding: V10 TOOL_CALL_END: no active tool call found with ID 'nobody'
    "#);
}

#[test]
fn events_after_the_end_are_found() {
    let body = sse(&[started(), finished(), text("Hello")]);
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 3 events, text "Hello"
    finding: V3 TEXT_MESSAGE_CHUNK after RUN_FINISHED
    finding: V3 TEXT_MESSAGE_CHUNK after RUN_FINISHED
    "#);
}

#[test]
fn a_patch_bomb_stops_at_the_budget() {
    let double = json!({"op": "copy", "from": "", "path": "/l/-"});
    let bomb = [
        json!({"type": "STATE_SNAPSHOT", "snapshot": {"l": [1]}}),
        json!({"type": "STATE_DELTA", "delta": vec![double; 64]}),
    ];
    let server = events(&bomb);
    let turn = Fault::at(&server.url()).report()["results"][0]["turns"][0].clone();
    assert_snapshot!(turn["warnings"][0], @r#""Failed to apply state patch: the patched document would have more than 1000000 nodes""#);
    assert_eq!(turn["state"], json!({"l": [1]}));
    assert_eq!(turn["status"], "finished");
}

#[test]
fn a_patch_that_does_not_fit_is_reported() {
    let bad = [
        json!({"type": "STATE_SNAPSHOT", "snapshot": {"a": 1}}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/b"}]}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "no slash", "value": 1}]}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "explode", "path": "/a"}, 7]}),
    ];
    let server = events(&bad);
    let fault = Fault::at(&server.url());
    assert_snapshot!(fault.shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 4 warnings (Failed to apply state patch: operation '/0' failed at path '/b': path is invalid)
    --- json
    passed
    turn 1: finished, 7 events, text "Hello"
    warning: Failed to apply state patch: operation '/0' failed at path '/b': path is invalid
    warning: Failed to apply state patch: operation 0: json pointer failed to parse; does not start with a slash ('/') and is not empty
    warning: /delta/0 is no operation of JSON Patch: left out
    warning: /delta/1 is no operation of JSON Patch: left out
    "#);
    assert_eq!(
        fault.report()["results"][0]["turns"][0]["state"],
        json!({"a": 1})
    );
}
