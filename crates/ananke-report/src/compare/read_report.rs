//! Reads a side from a JSON or JSONL report that ananke wrote. Lenient: keys that are not needed may be missing.

use std::fmt;

use ananke_model::result::{Outcome, TestStatus};
use serde::Deserialize;
use serde_json::Value;

use super::cause::{UnmetCheck, causes};
use super::side::{Side, SideCall, SideTest, SideTurn};

/// Why a text is no report that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAReport(String);

impl fmt::Display for NotAReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAReport {}

/// The versions of the report that are known.
const SCHEMA: &str = "ananke.report/1";

/// What a person can save from the HTML report: the tests that were shown, their texts perhaps shortened.
const EXPORT: &str = "ananke.export/1";

#[derive(Deserialize)]
struct TestRecord {
    id: String,
    /// What tells a case from others with the same id; only cases have it.
    #[serde(default)]
    test_id: Option<String>,
    #[serde(default)]
    file: String,
    #[serde(default)]
    target: String,
    /// How many runs the result speaks for.
    #[serde(default)]
    runs: Option<usize>,
    #[serde(default)]
    passed: Option<usize>,
    #[serde(default)]
    name: String,
    status: TestStatus,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    skip_reason: Option<String>,
    #[serde(default)]
    flaky: bool,
    #[serde(default)]
    duration_ms: f64,
    #[serde(default)]
    assertions: Vec<UnmetCheck>,
    /// A sentence for each assertion that did not pass, in the same order.
    #[serde(default)]
    assertion_errors: Vec<String>,
    #[serde(default)]
    turns: Vec<TurnRecord>,
    #[serde(default)]
    checkpoints: Vec<CheckpointRecord>,
}

#[derive(Deserialize)]
struct CheckpointRecord {
    id: String,
    #[serde(default)]
    reached_at_turn: Option<usize>,
}

#[derive(Deserialize)]
struct TurnRecord {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    user: Option<String>,
    #[serde(default)]
    text: String,
    #[serde(default)]
    tool_calls: Vec<CallRecord>,
    #[serde(default)]
    late_results: Vec<LateRecord>,
    #[serde(default)]
    status: String,
    #[serde(default)]
    error: Option<ErrorRecord>,
    #[serde(default)]
    timing: TimingRecord,
    #[serde(default)]
    state: Value,
    #[serde(default)]
    interrupts: Vec<Value>,
    #[serde(default)]
    task: Value,
}

#[derive(Deserialize)]
struct CallRecord {
    #[serde(default)]
    id: String,
    name: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct LateRecord {
    id: String,
    result: String,
}

#[derive(Deserialize)]
struct ErrorRecord {
    #[serde(default)]
    message: String,
}

#[derive(Default, Deserialize)]
struct TimingRecord {
    #[serde(default)]
    total_ms: f64,
    #[serde(default)]
    first_text_ms: Option<f64>,
}

impl Side {
    /// Reads a report: one JSON document, or one JSON object on each line.
    pub fn from_report(label: &str, text: &str) -> Result<Self, NotAReport> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim().is_empty() {
            return Err(NotAReport("it is empty".to_owned()));
        }
        // A document is one value; lines are several, or one that says what kind of line it is.
        match serde_json::from_str::<Value>(text) {
            Ok(document) if is_document(&document) => from_document(label, document),
            Ok(_) => from_lines(label, text),
            Err(error) => {
                let first: Result<Value, _> = text
                    .lines()
                    .next()
                    .map_or(Ok(Value::Null), serde_json::from_str);
                match first {
                    Ok(Value::Object(_)) => from_lines(label, text),
                    Ok(_) | Err(_) => Err(NotAReport(format!("it is not JSON: {error}"))),
                }
            }
        }
    }
}

/// Tells whether a value is a document: a line has a type of its own.
fn is_document(value: &Value) -> bool {
    let kind = value.get("type");
    kind.is_none_or(|kind| kind == "script_test")
}

fn from_document(label: &str, document: Value) -> Result<Side, NotAReport> {
    let schema = document.get("schema").and_then(Value::as_str);
    if schema == Some(EXPORT) {
        let run = document["run"]["run_id"].as_str();
        let run = run.filter(|run| !run.is_empty()).unwrap_or("RUN");
        return Err(NotAReport(format!(
            "it was saved from the HTML report (`{EXPORT}`), which leaves out what was not shown; \
             give the bundle `{run}` instead, or what `ananke report {run} -o report.json` writes"
        )));
    }
    if let Some(schema) = schema.filter(|schema| *schema != SCHEMA) {
        return Err(NotAReport(format!(
            "its `schema` is `{schema}`, expected `{SCHEMA}`"
        )));
    }
    if let Some(error) = document.get("error").filter(|error| !error.is_null()) {
        let message = error["message"].as_str().unwrap_or("no message");
        return Err(NotAReport(format!(
            "it holds no results because nothing was run: {message}"
        )));
    }
    let is_cut = document["summary"]["interrupted"] == true;
    let Some(Value::Array(results)) = document.get("results") else {
        return Err(NotAReport(
            "it is JSON, but no report of ananke: it has no `results`".to_owned(),
        ));
    };
    let mut side = Side {
        label: label.to_owned(),
        ..Side::default()
    };
    for (index, result) in results.iter().enumerate() {
        side.tests
            .push(test(result, &format!("result {}", index + 1))?);
    }
    if is_cut {
        side.set_incomplete("the run was interrupted");
    }
    Ok(side)
}

