//! Ids of messages and calls: over runs of one stream, in results, and in snapshots.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{assistant, caller, judged, result, snapshot, user};

fn run(id: &str, thread: &str, steps: &str) -> String {
    let ids = |kind: &str| json!({"type": kind, "threadId": thread, "runId": id});
    format!("{}\n{steps}\n{}\n", ids("RUN_STARTED"), ids("RUN_FINISHED"))
}

#[test]
fn runs_of_one_stream_have_messages_and_calls_of_their_own() {
    let steps = "text m1 Hello.\ncall c1 look m1 {}\nresult t1 c1 seen";
    let stream = run("r0", "t", steps) + &run("r", "t", steps);
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    10: semantics.message-id-reused: `m1` is used for a message of the role `assistant`, but the run `r0` of this answer gave that id to a message of its own
    13: semantics.restreamed-call: the run `r0` made the call `c1`, and it is streamed again: its arguments are appended to those that the client has
    16: semantics.result-once: `c1` was answered before in this answer, by event 7
    16: semantics.message-id-reused: `t1` is used for a message of the role `tool`, but the run `r0` of this answer gave that id to a message of its own
    ");
    // What is another thread's is another message.
    let stream = run("r0", "t", "text m1 Hello.") + &run("r", "t2", "text m1 Hello.");
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"nothing");
    // What a snapshot took back may come anew.
    let again = format!("{}\n{steps}", snapshot(&[user()]));
    let stream = run("r0", "t", steps) + &run("r", "t", &again);
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    10: semantics.snapshot-drops: the `assistant` message `m1` was streamed before the snapshot, but it is not in it
    10: semantics.snapshot-drops: the result `t1` of `c1` was streamed before the snapshot, but it is not in it
    17: semantics.result-once: `c1` was answered before in this answer, by event 7
    ");
    // A message that another kind of message shares its id with is told of once.
    let reasoning = r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}
        {"type":"REASONING_MESSAGE_END","messageId":"m1"}"#;
    let stream = run("r0", "t", reasoning) + &run("r", "t", "text m1 Hello.");
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"5: semantics.message-id-reused: `m1` is used for a message of the role `assistant`, and before in this answer for one of the role `reasoning`");
}

#[test]
fn results_of_two_calls() {
    let stream =
        "start\ncall c1 a m1 {}\ncall c2 b m1 {}\nresult t1 c1 one\nresult t1 c2 two\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"8: semantics.message-id-reused: `t1` is the id of the result of `c2`, and of the result of `c1` before");
}

#[test]
fn an_id_twice_in_a_snapshot() {
    let twice = [user(), assistant("m1", "One."), assistant("m1", "Two.")];
    let stream = format!("start\n{0}\n{0}\nfinish", snapshot(&twice));
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"1: semantics.message-id-reused: the snapshot has two messages with the id `m1`, of the roles `assistant` and `assistant`");
    assert_snapshot!(judged(&[(Value::Null, &stream)]), @"1: semantics.message-id-reused: the snapshot has two messages with the id `m1`, of the roles `assistant` and `assistant`");
    // A client may have made both, and sent them so.
    let sent = [
        user(),
        caller("c1", "c1", "look", "{}"),
        result("c1", "c1", "seen"),
    ];
    let stream = format!("start\n{}\nfinish", snapshot(&sent));
    assert_snapshot!(judged(&[(json!({"messages": sent}), &stream)]), @"nothing");
    assert_snapshot!(judged(&[(Value::Null, &stream)]), @"nothing");
}

