//! How turns are sent and read.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{code, judged, turn};
use crate::project::Project;

#[test]
fn only_one_envelope_is_spoken() {
    let plain = Project::ok();
    assert_eq!(code(&plain, "{text: {must_match: ok}}"), Some(0));
    assert!(plain.agent.requests()[0].get("messages").is_some());
    let wrapped = Project::ok().target("envelope: copilotkit\nagentId: a");
    assert_eq!(code(&wrapped, "{text: {must_match: ok}}"), Some(0));
    assert_eq!(wrapped.agent.requests()[0]["method"], "agent/run");
}

#[test]
fn an_agent_without_memory_never_sees_the_history() {
    let test = "turns:\n  - user: one\n  - user: two\nassert: {text: {must_match: ok}}\n";
    let n_sent = |project: &Project| {
        project.test(test);
        assert_eq!(project.output(&[]).code, Some(0));
        project.agent.requests()[1]["messages"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(n_sent(&Project::ok()), 3);
    assert_eq!(n_sent(&Project::ok().target("history: last")), 1);
}

#[test]
fn an_event_of_a_newer_protocol_fails_the_turn() {
    let project = Project::replies(json!([
        {"event": {"type": "TELEPATHY", "thought": 1}},
        {"event": {"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "helper"}},
        {"event": {"type": "SUBAGENT_FINISHED", "subagentRunId": "s1"}},
        {"reasoning": "Hm."},
        {"text": "ok"},
    ]));
    project.test(&turn("{text: {must_match: '^ok$'}}"));
    assert_snapshot!(project.run(&["-v"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 1/1 passed
      ⚠ 1 warning (event 1 has the unknown type TELEPATHY: kept, not folded)
    ");
}

#[test]
fn a_stream_without_an_end_passes() {
    let project = Project::replies(json!([{"text": "ok"}, "truncate"]));
    assert_snapshot!(judged(&project, "{text: {must_match: ok}}"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 4 events
         captured in turn 1: 4 events, no tool call, text:
         │ ok
    ");
}

#[test]
fn chunks_are_lost() {
    let project = Project::replies(json!([
        {"event": {"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "wipe", "delta": "{}"}},
        {"event": {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "wiped"}},
    ]));
    assert_snapshot!(judged(&project, "{tools: {forbid: [wipe]}, text: {must_not_match: wiped}}"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.forbid wipe: expected no call of `wipe`, got 1 call
         event 1: wipe({})
         demanded at t.test.yaml:5:31 (turn level)
      └─ turn 1 · text.must_not_match /wiped/: expected no text matching /wiped/, got "wiped"
         wiped
         demanded at t.test.yaml:5:62 (turn level)
    "#);
}

#[test]
fn states_steps_and_custom_events_are_lost() {
    let project = Project::replies(json!([
        {"state": {"n": 1}},
        {"state_delta": [{"op": "replace", "path": "/n", "value": 2}]},
        {"step": {"name": "think", "reply": [{"text": "ok"}]}},
        {"custom": {"name": "x.y", "value": 1}},
        {"event": {"type": "RAW", "event": {}}},
        {"event": {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "z", "role": "assistant", "content": "snapshot"}]}},
    ]));
    project.test(&turn("{text: {must_match: snapshot}}"));
    let turns = project.turns();
    assert_eq!(turns[0]["state"], json!({"n": 2}));
    assert_eq!(turns[0]["n_events"], 12);
}

#[test]
fn a_test_cannot_offer_tools() {
    let project = Project::new(json!({"rules": [
        {"when": {"has_tool_result": true}, "reply": [{"text": "It rains."}]},
        {"reply": [{"tool": {"name": "look"}}]},
    ]}))
    .target("tools: [{name: look, description: Looks out, result: rain}]");
    assert_eq!(
        code(
            &project,
            "{text: {must_match: rains}, tools: {require: [{name: look, result_match: rain}]}}"
        ),
        Some(0)
    );
    assert_eq!(project.agent.requests()[0]["tools"][0]["name"], "look");
}

#[test]
fn a_timeout_throws_away_what_came_and_says_aborted() {
    let project = Project::replies(
        json!([{"tool": {"name": "search", "result": "1"}}, {"text": "Let me"}, "stall"]),
    )
    .target("timeout_ms: 300");
    project.test(&turn("{text: {must_match: ok}}"));
    let output = project.output(&[]);
    assert_snapshot!(project.verdicts(&output), @"
    exit code: 1
    ✗ [t.test.yaml] t TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 9 events came before
         captured in turn 1: 9 events, 1 tool call (search), text:
         │ Let me
    ");
    assert!(
        output.stdout.contains("timeout after 300ms (timeout_ms)"),
        "{output}"
    );
}

#[test]
fn an_empty_stream_is_tried_three_times_and_passes() {
    let project = Project::sends(&[]);
    assert_snapshot!(judged(&project, "{tools: {forbid: [wipe]}}"), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1: the stream is empty: the agent sent no event at all
         captured in turn 1: 0 events, no tool call, no text
    ");
    assert_eq!(project.agent.requests().len(), 1);
}

#[test]
fn trouble_on_the_way_looks_like_an_error_of_the_agent() {
    let kind = |steps: Value| {
        let project = Project::replies(steps);
        project.test(&turn("{error: '.'}"));
        let turn = project.turns().remove(0);
        (turn["status"].clone(), turn["error"]["kind"].clone())
    };
    assert_eq!(
        kind(json!([{"http": {"status": 500, "body": "boom"}}])),
        (json!("broken"), json!("http_status"))
    );
    assert_eq!(
        kind(json!(["reset"])),
        (json!("broken"), json!("truncated"))
    );
    assert_eq!(
        kind(json!([{"error": {"message": "boom"}}])),
        (json!("run_error"), Value::Null)
    );
}
