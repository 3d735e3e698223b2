//! Tools that the client offers: calls, scripted answers, calls that stay open.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::Project;

const TOOLS: &str = "tools:
  - name: ask
    description: Asks the user
    parameters: {type: object}
    result: {answer: blue}
  - name: look
    description: Looks out of the window
    result: rain
  - name: wait
    description: Never answers";

/// An agent that calls the client's tools and answers when it has their results.
fn asking(calls: &Value) -> Value {
    json!({"rules": [
        {"when": {"has_tool_result": true}, "reply": [{"text": "Blue then."}]},
        {"reply": [{"parallel_tools": calls}]},
    ]})
}

const BLUE: &str = "turns:
  - user: paint it
    assert:
      text: {must_match: '^Blue then.$'}
      tools: {require: [{name: ask, count: {exact: 1}, result_match: answer.*blue}]}
";

#[test]
fn a_scripted_answer_continues_the_run_inside_the_turn() {
    let project = Project::new(asking(
        &json!([{"id": "c1", "name": "ask", "args": {"what": "color"}}]),
    ))
    .target(TOOLS);
    project.test(BLUE);
    assert_snapshot!(project.run(&["-v"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 2/2 passed
    ");
    let requests = project.agent.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0]["threadId"], requests[1]["threadId"]);
    assert_ne!(requests[0]["runId"], requests[1]["runId"]);
    let messages = requests[1]["messages"].as_array().unwrap();
    let mut answer = messages.last().unwrap().clone();
    assert!(answer["id"].is_string());
    answer.as_object_mut().unwrap().shift_remove("id");
    assert_snapshot!(answer.to_string(), @r#"{"role":"tool","toolCallId":"c1","content":"{\"answer\":\"blue\"}"}"#);
    assert_eq!(requests[1]["state"], json!({}));
}

#[test]
fn a_text_result_is_sent_as_it_is_and_the_turn_holds_both_runs() {
    let project = Project::new(asking(&json!([{"id": "c1", "name": "look"}]))).target(TOOLS);
    project.test("turns:\n  - user: go\n    assert: {text: {must_match: Blue}, tools: {require: [{name: look, result_match: '^rain$'}]}, protocol: strict}\n");
    let turns = project.turns();
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0]["tool_calls"][0]["result"], "rain");
    let requests = project.agent.requests();
    assert_eq!(requests[1]["messages"][2]["content"], "rain");
}

#[test]
fn several_calls_are_answered_together() {
    let calls = json!([{"id": "c1", "name": "ask"}, {"id": "c2", "name": "look"}, {"id": "c3", "name": "ask"}]);
    let project = Project::new(asking(&calls)).target(TOOLS);
    project.test("turns:\n  - user: go\n    assert: {text: {must_match: Blue}}\n");
    assert_eq!(project.output(&[]).code, Some(0));
    let requests = project.agent.requests();
    assert_eq!(requests.len(), 2);
    let messages = requests[1]["messages"].as_array().unwrap();
    let answered: Vec<&Value> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| &message["toolCallId"])
        .collect();
    assert_eq!(answered, ["c1", "c2", "c3"]);
}

#[test]
fn history_last_sends_the_answers_only() {
    let project = Project::new(asking(&json!([{"id": "c1", "name": "look"}])))
        .target(&format!("{TOOLS}\nhistory: last"));
    project.test("turns:\n  - user: go\n    assert: {text: {must_match: Blue}}\n");
    assert_eq!(project.output(&[]).code, Some(0));
    let requests = project.agent.requests();
    assert_eq!(requests[1]["messages"].as_array().unwrap().len(), 1);
    assert_eq!(requests[1]["messages"][0]["role"], "tool");
}

#[test]
fn a_call_without_a_scripted_answer_stays_open_and_is_still_a_call() {
    let project = Project::new(asking(
        &json!([{"id": "c1", "name": "wait", "args": {"s": 1}}]),
    ))
    .target(TOOLS);
    project.test("turns:\n  - user: go\n    assert: {tools: {require: [{name: wait, args_match: {s: 1}}]}}\n");
    assert_snapshot!(project.run(&["-v"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 1, Assertions: 1/1 passed
    ");
    assert_eq!(project.agent.requests().len(), 1);
}

#[test]
fn a_call_that_the_agent_answered_itself_is_not_answered_again() {
    let project = Project::replies(
        json!([{"tool": {"id": "c1", "name": "look", "result": "sun"}}, {"text": "ok"}]),
    )
    .target(TOOLS);
    project.test(
        "turns:\n  - user: go\n    assert: {tools: {require: [{name: look, result_match: sun}]}}\n",
    );
    assert_eq!(project.output(&[]).code, Some(0));
    assert_eq!(project.agent.requests().len(), 1);
}

#[test]
fn an_agent_that_calls_for_ever_is_stopped() {
    let project = Project::replies(json!([{"tool": {"name": "look"}}])).target(TOOLS);
    project.test("turns:\n  - user: go\n    assert: {tools: {require: [{name: look}]}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 1: client tools were called in 16 runs one after another
         captured in turn 1: 80 events, 16 tool calls (look, look, look, look, look and 11 more), no text
    ");
}
