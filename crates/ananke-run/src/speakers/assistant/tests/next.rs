//! What the hook `Next` makes of a turn.

use insta::assert_snapshot;
use serde_json::json;

use super::{App, finds, says};
use crate::speakers::tests::respond;

const FIND: &str = "function Find(args) { return { id: args.id, status: 'paid' }; }";

#[tokio::test]
async fn the_small_app_answers_with_what_its_tool_found() {
    let hooks = r#"
function Create(ctx: agent.Context, messages: agent.Message[]): agent.Create { return null; }
function Next(ctx: agent.Context, payload: agent.NextHookPayload) { return payload.tools?.length ? { data: payload.tools[0].result } : null; }
"#;
    let answers = [finds(&json!({"id": "7"})), says("Anything else?")];
    let app = App::with_tool(&answers, FIND, &[]).hooks(hooks);
    app.project.test(
        "a",
        "turns: [{user: Where is order 7?}, {user: Thanks}]\nassert: {tools: {require: [{name: find}]}, text: {must_match: 'paid'}}\n",
    );
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 2 turns, 2 checks
    says "{\"id\":\"7\",\"status\":\"paid\"}"
    find({"id":"7"}) = {"id":"7","status":"paid"}
    says "Anything else?"
    "#);
    // With hooks nothing goes back to the model in the same turn; the next one knows all of it.
    assert_snapshot!(app.sent(1), @r#"
    system: "Refunds for test-team, ."
    user: "Where is order 7?"
    assistant: null (calls)
    tool: "{\"id\":\"7\",\"status\":\"paid\"}"
    assistant: "{\"id\":\"7\",\"status\":\"paid\"}"
    user: "Thanks"
    "#);
}

#[tokio::test]
async fn next_sees_what_was_said_and_done() {
    let hooks = "function Next(ctx, payload) { return { data: payload }; }";
    let answers = [finds(&json!({"id": "7"}))];
    let app = App::with_tool(&answers, FIND, &[]).hooks(hooks);
    let text = app.run().await[0].turns[0].turn.text.clone();
    assert_snapshot!(text, @r#"{"messages":[{"role":"user","content":"Where is order 7?"}],"completion":{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"agents_shop_refund_orders__find","arguments":"{\"id\":\"7\"}"}}],"usage":{"total_tokens":7}},"tools":[{"toolcall_id":"c1","server":"agents.shop.refund.orders","tool":"find","arguments":{"id":"7"},"result":{"id":"7","status":"paid"}}]}"#);
}

#[tokio::test]
async fn next_can_hand_on() {
    let app = App::new(
        &[says("I do not know"), says("From the desk")],
        &[
            (
                "assistants/desk/package.yao",
                r#"{"name": "Desk", "connector": "openai.big"}"#,
            ),
            (
                "assistants/desk/prompts.yml",
                "- {role: system, content: You are the desk.}\n",
            ),
        ],
    );
    let app = app.hooks("function Next(ctx, { completion }) { return { delegate: { agent_id: 'desk', messages: [{role: 'user', content: completion.content}] } }; }");
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "From the desk"
    "#);
    assert_snapshot!(app.sent(1), @r#"
    system: "You are the desk."
    user: "I do not know"
    "#);
    let turn = &app.run().await[0].turns[0].turn;
    assert_eq!(turn.requests.len(), 2);
}

#[tokio::test]
async fn next_may_keep_what_was_said_or_fail() {
    let next = async |returns: &str| {
        let app = App::new(&[says("Hi")], &[]);
        let app = app.hooks(&format!("function Next(ctx, payload) {{ {returns} }}"));
        app.shown().await
    };
    assert_snapshot!(next("").await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Hi"
    "#);
    assert_snapshot!(next("return {};").await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Hi"
    "#);
    assert_snapshot!(next("return { data: 'Instead' };").await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Instead"
    "#);
    assert_snapshot!(next("return { date: 1 };").await, @r#"
    the a test: PASSED · 1 turns, 1 checks
        `Next` returned `date`, which nobody reads: did you mean `data`?
    says "Hi"
    "#);
    assert_snapshot!(next("return 'Hi';").await, @r#"
    the a test: ERROR turn 1: the hook `Next` of assistants/shop/refund/src/index.ts failed: it returned a text, expected null or an object with `data` or `delegate` · 1 turns, 0 checks
    says "Hi"
    "#);
    assert_snapshot!(next("return payload.none.x;").await, @r#"
    the a test: ERROR turn 1: the hook `Next` of assistants/shop/refund/src/index.ts failed: TypeError: cannot read property 'x' of undefined (assistants/shop/refund/src/index.ts:1:38) · 1 turns, 0 checks
    says "Hi"
    "#);
}

#[tokio::test]
async fn next_hears_of_a_model_that_failed() {
    let refused = respond(
        "400 Bad Request",
        "application/json",
        "{\"error\": {\"message\": \"too long\"}}",
    );
    let app = App::new(&[refused], &[]);
    let app = app.hooks("function Next(ctx, { error }) { return { data: `Sorry: ${error}` }; }");
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
        the model failed, and the hook `Next` answered: HTTP 400 Bad Request: too long
    says "Sorry: HTTP 400 Bad Request: too long"
    "#);
    let app = app.hooks("function Next() { return null; }");
    assert_snapshot!(app.shown().await, @r#"
    the a test: ERROR turn 1: HTTP 400 Bad Request: too long · 1 turns, 0 checks
    says ""
    "#);
}

#[tokio::test]
async fn hooks_can_do_without_a_model() {
    let app = App::new(&[says("never")], &[]);
    std::fs::remove_file(app.project.path("assistants/shop/refund/prompts.yml")).unwrap();
    let app = app.hooks("function Next(ctx, payload) { return { data: `${payload.messages.length} ${payload.completion}` }; }");
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "1 null"
    "#);
    assert!(app.peer.bodies().is_empty());
    let silent = app.hooks("function Next() {}");
    assert_snapshot!(silent.shown().await, @r#"
    the a test: FAILED [text.must_match /./] · 1 turns, 1 checks
        nobody answered: the assistant has neither prompts nor tools, and no hook said anything
    says ""
    "#);
}

#[tokio::test]
async fn without_next_it_is_said_that_nobody_reads_what_tools_answer() {
    let app = App::with_tool(&[finds(&json!({"id": "7"}))], FIND, &[]);
    let app = app.hooks("function Create() {}");
    assert_snapshot!(app.shown().await, @r#"
    the a test: FAILED [text.must_match /./] · 1 turns, 1 checks
        what tools answer goes to the hook `Next`, which assistants/shop/refund/src/index.ts does not have, and not back to the model
    says ""
    find({"id":"7"}) = {"id":"7","status":"paid"}
    "#);
}
