//! Turns, cases and results as scripts see them.

use ananke_model::case::Case;
use ananke_model::plan::PlannedTest;
use ananke_model::recording::{ToolCall, Turn, TurnStatus};
use ananke_model::result::{CheckResult, Outcome, TestResult};
use serde_json::{Map, Value, json};

/// Returns what a script is told of a turn, tool calls aside.
pub(super) fn turn_members(turn: &Turn) -> Map<String, Value> {
    let messages: Vec<&Value> = turn.messages.iter().map(AsRef::as_ref).collect();
    let mut members = Map::new();
    members.insert("text".to_owned(), turn.text.as_str().into());
    members.insert("status".to_owned(), status(&turn.status).into());
    members.insert("messages".to_owned(), json!(messages));
    members.insert("state".to_owned(), turn.state.clone());
    members.insert("usage".to_owned(), turn.usage.clone().into());
    members.insert("timing".to_owned(), timing(&[turn]));
    members
}

fn status(status: &TurnStatus) -> &'static str {
    match status {
        TurnStatus::Finished => "finished",
        TurnStatus::RunError { .. } => "error",
        TurnStatus::Broken(_) => "broken",
    }
}

fn timing(turns: &[&Turn]) -> Value {
    let ms = |us: u64| us / 1000;
    let total: u64 = turns.iter().map(|turn| turn.timing.total_us).sum();
    let first = turns.first().map(|turn| &turn.timing);
    json!({
        "total_ms": ms(total),
        "first_text_ms": first.and_then(|timing| timing.first_text_us).map(ms),
        "first_tool_ms": first.and_then(|timing| timing.first_tool_us).map(ms),
    })
}

/// Returns what a check is told of the turns that it judges, as one record: the last turn with the calls and messages of all.
pub(super) fn turns_json(turns: &[Turn], text: &str, metadata: &Value) -> Value {
    let mut members = turns.last().map(turn_members).unwrap_or_default();
    let calls = turns.iter().flat_map(|turn| &turn.tool_calls);
    let calls: Vec<Value> = calls.map(call).collect();
    let messages = turns.iter().flat_map(|turn| &turn.messages);
    let messages: Vec<&Value> = messages.map(AsRef::as_ref).collect();
    let usage = turns.iter().flat_map(|turn| &turn.usage);
    let usage: Vec<&Value> = usage.collect();
    let all: Vec<&Turn> = turns.iter().collect();
    members.insert("text".to_owned(), text.into());
    members.insert("tool_calls".to_owned(), calls.into());
    members.insert("messages".to_owned(), json!(messages));
    members.insert("usage".to_owned(), json!(usage));
    members.insert("timing".to_owned(), timing(&all));
    members.insert("metadata".to_owned(), metadata.clone());
    Value::Object(members)
}

fn call(call: &ToolCall) -> Value {
    let read = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    json!({
        "id": call.id,
        "name": call.name,
        "args": read(&call.args_text),
        "result": call.result.as_deref().map(read),
        "error": call.error,
    })
}

/// Returns what a hook is told of a test before it runs.
pub(crate) fn case_json(test: &PlannedTest, case: Option<&Case>) -> Value {
    let mut members = Map::new();
    members.insert("id".to_owned(), test.short_id().into());
    members.insert("name".to_owned(), test.name.text.as_str().into());
    members.insert("file".to_owned(), test.file.as_ref().into());
    members.insert("tags".to_owned(), test.tags.clone().into());
    if let Some(case) = case {
        members.insert("input".to_owned(), case.input.clone());
        let expected = case.expected.iter();
        members.extend(expected.map(|expected| ("expected".to_owned(), expected.clone())));
        members.insert("metadata".to_owned(), case.metadata.clone().into());
        members.insert("options".to_owned(), case.options.clone().into());
        members.insert("user".to_owned(), case.identity.user_id.as_str().into());
        members.insert("team".to_owned(), case.identity.team_id.as_str().into());
    }
    Value::Object(members)
}

/// Returns what a hook is told of what came of a test.
pub(crate) fn result_json(result: &TestResult) -> Value {
    let turns = result.turns.iter().map(|judged| &judged.turn);
    let calls = turns.clone().flat_map(|turn| &turn.tool_calls);
    let calls: Vec<Value> = calls.map(call).collect();
    let checks: Vec<Value> = result.all_checks().map(check).collect();
    json!({
        "id": result.short_id(),
        "name": result.name,
        "file": result.file,
        "status": result.status,
        "output": turns.clone().next_back().map(|turn| turn.text.as_str()),
        "error": result.reason,
        "duration_ms": result.duration_us / 1000,
        "checks": checks,
        "tool_calls": calls,
        "n_turns": turns.count(),
    })
}

fn check(check: &CheckResult) -> Value {
    json!({
        "type": check.check,
        "subject": check.subject,
        "passed": check.outcome == Outcome::Passed,
        "outcome": check.outcome,
        "expected": check.expected,
        "actual": check.actual,
    })
}
