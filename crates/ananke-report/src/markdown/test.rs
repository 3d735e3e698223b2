//! One test in the Markdown report.

use ananke_model::case::Identity;
use ananke_model::result::{TestResult, TestStatus};

use super::case::{Room, case};
use super::span::{code, fenced};
use super::stability;
use crate::count::count;
use crate::duration::duration;
use crate::excerpt::{PLAIN, logs, reasons, status_word, turns};
use crate::facts::facts;
use crate::page::Page;
use crate::reasons::first_reason;
use crate::script::own_name;
use crate::stability::Stability;

/// How much is shown of an id or a name.
const NAME_CHARS: usize = 200;

/// How much is shown of the first reason.
const REASON_CHARS: usize = 400;

/// How much is shown of all reasons.
const REASONS_BYTES: usize = 8_000;

/// How much is shown of what scripts logged in a test that is told in a few lines.
const BRIEF_LOGS_BYTES: usize = 4_000;

/// How much is shown of what a script logged.
const LOGS_BYTES: usize = 8_000;

/// How much is shown of a conversation.
const TURNS_BYTES: usize = 12_000;

/// Attempts that are shown in full; the JSON report has them all.
const MOST_ATTEMPTS: usize = 5;

/// A test with what is known about it besides its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) result: &'a TestResult,
    /// What its runs say about it, if it was run several times.
    pub(super) stability: Option<&'a Stability>,
    /// Who asks, where the run says so.
    pub(super) identity: Option<&'a Identity>,
}

impl Entry<'_> {
    /// Returns the test with its reasons and its conversation.
    pub(super) fn in_full(&self) -> String {
        let result = self.result;
        let mut page = Page::default();
        self.heading(&mut page);
        if result.status != TestStatus::Passed {
            let (reason, n_reasons) = first_reason(result);
            let more = match n_reasons {
                0 | 1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            page.line(format_args!("{}{more}\n", code(&reason, REASON_CHARS)));
        }
        if let Some(stability) = self.stability {
            stability::lines(&mut page, result, stability);
        }
        case(&mut page, result, self.identity, Room::Wide);
        if result.status != TestStatus::Passed {
            let of_run = of_run(result);
            let title = format!("Why{of_run}");
            details(&mut page, &title, &reasons(result, REASONS_BYTES));
        }
        logged(&mut page, result, LOGS_BYTES);
        for (index, earlier) in result.earlier.iter().take(MOST_ATTEMPTS).enumerate() {
            let status = status_word(earlier.status).to_lowercase();
            let title = format!("Attempt {}: {status}", index + 1);
            details(&mut page, &title, &reasons(earlier, REASONS_BYTES));
        }
        let title = format!("Conversation{}", of_run(result));
        details(&mut page, &title, &turns(result, TURNS_BYTES));
        page.finish()
    }

    /// Returns the test in a few lines.
    pub(super) fn brief(&self) -> String {
        let result = self.result;
        let mut page = Page::default();
        self.heading(&mut page);
        match (result.status, &result.reason) {
            (TestStatus::Skipped, Some(reason)) => {
                page.line(format_args!("{}\n", code(reason, REASON_CHARS)));
            }
            _ if result.case.is_some() => {
                case(&mut page, result, self.identity, Room::Narrow);
            }
            _ if let Some(record) = &result.script => {
                let n_assertions = usize::try_from(record.assertions).unwrap_or(usize::MAX);
                page.line(format_args!("{}\n", count(n_assertions, "assertion")));
            }
            _ => {
                let n_turns = count(result.turns.len(), "turn");
                let n_checks = count(result.all_checks().count(), "check");
                page.line(format_args!("{n_turns}, {n_checks}\n"));
            }
        }
        logged(&mut page, result, BRIEF_LOGS_BYTES);
        page.finish()
    }

    /// Writes `### ✅ id - Passed (234ms)` and the name.
    fn heading(&self, page: &mut Page) {
        let result = self.result;
        let mark = stability::mark(result.status);
        let id = plain_or_code(result.short_id());
        let word = status_word(result.status);
        match self.stability {
            _ if result.status == TestStatus::Skipped => {
                page.line(format_args!("### {mark} {id} - {word}\n"));
            }
            Some(stability) => page.line(format_args!(
                "### {mark} {id} - {word} ({} of {} runs, avg {})\n",
                stability.passed,
                stability.runs,
                duration(stability.avg_us, &PLAIN)
            )),
            None => {
                let facts = facts(result, &PLAIN);
                page.line(format_args!("### {mark} {id} - {word} ({facts})\n"));
            }
        }
        let name = own_name(result);
        if !name.is_empty() && name != result.short_id() {
            page.line(format_args!("{}\n", code(name, NAME_CHARS)));
        }
    }
}

/// Returns an id as it is if it can be nothing but a word, else as code.
fn plain_or_code(id: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let starts_well = id.starts_with(|c: char| c.is_ascii_alphanumeric());
    if starts_well && id.len() <= NAME_CHARS && id.chars().all(is_word) {
        return id.to_owned();
    }
    code(id, NAME_CHARS)
}

/// Returns which run is told about, if there are several.
fn of_run(result: &TestResult) -> String {
    match (result.run, result.other_runs.is_empty()) {
        (Some(run), false) => format!(" (run {run})"),
        _ => String::new(),
    }
}

/// Writes lines that are escaped already, to be opened; `title` is ours.
fn details(page: &mut Page, title: &str, lines: &str) {
    if lines.is_empty() {
        return;
    }
    page.line(format_args!("<details>\n<summary>{title}</summary>\n"));
    page.lines(&fenced(lines));
    page.line(format_args!("\n</details>\n"));
}

/// Writes what scripts logged.
fn logged(page: &mut Page, result: &TestResult, limit: usize) {
    let logs = logs(result, limit);
    let logs = logs.strip_prefix("logs:\n").unwrap_or(&logs);
    details(page, "Logs", logs);
}
