//! Tools that scripts answer.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use super::{App, FOLDER, finds, says};

const FIND: &str = r#"
export function Find(args: { id: string }, ctx: any) {
  return { id: args.id, status: "paid", for: ctx.assistant_id };
}
"#;

#[tokio::test]
async fn what_a_tool_answers_goes_back_to_the_model() {
    let answers = [finds(&json!({"id": "7"})), says("It is paid.")];
    let app = App::with_tool(&answers, FIND, &[]);
    app.project.test(
        "a",
        "turns: [{user: Where is order 7?}]\nassert: {tools: {require: [{name: find, args_match: {id: '7'}}]}, text: {must_match: 'paid'}}\n",
    );
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 2 checks
    says "It is paid."
    find({"id":"7"}) = {"id":"7","status":"paid","for":"shop.refund"}
    "#);
    assert_snapshot!(app.sent(1), @r#"
    system: "Refunds for test-team, ."
    user: "Where is order 7?"
    assistant: null (calls)
    tool: "{\"id\":\"7\",\"status\":\"paid\",\"for\":\"shop.refund\"}"
    "#);
    let body = &app.peer.bodies()[0];
    assert_snapshot!(body["tools"], @r#"[{"type":"function","function":{"name":"agents_shop_refund_orders__find","description":"Find an order","parameters":{"type":"object","description":"Find an order","properties":{"id":{"type":"string"}},"required":["id"]}}}]"#);
}

#[tokio::test]
async fn samples_follow_the_prompts() {
    let samples =
        "{\"name\": \"one\", \"input\": {\"id\": \"1\"}, \"output\": {\"status\": \"new ${x}\"}}\n";
    let path = format!("{FOLDER}/mcps/mapping/orders/schemes/find.jsonl");
    let app = App::with_tool(&[says("Hi")], FIND, &[(&path, samples)]);
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Hi"
    "#);
    assert_snapshot!(app.sent(0), @r#"
    system: "Refunds for test-team, ."
    system: "Examples of how the tools are called:\n\nagents_shop_refund_orders__find:\n- one\n  input: {\"id\":\"1\"}\n  output: {\"status\":\"new ${x}\"}"
    user: "Where is order 7?"
    "#);
}

#[tokio::test]
async fn wrong_arguments_and_errors_are_told_to_the_model() {
    let answers = [
        finds(&json!({"id": 7})),
        finds(&json!({"id": "0"})),
        says("Sorry"),
    ];
    let script =
        "export async function Find(args) {\n  throw new Error(`no order ${args.id}`);\n}\n";
    let app = App::with_tool(&answers, script, &[]);
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Sorry"
    find({"id":7}) fails: Some("the arguments of `find` are wrong: `id` is a number, expected a text")
    find({"id":"0"}) fails: Some("no order 0 (assistants/shop/refund/src/orders.ts:2:9)")
    "#);
    assert_snapshot!(app.sent(2), @r#"
    system: "Refunds for test-team, ."
    user: "Where is order 7?"
    assistant: null (calls)
    tool: "the arguments of `find` are wrong: `id` is a number, expected a text"
    assistant: null (calls)
    tool: "no order 0 (assistants/shop/refund/src/orders.ts:2:9)"
    "#);
}

#[tokio::test]
async fn a_model_that_does_not_stop_calling_is_stopped() {
    let app = App::with_tool(&[finds(&json!({"id": "7"}))], FIND, &[]);
    assert_snapshot!(app.shown().await, @r#"
    the a test: ERROR turn 1: the model went on calling tools after their answers had gone back to it 2 times (max_turn) · 1 turns, 0 checks
    says ""
    find({"id":"7"}) = {"id":"7","status":"paid","for":"shop.refund"}
    find({"id":"7"}) = {"id":"7","status":"paid","for":"shop.refund"}
    find({"id":"7"}) fails: None
    "#);
    assert_eq!(app.peer.bodies().len(), 3);
}

#[tokio::test]
async fn an_endless_tool_ends_with_the_turn() {
    let config = format!("target: {{type: assistant, folder: {FOLDER}, timeout_ms: 300}}\n");
    let script = "function Find() { for (;;) {} }";
    let mut app = App::with_tool(&[finds(&json!({"id": "7"}))], script, &[]);
    app.write("ananke.config.yaml", &format!("version: 1\n{config}"));
    app.options.test_timeout = Duration::from_secs(20);
    assert_snapshot!(app.shown().await, @r#"
    the a test: TIMEOUT turn 1: timeout after 300ms (timeout_ms): the tool `find` had not returned · 1 turns, 0 checks
    says ""
    find({"id":"7"}) fails: None
    "#);
}

#[tokio::test]
async fn tools_can_be_called_with_single_arguments() {
    let schema = r#"{"type": "object", "x-process-args": ["$args.order.id", "always", ":arguments", "$order.none"]}"#;
    let path = format!("{FOLDER}/mcps/mapping/orders/schemes/find.in.yao");
    let script =
        "function Find(id, word, all, none, ctx) { return [id, word, all, none, typeof ctx]; }";
    let answers = [finds(&json!({"order": {"id": "7"}})), says("Fine")];
    let app = App::with_tool(&answers, script, &[(&path, schema)]);
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Fine"
    find({"order":{"id":"7"}}) = ["7","always",{"order":{"id":"7"}},null,"object"]
    "#);
}
