//! The row of a test, and the lines that `-v` adds.

use ananke_model::result::{Outcome, TestResult, TestStatus};

use crate::count::{count, counts as count_all};
use crate::escape::{cut, escape};
use crate::facts::facts;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

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

/// Writes `✓ [id] name (1.2s)`, with the status of what did not pass.
pub(super) fn row(page: &mut Page, result: &TestResult, style: &Style) {
    let mark = mark(result.status, style);
    let id = escape(&result.id.0);
    let name = cut(&result.name, 200, style.ellipsis());
    let separator = if name.is_empty() { "" } else { " " };
    let title = format!("{mark} [{id}]{separator}{name}");
    let facts = facts(result, style);
    let word = result.status.word();
    match result.status {
        TestStatus::Passed if result.flaky => {
            let word = paint(style, Tone::Odd, word);
            page.line(format_args!("{title} {word} ({facts})"));
        }
        TestStatus::Passed if result.all_checks().next().is_none() => {
            page.line(format_args!("{title} ({facts}, no checks)"));
        }
        TestStatus::Passed => page.line(format_args!("{title} ({facts})")),
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

/// Writes the second line: `  Turns: 2, Assertions: 5/5 passed`.
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
    let n_checks = result.all_checks().count();
    let passed = |outcome| outcome == Outcome::Passed;
    let n_passed = result
        .all_checks()
        .filter(|check| passed(check.outcome))
        .count();
    let line = format!("Turns: {turns}, Assertions: {n_passed}/{n_checks} passed");
    page.line(format_args!("  {}", paint(style, Tone::Faint, line)));
}

/// Writes one line about findings and warnings, if there are any.
pub(super) fn warnings(page: &mut Page, result: &TestResult, style: &Style) {
    let findings = || result.turns.iter().flat_map(|judged| &judged.turn.findings);
    let of_turns = result.turns.iter().flat_map(|judged| &judged.turn.warnings);
    let warnings: Vec<&String> = result.warnings.iter().chain(of_turns).collect();
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
