//! The same test over AG-UI, A2A and MCP: against the example agent, and against what was recorded of it.

use ananke_testkit::{Running, TestContext};
use insta::assert_snapshot;

use super::{serve, verdicts};
use crate::ANANKE;

const CHECKOUT: &str = r#"version: "1.0"
name: checkout
turns:
  - user: Find me a teapot
    assert:
      tools: {require: [{name: search_products, args_match: {query: "^teapot$"}, result_match: '"id":"teapot"'}]}
      text: {must_match: "\\$35\\.00"}
  - user: Add a teapot to my cart
    assert:
      tools: {require: [{name: add_to_cart, args_match: {product_id: teapot, quantity: 1}, result_match: '"ok":true'}]}
  - user: I want to checkout
    assert:
      tools:
        require:
          - {name: validate_cart, result_match: '"valid":true'}
          - {name: get_shipping_options, after: validate_cart}
  - user: Use the first shipping option
    assert:
      tools:
        require: [{name: calculate_total, args_match: {shipping: standard}, result_match: '"total_cents":3900'}]
      text: {must_match: "\\$39\\.00"}
assert:
  tools: {forbid: [charge_card]}
  timing: {max_duration_ms: 5000}
"#;

/// Every way in which the agent can be spoken to.
const CONFIG: &str = r#"version: "1.2"
targets:
  agui: {type: agui, endpoint: "${URL}"}
  a2a: {type: a2a, agentCardUrl: "${URL}"}
  old: {type: a2a, agentCardUrl: "${URL}", protocolVersion: "0.3"}
  whole: {type: a2a, agentCardUrl: "${URL}", stream: false}
  polled: {type: a2a, agentCardUrl: "${URL}", stream: false, blocking: false, poll_ms: 10}
  rest: {type: a2a, agentCardUrl: "${URL}", binding: HTTP+JSON}
  mcp:
    type: mcp
    endpoint: "${URL}mcp"
    protocolVersion: "2025-11-25"
    userTool: {name: ask, argument: question, toolCalls: structuredContent.toolCalls}
  modern:
    type: mcp
    endpoint: "${URL}mcp"
    userTool: {name: ask, argument: question, conversation: conversation, toolCalls: structuredContent.toolCalls}
"#;

const TARGETS: [&str; 8] = [
    "agui", "a2a", "old", "whole", "polled", "rest", "mcp", "modern",
];

/// Starts the example agent.
fn shop(cx: &TestContext) -> (Running, String) {
    let mut running = cx.command(&["demo", "--serve"]).start();
    running.wait_for(|stdout, stderr| stdout.ends_with("/\n") && stderr.contains("MCP:   http"));
    let said = running.stdout_so_far();
    let url = said
        .trim()
        .trim_start_matches("The example agent answers at ");
    let url = url.to_owned();
    (running, url)
}

#[test]
fn one_test_passes_on_every_face_and_on_what_was_recorded_there() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", CONFIG);
    cx.write("checkout.test.yaml", CHECKOUT);
    let (_shop, url) = shop(&cx);
    for target in TARGETS {
        let live = verdicts(
            &cx,
            &["run", "--target", target, "--var", &format!("URL={url}")],
        );
        assert_eq!(
            live, "exit code: 0\n✓ [checkout.test.yaml] checkout ([TIME])\n",
            "{target}"
        );
        let (_recorded, again) = serve(&cx, &["latest", "--instant"]);
        let again = verdicts(
            &cx,
            &["run", "--target", target, "--var", &format!("URL={again}")],
        );
        assert_eq!(live, again, "{target}");
    }
}

#[test]
fn the_example_agent_is_a_program_too() {
    let cx = TestContext::new(ANANKE);
    let user_tool = "{name: ask, argument: question, toolCalls: structuredContent.toolCalls}";
    cx.write("ananke.config.yaml", &format!("version: '1.2'\ntarget:\n  type: mcp\n  command: ['{ANANKE}', demo, --serve, --stdio]\n  elicitation: [{{when: Charge, action: accept, content: {{approved: true}}}}]\n  userTool: {user_tool}\n"));
    cx.write("a.test.yaml", CHECKOUT);
    cx.write("b.test.yaml", "version: '1.2'\nname: pays\nturns:\n  - user: Add a teapot to my cart\n  - user: Confirm and pay\n    assert:\n      tools: {require: [{name: charge_card, count: {exact: 1}, result_match: '\"status\":\"charged\"'}]}\n      text: {must_match: order-1001}\n  - {type: mcp:call, tool: view_cart, assert: {text: {must_match: 'cart'}}}\n");
    assert_snapshot!(verdicts(&cx, &["run"]), @"
    exit code: 0
    ✓ [a.test.yaml] checkout ([TIME])
    ✓ [b.test.yaml] pays ([TIME])
    ");
}

#[test]
fn a_script_is_a_program_too() {
    let cx = TestContext::new(ANANKE);
    cx.write("agent.script.yaml", "version: 1\nrules: [{when: {turn: 2}, reply: [{text: Again}]}, {when: {user_contains: crash}, reply: [reset]}]\nfallback: [{text: Hello}]\n");
    cx.write("ananke.config.yaml", &format!("version: '1.2'\ntarget: {{type: mcp, command: ['{ANANKE}', serve, agent.script.yaml, --stdio], userTool: {{name: ask, argument: question}}}}\n"));
    cx.write("a.test.yaml", "version: 1\nname: twice\nturns: [{user: Hi, assert: {text: {must_match: Hello}}}, {user: Hi, assert: {text: {must_match: Again}}}]\n");
    cx.write(
        "b.test.yaml",
        "version: 1\nname: crash\nturns: [{user: crash}]\nassert: {text: {must_match: x}}\n",
    );
    let shown = verdicts(&cx, &["run"]).replace(ANANKE, "ananke");
    assert_snapshot!(shown, @"
    exit code: 1
    ✓ [a.test.yaml] twice ([TIME])
    ✗ [b.test.yaml] crash ERROR ([TIME])
    └─ turn 1: `ananke` ended (exit status: 0) before the answer came
    ✗ [b.test.yaml] turn 1: `ananke` ended (exit status: 0) before the answer came
    ");
}

#[test]
fn where_each_protocol_is_spoken_is_told() {
    let cx = TestContext::new(ANANKE);
    let (running, url) = shop(&cx);
    let told = running
        .stderr_so_far()
        .replace(url.trim_end_matches('/'), "URL");
    assert_snapshot!(told, @"
    AG-UI: URL/
    A2A:   URL/.well-known/agent-card.json
    MCP:   URL/mcp
    ");
}
