//! A run of nothing but messages from the command line: stdout has the answers and nothing else.

use ananke_model::case::CaseKind;
use ananke_model::recording::{ToolCall, TurnStatus};
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::RunInfo;
use serde_json::Value;

use super::failure::failure;
use super::reporter::TerminalOptions;
use super::row::{is_troubled, row, warnings};
use crate::escape::{cut, escape};
use crate::page::Page;
use crate::style::Style;

/// How much of arguments or an error is shown.
const VALUE_CHARS: usize = 400;

/// Tells whether a run may be one of messages only; its first result will say for sure.
pub(super) fn may_be_messages(info: &RunInfo) -> bool {
    let is_spoken = |id: &str| id.starts_with("message#") || id.starts_with("stdin#");
    let once = info.runs_per_case <= 1;
    once && !info.tests.is_empty() && info.tests.iter().all(|id| is_spoken(&id.0))
}

/// Tells whether a test is a message from the command line.
pub(super) fn is_message(result: &TestResult) -> bool {
    let case = result.case.as_ref();
    case.is_some_and(|case| case.kind == CaseKind::Message)
}

/// Writes the answer to a message to `out`, and what went wrong to `err`.
pub(super) fn answer(
    out: &mut Page,
    err: &mut Page,
    result: &TestResult,
    options: &TerminalOptions,
) {
    let (style, is_ci) = (&options.style, options.is_ci);
    // What came before a turn broke off is told with the failure.
    let finished = result
        .turns
        .iter()
        .map(|judged| &judged.turn)
        .filter(|turn| turn.status == TurnStatus::Finished);
    for turn in finished {
        for line in turn.text.lines() {
            out.line(format_args!("{}", harmless(line, is_ci)));
        }
        if turn.tool_calls.is_empty() {
            continue;
        }
        if !turn.text.is_empty() {
            out.gap();
        }
        out.line(format_args!("--- Tool Calls ---"));
        for call in &turn.tool_calls {
            out.line(format_args!("{}", called(call, style, is_ci)));
        }
    }
    if is_troubled(result.status) {
        row(err, result, style);
        failure(err, result, style);
        warnings(err, result, None, true, style);
    } else if result.status == TestStatus::Skipped {
        row(err, result, style);
    } else if !options.quiet {
        warnings(err, result, None, false, style);
    }
}

/// Returns a line of an answer as it is, but for what a terminal or, if one reads it, a CI would obey. Tabs are harmless, and
/// part of code.
fn harmless(line: &str, is_ci: bool) -> String {
    let parts: Vec<_> = line.split('\t').map(escape).collect();
    let line = parts.join("\t");
    // GitHub reads `::command::` at the beginning of a line, blanks skipped.
    match line.find(|c: char| !c.is_whitespace()) {
        Some(start) if is_ci && line.split_at(start).1.starts_with("::") => {
            line.replacen(':', "\\u{3a}", 1)
        }
        _ => line,
    }
}

/// Returns `name → OK (args: {…})`.
fn called(call: &ToolCall, style: &Style, is_ci: bool) -> String {
    let value = |text: &str| cut(text, VALUE_CHARS, style.ellipsis());
    let came = match (&call.error, &call.result) {
        (Some(error), _) => format!("ERROR: {}", value(error)),
        (None, Some(result)) => match told_error(result) {
            Some(error) => format!("ERROR: {}", value(&error)),
            None => "OK".to_owned(),
        },
        (None, None) => "no result".to_owned(),
    };
    let name = cut(&call.name, 100, style.ellipsis());
    let (arrow, args) = (style.arrow(), value(&call.args_text));
    let line = format!("{name} {arrow} {came} (args: {args})");
    harmless(&line, is_ci)
}

/// Returns the error of a result that is an object with nothing else in it.
fn told_error(result: &str) -> Option<String> {
    let Ok(Value::Object(members)) = serde_json::from_str(result) else {
        return None;
    };
    let error = members.get("error").filter(|_| members.len() == 1)?;
    match error {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
