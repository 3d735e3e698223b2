//! What is kept of an answer.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{code, judged, turn};
use crate::project::Project;

#[test]
fn a_call_is_seen_only_when_its_result_comes() {
    let project = Project::replies(json!([{"tool": {"name": "wipe"}}, {"text": "ok"}]));
    assert_eq!(code(&project, "{tools: {forbid: [wipe]}}"), Some(1));
}

#[test]
fn the_result_is_read_from_the_wrong_member() {
    let result = |member: &str| {
        let mut event = json!({"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "m"});
        event[member] = "declined".into();
        let project =
            Project::replies(json!([{"tool": {"id": "c", "name": "pay"}}, {"event": event}]));
        (
            code(
                &project,
                "{tools: {require: [{name: pay, result_match: declined}]}}",
            ),
            code(
                &project,
                "{tools: {require: [{name: pay, result_not_match: declined}]}}",
            ),
        )
    };
    assert_eq!(result("content"), (Some(0), Some(1)));
    assert_eq!(result("result"), (Some(0), Some(1)));
}

#[test]
fn arguments_that_are_not_json_become_an_empty_object() {
    let project = Project::replies(
        json!([{"tool": {"name": "search", "args": "{\"q\": mug", "result": "1"}}]),
    );
    assert_snapshot!(judged(&project, "{tools: {require: [{name: search, args_match: {q: mug}}]}}"), @r#"
    exit code: 1
    ✗ [t.test.yaml] t FAILED ([TIME])
      └─ turn 1 · tools.require search: expected at least 1 call of `search` with q matching /mug/, got 0 of 1 call
         closest call: event 1: search({"q": mug)
         q is missing: the arguments are not JSON (expected value at line 1 column 7)
         demanded at t.test.yaml:5:32 (turn level)
    "#);
    let turns = project.turns();
    assert_eq!(turns[0]["tool_calls"][0]["args"], "{\"q\": mug");
    assert!(turns[0]["tool_calls"][0]["args_error"].is_string());
}

#[test]
fn messages_of_all_roles_run_into_one_another() {
    let chunk = |id: &str, role: &str, delta: &str| json!({"event": {"type": "TEXT_MESSAGE_CHUNK", "messageId": id, "role": role, "delta": delta}});
    let project = Project::replies(json!([
        chunk("1", "assistant", "un"),
        chunk("2", "user", "hidden"),
        chunk("3", "assistant", "happy")
    ]));
    assert_eq!(
        code(
            &project,
            "{text: {must_not_match: [unhappy, hidden], must_match: '^un\\nhappy$'}}"
        ),
        Some(0)
    );
}

#[test]
fn the_wait_for_the_first_byte_is_not_counted_and_hooks_are() {
    let project = Project::replies(json!([{"delay_ms": 200}, {"text": "ok"}]));
    project.test(&format!(
        "hooks:\n  - cmd: [sleep, '0.8']\n{}",
        turn("{timing: {max_duration_ms: 199}}")
    ));
    let report = project.json();
    let result = &report["results"][0];
    assert_eq!(result["status"], "failed", "{result:#}");
    let ms = result["turns"][0]["timing"]["total_ms"].as_f64().unwrap();
    assert!(ms >= 200.0, "{ms}");
    let span = result["test_end_ts"].as_i64().unwrap() - result["test_start_ts"].as_i64().unwrap();
    assert!((200..1000).contains(&span), "{span}");
}

#[test]
fn results_are_json_where_they_can_be() {
    let result = |result: Value| {
        let project = Project::replies(json!([{"tool": {"name": "a", "result": result}}]));
        project.test(&turn("{tools: {require: [{name: a}]}}"));
        project.turns()[0]["tool_calls"][0]["result"].clone()
    };
    assert_eq!(result(json!("{\"n\": 1}")), json!({"n": 1}));
    assert_eq!(result(json!("plain")), json!("plain"));
}
