//! Small events that ask for a lot of work.

use ananke_testkit::sse;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{Fault, finished, sends, started, text};

/// A state, and one patch that copies a part of it 3000 times over itself: it never grows.
fn copies(part: &Value) -> String {
    let snapshot = json!({"type": "STATE_SNAPSHOT", "snapshot": {"a": part}});
    let copy = json!({"op": "copy", "from": "/a", "path": "/x"});
    let delta = json!({"type": "STATE_DELTA", "delta": vec![copy; 3000]});
    sse(&[started(), text("Hello"), snapshot, delta, finished()])
}

/// Runs with a timeout that the work would exceed many times; which limit is met first depends on the machine.
fn stops_in_time(body: &str) {
    let server = sends(body);
    let fault = Fault::at(&server.url()).timeout_ms(300);
    fault.write();
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(1), "{output}");
    let reasons = ["(timeout_ms)", "copies of values"];
    let is_told = reasons.iter().any(|reason| output.stdout.contains(reason));
    assert!(is_told, "{output}");
}

#[test]
fn copying_a_large_state_again_and_again_stops_in_time() {
    stops_in_time(&copies(&json!(vec![0; 400_000])));
}

#[test]
fn copying_a_long_text_again_and_again_stops_at_the_limit() {
    let server = sends(copies(&json!("x".repeat(2 << 20))));
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the turn's patches and snapshots make more than 20000000 copies of values
         captured in turn 1: 5 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (limit), 5 events, text "Hello"
    "#);
}

#[test]
fn removing_the_first_of_very_many_items_again_and_again_stops_in_time() {
    let snapshot = json!({"type": "STATE_SNAPSHOT", "snapshot": vec![0; 400_000]});
    let first = json!({"op": "remove", "path": "/0"});
    let delta = json!({"type": "STATE_DELTA", "delta": vec![first; 100_000]});
    stops_in_time(&sse(&[
        started(),
        text("Hello"),
        snapshot,
        delta,
        finished(),
    ]));
}

#[test]
fn a_state_that_a_patch_nests_without_end_is_left_as_it_was() {
    let snapshot = json!({"type": "STATE_SNAPSHOT", "snapshot": {"a": {}}});
    let round = [
        json!({"op": "add", "path": "/n", "value": {}}),
        json!({"op": "move", "from": "/a", "path": "/n/a"}),
        json!({"op": "move", "from": "/n", "path": "/a"}),
    ];
    let delta = json!({"type": "STATE_DELTA", "delta": vec![round; 10_000].concat()});
    let server = sends(sse(&[
        started(),
        text("Hello"),
        snapshot,
        delta,
        finished(),
    ]));
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (Failed to apply state patch: the patched document would be nested deeper than 512 levels)
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    warning: Failed to apply state patch: the patched document would be nested deeper than 512 levels
    "#);
}

#[test]
fn values_of_another_shape_than_agreed_do_no_harm() {
    let call = json!({"id": "c1", "type": "function", "function": "x"});
    let messages = json!(["x", 5, {"id": "a1", "role": "assistant", "toolCalls": [call]}]);
    let events = [
        started(),
        json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "f"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "c1"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": ""}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "", "delta": "Hello"}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": ""}),
        json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "", "encryptedValue": "x"}),
        finished(),
    ];
    assert_snapshot!(Fault::at(&sends(sse(&events)).url()).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 2 warnings (/messages/0 is no message: left out)
    --- json
    passed
    turn 1: finished, 9 events, text "Hello"
    call:  null
    call: f ""
    warning: /messages/0 is no message: left out
    warning: /messages/1 is no message: left out
    "#);
}
