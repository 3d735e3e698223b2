//! Streams that break nothing, though they look odd.

use serde_json::{Value, json};

use super::{assistant, caller, judged, result, snapshot, user};

fn assert_legal(request: Value, stream: &str) {
    assert_eq!(judged(&[(request, stream)]), "nothing", "{stream}");
}

#[test]
fn a_result_for_a_call_of_the_request() {
    let request = json!({
        "messages": [user(), caller("m1", "c1", "delete_file", "{}")],
        "resume": [{"interruptId": "i1", "status": "resolved", "payload": true}],
    });
    assert_legal(
        request.clone(),
        "start\nresult t1 c1 gone\ntext m2 Done.\nfinish",
    );
    // A client gives a call without a parent a message with the id of the call.
    let request = json!({
        "messages": [user(), caller("c1", "c1", "delete_file", "{}")],
        "resume": [{"interruptId": "i1", "status": "resolved", "payload": true}],
    });
    assert_legal(request, "start\nresult c1 c1 gone\ntext m2 Done.\nfinish");
}

#[test]
fn an_empty_message_that_owns_a_call() {
    assert_legal(
        json!({}),
        "start\ntext m1\ncall c1 get_weather m1 {}\nresult t1 c1 sunny\ntext m2 Sunny.\nfinish",
    );
}

#[test]
fn a_result_with_the_id_of_its_call() {
    assert_legal(
        json!({}),
        "start\ncall c1 get_weather m1 {}\nresult c1 c1 sunny\ntext m2 Sunny.\nfinish",
    );
    assert_legal(
        json!({}),
        "start\ncall c1 get_weather - {}\nresult c1 c1 sunny\ntext m2 Sunny.\nfinish",
    );
}

#[test]
fn interleaved_calls_and_a_text_that_stays_open() {
    let stream = r#"start
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"a","parentMessageId":"m1"}
        {"type":"TOOL_CALL_START","toolCallId":"c2","toolCallName":"b","parentMessageId":"m1"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c2","delta":"{\"x\":"}
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Two at once."}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c2","delta":"1}"}
        {"type":"TOOL_CALL_END","toolCallId":"c2"}
        result t2 c2 two
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        result t1 c1 one
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        text m2 Done.
        finish"#;
    assert_legal(json!({}), stream);
}

#[test]
fn pending_calls_of_the_application() {
    let tools = json!({"tools": [{"name": "pick", "description": "picks"}]});
    assert_legal(
        tools.clone(),
        "start\ncall c1 pick m1 {}\ncall c2 pick m1 {}\npending c1 c2",
    );
    assert_legal(
        tools,
        "start\ncall c1 pick m1 {}\ncall c2 get_weather m1 {}\nresult t2 c2 sunny\npending c1",
    );
    // A client before 1.0 would refuse the list.
    let old = json!({"protocolVersion": null, "tools": [{"name": "pick", "description": "picks"}]});
    assert_legal(old, "start\ncall c1 pick m1 {}\nfinish");
}

#[test]
fn calls_that_wait_in_a_run_that_did_not_succeed() {
    assert_legal(json!({}), "start\ncall c1 delete_file m1 {}\ninterrupt");
    assert_legal(json!({}), "start\ncall c1 delete_file m1 {\nerror");
    assert_legal(
        json!({}),
        "start\ncall c1 delete_file m1 {}\n{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"outcome\":{\"type\":\"cancelled\"}}",
    );
    // We may have stopped reading.
    assert_legal(json!({}), "start\ncall c1 delete_file m1 {}");
}

#[test]
fn calls_that_only_a_snapshot_shows() {
    let messages = [
        user(),
        caller("m1", "c1", "get_weather", "{}"),
        result("t1", "c1", "sunny"),
        assistant("m2", "Sunny."),
    ];
    assert_legal(
        json!({}),
        &format!("start\n{}\nfinish", snapshot(&messages)),
    );
    assert_legal(
        json!({}),
        &format!(
            "start\n{}\nresult t1 c1 sunny\nfinish",
            snapshot(&messages[..2])
        ),
    );
}

#[test]
fn a_snapshot_that_agrees() {
    let messages = [
        user(),
        caller("m1", "c1", "get_weather", r#"{"city": "Paris"}"#),
        result("t1", "c1", "sunny"),
        assistant("m2", "Sunny."),
    ];
    let stream = format!(
        r#"start
        {{"type":"REASONING_MESSAGE_START","messageId":"r1","role":"reasoning"}}
        {{"type":"REASONING_MESSAGE_CONTENT","messageId":"r1","delta":"hm"}}
        {{"type":"REASONING_MESSAGE_END","messageId":"r1"}}
        {{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"plan","content":{{}}}}
        call c1 get_weather m1 {{"city": "Paris"}}
        {}
        result t1 c1 sunny
        text m2 Sunny.
        {}
        finish"#,
        snapshot(&messages[..2]),
        snapshot(&messages)
    );
    assert_legal(json!({}), &stream);
}

#[test]
fn a_closed_item_that_is_opened_again() {
    let stream = "start\ntext m1 One\ntext m1  and two.\ncall c1 add m1 {}\ncall c1 add -\nresult t1 c1 3\nfinish";
    assert_legal(json!({}), stream);
}

#[test]
fn an_encrypted_value_for_the_result_in_the_request() {
    let request = json!({
        "messages": [user(), caller("m1", "c1", "pick", "{}"), result("t1", "c1", "red")],
        "tools": [{"name": "pick", "description": "picks"}],
    });
    let stream = r#"start
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"t1","encryptedValue":"x"}
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c1","encryptedValue":"x"}
        text m2 Red.
        finish"#;
    assert_legal(request, stream);
}

#[test]
fn an_unknown_request_leaves_the_benefit_of_doubt() {
    let stream = r#"start
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"t1","encryptedValue":"x"}
        result t9 c9 sunny
        call c1 get_weather m1 {}
        finish"#;
    assert_legal(Value::Null, stream);
}

#[test]
fn events_that_are_no_events() {
    let stream = r#"start
        {"type":"TOOL_CALL_START"}
        {"type":"TOOL_CALL_RESULT","toolCallId":7}
        {"type":"MESSAGES_SNAPSHOT","messages":{}}
        {"type":"MESSAGES_SNAPSHOT","messages":[1,{"role":"user"},{"id":7,"toolCalls":[null,{"function":3}]}]}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"x"}
        [1]
        {"type":"RUN_FINISHED","outcome":{"type":"success","pendingToolCallIds":[1,null]}}"#;
    assert_legal(
        json!({"messages": [3, {"id": null}], "tools": [1, {"name": 2}]}),
        stream,
    );
}

#[test]
fn runs_that_an_answer_plays_again() {
    let request = json!({"runId": "now", "messages": []});
    let stream = r#"{"type":"RUN_STARTED","threadId":"t","runId":"then"}
        call c1 pick m1 {}
        {"type":"RUN_FINISHED","threadId":"t","runId":"then"}
        {"type":"RUN_STARTED","threadId":"t","runId":"now"}
        text m2 Hello.
        {"type":"RUN_FINISHED","threadId":"t","runId":"now"}"#;
    assert_legal(request, stream);
}

#[test]
fn a_second_attempt_after_a_run_that_was_cut_off() {
    let runs = [
        (
            json!({}),
            "start\n{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m1\"}\n{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"Hel\"}",
        ),
        (json!({}), "start\ntext m1 Hello.\nfinish"),
    ];
    assert_eq!(judged(&runs), "nothing");
}
