//! Conversations with the shop, as the text that a client gets; and the example project.

use std::collections::BTreeSet;
use std::path::Path;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{EXAMPLE_FILES, Shop, ShopBehavior};
use crate::agent::Agent as _;
use crate::engine::tests::{input, show};

pub(super) const HEALTHY: Shop = Shop {
    behavior: ShopBehavior::Healthy,
};
const FORGETFUL: Shop = Shop {
    behavior: ShopBehavior::Forgetful,
};

pub(super) fn ask(shop: Shop, said: &str, fields: Value) -> String {
    let mut fields = fields;
    fields["messages"] = json!([{"id": "u1", "role": "user", "content": said}]);
    show(&shop.reply(&input(fields)))
}

/// Shows only what the assistant says.
pub(super) fn words(said: &str, fields: Value) -> String {
    spoken(&ask(HEALTHY, said, fields))
}

pub(super) fn spoken(shown: &str) -> String {
    let events = shown.lines().filter_map(|line| line.strip_prefix("data: "));
    let deltas = events.filter_map(|event| {
        let event: Value = serde_json::from_str(event).unwrap();
        (event["type"] == "TEXT_MESSAGE_CONTENT")
            .then(|| event["delta"].as_str().unwrap().to_owned())
    });
    deltas.collect()
}

pub(super) fn full_cart() -> Value {
    json!({"state": {"cart": [{"product_id": "mug-blue", "quantity": 2}]}})
}

