//! State and activities: what applies, what does not, and what cannot be known.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::judged;

fn delta(operations: &Value) -> String {
    json!({"type": "STATE_DELTA", "delta": operations}).to_string()
}

fn state(snapshot: &Value) -> String {
    json!({"type": "STATE_SNAPSHOT", "snapshot": snapshot}).to_string()
}

fn activity(content: &Value) -> String {
    json!({"type": "ACTIVITY_SNAPSHOT", "messageId": "a1", "activityType": "plan", "content": content})
        .to_string()
}

fn activity_delta(operations: &Value) -> String {
    json!({"type": "ACTIVITY_DELTA", "messageId": "a1", "activityType": "plan", "patch": operations})
        .to_string()
}

fn run(events: &[String]) -> String {
    format!("start\n{}\ntext m1 Done.\nfinish", events.join("\n"))
}

#[test]
fn the_state_of_the_request_is_the_base() {
    let stream = run(&[
        delta(&json!([{"op": "replace", "path": "/count", "value": 2}])),
        delta(
            &json!([{"op": "test", "path": "/count", "value": 2}, {"op": "add", "path": "/new", "value": []}]),
        ),
        delta(&json!([{"op": "add", "path": "/new/-", "value": 1, "note": "kept"}])),
    ]);
    assert_snapshot!(judged(&[(json!({"state": {"count": 1}}), &stream)]), @"nothing");
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    1: semantics.state-delta: the patch cannot be applied to the state `{}` (the request has none): operation 0, `replace` of `/count`: there is no such value
    2: semantics.state-delta: the patch cannot be applied to the state `{}` (the request has none): operation 0, `test` of `/count`: there is another value, or none
    3: semantics.state-delta: the patch cannot be applied to the state `{}` (the request has none): operation 0, `add` of `/new/-`: it has no parent that could hold it
    ");
    assert_snapshot!(judged(&[(json!({"state": ["a", "list"]}), &stream)]), @r#"
    1: semantics.state-delta: the patch cannot be applied to the state `["a","list"]` (from the request): operation 0, `replace` of `/count`: there is no such value
    2: semantics.state-delta: the patch cannot be applied to the state `["a","list"]` (from the request): operation 0, `test` of `/count`: there is another value, or none
    3: semantics.state-delta: the patch cannot be applied to the state `["a","list"]` (from the request): operation 0, `add` of `/new/-`: it has no parent that could hold it
    "#);
}

#[test]
fn a_base_that_is_not_known_is_nobodys_fault() {
    let change = delta(&json!([{"op": "replace", "path": "/count", "value": 2}]));
    assert_snapshot!(judged(&[(Value::Null, &run(std::slice::from_ref(&change)))]), @"nothing");
    // A snapshot makes it known, and so does an echo of the request.
    let stream = run(&[change.clone(), state(&json!({})), change.clone()]);
    assert_snapshot!(judged(&[(Value::Null, &stream)]), @"
    3: semantics.state-delta: the patch cannot be applied to the state `{}` (from the STATE_SNAPSHOT of event 2): operation 0, `replace` of `/count`: there is no such value
    ");
    let started = json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": {"state": {"count": "x"}}});
    assert_snapshot!(judged(&[(Value::Null, &format!("{started}\n{change}\nfinish"))]), @"nothing");
    // A malformed patch is told by the rules of shapes; what it did nobody knows.
    let stream = run(&[delta(&json!([{"op": "merge", "path": "/a"}])), change]);
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"nothing");
}

#[test]
fn a_patch_that_fails_leaves_the_state_as_it_was() {
    let stream = run(&[
        state(&json!({"a": {"b": 1}})),
        delta(&json!([{"op": "add", "path": "/a/c", "value": 2}, {"op": "remove", "path": "/z"}])),
        delta(&json!([{"op": "test", "path": "/a", "value": {"b": 1}}])),
    ]);
    assert_snapshot!(judged(&[(json!({}), &stream)]), @r#"
    2: semantics.state-delta: the patch cannot be applied to the state `{"a":{"b":1}}` (from the STATE_SNAPSHOT of event 1): operation 1, `remove` of `/z`: there is no such value
    "#);
}

#[test]
fn members_of_the_framework_that_a_final_snapshot_drops() {
    let stream = run(&[
        delta(&json!([
            {"op": "add", "path": "/current_session_id", "value": "s1"},
            {"op": "add", "path": "/current_run", "value": {}},
            {"op": "add", "path": "/current_run/id", "value": "r1"},
            {"op": "add", "path": "/items", "value": ["milk"]},
        ])),
        state(&json!({"items": ["milk"]})),
    ]);
    assert_snapshot!(judged(&[(json!({}), &stream)]), @r#"
    2: semantics.state-final: the snapshot takes back what the deltas of the run said: `/current_run` was set to `{"id":"r1"}` and is gone; `/current_session_id` was set to `"s1"` and is gone
    "#);
}

#[test]
fn snapshots_that_are_legal_after_deltas() {
    let request = json!({"state": {"count": 0, "list": []}});
    let change = delta(&json!([
        {"op": "replace", "path": "/count", "value": 1},
        {"op": "add", "path": "/list/-", "value": "a"},
    ]));
    // New facts, in new members and in those that the deltas set.
    let stream = run(&[
        change.clone(),
        state(&json!({"count": 2, "list": ["a", "b"], "done": true})),
    ]);
    assert_snapshot!(judged(&[(request.clone(), &stream)]), @"nothing");
    // It is not the last word.
    let stream = run(&[
        change.clone(),
        state(&json!({})),
        state(&json!({"count": 1})),
    ]);
    assert_snapshot!(judged(&[(request.clone(), &stream)]), @"nothing");
    // A node's own part of the state in the middle of a run, the whole at its end.
    let stream = run(&[
        state(&json!({"messages": []})),
        state(&json!({"messages": [], "count": 0})),
    ]);
    assert_snapshot!(judged(&[(request.clone(), &stream)]), @"nothing");
    // The run failed, and with it what it did to the state.
    let stream = format!(
        "start\n{change}\n{}\nerror",
        state(&json!({"count": 0, "list": []}))
    );
    assert_snapshot!(judged(&[(request.clone(), &stream)]), @"nothing");
    // Another run in the same answer begins anew.
    let stream = format!(
        "start\n{change}\nfinish\nstart\n{}\nfinish",
        state(&json!({"count": 0}))
    );
    assert_snapshot!(judged(&[(request, &stream)]), @"nothing");
}

#[test]
fn what_deltas_removed_or_appended_and_a_snapshot_has_as_before() {
    let request = json!({"state": {"draft": "x", "list": ["a"]}});
    let stream = run(&[
        delta(
            &json!([{"op": "remove", "path": "/draft"}, {"op": "add", "path": "/list/-", "value": "b"}]),
        ),
        state(&json!({"draft": "x", "list": ["a"]})),
    ]);
    assert_snapshot!(judged(&[(request, &stream)]), @r#"
    2: semantics.state-final: the snapshot takes back what the deltas of the run said: `/draft` was removed and is `"x"` again; `/list` was set to `["a","b"]` and is `["a"]` again
    "#);
}

#[test]
fn activities_last_from_run_to_run() {
    let step = activity_delta(&json!([{"op": "replace", "path": "/step", "value": 2}]));
    let first = run(&[activity(&json!({"step": 1}))]);
    let second = run(std::slice::from_ref(&step)).replace("m1", "m2");
    assert_snapshot!(judged(&[(json!({}), &first), (json!({}), &second)]), @"nothing");
    assert_snapshot!(judged(&[(json!({}), &second)]), @"
    1: semantics.activity-base: there is no activity `a1`: no ACTIVITY_SNAPSHOT of the thread has this `messageId`
    ");
    // Who knows what came before?
    assert_snapshot!(judged(&[(Value::Null, &second)]), @"nothing");
    let history = json!({"messages": [super::user(), super::assistant("m0", "Hi.")]});
    assert_snapshot!(judged(&[(history, &second)]), @"nothing");
}

#[test]
fn a_snapshot_that_does_not_replace_and_patches_of_the_whole() {
    let mut kept: Value = serde_json::from_str(&activity(&json!({"other": 1}))).unwrap();
    kept["replace"] = false.into();
    let stream = run(&[
        activity(&json!({"step": 1})),
        kept.to_string(),
        activity_delta(&json!([{"op": "replace", "path": "/step", "value": 2}])),
        activity_delta(&json!([{"op": "replace", "path": "", "value": {"fresh": true}}])),
        activity_delta(&json!([{"op": "replace", "path": "", "value": null}])),
        activity_delta(&json!([{"op": "remove", "path": "/step"}])),
    ]);
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    5: semantics.activity-object: the patch makes null of the content of activity `a1`, which must be an object
    6: semantics.activity-delta: the patch cannot be applied to the content of activity `a1`: operation 0, `remove` of `/step`: there is no such value
    ");
}
