//! The row of a test, and the lines that `-v` adds.

use ananke_model::case::CaseKind;
use ananke_model::result::{CheckResult, Outcome, TestResult, TestStatus};

use crate::count::{count, counts as count_all};
use crate::dynamic::is_dynamic;
use crate::escape::{cut, escape};
use crate::facts::facts;
use crate::naming::shown_name;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::script::own_name;
use crate::style::Style;

/// How much of an output, of arguments or of a result `-v` shows of a case.
const OUTPUT_CHARS: usize = 100;

/// More calls of a case than these are only counted.
const MOST_CALLS: usize = 10;

/// Tells whether a test is shown with reasons and listed at the end.
pub(super) fn is_troubled(status: TestStatus) -> bool {
    status.is_failure() || status == TestStatus::Inconclusive
}

/// Returns the mark before a test's id.
pub(super) fn mark(status: TestStatus, style: &Style) -> String {
    let (tone, mark) = match status {
        TestStatus::Passed => (Tone::Good, style.tick()),
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => (Tone::Bad, style.cross()),
        TestStatus::Inconclusive => (Tone::Odd, "?"),
        TestStatus::Skipped => (Tone::Faint, style.circle()),
    };
    paint(style, tone, mark).to_string()
}

/// Tells whether a test is a case with `input`, which is shown as it is asked.
fn is_input(result: &TestResult) -> bool {
    let kind = result.case.as_ref().map(|case| case.kind);
    matches!(kind, Some(CaseKind::Input | CaseKind::Message))
}

/// Writes `✓ [id] name (1.2s)`, with the status of what did not pass; for a case with `input`
/// `► [id] what it asks PASSED (1.2s)`.
pub(super) fn row(page: &mut Page, result: &TestResult, style: &Style) {
    let is_input = is_input(result);
    let mark = if is_input {
        style.play().to_owned()
    } else {
        mark(result.status, style)
    };
    let id = escape(result.short_id());
    let name = shown_name(own_name(result), result.case.as_deref(), style);
    let separator = if name.is_empty() { "" } else { " " };
    let title = format!("{mark} [{id}]{separator}{name}");
    let facts = facts(result, style);
    let word = result.status.word();
    match result.status {
        TestStatus::Passed if result.flaky => {
            let word = paint(style, Tone::Odd, word);
            page.line(format_args!("{title} {word} ({facts})"));
        }
        TestStatus::Passed => {
            let is_unchecked = !result.has_evidence();
            let more = if is_unchecked { ", no checks" } else { "" };
            if is_input {
                let word = paint(style, Tone::Good, word);
                page.line(format_args!("{title} {word} ({facts}{more})"));
            } else {
                page.line(format_args!("{title} ({facts}{more})"));
            }
        }
        TestStatus::Skipped => {
            let reason = result.reason.as_deref().unwrap_or("no reason was given");
            let reason = cut(reason, 200, style.ellipsis());
            let end = format!("{word}: {reason}");
            page.line(format_args!("{title} {}", paint(style, Tone::Faint, end)));
        }
        TestStatus::Inconclusive => {
            let word = paint(style, Tone::Odd, word);
            page.line(format_args!("{title} {word} ({facts})"));
        }
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => {
            let word = paint(style, Tone::Bad, word);
            page.line(format_args!("{title} {word} ({facts})"));
        }
    }
}

/// Tells whether the second line belongs to the test even without `-v`.
pub(super) fn is_counted(result: &TestResult) -> bool {
    let kind = result.case.as_ref().map(|case| case.kind);
    let is_led = is_dynamic(result);
    kind == Some(CaseKind::Messages) && result.status != TestStatus::Skipped && !is_led
}

/// Writes the second line: `  Turns: 2, Assertions: 5/5 passed`, or `  Messages: 1, …` for a case.
pub(super) fn counts(page: &mut Page, result: &TestResult, style: &Style) {
    if result.status == TestStatus::Skipped {
        return;
    }
    let n_run = result.turns.len();
    let turns = if n_run < result.n_turns {
        format!("{n_run} of {}", result.n_turns)
    } else {
        n_run.to_string()
    };
    let sent = match &result.case {
        // The row has told it already.
        Some(_) if is_dynamic(result) => String::new(),
        Some(case) => format!("Messages: {}, ", case.n_messages),
        None => format!("Turns: {turns}, "),
    };
    let of_turns = result.turns.iter().flat_map(|judged| &judged.checks);
    let checks: Vec<_> = of_turns.chain(&result.checks).collect();
    let n_checks = checks.len();
    if is_dynamic(result) && n_checks == 0 {
        return;
    }
    let is_passed = |check: &&&CheckResult| check.outcome == Outcome::Passed;
    let n_passed = checks.iter().filter(is_passed).count();
    let line = format!("{sent}Assertions: {n_passed}/{n_checks} passed");
    page.line(format_args!("  {}", paint(style, Tone::Faint, line)));
}

/// Writes what a case brought, in short: its output and its tool calls.
pub(super) fn outcome(page: &mut Page, result: &TestResult, style: &Style) {
    let branch = paint(style, Tone::Faint, style.branch()).to_string();
    for turn in result.turns.iter().map(|judged| &judged.turn) {
        if !turn.text.is_empty() {
            let words: Vec<&str> = turn.text.split_whitespace().collect();
            let text = cut(&words.join(" "), OUTPUT_CHARS, style.ellipsis());
            page.line(format_args!("  {branch} Output: {text}"));
        }
        for call in turn.tool_calls.iter().take(MOST_CALLS) {
            let short = |text: &str| cut(text, OUTPUT_CHARS, style.ellipsis());
            let came = match (&call.error, &call.result) {
                (Some(error), _) => format!("error: {}", short(error)),
                (None, Some(result)) => short(result),
                (None, None) => "no result".to_owned(),
            };
            let (name, args) = (short(&call.name), short(&call.args_text));
            let arrow = style.arrow();
            page.line(format_args!(
                "  {branch} Tool: {name} {args} {arrow} {came}"
            ));
        }
        if let Some(more @ 1..) = turn.tool_calls.len().checked_sub(MOST_CALLS) {
            let more = count(more, "more tool call");
            page.line(format_args!("  {branch} {more}"));
        }
    }
}

/// Writes one line about warnings, and findings if they are wanted, if there are any besides those that hold what was `said`
/// already.
pub(super) fn warnings(
    page: &mut Page,
    result: &TestResult,
    said: Option<&str>,
    has_findings: bool,
    style: &Style,
) {
    let turns = || result.turns.iter().filter(|_| has_findings);
    let findings = || turns().flat_map(|judged| &judged.turn.findings);
    let of_turns = result.turns.iter().flat_map(|judged| &judged.turn.warnings);
    let is_new = |warning: &&String| !said.is_some_and(|said| warning.contains(said));
    let warnings = result.warnings.iter().filter(is_new);
    let warnings: Vec<&String> = warnings.chain(of_turns).collect();
    let mut parts = Vec::new();
    if let Some(first) = findings().next() {
        let total = count(findings().count(), "protocol finding");
        parts.push(format!("{total} ({}: {})", first.rule, first.message));
    }
    if let Some(first) = warnings.first() {
        let total = count_all(&[(warnings.len(), "warning")]);
        parts.push(format!("{total} ({first})"));
    }
    if parts.is_empty() {
        return;
    }
    let line = cut(&parts.join(", "), 300, style.ellipsis());
    let line = format!("{} {line}", style.warn());
    page.line(format_args!("  {}", paint(style, Tone::Faint, line)));
}
