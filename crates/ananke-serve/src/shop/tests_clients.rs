//! What the shop does for clients that do more than talk: calls at once, tools of the front end, questions left open.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::tests::{HEALTHY, answer, ask, full_cart, spoken, words};
use crate::agent::Agent as _;
use crate::engine::tests::{input, show};

#[test]
fn products_are_looked_up_at_once() {
    let shown = ask(HEALTHY, "Compare the blue mug with the teapot", json!({}));
    assert_snapshot!(kinds(&shown), @r#"
    RUN_STARTED
    TOOL_CALL_START
    TOOL_CALL_START
    TOOL_CALL_ARGS
    TOOL_CALL_END
    TOOL_CALL_ARGS
    TOOL_CALL_END
    TOOL_CALL_RESULT
    TOOL_CALL_RESULT
    TEXT_MESSAGE_START
    TEXT_MESSAGE_END
    RUN_FINISHED {"type":"success"}
    "#);
    assert_snapshot!(spoken(&shown), @"The blue mug costs $12.00, the teapot $35.00.");
    assert_snapshot!(words("compare the teapot with a piano", json!({})), @"Tell me two products that we sell.");
}

/// Shows the types of events, with outcomes.
fn kinds(shown: &str) -> String {
    let events = shown.lines().filter_map(|line| line.strip_prefix("data: "));
    let mut kinds: Vec<String> = Vec::new();
    for event in events {
        let event: Value = serde_json::from_str(event).unwrap();
        let kind = event["type"].as_str().unwrap();
        if kind != "TEXT_MESSAGE_CONTENT" {
            let outcome = event
                .get("outcome")
                .map_or_else(String::new, |outcome| format!(" {outcome}"));
            kinds.push(format!("{kind}{outcome}"));
        }
    }
    kinds.join("\n")
}

#[test]
fn the_front_end_picks_the_color() {
    let said = "Let me pick a color for my mug";
    let offered = json!({"tools": [{"name": "pick_color", "description": "a palette"}]});
    assert_snapshot!(ask(HEALTHY, said, offered.clone()), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"pick_color"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{\"colors\":[\"blue\",\"green\",\"red\"]}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["call-r1-1"]}}
    "#);
    assert_snapshot!(words(said, json!({})), @"I cannot show you any colors here.");
    let mut fields = offered;
    fields["messages"] = json!([
        {"id": "u1", "role": "user", "content": said},
        {"id": "a1", "role": "assistant", "toolCalls": [{"id": "c1", "type": "function", "function": {
            "name": "pick_color", "arguments": "{}"}}]},
        {"id": "t1", "role": "tool", "toolCallId": "c1", "content": "{\"color\":\"green\"}"},
    ]);
    assert_snapshot!(spoken(&show(&HEALTHY.reply(&input(fields)))), @"A mug in green it is.");
}

#[test]
fn an_open_question_is_asked_again() {
    let entry =
        json!({"interruptId": "interrupt-call-r1-1", "status": "resolved", "payload": "perhaps"});
    assert_snapshot!(kinds(&answer(HEALTHY, entry)), @r#"
    RUN_STARTED
    TEXT_MESSAGE_START
    TEXT_MESSAGE_END
    RUN_FINISHED {"type":"interrupt","interrupts":[{"id":"interrupt-call-r1-1","reason":"tool_approval","message":"I need a yes or a no: may I charge your card?","toolCallId":"call-r1-1","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}]}
    "#);
    let mut fields = full_cart();
    fields["messages"] = json!([
        {"id": "u1", "role": "user", "content": "pay"},
        {"id": "a1", "role": "assistant", "toolCalls": [{"id": "call-r1-1", "type": "function", "function": {
            "name": "charge_card", "arguments": "{}"}}]},
        {"id": "u2", "role": "user", "content": "Hello!"},
    ]);
    assert_snapshot!(kinds(&show(&HEALTHY.reply(&input(fields)))), @r#"
    RUN_STARTED
    TEXT_MESSAGE_START
    TEXT_MESSAGE_END
    RUN_FINISHED {"type":"interrupt","interrupts":[{"id":"interrupt-call-r1-1","reason":"tool_approval","message":"Please tell me first whether I may charge your card.","toolCallId":"call-r1-1","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}]}
    "#);
}

#[test]
fn answers_to_what_was_never_asked_are_ignored() {
    let known = json!({"interruptId": "interrupt-call-r1-1", "status": "resolved", "payload": {"approved": true}});
    let mut fields = full_cart();
    fields["runId"] = json!("r2");
    fields["resume"] = json!([{"interruptId": "other", "status": "cancelled"}, known]);
    fields["messages"] = json!([
        {"id": "u1", "role": "user", "content": "pay"},
        {"id": "a1", "role": "assistant", "toolCalls": [{"id": "call-r1-1", "type": "function", "function": {
            "name": "charge_card", "arguments": "{}"}}]},
    ]);
    let shown = show(&HEALTHY.reply(&input(fields)));
    assert_eq!(shown, answer(HEALTHY, known));
}
