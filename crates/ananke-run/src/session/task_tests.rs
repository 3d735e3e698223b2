//! Tasks that fail and servers that refuse: what fails a test, and what was expected.

use ananke_model::recording::Turn;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{Judging, Next};
use crate::testing::{Project, variables};

/// Returns a turn that ended like this, with what is told of its task.
fn turn(status: Value, task: Value) -> Turn {
    let turn = json!({
        "kind": "user", "requests": [], "reached": true, "status": status, "text": "", "reasoning": "",
        "messages": [], "tool_calls": [], "late_results": [], "state": null, "activities": [],
        "interrupts": [], "usage": [], "timing": {"started_at_ms": 0, "total_us": 1, "clock": null},
        "findings": [], "warnings": [], "task": task,
    });
    serde_json::from_value(turn).unwrap()
}

/// Returns a turn whose task came to this state, in the end as an error if that is one.
fn task(state: &str) -> Turn {
    let is_error = matches!(state, "failed" | "rejected" | "canceled");
    let status = match is_error {
        true => json!({"status": "run_error", "message": "out of ink", "code": state}),
        false => json!({"status": "finished"}),
    };
    let states = json!([{"state": state, "at_us": 1}]);
    turn(status, json!({"id": "t", "state": state, "states": states}))
}

/// Returns a turn that a server refused.
fn refused() -> Turn {
    let status = json!({"status": "run_error", "message": "no such tool", "code": "-32602"});
    turn(
        status,
        json!({"error": {"layer": "protocol", "message": "no such tool"}}),
    )
}

/// Returns a turn of an agent that has no tasks.
fn tool_failed() -> Turn {
    turn(
        json!({"status": "run_error", "message": "no ink", "code": "isError"}),
        Value::Null,
    )
}

/// Judges these turns by the blocks of the test and of its first turn.
fn judged(test_block: &str, turn_block: &str, turns: &[Turn]) -> String {
    let more = "  - {user: more}\n".repeat(turns.len() - 1);
    let content =
        format!("turns:\n  - {{user: go, assert: {turn_block}}}\n{more}assert: {test_block}\n");
    let project = Project::new("http://127.0.0.1:9/", &[("a", &content)]);
    let plan = project.plan();
    let mut judging = Judging::compile(&plan.tests[0], &variables()).unwrap();
    let mut stopped = None;
    for turn in turns {
        match judging.turn(turn.clone()) {
            Ok(Next::Turn) => {}
            Ok(Next::Verdict) => break,
            Err(why) => {
                stopped = Some(why);
                break;
            }
        }
    }
    if stopped.is_none() {
        judging.test();
    }
    let verdict = judging.verdict(stopped);
    let turn_checks = verdict.turns.iter().flat_map(|judged| &judged.checks);
    let checks = turn_checks
        .chain(&verdict.checks)
        .map(|check| format!("\n{:?} {}: {}", check.outcome, check.check, check.actual));
    let checks: String = checks.collect();
    let reason = verdict.reason.unwrap_or_default();
    format!("{}: {reason}{checks}", verdict.status.word()).replace(": \n", "\n")
}

const NO_ERROR: &str = "{text: {must_not_match: x}}";

#[test]
fn a_task_that_was_given_up_fails_the_test_unless_that_is_demanded() {
    assert_snapshot!(judged(NO_ERROR, NO_ERROR, &[task("failed")]), @"ERROR: turn 1: the agent ended with an error: out of ink (failed)");
    assert_snapshot!(judged(NO_ERROR, "{task: {state: failed}}", &[task("failed"), task("completed")]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed task.state: failed
    Passed text.must_not_match: not found
    ");
    assert_snapshot!(judged(NO_ERROR, "{task: {state: [completed, canceled]}}", &[task("rejected")]), @"
    FAILED
    Passed text.must_not_match: not found
    Failed task.state: rejected
    ");
    assert_snapshot!(judged(NO_ERROR, "{task: {state: completed}}", &[task("rejected")]), @"ERROR: turn 1: the agent ended with an error: out of ink (rejected)");
    assert_snapshot!(judged("{task: {state: [failed]}}", NO_ERROR, &[task("working"), task("failed")]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed task.state: failed
    ");
}

#[test]
fn waiting_for_an_answer_is_no_failure() {
    assert_snapshot!(judged("{task: {state: completed}}", NO_ERROR, &[task("input-required"), task("completed")]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed task.state: completed
    ");
}

#[test]
fn an_expected_error_may_come_from_the_agent_the_tool_or_the_server() {
    assert_snapshot!(judged(NO_ERROR, "{error: out of ink}", &[task("failed")]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed error: the run failed: out of ink (code failed)
    Passed text.must_not_match: not found
    ");
    assert_snapshot!(judged(NO_ERROR, "{error: ^rejected$}", &[task("rejected")]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed error: the run failed: out of ink (code rejected)
    Passed text.must_not_match: not found
    ");
    assert_snapshot!(judged(NO_ERROR, "{error: no such tool}", &[refused()]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed error: the run failed: no such tool (code -32602)
    Passed text.must_not_match: not found
    ");
    assert_snapshot!(judged(NO_ERROR, "{error: '-32602'}", &[refused()]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed error: the run failed: no such tool (code -32602)
    Passed text.must_not_match: not found
    ");
    assert_snapshot!(judged(NO_ERROR, "{error: isError}", &[tool_failed()]), @"
    PASSED
    Passed text.must_not_match: not found
    Passed error: the run failed: no ink (code isError)
    Passed text.must_not_match: not found
    ");
}

#[test]
fn a_state_that_was_demanded_excuses_no_other_error() {
    assert_snapshot!(judged(NO_ERROR, "{task: {state: failed}}", &[refused()]), @"ERROR: turn 1: the agent ended with an error: no such tool (-32602)");
    assert_snapshot!(judged(NO_ERROR, "{task: {state: failed}}", &[tool_failed()]), @"ERROR: turn 1: the agent ended with an error: no ink (isError)");
    assert_snapshot!(judged(NO_ERROR, NO_ERROR, &[tool_failed()]), @"ERROR: turn 1: the agent ended with an error: no ink (isError)");
}

#[test]
fn agents_without_tasks_or_calls_leave_a_test_undecided() {
    let plain = turn(json!({"status": "finished"}), Value::Null);
    assert_snapshot!(judged(NO_ERROR, "{task: {state: completed}}", &[plain]), @"
    INCONCLUSIVE
    Passed text.must_not_match: not found
    Inconclusive task.state: nothing: this agent told of no task
    Passed text.must_not_match: not found
    ");
    let silent = json!({"state": "completed", "no_calls_because": "it shows none"});
    let silent = turn(json!({"status": "finished"}), silent);
    assert_snapshot!(judged(NO_ERROR, "{tools: {require: [{name: a}], forbid: b}}", &[silent]), @"
    INCONCLUSIVE
    Inconclusive tools.forbid: no call: it shows none
    Inconclusive tools.require: no call: it shows none
    Passed text.must_not_match: not found
    Passed text.must_not_match: not found
    ");
}