#[test]
fn a_snapshot_that_takes_messages_back() {
    let stream = format!(
        "start\ntext m1 One.\ntext m2 Two.\n{}\nfinish",
        snapshot(&[user(), assistant("m9", "Both.")])
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"
    7: semantics.snapshot-drops: the `assistant` message `m1` was streamed before the snapshot, but it is not in it
    7: semantics.snapshot-drops: the `assistant` message `m2` was streamed before the snapshot, but it is not in it
    ");
    // An older message that says the same is not the one that was streamed.
    let sent = json!({"messages": [user(), assistant("a1", "Done."), json!({"id": "u2", "role": "user", "content": "more"})]});
    let stream = format!(
        "start\ntext m1 Done.\n{}\nfinish",
        snapshot(sent["messages"].as_array().unwrap())
    );
    assert_snapshot!(judged(&[(sent, &stream)]), @"4: semantics.snapshot-drops: the `assistant` message `m1` was streamed before the snapshot, but it is not in it");
}

#[test]
fn a_message_that_a_snapshot_has_without_blanks() {
    let stream = format!(
        "start\n{}\n{}\nfinish",
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "delta": "Sunny. "}),
        snapshot(&[user(), assistant("m9", "Sunny.")])
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"2: semantics.snapshot-ids: the `assistant` message `m1` was streamed before the snapshot, but there it is called `m9`");
}

#[test]
fn a_call_that_a_snapshot_renames() {
    let written = [
        user(),
        caller("m1", "c9", "look", r#"{"at": 1}"#),
        result("t1", "c9", "seen"),
    ];
    let stream = format!(
        "start\ncall c1 look m1 {{\"at\":1}}\nresult t1 c1 seen\n{}\nfinish",
        snapshot(&written)
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"5: semantics.snapshot-ids: the call `c1` of `look` was streamed before the snapshot, but there it is called `c9`");
}

#[test]
fn calls_that_stand_unanswered_in_a_snapshot() {
    let call = caller("m1", "zz", "look", "{}");
    let last = |messages: &[Value]| format!("start\n{}\nfinish", snapshot(messages));
    assert_snapshot!(judged(&[(json!({}), &last(&[user(), call.clone()]))]), @"2: semantics.backend-call-answered: `zz`, which only a MESSAGES_SNAPSHOT has, calls `look`, which the request does not offer, and the run ends as success without a result for it");
    // The application's, or of the thread's past, which a server may know better than the request.
    let offered = json!({"tools": [{"name": "look", "description": "looks"}]});
    assert_snapshot!(judged(&[(offered, &last(&[user(), call.clone()]))]), @"nothing");
    assert_snapshot!(judged(&[(json!({}), &last(&[call.clone(), user()]))]), @"nothing");
    assert_snapshot!(judged(&[(json!({"messages": []}), &last(&[user(), call.clone()]))]), @"nothing");
    assert_snapshot!(judged(&[(Value::Null, &last(&[user(), call]))]), @"nothing");
}

#[test]
fn arguments_that_go_on_later() {
    let stream = "start\ncall c1 look m1 {\"a\":\ncall c1 look m1 1}\nresult t1 c1 seen\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"nothing");
    let chunk = |delta: &str| json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "c1", "toolCallName": "look", "delta": delta});
    let custom = json!({"type": "CUSTOM", "name": "acme.note", "value": 1});
    let stream = format!(
        "start\n{}\n{custom}\n{}\nresult t1 c1 seen\nfinish",
        chunk("{\"a\":"),
        chunk("1}")
    );
    assert_snapshot!(judged(&[(json!({}), &stream)]), @"nothing");
    let stream = "start\ncall c1 look m1 {\"a\":\ncall c1 look m1 1\nresult t1 c1 seen\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @r#"6: semantics.arguments-json: the arguments of `c1` are no JSON (EOF while parsing an object at line 1 column 6): `{"a":1`"#);
}

#[test]
fn a_call_that_belongs_to_the_user() {
    let stream = "start\ncall c1 look u1 {}\nresult t1 c1 seen\nfinish";
    assert_snapshot!(judged(&[(json!({}), stream)]), @"1: semantics.parent-role: `c1` belongs to `u1`, which is a `user` message of the request");
    assert_snapshot!(judged(&[(Value::Null, stream)]), @"nothing");
}
