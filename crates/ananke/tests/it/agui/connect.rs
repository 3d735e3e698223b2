//! `agui:connect`: attaching to a thread.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::Project;

const SEARCH: &str = "turns:
  - user: find a mug
  - type: agui:connect
    assert: {tools: {require: [{name: search, count: {exact: 1}}]}, text: {must_match: Found}}
";

fn shop() -> Project {
    Project::new(json!({"rules": [
        {"when": {"user_contains": "mug"}, "reply": [
            {"tool": {"id": "c1", "name": "search", "args": {"q": "mug"}, "result": "1"}},
            {"text": "Found one."},
        ]},
        {"reply": [{"text": "Welcome back."}]},
    ]}))
}

#[test]
fn a_plain_endpoint_gets_a_run_without_a_new_message() {
    let project = shop();
    project.test("turns:\n  - user: find a mug\n  - type: agui:connect\n    assert: {text: {must_match: Welcome}, tools: {forbid: [search]}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
    let requests = project.agent.requests();
    let roles: Vec<&Value> = requests[1]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| &message["role"])
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    assert_eq!(requests[0]["threadId"], requests[1]["threadId"]);
    assert_ne!(requests[0]["runId"], requests[1]["runId"]);
}

#[test]
fn an_envelope_asks_for_a_replay_whose_calls_count_there() {
    let project = shop().target("envelope: copilotkit\nagentId: shop");
    project.test(SEARCH);
    assert_snapshot!(project.run(&["-v"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 2, Assertions: 2/2 passed
    ");
    let requests = project.agent.requests();
    assert_eq!(requests[1]["method"], "agent/connect");
    assert_eq!(requests[1]["body"]["messages"], json!([]));
}

#[test]
fn the_copilotkit_routes_have_one_for_connecting() {
    let project = shop().target("envelope: copilotkit-rest\nagentId: shop");
    project.test(SEARCH);
    assert_eq!(project.output(&[]).code, Some(0));
    assert_eq!(project.agent.received()[1].path, "/agent/shop/connect");
}

#[test]
fn several_runs_are_replayed_in_one_stream() {
    let project = shop().target("envelope: copilotkit\nagentId: shop");
    project.test(
        "turns:
  - user: find a mug
  - user: hello
  - type: agui:connect
    assert: {text: {must_match: '^Found one.\\nWelcome back.$'}, protocol: strict}
",
    );
    assert_snapshot!(project.run(&["-v"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 3, Assertions: 2/2 passed
    ");
}

#[test]
fn nothing_to_replay_fails_the_turn() {
    let project = shop().target("envelope: copilotkit\nagentId: shop");
    project.test("turns:\n  - type: agui:connect\n    assert: {tools: {forbid: [search]}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1: nothing to replay: the agent does not know this thread
         captured in turn 1: 0 events, no tool call, no text
    ");
}

#[test]
fn nothing_to_replay_is_fine_where_the_test_says_so() {
    let project = shop().target("envelope: copilotkit\nagentId: shop");
    project.test("turns:\n  - type: agui:connect\n    allow_empty: true\n    assert: {tools: {forbid: [search]}}\n  - user: find a mug\n    assert: {text: {must_match: Found}}\n");
    assert_snapshot!(project.run(&["-v"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 2, Assertions: 2/2 passed
    ");
}

/// An agent whose second answer repeats the whole conversation in a snapshot, and adds nothing.
fn repeating() -> Value {
    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "pay", "arguments": "{}"}});
    json!({"rules": [
        {"when": {"turn": 1}, "reply": [{"tool": {"id": "c1", "name": "pay", "result": "paid"}}, {"text": "Paid."}]},
        {"reply": [
            {"event": {"type": "MESSAGES_SNAPSHOT", "messages": [
                {"id": "u1", "role": "user", "content": "pay"},
                {"id": "a1", "role": "assistant", "toolCalls": [call]},
                {"id": "t1", "role": "tool", "toolCallId": "c1", "content": "paid"},
                {"id": "u2", "role": "user", "content": "thanks"},
            ]}},
            {"text": "Gladly."},
        ]},
    ]})
}

#[test]
fn calls_of_earlier_turns_count_again_only_in_a_connect_turn() {
    let project = Project::new(repeating());
    project.test(
        "turns:
  - user: pay
    assert: {tools: {require: [{name: pay, count: {exact: 1}}]}}
  - user: thanks
    assert: {inherit: limits, tools: {forbid: [pay]}}
assert: {tools: {require: [{name: pay, count: {exact: 1}}]}}
",
    );
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
}
