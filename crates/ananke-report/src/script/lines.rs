//! What is told about a function of a script below its row: failures, subtests, logs.

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::script::{FailedAssertion, ScriptFailure, ScriptRecord};
use serde_json::Value;

use super::code::code;
use super::diff::{Sign, diff, is_for_diff};
use super::logged::logged;
use super::words::{at, sentence};
use crate::count::count;
use crate::duration::duration;
use crate::escape::{cut, escape};
use crate::page::{Excerpt, Page};
use crate::paint::{Tone, paint};
use crate::style::Style;

/// How much of a message is shown.
const MESSAGE: Excerpt = Excerpt {
    lines: 20,
    chars: 2_000,
};

/// How much of one logged text is shown.
const LOG: Excerpt = Excerpt {
    lines: 40,
    chars: 4_000,
};

/// How much of a value is shown on one line.
const VALUE_CHARS: usize = 400;

/// How much of a line of a difference is shown.
const LINE_CHARS: usize = 300;

/// Failures beyond these are counted.
const MOST_FAILURES: usize = 20;

/// Frames of a stack beyond these are counted.
const MOST_FRAMES: usize = 20;

/// Subtests beyond these are counted.
const MOST_SUBTESTS: usize = 200;

/// How and how much is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'a> {
    pub(crate) style: &'a Style,
    /// What every line begins with.
    pub(crate) indent: &'a str,
    /// Whether the stack is shown, not only its innermost place.
    pub(crate) has_stack: bool,
    /// Logs beyond these are counted.
    pub(crate) most_logs: usize,
}

