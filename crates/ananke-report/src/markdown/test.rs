//! One test in the Markdown report.

use ananke_model::result::{TestResult, TestStatus};

use super::span::{code, fenced};
use crate::count::count;
use crate::excerpt::{PLAIN, reasons, status_word, turns};
use crate::facts::facts;
use crate::page::Page;
use crate::reasons::first_reason;

/// How much is shown of an id or a name.
const NAME_CHARS: usize = 200;

/// How much is shown of the first reason.
const REASON_CHARS: usize = 400;

/// How much is shown of all reasons.
const REASONS_BYTES: usize = 8_000;

/// How much is shown of a conversation.
const TURNS_BYTES: usize = 12_000;

/// Attempts that are shown in full; the JSON report has them all.
const MOST_ATTEMPTS: usize = 5;

/// Returns a test with its reasons and its conversation.
pub(super) fn in_full(result: &TestResult) -> String {
    let mut page = Page::default();
    heading(&mut page, result);
    if result.status != TestStatus::Passed {
        let (reason, n_reasons) = first_reason(result);
        let more = match n_reasons {
            0 | 1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        page.line(format_args!("{}{more}\n", code(&reason, REASON_CHARS)));
        details(&mut page, "Why", &reasons(result, REASONS_BYTES));
    }
    for (index, earlier) in result.earlier.iter().take(MOST_ATTEMPTS).enumerate() {
        let status = status_word(earlier.status).to_lowercase();
        let title = format!("Attempt {}: {status}", index + 1);
        details(&mut page, &title, &reasons(earlier, REASONS_BYTES));
    }
    details(&mut page, "Conversation", &turns(result, TURNS_BYTES));
    page.finish()
}

/// Returns a test in a few lines.
pub(super) fn brief(result: &TestResult) -> String {
    let mut page = Page::default();
    heading(&mut page, result);
    match (result.status, &result.reason) {
        (TestStatus::Skipped, Some(reason)) => {
            page.line(format_args!("{}\n", code(reason, REASON_CHARS)));
        }
        _ => {
            let n_turns = count(result.turns.len(), "turn");
            let n_checks = count(result.all_checks().count(), "check");
            page.line(format_args!("{n_turns}, {n_checks}\n"));
        }
    }
    page.finish()
}

/// Writes `### ✅ id - Passed (234ms)` and the name.
fn heading(page: &mut Page, result: &TestResult) {
    let mark = match result.status {
        TestStatus::Passed => "✅",
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => "❌",
        TestStatus::Inconclusive => "❔",
        TestStatus::Skipped => "⏭️",
    };
    let id = code(&result.id.0, NAME_CHARS);
    let word = status_word(result.status);
    if result.status == TestStatus::Skipped {
        page.line(format_args!("### {mark} {id} - {word}\n"));
    } else {
        let facts = facts(result, &PLAIN);
        page.line(format_args!("### {mark} {id} - {word} ({facts})\n"));
    }
    if !result.name.is_empty() && result.name != result.id.0 {
        page.line(format_args!("{}\n", code(&result.name, NAME_CHARS)));
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
