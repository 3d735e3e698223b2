//! Rules one by one, in the forms that no fixture has.

use insta::assert_snapshot;
use serde_json::json;

use super::{assistant, caller, judged, result, snapshot, user};

#[test]
fn lists_of_pending_calls() {
    let tools = || json!({"tools": [{"name": "pick", "description": "picks"}]});
    let two = "start\ncall c1 pick m1 {}\ncall c2 pick m1 {}\n";
    assert_snapshot!(judged(&[(tools(), &format!("{two}pending c2 c1"))]), @"7: semantics.pending-calls: `pendingToolCallIds` does not agree with the run: it says `c2`, `c1`, but the calls were made in the order `c1`, `c2`");
    assert_snapshot!(judged(&[(tools(), &format!("{two}pending c1 c1 c3"))]), @"
    7: semantics.pending-calls: `pendingToolCallIds` does not agree with the run: it names `c1` twice
    7: semantics.pending-calls: `pendingToolCallIds` does not agree with the run: it names `c3`, which this run did not start
    7: semantics.pending-calls: `pendingToolCallIds` does not agree with the run: it lacks `c2`, which was started and not answered
    ");
    let answered = "start\ncall c1 pick m1 {}\ncall c2 add m1 {}\nresult t2 c2 3\npending c1 c2";
    assert_snapshot!(judged(&[(tools(), answered)]), @"8: semantics.pending-calls: `pendingToolCallIds` does not agree with the run: it names `c2`, which was answered in this run");
}

#[test]
fn an_id_that_a_run_of_the_thread_used_for_another_message() {
    let runs = [
        (json!({}), "start\ntext msg-1 Hello.\nfinish"),
        (json!({}), "start\ntext msg-1 Something else.\nfinish"),
        (json!({}), "start\ntext msg-1 Hello.\nfinish"),
    ];
    assert_snapshot!(judged(&runs), @"run 2, 1: semantics.message-id-reused: `msg-1` is used for a new message of the role `assistant`, but an earlier run of the thread (request 0) gave that id to another message");
}

#[test]
fn an_id_for_two_roles() {
    let stream = r#"start
        {"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}
        {"type":"REASONING_MESSAGE_END","messageId":"m1"}
        text m1 Hello.
        text u1 Hello.
        finish"#;
    assert_snapshot!(judged(&[(json!({}), stream)]), @"
    3: semantics.message-id-reused: `m1` is used for a message of the role `assistant`, and before in this answer for one of the role `reasoning`
    6: semantics.message-id-reused: `u1` is used for a new message of the role `assistant`, but the request holds a `user` message with that id
    ");
}

#[test]
fn snapshots_of_two_runs_with_new_ids() {
    let one = snapshot(&[user(), assistant("a1", "Hello.")]);
    let two = snapshot(&[user(), assistant("b1", "Hello."), assistant("b2", "Again.")]);
    let runs = [
        (json!({}), format!("start\ntext a1 Hello.\n{one}\nfinish")),
        (json!({}), format!("start\ntext b2 Again.\n{two}\nfinish")),
    ];
    let runs = runs
        .each_ref()
        .map(|(request, stream)| (request.clone(), stream.as_str()));
    assert_snapshot!(judged(&runs), @"run 2, 4: semantics.snapshot-stable: the `assistant` message that is `a1` in the last snapshot of the thread is `b1` in this snapshot");
}

#[test]
fn a_result_before_its_call_and_a_result_that_comes_twice() {
    let stream = "start\nresult t1 c1 sunny\ncall c1 get_weather m1 {}\nresult t2 c1 sunny\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"
    1: semantics.result-known-call: the result answers `c1` before that call is started
    5: semantics.result-once: `c1` was answered before in this answer, by event 1
    6: semantics.history: the result `t1` stands before `m1`, which makes the call `c1`
    ");
}

#[test]
fn an_encrypted_value_of_a_span_or_too_early() {
    let stream = r#"start
        {"type":"REASONING_START","messageId":"r1"}
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"r1","encryptedValue":"x"}
        {"type":"REASONING_END","messageId":"r1"}
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m1","encryptedValue":"x"}
        text m1 Hello.
        finish"#;
    assert_snapshot!(judged(&[(json!({}), stream)]), @"
    2: semantics.encrypted-entity: the value belongs to the message `r1`, but it is the id of a reasoning span, which is no message
    4: semantics.encrypted-entity: the value belongs to the message `m1`, but neither this answer so far nor the request has one
    ");
}

#[test]
fn an_open_message_that_a_snapshot_drops() {
    let stream = format!(
        r#"start
        {{"type":"TEXT_MESSAGE_START","messageId":"m1"}}
        {{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hel"}}
        {}
        {{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"lo."}}
        {{"type":"TEXT_MESSAGE_END","messageId":"m1"}}
        {}
        finish"#,
        snapshot(&[user()]),
        snapshot(&[user()])
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"3: semantics.snapshot-drops: the `assistant` message `m1` was streamed before the snapshot, but it is not in it");
}

#[test]
fn chunks_without_ids_are_one_text() {
    let stream = format!(
        r#"start
        {{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hel"}}
        {{"type":"RAW","event":1}}
        {{"type":"TEXT_MESSAGE_CHUNK","delta":"lo."}}
        {}
        finish"#,
        snapshot(&[user(), assistant("m1", "Hello!")])
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"4: semantics.snapshot-content: `m1` says `Hello!` in the snapshot, but `Hello.` was streamed");
}

#[test]
fn items_that_change_when_they_are_opened_again() {
    let stream = r#"start
        {"type":"TEXT_MESSAGE_START","messageId":"m1","name":"a"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"user","name":"b"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        call c1 add - {}
        call c1 add m1
        result t1 c1 3
        finish"#;
    assert_snapshot!(judged(&[(json!({}), stream)]), @"
    3: semantics.reopened: `m1` is opened again with the `role` `user`; it was `assistant`
    3: semantics.reopened: `m1` is opened again with the `name` `b`; it was `a`
    8: semantics.reopened: `c1` is opened again with the `parentMessageId` `m1`; it had none
    ");
}

#[test]
fn a_snapshot_that_says_something_else() {
    let messages = [
        user(),
        caller("m1", "c1", "get_time", r#"{"city":"Rome"}"#),
        result("t1", "c1", "rain"),
        json!({"id": "m2", "role": "user", "content": "Sunny."}),
    ];
    let stream = format!(
        "start\ncall c1 get_weather m1 {{\"city\":\"Paris\"}}\nresult t1 c1 sunny\ntext m2 Sunny.\n{}\nfinish",
        snapshot(&messages)
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @r#"
    8: semantics.snapshot-content: `m2` is a `user` message in the snapshot, but it was streamed as `assistant`
    8: semantics.snapshot-content: `t1` says `rain` in the snapshot, but `sunny` was streamed
    8: semantics.snapshot-content: `c1` calls `get_time` in the snapshot, but `get_weather` was streamed
    8: semantics.snapshot-content: the arguments of `c1` are given as `{"city":"Rome"}` in the snapshot, but `{"city":"Paris"}` was streamed
    "#);
}
