//! `agui:resume`: answering what a run stopped to ask.

use insta::assert_snapshot;
use serde_json::json;

use crate::project::Project;

fn cashier() -> Project {
    Project::new(json!({"rules": [
        {"when": {"has_resume": true}, "reply": [{"text": "Paid."}]},
        {"when": {"user_contains": "pay"}, "reply": [
            {"tool": {"id": "c1", "name": "charge", "args": {"eur": 12}}},
            {"interrupt": {"id": "i1", "reason": "approval", "message": "Charge 12 EUR?", "tool": "charge"}},
        ]},
        {"reply": [{"text": "Hello."}]},
    ]}))
}

#[test]
fn an_answer_resolves_the_interrupt() {
    let project = cashier();
    project.test(
        "turns:
  - user: pay
    assert: {tools: {require: [{name: charge}]}}
  - type: agui:resume
    payload: {approved: true, by: ['${WHO}']}
    assert: {text: {must_match: Paid}, protocol: strict}
",
    );
    assert_snapshot!(project.run(&["-v", "--var", "WHO=me"]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
      Turns: 2, Assertions: 3/3 passed
    ");
    let requests = project.agent.requests();
    assert!(requests[0].get("resume").is_none());
    assert_snapshot!(requests[1]["resume"].to_string(), @r#"[{"interruptId":"i1","status":"resolved","payload":{"approved":true,"by":["me"]}}]"#);
    assert_eq!(
        requests[1]["messages"].as_array().unwrap().last().unwrap()["role"],
        "assistant"
    );
}

#[test]
fn an_interrupt_can_be_cancelled() {
    let project = cashier();
    project.test("turns:\n  - user: pay\n  - {type: 'agui:resume', status: cancelled, assert: {text: {must_match: Paid}}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 0
    ✓ [t.test.yaml] t ([TIME])
    ");
    assert_snapshot!(project.agent.requests()[1]["resume"].to_string(), @r#"[{"interruptId":"i1","status":"cancelled"}]"#);
}

#[test]
fn all_open_interrupts_are_answered() {
    let interrupts = json!([{"id": "i1", "reason": "a"}, {"id": "i2", "reason": "b"}]);
    let project = Project::new(json!({"rules": [
        {"when": {"has_resume": true}, "reply": [{"text": "Done."}]},
        {"reply": [{"finish": {"outcome": {"type": "interrupt", "interrupts": interrupts}}}]},
    ]}));
    project.test("turns:\n  - user: go\n  - {type: 'agui:resume', payload: yes, assert: {text: {must_match: Done}}}\n");
    assert_eq!(project.output(&[]).code, Some(0));
    assert_snapshot!(project.agent.requests()[1]["resume"].to_string(), @r#"[{"interruptId":"i1","status":"resolved","payload":"yes"},{"interruptId":"i2","status":"resolved","payload":"yes"}]"#);
}

#[test]
fn without_an_interrupt_there_is_nothing_to_resume() {
    let project = cashier();
    project.test(
        "turns:\n  - user: hello\n  - {type: 'agui:resume', assert: {text: {must_match: Paid}}}\n",
    );
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 2: there is nothing to resume: the turn before ended without an interrupt
         captured in turn 2: 0 events, no tool call, no text
    ");
    assert_eq!(project.agent.requests().len(), 1);
}

#[test]
fn an_interrupt_is_answered_once() {
    let project = cashier();
    project.test("turns:\n  - user: pay\n  - type: agui:resume\n  - type: agui:resume\nassert: {text: {must_match: Paid}}\n");
    assert_snapshot!(project.run(&[]), @"
    exit code: 1
    ✗ [t.test.yaml] t ERROR ([TIME])
      └─ turn 3: there is nothing to resume: the turn before ended without an interrupt
         captured in turn 3: 0 events, no tool call, no text
    ");
}
