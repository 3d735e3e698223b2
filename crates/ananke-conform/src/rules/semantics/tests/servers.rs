//! Faults that real servers have, in the manner of each.

use insta::assert_snapshot;
use serde_json::json;

use super::{assistant, caller, judged, result, snapshot, user};

#[test]
fn a_snapshot_that_renames_a_result_moves_it_to_the_end() {
    let messages = [
        user(),
        caller("m1", "call-1", "get_weather", r#"{"city": "Paris"}"#),
        result("0de6", "call-1", "sunny"),
        assistant("m2", "It is sunny."),
    ];
    let stream = format!(
        r#"start
        call call-1 get_weather m1 {{"city": "Paris"}}
        result call-1 call-1 sunny
        text m2 It is sunny.
        {}
        finish"#,
        snapshot(&messages)
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    8: semantics.snapshot-ids: the result `call-1` of `call-1` was streamed before the snapshot, but there it is called `0de6`
    9: semantics.history: the result `0de6` does not follow `m1`, which makes the call `call-1`: `m2` stands between them
    ");
}

#[test]
fn a_failed_tool_without_a_result() {
    let mut failed = result("t1", "call-1", "Error: boom");
    failed["error"] = "error".into();
    let messages = [
        user(),
        caller("m1", "call-1", "explode", "{}"),
        failed,
        assistant("m2", "It failed."),
    ];
    let stream = format!(
        "start\ncall call-1 explode m1 {{}}\ntext m2 It failed.\n{}\nfinish",
        snapshot(&messages)
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    8: semantics.backend-call-answered: `call-1` calls `explode`, which the request does not offer, and the run ends as success without a TOOL_CALL_RESULT for it; only a MESSAGES_SNAPSHOT has one
    8: semantics.history: the result `t1` does not follow `m1`, which makes the call `call-1`: `m2` stands between them
    ");
    // Without any snapshot.
    let stream = "start\ncall call-1 explode m1 {}\ntext m2 It failed.\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"7: semantics.backend-call-answered: `call-1` calls `explode`, which the request does not offer, and the run ends as success without a TOOL_CALL_RESULT for it");
}

#[test]
fn a_resume_that_streams_the_call_again() {
    let request = json!({
        "messages": [user(), caller("m1", "call-1", "delete_file", r#"{"path": "old.txt"}"#)],
        "resume": [{"interruptId": "i1", "status": "resolved", "payload": true}],
    });
    let stream = r#"start
        call call-1 delete_file - {"path": "old.txt"}
        result call-1 call-1 old.txt deleted
        text m2 Done.
        finish"#;
    assert_snapshot!(judged(&[(request, stream)]), @"1: semantics.restreamed-call: the request holds the call `call-1`, and it is streamed again: its arguments are appended to those that the client has");
}

#[test]
fn results_that_are_encoded_twice_and_calls_of_the_wrong_message() {
    let stream = r#"start
        text m1 Let me plan.
        call c1 plan m1 {}
        result c1 c1 "planned"
        text m2 And now do it.
        call c2 do m1 {}
        result c2 c2 {"ok":true}
        finish"#;
    assert_snapshot!(judged(&[(json!({}), stream)]), @r#"
    7: semantics.result-encoding: the result of `c1` is `"planned"`, which is text that was encoded as JSON; `planned` would do
    11: semantics.call-parent: `c2` belongs to `m1`, one of whose calls was answered before `m2` began
    "#);
}

#[test]
fn a_call_for_approval_that_is_never_answered_and_a_renamed_result() {
    let first = r#"start
        call c1 delete_file m1 {"path":"a"}
        call confirm-1 confirm_changes m1 {"id":"c1"}
        interrupt"#;
    let mut asked = caller("m1", "c1", "delete_file", r#"{"path":"a"}"#);
    let confirm = caller("m1", "confirm-1", "confirm_changes", r#"{"id":"c1"}"#);
    let calls = asked["toolCalls"].as_array_mut().unwrap();
    calls.push(confirm["toolCalls"][0].clone());
    let request = json!({
        "messages": [user(), asked],
        "resume": [{"interruptId": "i1", "status": "resolved", "payload": true}],
    });
    let written = [
        user(),
        asked.clone(),
        assistant("m2", "Deleted."),
        result("new", "c1", "gone"),
    ];
    let second = format!(
        "start\nresult t1 c1 gone\ntext m2 Deleted.\n{}\nfinish",
        snapshot(&written)
    );
    assert_snapshot!(judged(&[(json!({}), first), (request, &second)]), @"
    run 1, 7: semantics.interrupt-names-call: the call `c1` of `delete_file` waits, but no interrupt names it; they are about `confirm-1`
    run 2, 5: semantics.snapshot-ids: the result `t1` of `c1` was streamed before the snapshot, but there it is called `new`
    run 2, 6: semantics.history: the result `new` does not follow `m1`, which makes the call `c1`: `m2` stands between them
    run 2, 6: semantics.history: the request resumes a run that waited with the call `confirm-1`; the run ends as success, and `confirm-1` has no result
    ");
}

#[test]
fn calls_without_results_and_ids_that_each_snapshot_makes_anew() {
    let chunk = |id: &str, text: &str| json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": id, "role": "assistant", "delta": text});
    let call = json!({
        "type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "get_weather",
        "parentMessageId": "s1", "delta": "{\"city\":\"Paris\"}",
    });
    let one = [
        json!({"id": "a1", "role": "user", "content": "hi"}),
        caller("a2", "c1", "get_weather", r#"{"city":"Paris"}"#),
    ];
    let two = [
        json!({"id": "b1", "role": "user", "content": "hi"}),
        caller("b2", "c1", "get_weather", r#"{"city":"Paris"}"#),
        assistant("b3", "Sunny."),
    ];
    let stream = format!(
        "start\n{call}\n{}\n{}\n{}\nfinish",
        snapshot(&one),
        chunk("s2", "Sunny."),
        snapshot(&two)
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    2: semantics.snapshot-ids: the `assistant` message `s1` was streamed before the snapshot, but there it is called `a2`
    2: semantics.snapshot-stable: the `user` message that is `u1` in the request is `a1` in this snapshot
    4: semantics.snapshot-ids: the `assistant` message `s2` was streamed before the snapshot, but there it is called `b3`
    4: semantics.snapshot-stable: the `user` message that is `a1` in the snapshot before is `b1` in this snapshot
    4: semantics.snapshot-stable: the `assistant` message that is `a2` in the snapshot before is `b2` in this snapshot
    5: semantics.backend-call-answered: `c1` calls `get_weather`, which the request does not offer, and the run ends as success without a TOOL_CALL_RESULT for it
    ");
}

#[test]
fn arguments_that_a_snapshot_spells_anew_and_no_list_of_pending_calls() {
    let messages = [
        user(),
        caller("m1", "c1", "pick_color", r#"{"shade": "dark", "of": 3}"#),
    ];
    let stream = format!(
        "start\ncall c1 pick_color m1 {{\"of\":3,\"shade\":\"dark\"}}\n{}\nfinish",
        snapshot(&messages)
    );
    let request = json!({"tools": [{"name": "pick_color", "description": "picks"}]});
    assert_snapshot!(judged(&[(request, &stream)]), @r#"
    4: semantics.snapshot-spelling: the arguments of `c1` are spelt `{"shade": "dark", "of": 3}` in the snapshot, but `{"of":3,"shade":"dark"}` was streamed
    5: semantics.pending-listed: the run leaves `c1` to the application, but there is no `pendingToolCallIds`
    "#);
}

#[test]
fn approval_that_ends_as_plain_success() {
    let stream = "start\ntext m1 I need approval.\ncall c1 delete_file m1 {}\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"7: semantics.backend-call-answered: `c1` calls `delete_file`, which the request does not offer, and the run ends as success without a TOOL_CALL_RESULT for it");
}

#[test]
fn a_second_result_for_a_call_that_the_application_answered() {
    let request = json!({
        "messages": [user(), caller("m1", "c1", "pick_color", "{}"), result("t1", "c1", "red")],
        "tools": [{"name": "pick_color", "description": "picks"}],
    });
    assert_snapshot!(judged(&[(request, "start\nresult t2 c1 red\ntext m2 Red.\nfinish")]), @"1: semantics.result-once: `c1` is answered as `t2`, but the request holds its answer already: `t1`");
}