fn from_lines(label: &str, text: &str) -> Result<Side, NotAReport> {
    let mut side = Side {
        label: label.to_owned(),
        ..Side::default()
    };
    let mut ending = Some("the report has no summary, so it was cut off");
    let mut is_begun = false;
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let record: Value = match serde_json::from_str(line) {
            Ok(record) => record,
            // A crash can leave half a line behind; what stands before it is whole.
            Err(_) if index + 1 == lines.len() => break,
            Err(error) => {
                return Err(NotAReport(format!(
                    "line {} is not JSON: {error}",
                    index + 1
                )));
            }
        };
        match record.get("type").and_then(Value::as_str) {
            Some("result") => side
                .tests
                .push(test(&record, &format!("line {}", index + 1))?),
            Some("start") => is_begun = true,
            Some("summary") => {
                let is_cut = record["interrupted"] == true;
                ending = is_cut.then_some("the run was interrupted");
            }
            Some(_) | None => {}
        }
    }
    if !is_begun && side.tests.is_empty() {
        return Err(NotAReport(
            "it is JSON Lines, but no report of ananke: no line has the type `start` or `result`"
                .to_owned(),
        ));
    }
    side.incomplete = ending.map(str::to_owned);
    Ok(side)
}

fn test(value: &Value, place: &str) -> Result<SideTest, NotAReport> {
    let record = TestRecord::deserialize(value)
        .map_err(|error| NotAReport(format!("{place} is not a result of ananke: {error}")))?;
    let assertions = record.assertions.into_iter();
    let unmet = assertions.filter(|check| check.outcome != Outcome::Passed);
    let mut unmet: Vec<UnmetCheck> = unmet.collect();
    for (check, sentence) in unmet.iter_mut().zip(record.assertion_errors) {
        check.sentence = Some(sentence);
    }
    let reason = record.error.or(record.skip_reason);
    let causes = causes(reason.as_deref(), &unmet);
    let mut late = Vec::new();
    let turns = record.turns.into_iter().map(|turn| {
        let results = turn.late_results.iter();
        late.extend(results.map(|late| (late.id.clone(), crate::json::json_or_text(&late.result))));
        side_turn(turn)
    });
    let is_passed = record.status == TestStatus::Passed;
    let (id, case) = match record.test_id {
        Some(test_id) => (test_id, Some(record.id)),
        None => (record.id, None),
    };
    let n_runs = record.runs.unwrap_or(1).max(1);
    let mut test = SideTest {
        id,
        case,
        file: record.file,
        target: record.target,
        n_runs,
        n_passed: record.passed.unwrap_or(usize::from(is_passed)).min(n_runs),
        speaks: true,
        name: record.name,
        status: record.status,
        reason,
        causes,
        flaky: record.flaky,
        duration_us: microseconds(record.duration_ms),
        turns: turns.collect(),
        checkpoints: record
            .checkpoints
            .into_iter()
            .map(|checkpoint| (checkpoint.id, checkpoint.reached_at_turn))
            .collect(),
    };
    test.settle(late);
    Ok(test)
}

fn side_turn(turn: TurnRecord) -> SideTurn {
    let message = turn.error.map(|error| error.message).unwrap_or_default();
    SideTurn {
        ending: match turn.status.as_str() {
            "run_error" => format!("run error: {message}"),
            "broken" => format!("broken: {message}"),
            other => other.to_owned(),
        },
        kind: turn.kind,
        user: turn.user,
        text: turn.text,
        calls: turn.tool_calls.into_iter().map(side_call).collect(),
        state: turn.state,
        interrupts: turn.interrupts,
        task: turn.task["state"].as_str().map(str::to_owned),
        no_calls_because: turn.task["no_calls_because"].as_str().map(str::to_owned),
        total_us: microseconds(turn.timing.total_ms),
        first_text_us: turn.timing.first_text_ms.map(microseconds),
        events: None,
    }
}

fn side_call(call: CallRecord) -> SideCall {
    SideCall {
        id: call.id,
        name: call.name,
        args: call.args,
        result: call.result,
        error: call.error,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates"
)]
fn microseconds(ms: f64) -> u64 {
    (ms * 1_000.0).round() as u64
}
