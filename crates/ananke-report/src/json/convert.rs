//! From results to what is written.

use std::borrow::Cow;

use ananke_model::case::Identity;
use ananke_model::recording::{ToolCall, Turn, TurnStatus, TurnTiming};
use ananke_model::result::{CheckResult, Outcome, TestResult, TestStatus};
use ananke_model::run_event::RunInfo;
use serde_json::Value;

use super::dynamic::{checkpoint_entries, sample_entries, total_turns};
use super::format::{
    Assertion, AttemptEntry, CallEntry, Ms, TestEntry, TimingEntry, TurnEntry, TurnError,
};
use super::script::script_entry;
use super::task::task_entry;
use crate::dynamic::is_dynamic;
use crate::reasons::{first_reason, unmet};
use crate::script::{is_function, log_line};

/// Values that nest deeper are written as text: many parsers give up at 128 levels, and the report has some of its own.
const DEEPEST: usize = 100;

/// Integers from here on may have lost digits in a float.
const FIRST_INEXACT: f64 = 9_007_199_254_740_992.0;

/// Returns a test of `run` as it is written, but for its stability.
pub(super) fn test_entry<'a>(result: &'a TestResult, run: &RunInfo) -> TestEntry<'a> {
    let is_skipped = result.status == TestStatus::Skipped;
    let turns = || result.turns.iter().map(|judged| &judged.turn);
    let case = result.case.as_deref();
    let identity = case.map(|case| &case.identity);
    let default = Identity::default();
    let of_run = run.identity.as_deref().unwrap_or(&default);
    TestEntry {
        id: result.short_id(),
        test_id: (case.is_some() || result.short_id() != result.id.0)
            .then_some(result.id.0.as_str()),
        name: &result.name,
        file: &result.file,
        status: result.status,
        input: match case {
            // A simulator may say the first word too.
            Some(case) if !(is_dynamic(result) && case.input.is_null()) => shallow(&case.input),
            _ => Cow::Owned(joined(turns().filter_map(|turn| turn.user.as_deref())).into()),
        },
        output: output(result),
        response: response(result),
        expected: case.and_then(|case| case.expected.as_ref()).map(shallow),
        duration_ms: Ms(result.duration_us),
        error: error(result),
        error_details: error_details(result),
        skip_reason: result.reason.as_deref().filter(|_| is_skipped),
        script: script_entry(result),
        logs: match is_function(result) {
            // They are with what is recorded of it.
            true => Vec::new(),
            false => result.logs.iter().map(log_line).collect(),
        },
        tags: &result.tags,
        target: &result.target,
        connector: result.connector.as_deref(),
        user: differing(identity.map(|who| who.user_id.as_str()), &of_run.user_id),
        team: differing(identity.map(|who| who.team_id.as_str()), &of_run.team_id),
        environment: identity.filter(|who| !is_same_but_for_names(who, of_run)),
        metadata: case
            .map(|case| &case.metadata)
            .filter(|map| !map.is_empty()),
        options: case.map(|case| &case.options).filter(|map| !map.is_empty()),
        flaky: result.flaky,
        messages_count: case
            .filter(|_| !is_dynamic(result))
            .map(|case| case.n_messages),
        checks: n_checks(result),
        assertions: assertions(result),
        assertion_errors: assertion_errors(result),
        turns: turns()
            .enumerate()
            .map(|(index, turn)| TurnEntry {
                input: turn.user.as_deref().filter(|_| is_dynamic(result)),
                output: is_dynamic(result).then_some(turn.text.as_str()),
                ..turn_entry(index + 1, turn)
            })
            .collect(),
        checkpoints: checkpoint_entries(result),
        total_turns: total_turns(result),
        test_start_ts: result.started_at_ms,
        test_end_ts: result.ended_at_ms,
        warnings: &result.warnings,
        attempts: attempts(result),
        stability: None,
    }
}

/// Counts what was demanded; a function of a script demands as it goes.
fn n_checks(result: &TestResult) -> usize {
    let by_script = result.script.as_ref().map_or(0, |record| record.assertions);
    let by_script = usize::try_from(by_script).unwrap_or(usize::MAX);
    by_script.saturating_add(result.all_checks().count())
}