#[test]
fn search() {
    assert_snapshot!(ask(HEALTHY, "Find me some blue mugs!", json!({})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"REASONING_START","messageId":"span-r1-1"}
    data: {"type":"REASONING_MESSAGE_START","messageId":"thought-r1-2","role":"reasoning"}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"The "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"customer "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"looks "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"for "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"\"blue "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"mugs\"."}
    data: {"type":"REASONING_MESSAGE_END","messageId":"thought-r1-2"}
    data: {"type":"REASONING_END","messageId":"span-r1-1"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-3","toolCallName":"search_products"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-3","delta":"{\"query\":\"blue mugs\"}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-3"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-4","toolCallId":"call-r1-3","content":"[{\"id\":\"mug-blue\",\"name\":\"blue mug\",\"price_cents\":1200}]","role":"tool"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-5","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"I "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"found: "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"blue "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"mug "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"for "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"$12.00."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-5"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn searches_that_find_more_or_nothing() {
    assert_snapshot!(words("search for mugs", json!({})), @"I found: blue mug for $12.00, red mug for $12.50.");
    assert_snapshot!(words("Please find a piano.", json!({})), @r#"I found nothing for "piano"."#);
    assert_snapshot!(words("find a", json!({})), @"I found: blue mug for $12.00, red mug for $12.50, teapot for $35.00, green tea for $6.00.");
}

#[test]
fn add_to_cart() {
    assert_snapshot!(ask(HEALTHY, "Add two blue mugs to my cart", json!({})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"add_to_cart"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{\"product_id\":\"mug-blue\",\"quantity\":2}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-2","toolCallId":"call-r1-1","content":"{\"ok\":true}","role":"tool"}
    data: {"type":"STATE_SNAPSHOT","snapshot":{"cart":[{"product_id":"mug-blue","quantity":2}]}}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-3","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"I "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"added "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"2 "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"× "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"blue "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"mug. "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"Your "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"cart "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"holds "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"2 "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"× "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"blue "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"mug."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-3"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn the_cart_comes_from_the_state() {
    assert_snapshot!(words("Add a teapot to the cart", full_cart()), @"I added 1 × teapot. Your cart holds 2 × blue mug, 1 × teapot.");
    assert_snapshot!(words("What is in my cart?", full_cart()), @"Your cart holds 2 × blue mug, together $24.00.");
    assert_snapshot!(words("add a piano to my cart", full_cart()), @"We do not sell that.");
}

#[test]
fn the_cart_comes_from_the_history_without_state() {
    let shown = show(&HEALTHY.reply(&input(json!({"messages": [
        {"id": "u1", "role": "user", "content": "add 3 green tea to my cart"},
        {"id": "a1", "role": "assistant", "toolCalls": [{"id": "c1", "type": "function", "function": {
            "name": "add_to_cart", "arguments": "{\"product_id\":\"tea-green\",\"quantity\":3}"}}]},
        {"id": "t1", "role": "tool", "toolCallId": "c1", "content": "{}"},
        {"id": "a2", "role": "assistant", "content": "done"},
    ]}))));
    assert_snapshot!(spoken(&shown), @"Welcome back! Your cart holds 3 × green tea.");
}

#[test]
fn checkout() {
    assert_snapshot!(ask(HEALTHY, "I want to checkout", full_cart()), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"STEP_STARTED","stepName":"checkout"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"validate_cart"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{\"cart\":[{\"product_id\":\"mug-blue\",\"quantity\":2}]}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-2","toolCallId":"call-r1-1","content":"{\"valid\":true,\"subtotal_cents\":2400}","role":"tool"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-3","toolCallName":"get_shipping_options"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-3","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-3"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-4","toolCallId":"call-r1-3","content":"[{\"id\":\"standard\",\"price_cents\":400,\"days\":3},{\"id\":\"express\",\"price_cents\":900,\"days\":1}]","role":"tool"}
    data: {"type":"STEP_FINISHED","stepName":"checkout"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-5","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"You "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"can "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"choose "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"standard "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"shipping "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"for "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"$4.00 "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"or "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"express "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"shipping "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"for "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-5","delta":"$9.00."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-5"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
    assert_snapshot!(words("checkout", json!({})), @"Your cart is empty.");
}

#[test]
fn shipping() {
    assert_snapshot!(ask(HEALTHY, "Use the first shipping option", full_cart()), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"calculate_total"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{\"shipping\":\"standard\"}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-2","toolCallId":"call-r1-1","content":"{\"subtotal_cents\":2400,\"shipping_cents\":400,\"total_cents\":2800}","role":"tool"}
    data: {"type":"STATE_DELTA","delta":[{"op":"add","path":"/shipping","value":"standard"},{"op":"add","path":"/total_cents","value":2800}]}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-3","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"With "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"standard "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"shipping "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"the "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"total "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"is "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"$28.00."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-3"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
    assert_snapshot!(words("the second shipping option", full_cart()), @"With express shipping the total is $33.00.");
}

#[test]
fn payment_waits_for_approval() {
    assert_snapshot!(ask(HEALTHY, "Confirm and pay", full_cart()), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"charge_card"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{\"amount_cents\":2800,\"currency\":\"USD\"}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"interrupt-call-r1-1","reason":"tool_approval","message":"Charge $28.00 to your card?","toolCallId":"call-r1-1","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}]}}
    "#);
    assert_snapshot!(words("pay", json!({})), @"Your cart is empty, so there is nothing to pay.");
}

pub(super) fn answer(shop: Shop, entry: Value) -> String {
    let mut fields = full_cart();
    fields["runId"] = json!("r2");
    fields["resume"] = json!([entry]);
    fields["messages"] = json!([
        {"id": "u1", "role": "user", "content": "pay"},
        {"id": "a1", "role": "assistant", "toolCalls": [{"id": "call-r1-1", "type": "function", "function": {
            "name": "charge_card", "arguments": "{}"}}]},
    ]);
    show(&shop.reply(&input(fields)))
}

#[test]
fn approval_charges_the_card() {
    let entry = json!({"interruptId": "interrupt-call-r1-1", "status": "resolved", "payload": {"approved": true}});
    assert_snapshot!(answer(HEALTHY, entry), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r2-1","toolCallId":"call-r1-1","content":"{\"status\":\"charged\",\"amount_cents\":2800,\"order_id\":\"order-1001\"}","role":"tool"}
    data: {"type":"STATE_SNAPSHOT","snapshot":{"cart":[],"order_id":"order-1001"}}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r2-2","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"Paid "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"$28.00. "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"Your "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"order "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"is "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"order-1001."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r2-2"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2","outcome":{"type":"success"}}
    "#);
}

#[test]
fn anything_else_does_not() {
    let entry = json!({"interruptId": "interrupt-call-r1-1", "status": "resolved", "payload": {"approved": false}});
    let declined = answer(HEALTHY, entry);
    assert_snapshot!(declined, @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r2-1","toolCallId":"call-r1-1","content":"{\"status\":\"not charged\",\"reason\":\"declined by the customer\"}","role":"tool"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r2-2","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"The "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"order "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"was "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"not "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"placed, "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"and "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"nothing "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"was "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-2","delta":"charged."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r2-2"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2","outcome":{"type":"success"}}
    "#);
    let entry = json!({"interruptId": "interrupt-call-r1-1", "status": "cancelled"});
    assert_eq!(answer(HEALTHY, entry), declined);
}

#[test]
fn a_client_without_history_can_approve() {
    let mut fields = full_cart();
    fields["resume"] = json!([{"interruptId": "interrupt-call-r1-1", "status": "resolved", "payload": {"approved": true}}]);
    fields["messages"] = json!([]);
    assert!(show(&HEALTHY.reply(&input(fields))).contains(r#""toolCallId":"call-r1-1""#));
}

#[test]
fn a_tool_that_fails_has_a_result() {
    let shown = ask(HEALTHY, "Look into the locked warehouse", json!({}));
    let mut lines = shown.lines();
    let result = lines.find(|line| line.contains("TOOL_CALL_RESULT"));
    assert_snapshot!(result.unwrap(), @r#"data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-2","toolCallId":"call-r1-1","content":"{\"error\":\"the warehouse is locked\"}","role":"tool"}"#);
    assert_snapshot!(spoken(&shown), @"I could not look: the warehouse is locked.");
}

#[test]
fn broken_gateway() {
    assert_snapshot!(ask(HEALTHY, "Use the broken gateway", json!({})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-1","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"Let "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"me "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"call "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"the "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"payment "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"gateway."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-1"}
    data: {"type":"RUN_ERROR","message":"payment gateway unreachable","code":"GATEWAY_DOWN"}
    "#);
}

#[test]
fn slow_reply() {
    assert_snapshot!(ask(HEALTHY, "Please think slowly", json!({})), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"REASONING_START","messageId":"span-r1-1"}
    data: {"type":"REASONING_MESSAGE_START","messageId":"thought-r1-2","role":"reasoning"}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"The "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"customer "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"is "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"patient, "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"so "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"there "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"is "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"no "}
    data: {"type":"REASONING_MESSAGE_CONTENT","messageId":"thought-r1-2","delta":"hurry."}
    data: {"type":"REASONING_MESSAGE_END","messageId":"thought-r1-2"}
    data: {"type":"REASONING_END","messageId":"span-r1-1"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-3","role":"assistant"}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"Good "}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"things "}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"take "}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"their "}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"time"}
    (50ms later)
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-3"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
}

#[test]
fn small_talk() {
    assert_snapshot!(words("Hello!", json!({})), @"Hello! I can search our products, fill your cart and check out.");
    assert_snapshot!(words("Sing a song", json!({})), @"I did not understand that.");
}

#[test]
fn the_forgetful_shop_skips_validation_and_charges_twice() {
    assert_snapshot!(ask(FORGETFUL, "checkout", full_cart()), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r1-1","toolCallName":"get_shipping_options"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r1-1","delta":"{}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r1-1"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r1-2","toolCallId":"call-r1-1","content":"[{\"id\":\"standard\",\"price_cents\":400,\"days\":3},{\"id\":\"express\",\"price_cents\":900,\"days\":1}]","role":"tool"}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-3","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"You "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"can "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"choose "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"standard "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"shipping "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"for "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"$4.00 "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"or "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"express "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"shipping "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"for "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-3","delta":"$9.00."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-3"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success"}}
    "#);
    let entry = json!({"interruptId": "interrupt-call-r1-1", "status": "resolved", "payload": {"approved": true}});
    assert_snapshot!(answer(FORGETFUL, entry), @r#"
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.0"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r2-1","toolCallId":"call-r1-1","content":"{\"status\":\"charged\",\"amount_cents\":2800,\"order_id\":\"order-1001\"}","role":"tool"}
    data: {"type":"TOOL_CALL_START","toolCallId":"call-r2-2","toolCallName":"charge_card"}
    data: {"type":"TOOL_CALL_ARGS","toolCallId":"call-r2-2","delta":"{\"amount_cents\":2800,\"currency\":\"USD\"}"}
    data: {"type":"TOOL_CALL_END","toolCallId":"call-r2-2"}
    data: {"type":"TOOL_CALL_RESULT","messageId":"result-r2-3","toolCallId":"call-r2-2","content":"{\"status\":\"charged\",\"amount_cents\":2800,\"order_id\":\"order-1001\"}","role":"tool"}
    data: {"type":"STATE_SNAPSHOT","snapshot":{"cart":[],"order_id":"order-1001"}}
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r2-4","role":"assistant"}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-4","delta":"Paid "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-4","delta":"$28.00. "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-4","delta":"Your "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-4","delta":"order "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-4","delta":"is "}
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r2-4","delta":"order-1001."}
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r2-4"}
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2","outcome":{"type":"success"}}
    "#);
}

#[test]
fn hostile_state_is_harmless() {
    let huge = json!({"state": {"cart": [
        {"product_id": "teapot", "quantity": u64::MAX}, {"product_id": "teapot", "quantity": u64::MAX}, 7, null,
        {"product_id": "nothing", "quantity": 1}, {"product_id": "mug-blue", "quantity": -1},
    ]}});
    assert_snapshot!(words("What is in my cart?", huge), @"Your cart holds 1000 × teapot, together $35000.00.");
}

#[test]
fn every_example_file_is_embedded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shop");
    let mut on_disk = BTreeSet::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path
                    .strip_prefix(&root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .replace('\\', "/");
                on_disk.insert(below);
            }
        }
    }
    let embedded: BTreeSet<String> = EXAMPLE_FILES
        .iter()
        .map(|(path, _)| (*path).to_owned())
        .collect();
    assert_eq!(on_disk, embedded);
}