/// Writes everything that went wrong in a function, as its record says. Tells whether there was anything.
pub(crate) fn failures(page: &mut Page, result: &TestResult, told: &Told<'_>) -> bool {
    let Some(record) = result.script.as_deref() else {
        return false;
    };
    if record.failures.is_empty() {
        return false;
    }
    // What went wrong outside the function has words of its own.
    let is_told = |reason: &String| {
        let mut failures = record.failures.iter();
        failures.any(|failure| reason.contains(first_line(&sentence(failure))))
    };
    let branch = paint(told.style, Tone::Bad, told.style.branch()).to_string();
    let indent = told.indent;
    if let Some(reason) = result.reason.as_ref().filter(|reason| !is_told(reason)) {
        let reason = cut(reason, MESSAGE.chars, told.style.ellipsis());
        page.line(format_args!("{indent}{branch} {reason}"));
    }
    for failure in record.failures.iter().take(MOST_FAILURES) {
        self::failure(page, failure, &branch, told);
    }
    let n_more = more(record.more_failures, record.failures.len(), MOST_FAILURES);
    if n_more > 0 {
        let more = count(n_more, "more failure");
        page.line(format_args!("{indent}{branch} {more}"));
    }
    true
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn failure(page: &mut Page, failure: &ScriptFailure, branch: &str, told: &Told<'_>) {
    let (indent, style) = (told.indent, told.style);
    let below = format!("{indent}   ");
    let sentence = sentence(failure);
    let (first, rest) = sentence.split_once('\n').unwrap_or((&sentence, ""));
    let subtest = match &failure.subtest {
        Some(name) => format!("{}: ", cut(name, LINE_CHARS, style.ellipsis())),
        None => String::new(),
    };
    let first = cut(first, MESSAGE.chars, style.ellipsis());
    page.line(format_args!("{indent}{branch} {subtest}{first}"));
    page.block(style, &below, rest, MESSAGE);
    if let Some(assertion) = &failure.assertion {
        values(page, assertion, &below, style);
    }
    code(page, failure, &below, style);
    if !told.has_stack || failure.frames.len() < 2 {
        return;
    }
    for frame in failure.frames.iter().take(MOST_FRAMES) {
        let line = at(frame, true);
        let line = cut(&line, VALUE_CHARS, style.ellipsis());
        page.line(format_args!(
            "{below}{}",
            paint(style, Tone::Faint, format_args!("at {line}"))
        ));
    }
    if let Some(n_more @ 1..) = failure.frames.len().checked_sub(MOST_FRAMES) {
        let more = count(n_more, "more frame");
        page.line(format_args!("{below}{} {more}", style.ellipsis()));
    }
}

/// Writes what was demanded and what was seen, as a difference where that shows more.
fn values(page: &mut Page, assertion: &FailedAssertion, indent: &str, style: &Style) {
    if let (Some(expected), Some(actual)) = (&assertion.expected, &assertion.actual)
        && is_for_diff(expected, actual)
    {
        page.line(format_args!("{indent}expected (-), actual (+):"));
        let bar = paint(style, Tone::Faint, style.bar()).to_string();
        for line in diff(expected, actual) {
            let text = cut(&line.text, LINE_CHARS, style.ellipsis());
            let shown = format!("{} {text}", line.sign.mark());
            let shown = match line.sign {
                Sign::Expected => paint(style, Tone::Bad, shown.trim_end()).to_string(),
                Sign::Actual => paint(style, Tone::Good, shown.trim_end()).to_string(),
                Sign::LeftOut => {
                    let shown = format!("{} {text}", style.ellipsis());
                    paint(style, Tone::Faint, shown).to_string()
                }
                Sign::Same | Sign::Changed => shown,
            };
            page.line(format_args!("{indent}{bar} {}", shown.trim_end()));
        }
        return;
    }
    let sides = [
        ("expected", &assertion.expected),
        ("actual", &assertion.actual),
    ];
    for (name, value) in sides {
        if let Some(value) = value {
            let value = cut(&Value::to_string(value), VALUE_CHARS, style.ellipsis());
            page.line(format_args!("{indent}{name}: {value}"));
        }
    }
}

/// Writes what came of the subtests, each below the one that holds it.
pub(crate) fn subtests(page: &mut Page, record: &ScriptRecord, told: &Told<'_>) {
    let (indent, style) = (told.indent, told.style);
    let mut holders: Vec<&str> = Vec::new();
    for subtest in record.subtests.iter().take(MOST_SUBTESTS) {
        let below = |holder: &str| {
            let rest = subtest.name.strip_prefix(holder);
            rest.and_then(|rest| rest.strip_prefix('/'))
        };
        while holders.last().is_some_and(|holder| below(holder).is_none()) {
            holders.pop();
        }
        let holder = holders.last().copied().unwrap_or(&record.function);
        let name = cut(
            below(holder).unwrap_or(&subtest.name),
            LINE_CHARS,
            style.ellipsis(),
        );
        let (tone, mark) = match subtest.status {
            TestStatus::Passed => (Tone::Good, style.tick()),
            TestStatus::Skipped => (Tone::Faint, style.circle()),
            TestStatus::Inconclusive => (Tone::Odd, "?"),
            TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => {
                (Tone::Bad, style.cross())
            }
        };
        let mark = paint(style, tone, mark).to_string();
        let (word, time) = (subtest.status.word(), duration(subtest.duration_us, style));
        let deeper = "  ".repeat(holders.len());
        page.line(format_args!(
            "{indent}{deeper}{mark} {name} {} ({time})",
            paint(style, tone, word)
        ));
        holders.push(&subtest.name);
    }
    if let Some(n_more @ 1..) = record.subtests.len().checked_sub(MOST_SUBTESTS) {
        let more = count(n_more, "more subtest");
        page.line(format_args!("{indent}{} {more}", style.ellipsis()));
    }
}

/// Writes what was logged in a test.
pub(crate) fn logs(page: &mut Page, result: &TestResult, told: &Told<'_>) {
    let logged = logged(result);
    if logged.is_empty() {
        return;
    }
    let (indent, style) = (told.indent, told.style);
    page.line(format_args!("{indent}{}", escape("logs:")));
    for line in logged.lines.iter().take(told.most_logs) {
        // Nothing is not the same as an empty line.
        let line = if line.is_empty() { "\n" } else { line };
        page.block(style, indent, line, LOG);
    }
    let n_more = more(logged.n_left_out, logged.lines.len(), told.most_logs);
    if n_more > 0 {
        let more = count(n_more, "more log");
        let bar = paint(style, Tone::Faint, style.bar()).to_string();
        page.line(format_args!("{indent}{bar} {} {more}", style.ellipsis()));
    }
}

/// Returns how many items are not shown: those that were not recorded, and those beyond the limit.
fn more(n_left_out: u64, n_items: usize, limit: usize) -> usize {
    let n_left_out = usize::try_from(n_left_out).unwrap_or(usize::MAX);
    n_left_out.saturating_add(n_items.saturating_sub(limit))
}