/// Returns more about the reason; what is said of a function of a script has keys of its own.
fn error_details(result: &TestResult) -> &[String] {
    match &result.script {
        Some(record) if !record.failures.is_empty() => &[],
        _ => &result.reason_details,
    }
}

/// Returns what a case says otherwise than the run.
fn differing<'a>(of_case: Option<&'a str>, of_run: &str) -> Option<&'a str> {
    of_case.filter(|name| *name != of_run)
}

/// Tells whether two ask alike, whoever they are.
fn is_same_but_for_names(of_case: &Identity, of_run: &Identity) -> bool {
    let nameless = |identity: &Identity| Identity {
        user_id: String::new(),
        team_id: String::new(),
        ..identity.clone()
    };
    of_case == of_run || nameless(of_case) == nameless(of_run)
}

/// Returns all attempts if there was more than one.
fn attempts(result: &TestResult) -> Vec<AttemptEntry<'_>> {
    if result.earlier.is_empty() {
        return Vec::new();
    }
    let all = result.earlier.iter().chain([result]);
    all.enumerate()
        .map(|(index, result)| AttemptEntry {
            attempt: index + 1,
            status: result.status,
            output: response(result),
            duration_ms: Ms(result.duration_us),
            error: error(result),
            error_details: error_details(result),
            checks: n_checks(result),
            assertions: assertions(result)
                .into_iter()
                .filter(|assertion| !assertion.passed)
                .collect(),
            test_start_ts: result.started_at_ms,
            test_end_ts: result.ended_at_ms,
        })
        .collect()
}

/// Returns what the agent said in all turns.
fn response(result: &TestResult) -> String {
    joined(result.turns.iter().map(|judged| judged.turn.text.as_str()))
}

/// Returns the output of a case as JSON if all of it is an object or an array, else the text.
pub(super) fn output(result: &TestResult) -> Value {
    let text = response(result);
    let is_structured = result.case.is_some() && text.trim_start().starts_with(['{', '[']);
    match is_structured.then(|| json_or_text(text.trim())) {
        Some(value @ (Value::Object(_) | Value::Array(_))) => value,
        _ => text.into(),
    }
}

/// Returns the checks that did not pass, one sentence each.
pub(super) fn assertion_errors(result: &TestResult) -> Vec<String> {
    unmet(result).map(|unmet| unmet.sentence()).collect()
}

/// Returns the first reason why a test did not pass.
pub(super) fn error(result: &TestResult) -> Option<String> {
    match result.status {
        TestStatus::Passed | TestStatus::Skipped => None,
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout | TestStatus::Inconclusive => {
            Some(first_reason(result).0)
        }
    }
}

/// Joins the texts of turns with line feeds.
fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.collect::<Vec<&str>>().join("\n")
}

fn assertions(result: &TestResult) -> Vec<Assertion<'_>> {
    let of_turns = result.turns.iter().enumerate().flat_map(|(index, judged)| {
        let turn = Some(index + 1);
        judged
            .checks
            .iter()
            .map(move |check| assertion(turn, check))
    });
    let of_test = result.checks.iter().map(|check| assertion(None, check));
    of_turns.chain(of_test).collect()
}

pub(super) fn assertion(turn: Option<usize>, check: &CheckResult) -> Assertion<'_> {
    let origin = &check.origin;
    let subject = || (!check.subject.is_empty()).then(|| Cow::Owned(check.subject.as_str().into()));
    Assertion {
        kind: &check.check,
        value: check.value.as_ref().map(shallow).or_else(subject),
        negate: check.negate,
        passed: check.outcome == Outcome::Passed,
        message: check.message.as_deref(),
        check: &check.check,
        subject: &check.subject,
        status: check.outcome,
        expected: &check.expected,
        actual: &check.actual,
        details: &check.details,
        level: origin.level,
        named: origin.named.as_deref(),
        file: &origin.place.file,
        line: origin.place.line,
        column: origin.place.column,
        turn,
        event: check.event,
        samples: sample_entries(&check.samples),
    }
}

