//! What the hook `Create` can change.

use insta::assert_snapshot;
use serde_json::json;

use super::{App, FOLDER, finds, says};

async fn created(returns: &str) -> (App, String) {
    let app = App::with_tool(
        &[says("Hi")],
        "function Find() { return 1; }",
        &[
            (
                "agent/prompts.yml",
                "- {role: system, content: Be brief.}\n",
            ),
            (
                &format!("{FOLDER}/prompts/short.yml"),
                "- {role: system, content: 'Short, $CTX.LOCALE, $CTX.tier, $CTX.THEME.'}\n",
            ),
        ],
    );
    let app = app.hooks(&format!(
        "function Create(ctx, messages, options) {{ {returns} }}"
    ));
    let shown = app.shown().await;
    (app, shown)
}

#[tokio::test]
async fn nothing_changes_nothing() {
    let (app, shown) = created("return null;").await;
    assert_snapshot!(shown, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Hi"
    "#);
    assert_snapshot!(app.sent(0), @r#"
    system: "Be brief."
    system: "Refunds for test-team, ."
    user: "Where is order 7?"
    "#);
}

#[tokio::test]
async fn messages_prompts_and_options_are_changed() {
    let (app, shown) = created(
        r#"return { messages: [...messages, {role: "user", content: "Be quick, " + ctx.assistant_id}], temperature: 0.5,
             max_tokens: 9, prompt_preset: "short", disable_global_prompts: true, connector: "openai.big", locale: "de",
             theme: "dark", metadata: {tier: "gold"}, mcp_servers: [] };"#,
    )
    .await;
    assert_snapshot!(shown, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "Hi"
    "#);
    assert_snapshot!(app.sent(0), @r#"
    system: "Short, de, gold, dark."
    user: "Where is order 7?"
    user: "Be quick, shop.refund"
    "#);
    let mut body = app.peer.bodies()[0].clone();
    body["messages"].take();
    assert_snapshot!(body, @r#"{"model":"m2","messages":null,"stream":true,"stream_options":{"include_usage":true},"temperature":0.5,"max_completion_tokens":9}"#);
}

#[tokio::test]
async fn the_next_turn_knows_what_was_really_said() {
    let app = App::new(&[says("Hi"), says("Bye")], &[]);
    app.project.test(
        "a",
        "turns: [{user: One}, {user: Two}]\nassert: {text: {must_match: '.'}}\n",
    );
    let app = app.hooks("function Create(ctx, messages) { return { messages: [{role: 'user', content: `n=${messages.length}`}] }; }");
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 2 turns, 1 checks
    says "Hi"
    says "Bye"
    "#);
    assert_snapshot!(app.sent(1), @r#"
    system: "Refunds for test-team, ."
    user: "n=3"
    "#);
}

#[tokio::test]
async fn a_delegate_answers_in_the_place_of_the_model() {
    let app = App::new(
        &[says("From the desk")],
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
    let app = app.hooks(
        "function Create(ctx, messages) { return { delegate: { agent_id: 'desk', messages: [...messages, {role: 'user', content: 'x'}] } }; }\nfunction Next() { return { data: 'never' }; }",
    );
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "From the desk"
    "#);
    assert_snapshot!(app.sent(0), @r#"
    system: "You are the desk."
    user: "Where is order 7?"
    user: "x"
    "#);
    assert_eq!(app.peer.bodies().len(), 1);
    let wrong = app.hooks("function Create() { return { delegate: { agent_id: 'dsek' } }; }");
    assert_snapshot!(wrong.shown().await, @r#"
    the a test: ERROR turn 1: `delegate`: there is no agent `dsek`: did you mean `desk`? · 1 turns, 0 checks
    says ""
    "#);
    let itself =
        wrong.hooks("function Create() { return { delegate: { agent_id: 'shop.refund' } }; }");
    assert_snapshot!(itself.shown().await, @r#"
    the a test: ERROR turn 1: `delegate`: the turn was handed on 8 times, at last to `shop.refund` · 1 turns, 0 checks
    says ""
    "#);
}

#[tokio::test]
async fn what_cannot_be_meant_fails_the_turn() {
    assert_snapshot!(created("return 5").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: it returned a number, expected an object or null · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { temperature: 'hot' };").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: `temperature` is a text, expected a number · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { messages: [{content: 'x'}] };").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: `messages/0` is an object, expected a message with `role` · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { connector: 'openai.bgi' };").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: `connector`: there is no connector `openai.bgi`: did you mean `openai.big`? · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { prompt_preset: 'shrot' };").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: `prompt_preset`: the assistant has no preset `shrot`: did you mean `short`? · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { mcp_servers: ['agents.shop.refund.order'] };").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: `mcp_servers`: the assistant uses no server `agents.shop.refund.order`: did you mean `agents.shop.refund.orders`? · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { delegate: {} };").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: `delegate.agent_id` is missing, expected the id of an agent · 1 turns, 0 checks
    says ""
    "#);
    assert_snapshot!(created("return { temprature: 1, search: true };").await.1, @r#"
    the a test: PASSED · 1 turns, 1 checks
        `Create` returned `temprature`, which nobody reads: did you mean `temperature`?
        `search` of what `Create` returned has no effect in tests
    says "Hi"
    "#);
    assert_snapshot!(created("\n  console.log('looking', 7); throw new TypeError('no shop');\n").await.1, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: TypeError: no shop (assistants/shop/refund/src/index.ts:2:36) · 1 turns, 0 checks
        log: looking 7
    says ""
    "#);
}

#[tokio::test]
async fn an_endless_hook_ends_with_the_turn() {
    let app = App::new(&[says("Hi")], &[])
        .hooks("async function Create() { await new Promise(() => {}); }");
    let config =
        format!("version: 1\ntarget: {{type: assistant, folder: {FOLDER}, timeout_ms: 200}}\n");
    app.write("ananke.config.yaml", &config);
    assert_snapshot!(app.shown().await, @r#"
    the a test: ERROR turn 1: the hook `Create` of assistants/shop/refund/src/index.ts failed: the promise that it returned never settles: nothing is left that could settle it · 1 turns, 0 checks
    says ""
    "#);
    let looping = app.hooks("function Create() { for (;;) {} }");
    assert_snapshot!(looping.shown().await, @r#"
    the a test: TIMEOUT turn 1: timeout after 200ms (timeout_ms): the hook `Create` had not returned · 1 turns, 0 checks
    says ""
    "#);
    assert!(looping.peer.bodies().is_empty());
}

#[tokio::test]
async fn tools_can_be_narrowed() {
    let (app, _) = created(
        "return { mcp_servers: [{server_id: 'agents.shop.refund.orders', tools: ['find']}] };",
    )
    .await;
    assert_eq!(
        app.peer.bodies()[0]["tools"].as_array().map(Vec::len),
        Some(1)
    );
    let (app, _) = created("return { mcp_servers: [] };").await;
    assert_eq!(app.peer.bodies()[0].get("tools"), None);
    // A tool that was not offered is not run.
    let app = App::with_tool(
        &[finds(&json!({"id": "7"}))],
        "function Find() { return 1; }",
        &[],
    );
    let app = app.hooks("function Create() { return { mcp_servers: [] }; }");
    assert_snapshot!(app.shown().await, @r#"
    the a test: FAILED [text.must_match /./] · 1 turns, 1 checks
        what tools answer goes to the hook `Next`, which assistants/shop/refund/src/index.ts does not have, and not back to the model
    says ""
    agents_shop_refund_orders__find({"id":"7"}) fails: Some("there is no tool `agents_shop_refund_orders__find`")
    "#);
}
