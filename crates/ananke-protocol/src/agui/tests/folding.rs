//! What events amount to: texts, calls, results, state, snapshots, retired types, and events that cannot be read.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{events, fold, fold_on};
use crate::agui::conversation::Conversation;

/// A conversation with one earlier turn: a user message, a call with its result, a text.
fn earlier() -> Conversation {
    let mut conversation = Conversation::new(json!({"n": 1}));
    conversation.put(json!({"id": "u1", "role": "user", "content": "pay"}));
    let call = json!({"id": "c1", "type": "function", "function": {"name": "charge", "arguments": "{\"n\":1}"}});
    conversation.put(json!({"id": "a1", "role": "assistant", "toolCalls": [call]}));
    conversation.say("u2", "yes");
    conversation
}

fn fold_later(text: &str) -> String {
    fold_on(&mut earlier(), &events(text), Some("u2"), false)
}

#[test]
fn a_call_counts_from_its_start_and_results_are_read_from_content_or_result() {
    assert_snapshot!(fold(r#"RUN_STARTED
        TOOL_CALL_START toolCallId=c1 toolCallName=search parentMessageId=m1
        TOOL_CALL_ARGS toolCallId=c1 delta="{\"q\":"
        TOOL_CALL_ARGS toolCallId=c1 delta="\"tea\"}"
        TOOL_CALL_END toolCallId=c1
        TOOL_CALL_START toolCallId=c2 toolCallName=forbidden parentMessageId=m1
        TOOL_CALL_RESULT messageId=r1 toolCallId=c1 content=3~found
        TOOL_CALL_START toolCallId=c3 toolCallName=old
        TOOL_CALL_END toolCallId=c3
        TOOL_CALL_RESULT toolCallId=c3 result={"ok":true}
        RUN_FINISHED"#), @r#"
    Finished
    call: search({"q":"tea"}) -> 3 found @2..7
    call: forbidden() @6..6
    call: old() -> {"ok":true} @8..10
    message: {"id":"m1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"search","arguments":"{\"q\":\"tea\"}"}},{"id":"c2","type":"function","function":{"name":"forbidden","arguments":""}}]}
    message: {"id":"r1","role":"tool","toolCallId":"c1","content":"3 found"}
    message: {"id":"c3","role":"assistant","toolCalls":[{"id":"c3","type":"function","function":{"name":"old","arguments":""}}]}
    message: {"id":"c3-result","role":"tool","toolCallId":"c3","content":"{\"ok\":true}"}
    finding: V18 at 10: RUN_FINISHED while tool call 'c2' is open
    "#);
}

