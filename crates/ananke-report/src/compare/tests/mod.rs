//! Two runs in, what is shown out.

mod changes;
mod dynamic;
mod reports;
mod runs;
mod shown;
mod targets;

use ananke_model::recording::EventLog;
use ananke_model::result::{JudgedTurn, Outcome, TestResult, TestStatus};
use serde_json::json;

use super::{Comparison, Missing, Side, compare, comparison_text};
use crate::samples::{call, check, judged, plain, result, turn};

fn compared(a: Vec<TestResult>, b: Vec<TestResult>) -> Comparison {
    compare(
        &Side::from_results("before", a),
        &Side::from_results("after", b),
        Missing::Regression,
    )
}

fn shown(a: Vec<TestResult>, b: Vec<TestResult>) -> String {
    comparison_text(&compared(a, b), &plain(), true, false)
}

fn events(payloads: &[&str]) -> EventLog {
    let mut log = EventLog::default();
    for payload in payloads {
        log.push(payload.as_bytes(), 1_000);
    }
    log
}

/// Returns a test with one turn that called `search` and said `text`.
fn searched(id: &str, args: &str, found: &str, text: &str) -> TestResult {
    let mut turn = turn("Find shoes", text);
    turn.tool_calls = vec![call("search", args, Some(found))];
    turn.events = events(&[
        r#"{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}"#,
        &json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": text}).to_string(),
        r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}"#,
    ]);
    result(id, TestStatus::Passed, vec![judged(turn, Vec::new())])
}

fn failed(mut result: TestResult) -> TestResult {
    result.status = TestStatus::Failed;
    result.checks = vec![check("tools.require", "search", Outcome::Failed)];
    result
}

fn first_turn(result: &mut TestResult) -> &mut JudgedTurn {
    &mut result.turns[0]
}