fn turn_entry(number: usize, turn: &Turn) -> TurnEntry<'_> {
    let (status, error) = match &turn.status {
        TurnStatus::Finished => ("finished", None),
        TurnStatus::RunError { message, code } => {
            let error = TurnError {
                kind: None,
                message,
                code: code.as_deref(),
            };
            ("run_error", Some(error))
        }
        TurnStatus::Broken(trouble) => {
            let error = TurnError {
                kind: Some(trouble.kind),
                message: &trouble.message,
                code: None,
            };
            ("broken", Some(error))
        }
    };
    let started_at_ms = turn.timing.started_at_ms;
    TurnEntry {
        turn: number,
        input: None,
        output: None,
        simulated: turn.simulated.as_ref(),
        kind: &turn.kind,
        user: turn.user.as_deref(),
        text: &turn.text,
        reasoning: &turn.reasoning,
        tool_calls: turn
            .tool_calls
            .iter()
            .map(|call| call_entry(call, started_at_ms))
            .collect(),
        late_results: &turn.late_results,
        turn_start_ts: started_at_ms,
        turn_end_ts: later(started_at_ms, turn.timing.total_us),
        status,
        error,
        timing: timing_entry(&turn.timing),
        state: shallow(&turn.state),
        data: shallow(&turn.data),
        task: turn.task.as_deref().map(task_entry),
        interrupts: turn.interrupts.iter().map(shallow).collect(),
        usage: turn.usage.iter().map(shallow).collect(),
        findings: &turn.findings,
        warnings: &turn.warnings,
        n_events: turn.events.len(),
    }
}

fn timing_entry(timing: &TurnTiming) -> TimingEntry {
    TimingEntry {
        connect_ms: timing.connect_us.map(Ms),
        first_event_ms: timing.first_event_us.map(Ms),
        first_text_ms: timing.first_text_us.map(Ms),
        first_tool_ms: timing.first_tool_us.map(Ms),
        total_ms: Ms(timing.total_us),
        clock: timing.clock,
    }
}

fn call_entry(call: &ToolCall, started_at_ms: i64) -> CallEntry<'_> {
    let seen_us = call.completed_us.unwrap_or(call.started_us);
    CallEntry {
        id: &call.id,
        name: &call.name,
        args: json_or_text(&call.args_text),
        args_error: call.args_error.as_deref(),
        result: call.result.as_deref().map(json_or_text),
        error: call.error.as_deref(),
        timestamp: later(started_at_ms, seen_us),
        started_ms: Ms(call.started_us),
        args_done_ms: call.args_done_us.map(Ms),
        completed_ms: call.completed_us.map(Ms),
        from_snapshot: call.from_snapshot,
        restreamed: call.restreamed,
    }
}

/// Returns the moment `us` microseconds after `ms`, in milliseconds.
pub(super) fn later(ms: i64, us: u64) -> i64 {
    ms.saturating_add_unsigned(us / 1_000)
}

/// Returns the JSON that `text` holds; the text itself if that is none, nests too deep, or would lose digits.
pub(crate) fn json_or_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) if is_exact(&value) && is_shallow(&value, DEEPEST) => value,
        Ok(_) | Err(_) => Value::from(text),
    }
}

/// Returns the value, or its text if it nests too deep.
pub(super) fn shallow(value: &Value) -> Cow<'_, Value> {
    if is_shallow(value, DEEPEST) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(Value::from(value.to_string()))
    }
}

fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => number
            .as_f64()
            .is_some_and(|number| number.abs() < FIRST_INEXACT),
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(members) => members.values().all(is_exact),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn is_shallow(value: &Value, left: usize) -> bool {
    match (value, left.checked_sub(1)) {
        (Value::Array(items), Some(left)) => items.iter().all(|item| is_shallow(item, left)),
        (Value::Object(members), Some(left)) => members.values().all(|item| is_shallow(item, left)),
        (Value::Array(_) | Value::Object(_), None) => false,
        _ => true,
    }
}