#[test]
fn chunks_are_expanded() {
    assert_snapshot!(fold(r#"RUN_STARTED
        TEXT_MESSAGE_CHUNK messageId=m1 delta=Hello
        TEXT_MESSAGE_CHUNK delta=~there
        TOOL_CALL_CHUNK toolCallId=c1 toolCallName=search parentMessageId=m1 delta="{\"q\":"
        RAW event=1
        TOOL_CALL_CHUNK delta=1}
        REASONING_MESSAGE_CHUNK messageId=r1 delta=hm
        RUN_FINISHED"#), @r#"
    Finished
    text: Hello there
    reasoning: hm
    call: search({"q":1}) @4..7
    message: {"id":"m1","role":"assistant","content":"Hello there","toolCalls":[{"id":"c1","type":"function","function":{"name":"search","arguments":"{\"q\":1}"}}]}
    message: {"id":"r1","role":"reasoning","content":"hm"}
    "#);
}

#[test]
fn messages_are_kept_apart_and_reasoning_is_left_out_of_the_text() {
    assert_snapshot!(fold("RUN_STARTED
        TEXT_MESSAGE_START messageId=empty role=assistant
        TEXT_MESSAGE_END messageId=empty
        TEXT_MESSAGE_START messageId=m1 role=assistant
        TEXT_MESSAGE_START messageId=m2 role=assistant
        TEXT_MESSAGE_CONTENT messageId=m1 delta=one
        TEXT_MESSAGE_CONTENT messageId=m2 delta=two
        TEXT_MESSAGE_CONTENT messageId=m1 delta=!
        TEXT_MESSAGE_END messageId=m1
        TEXT_MESSAGE_END messageId=m2
        TEXT_MESSAGE_START messageId=s1 role=system
        TEXT_MESSAGE_CONTENT messageId=s1 delta=hidden
        TEXT_MESSAGE_END messageId=s1
        REASONING_MESSAGE_START messageId=r1 role=reasoning
        REASONING_MESSAGE_CONTENT messageId=r1 delta=because
        REASONING_MESSAGE_END messageId=r1
        RUN_FINISHED"), @r#"
    Finished
    text: one!
    two
    reasoning: because
    message: {"id":"empty","role":"assistant","content":""}
    message: {"id":"m1","role":"assistant","content":"one!"}
    message: {"id":"m2","role":"assistant","content":"two"}
    message: {"id":"s1","role":"system","content":"hidden"}
    message: {"id":"r1","role":"reasoning","content":"because"}
    "#);
}

#[test]
fn retired_thinking_events_become_reasoning() {
    assert_snapshot!(fold("RUN_STARTED
        THINKING_START title=Working
        THINKING_TEXT_MESSAGE_START
        THINKING_TEXT_MESSAGE_CONTENT delta=hm
        THINKING_TEXT_MESSAGE_END
        THINKING_END
        RUN_FINISHED"), @r#"
    Finished
    reasoning: hm
    message: {"id":"thinking-message-1","role":"reasoning","content":"hm"}
    warning: THINKING_START carries a title, which AG-UI 1.0 has no place for
    "#);
}

#[test]
fn state_is_replaced_patched_and_kept_when_a_patch_does_not_apply() {
    assert_snapshot!(fold_later(r#"RUN_STARTED
        STATE_DELTA delta=[{"op":"add","path":"/m","value":2}]
        STATE_DELTA delta=[{"op":"replace","path":"/n","value":9},{"op":"remove","path":"/gone"}]
        STATE_DELTA delta=[{"op":"double","path":"/n"}]
        RUN_FINISHED"#), @r#"
    Finished
    state: {"n":1,"m":2}
    message: {"id":"u1","role":"user","content":"pay"}
    message: {"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"charge","arguments":"{\"n\":1}"}}]}
    message: {"id":"u2","role":"user","content":"yes"}
    warning: Failed to apply state patch: operation '/0' failed at path '/gone': path is invalid
    warning: /delta/0 is no operation of JSON Patch: left out
    "#);
    assert_snapshot!(fold("RUN_STARTED\nSTATE_SNAPSHOT snapshot=[1]\nSTATE_SNAPSHOT snapshot=null\nRUN_FINISHED"), @"Finished");
}

#[test]
fn activities_need_a_snapshot_and_stay_objects() {
    assert_snapshot!(fold(r#"RUN_STARTED
        ACTIVITY_DELTA messageId=p activityType=plan patch=[]
        ACTIVITY_SNAPSHOT messageId=p activityType=plan content={"a":1}
        ACTIVITY_DELTA messageId=p activityType=plan2 patch=[{"op":"add","path":"/b","value":2}]
        ACTIVITY_DELTA messageId=p activityType=plan2 patch=[{"op":"replace","path":"","value":2}]
        ACTIVITY_SNAPSHOT messageId=p activityType=other content={"z":1} replace=false
        RUN_FINISHED"#), @r#"
    Finished
    message: {"id":"p","role":"activity","activityType":"plan2","content":{"a":1,"b":2}}
    warning: ACTIVITY_DELTA for activity 'p' that has no snapshot
    warning: Failed to apply activity patch: the content would no longer be an object
    "#);
}

#[test]
fn a_result_for_an_earlier_call_is_late() {
    assert_snapshot!(fold_later("RUN_STARTED
        TOOL_CALL_RESULT messageId=t1 toolCallId=c1 content=paid
        TOOL_CALL_RESULT messageId=t2 toolCallId=nobody content=?
        RUN_FINISHED"), @r#"
    Finished
    late: c1 -> paid
    state: {"n":1}
    message: {"id":"u1","role":"user","content":"pay"}
    message: {"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"charge","arguments":"{\"n\":1}"}}]}
    message: {"id":"t1","role":"tool","toolCallId":"c1","content":"paid"}
    message: {"id":"u2","role":"user","content":"yes"}
    message: {"id":"t2","role":"tool","toolCallId":"nobody","content":"?"}
    warning: a result answers the unknown tool call 'nobody'
    "#);
}

#[test]
fn a_call_streamed_again_is_marked() {
    assert_snapshot!(fold_later(r#"RUN_STARTED
        TOOL_CALL_START toolCallId=c1 toolCallName=charge
        TOOL_CALL_ARGS toolCallId=c1 delta="{\"n\":1}"
        TOOL_CALL_END toolCallId=c1
        RUN_FINISHED"#), @r#"
    Finished
    call: charge({"n":1}) restreamed @2..4
    state: {"n":1}
    message: {"id":"u1","role":"user","content":"pay"}
    message: {"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"charge","arguments":"{\"n\":1}{\"n\":1}"}}]}
    message: {"id":"u2","role":"user","content":"yes"}
    "#);
}

#[test]
fn an_id_used_twice_while_open_is_two_calls() {
    assert_snapshot!(fold("RUN_STARTED
        TOOL_CALL_START toolCallId=c toolCallName=harmless
        TOOL_CALL_START toolCallId=c toolCallName=forbidden
        TOOL_CALL_END toolCallId=c
        RUN_FINISHED"), @r#"
    Finished
    call: harmless() @2..2
    call: forbidden() @3..4
    message: {"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"harmless","arguments":""}}]}
    finding: V9 at 2: tool call 'c' is started while it is open
    "#);
}

const SNAPSHOT: &str = r#"RUN_STARTED
    TEXT_MESSAGE_START messageId=streamed
    TEXT_MESSAGE_CONTENT messageId=streamed delta=Done.
    TEXT_MESSAGE_END messageId=streamed
    MESSAGES_SNAPSHOT messages=[{"id":"u1","role":"user","content":"pay"},{"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"charge","arguments":"{}"}}]},{"id":"u2","role":"user","content":"yes"},{"id":"a2","role":"assistant","toolCalls":[{"id":"c2","type":"function","function":{"name":"ship","arguments":"{\"x\":1}"}}]},{"id":"t2","role":"tool","toolCallId":"c2","content":"late","error":"lost"},{"id":"renamed","role":"assistant","content":"Done."},{"id":"extra","role":"assistant","content":"Only~here."}]
    RUN_FINISHED"#;

#[test]
fn calls_and_texts_only_in_a_snapshot_count_after_the_user_message() {
    assert_snapshot!(fold_later(SNAPSHOT), @r#"
    Finished
    text: Done.
    Only here.
    call: ship({"x":1}) -> late !lost snapshot @5..5
    state: {"n":1}
    message: {"id":"u1","role":"user","content":"pay"}
    message: {"id":"a1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"charge","arguments":"{}"}}]}
    message: {"id":"u2","role":"user","content":"yes"}
    message: {"id":"a2","role":"assistant","toolCalls":[{"id":"c2","type":"function","function":{"name":"ship","arguments":"{\"x\":1}"}}]}
    message: {"id":"t2","role":"tool","toolCallId":"c2","content":"late","error":"lost"}
    message: {"id":"renamed","role":"assistant","content":"Done."}
    message: {"id":"extra","role":"assistant","content":"Only here."}
    "#);
}

#[test]
fn a_connect_turn_counts_what_is_replayed() {
    let rendered = fold_on(
        &mut Conversation::new(Value::Null),
        &events(SNAPSHOT),
        None,
        true,
    );
    let calls: Vec<&str> = rendered
        .lines()
        .filter(|line| line.starts_with("call"))
        .collect();
    assert_snapshot!(calls.join("\n"), @r#"
    call: charge({}) snapshot @5..5
    call: ship({"x":1}) -> late !lost snapshot @5..5
    "#);
}

#[test]
fn a_replay_of_what_is_known_adds_nothing_to_it() {
    let mut conversation = Conversation::new(Value::Null);
    let run = events(
        r#"RUN_STARTED
        REASONING_MESSAGE_START messageId=r1
        REASONING_MESSAGE_CONTENT messageId=r1 delta=Hm.
        REASONING_MESSAGE_END messageId=r1
        TEXT_MESSAGE_START messageId=m1
        TEXT_MESSAGE_CONTENT messageId=m1 delta=Sunny.
        TEXT_MESSAGE_END messageId=m1
        TOOL_CALL_START toolCallId=c1 toolCallName=look parentMessageId=m1
        TOOL_CALL_ARGS toolCallId=c1 delta="{\"n\":1}"
        TOOL_CALL_END toolCallId=c1
        TOOL_CALL_RESULT messageId=t1 toolCallId=c1 content=seen
        RUN_FINISHED"#,
    );
    fold_on(&mut conversation, &run, None, false);
    assert_snapshot!(fold_on(&mut conversation, &run, None, true), @r#"
    Finished
    text: Sunny.
    reasoning: Hm.
    call: look({"n":1}) -> seen restreamed @8..11
    message: {"id":"r1","role":"reasoning","content":"Hm."}
    message: {"id":"m1","role":"assistant","content":"Sunny.","toolCalls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"n\":1}"}}]}
    message: {"id":"t1","role":"tool","toolCallId":"c1","content":"seen"}
    "#);
}

#[test]
fn reasoning_messages_are_joined_with_line_feeds() {
    assert_snapshot!(fold("RUN_STARTED
        REASONING_MESSAGE_START messageId=r1
        REASONING_MESSAGE_CONTENT messageId=r1 delta=One
        TEXT_MESSAGE_CHUNK messageId=m1 delta=Hello.
        REASONING_MESSAGE_CONTENT messageId=r1 delta=~thought.
        REASONING_MESSAGE_END messageId=r1
        REASONING_MESSAGE_CHUNK messageId=r2 delta=Another.
        RUN_FINISHED").lines().take(4).collect::<Vec<_>>().join("\n"), @"
    Finished
    text: Hello.
    reasoning: One thought.
    Another.
    ");
}

#[test]
fn outcomes_interrupts_and_usage() {
    assert_snapshot!(fold(r#"RUN_STARTED
        RUN_FINISHED outcome={"type":"interrupt","interrupts":[{"id":"i1","reason":"approval"}]} usage=[{"inputTokens":3}]"#), @r#"
    Finished
    interrupt: {"id":"i1","reason":"approval"}
    usage: {"inputTokens":3}
    "#);
    assert_snapshot!(fold(r#"RUN_STARTED
        RUN_FINISHED outcome={"type":"paused"}"#), @"
    Finished
    warning: /outcome of RUN_FINISHED is not described by AG-UI 1.0: left out
    ");
    assert_snapshot!(fold("RUN_STARTED\nRUN_FINISHED\nRUN_ERROR message=too~late code=E1"), @r#"Error { message: "too late", code: Some("E1") }"#);
}

#[test]
fn unknown_types_are_kept_and_told() {
    assert_snapshot!(fold("RUN_STARTED\nFUTURE_EVENT x=1\nRUN_FINISHED"), @"
    Finished
    warning: event 1 has the unknown type FUTURE_EVENT: kept, not folded
    ");
}

#[test]
fn events_that_cannot_be_read_fail_the_turn_and_reading_goes_on() {
    assert_snapshot!(fold("RUN_STARTED
        TEXT_MESSAGE_START messageId=m
        TEXT_MESSAGE_CONTENT messageId=m delta=42
        TEXT_MESSAGE_CONTENT messageId=m delta=after
        TEXT_MESSAGE_END messageId=m
        RUN_FINISHED"), @r#"
    Finished
    text: after
    message: {"id":"m","role":"assistant","content":"after"}
    bad: event 2 cannot be read: TEXT_MESSAGE_CONTENT: `delta` is not a string: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":42}
    "#);
    assert_snapshot!(fold("RUN_STARTED\nTOOL_CALL_START toolCallId=c\nRUN_FINISHED"), @r#"
    Finished
    bad: event 1 cannot be read: TOOL_CALL_START: `toolCallName` is missing: {"type":"TOOL_CALL_START","toolCallId":"c"}
    "#);
}

#[test]
fn encrypted_values_come_back_with_the_history() {
    assert_snapshot!(fold("RUN_STARTED
        REASONING_MESSAGE_START messageId=r role=reasoning
        REASONING_MESSAGE_END messageId=r
        REASONING_ENCRYPTED_VALUE subtype=message entityId=r encryptedValue=xyz
        TOOL_CALL_START toolCallId=c toolCallName=a
        TOOL_CALL_END toolCallId=c
        REASONING_ENCRYPTED_VALUE subtype=tool-call entityId=c encryptedValue=abc
        RUN_FINISHED"), @r#"
    Finished
    call: a() @5..6
    message: {"id":"r","role":"reasoning","content":"","encryptedValue":"xyz"}
    message: {"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"a","arguments":""},"encryptedValue":"abc"}]}
    "#);
}
