//! Events that are not as AG-UI describes them.

use ananke_testkit::sse;
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

/// Runs these events between the beginning and the end of a run.
fn events(events: &[Value]) -> Fault {
    let all = [&[started(), text("Hello")], events, &[finished()]].concat();
    let server = sends(sse(&all));
    let fault = Fault::at(&server.url());
    // The server goes with the test's process; a leaked one costs nothing there.
    std::mem::forget(server);
    fault
}

#[test]
fn garbage_is_shown_and_what_follows_is_still_read() {
    assert_snapshot!(with("{\"type\": oops"), @"");
}

#[test]
fn only_the_first_200_characters_of_garbage_are_shown() {
    assert_snapshot!(with(&"x".repeat(5000)), @"");
}

#[test]
fn an_event_that_is_no_object() {
    assert_snapshot!(with("[\"RUN_FINISHED\"]"), @"");
    assert_snapshot!(with("null"), @"");
}

#[test]
fn the_end_mark_of_another_api() {
    assert_snapshot!(with("[DONE]"), @"");
}

#[test]
fn an_event_without_a_type() {
    assert_snapshot!(with("{\"delta\":\"x\"}"), @"");
    assert_snapshot!(with("{\"type\":7}"), @"");
}

#[test]
fn a_member_of_the_wrong_type() {
    assert_snapshot!(with(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":{"text":"x"}}"#), @"");
    assert_snapshot!(with(r#"{"type":"STATE_DELTA","delta":"x"}"#), @"");
    assert_snapshot!(with(r#"{"type":"MESSAGES_SNAPSHOT","messages":{}}"#), @"");
}

#[test]
fn a_member_that_is_missing() {
    assert_snapshot!(with(r#"{"type":"TOOL_CALL_START","toolCallId":"c"}"#), @"");
}

#[test]
fn the_first_of_several_bad_events_is_named() {
    assert_snapshot!(with_all(&["{\"n\":1}", "2", "3"]), @"");
}

#[test]
fn a_run_that_ends_without_its_ids() {
    let body = format!(
        "{}data: {{\"type\":\"RUN_FINISHED\"}}\n\n",
        sse(&[started()])
    );
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @"");
}

#[test]
fn unknown_events_and_nulls_are_kept_and_passed_over() {
    let unknown = [
        json!({"type": "HOLOGRAM", "x": null}),
        json!({"type": "CUSTOM", "name": null, "value": null}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": null, "delta": null}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "m", "subagentRunId": null, "timestamp": null}),
    ];
    assert_snapshot!(events(&unknown).shown(), @"");
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
    assert_snapshot!(events(&twice).demands("tools: {forbid: [drop_table]}").shown(), @"");
}

#[test]
fn a_second_start_while_the_first_is_open() {
    let open = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "search"}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "drop_table"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "c"}),
    ];
    assert_snapshot!(events(&open).demands("tools: {forbid: [drop_table]}").shown(), @"");
}

#[test]
fn arguments_of_no_call() {
    let orphans = [
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "nobody", "delta": "{}"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "nobody"}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "nobody", "content": "x"}),
    ];
    assert_snapshot!(events(&orphans).shown(), @"");
}

#[test]
fn a_call_without_end_counts() {
    let endless = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "drop_table"}),
        json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"a\":"}),
    ];
    assert_snapshot!(events(&endless).demands("tools: {forbid: [drop_table]}").shown(), @"");
}

#[test]
fn a_forbidden_call_before_the_stream_breaks_is_reported() {
    let body = sse(&[started(), call("c", "drop_table", "{}")]);
    assert_snapshot!(Fault::at(&sends(body).url()).demands("tools: {forbid: [drop_table]}").shown(), @"");
}

#[test]
fn findings_fail_the_test_where_the_protocol_is_strict() {
    let orphan = [json!({"type": "TOOL_CALL_END", "toolCallId": "nobody"})];
    assert_snapshot!(events(&orphan).demands("protocol: strict").shown(), @"");
}

#[test]
fn events_after_the_end_are_found() {
    let body = sse(&[started(), finished(), text("Hello")]);
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @"");
}

#[test]
fn a_patch_bomb_stops_at_the_budget() {
    let double = json!({"op": "copy", "from": "", "path": "/l/-"});
    let bomb = [
        json!({"type": "STATE_SNAPSHOT", "snapshot": {"l": [1]}}),
        json!({"type": "STATE_DELTA", "delta": vec![double; 64]}),
    ];
    assert_snapshot!(events(&bomb).shown(), @"");
}

#[test]
fn a_patch_that_does_not_fit_is_reported() {
    let bad = [
        json!({"type": "STATE_SNAPSHOT", "snapshot": {"a": 1}}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/b"}]}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "no slash", "value": 1}]}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "explode", "path": "/a"}, 7]}),
    ];
    let fault = events(&bad);
    assert_snapshot!(fault.shown(), @"");
    assert_eq!(
        fault.report()["results"][0]["turns"][0]["state"],
        json!({"a": 1})
    );
}
