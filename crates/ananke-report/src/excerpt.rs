//! What reports quote: why a test did not pass and what was said, as lines that are escaped and bounded.

use ananke_model::result::{TestResult, TestStatus};

use crate::count::count;
use crate::page::Page;
use crate::script::{self, Told};
use crate::style::Style;
use crate::terminal::{conversation, failure};

/// How texts look in files: no colors, all symbols.
pub(crate) const PLAIN: Style = Style {
    color: false,
    unicode: true,
    width: 120,
};

/// How functions of scripts are told about in files.
const TOLD: Told<'static> = Told {
    style: &PLAIN,
    indent: "  ",
    has_stack: true,
    most_logs: 1_000,
};

/// Returns everything that keeps a test from passing, in at most about `limit` bytes.
pub(crate) fn reasons(result: &TestResult, limit: usize) -> String {
    let mut page = Page::default();
    failure(&mut page, result, &PLAIN);
    if let Some(record) = &result.script {
        script::subtests(&mut page, record, &TOLD);
    }
    bounded(&page.finish(), limit)
}

/// Returns every turn with its texts and calls, in at most about `limit` bytes.
pub(crate) fn turns(result: &TestResult, limit: usize) -> String {
    let mut page = Page::default();
    conversation(&mut page, result, &PLAIN);
    bounded(&page.finish(), limit)
}

/// Returns what scripts logged in a test, in at most about `limit` bytes.
pub(crate) fn logs(result: &TestResult, limit: usize) -> String {
    let mut page = Page::default();
    script::logs(&mut page, result, &TOLD);
    bounded(&page.finish(), limit)
}

/// Returns the status as a word within a sentence.
pub(crate) fn status_word(status: TestStatus) -> &'static str {
    match status {
        TestStatus::Passed => "Passed",
        TestStatus::Failed => "Failed",
        TestStatus::Error => "Error",
        TestStatus::Timeout => "Timeout",
        TestStatus::Skipped => "Skipped",
        TestStatus::Inconclusive => "Inconclusive",
    }
}

/// Returns the first whole lines that fit, without the blanks that all of them begin with, and a count of the others.
fn bounded(text: &str, limit: usize) -> String {
    let lines = || text.lines();
    let indents = lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len());
    let indent = " ".repeat(indents.min().unwrap_or_default());
    let mut out = String::new();
    let mut n_shown = 0;
    for line in lines() {
        let line = line.strip_prefix(&indent).unwrap_or(line);
        if out.len() + line.len() >= limit {
            break;
        }
        out.push_str(line);
        out.push('\n');
        n_shown += 1;
    }
    match lines().count() - n_shown {
        0 => {}
        more => {
            let ellipsis = PLAIN.ellipsis();
            out.extend([ellipsis, " ", &count(more, "more line")]);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_or_not_there() {
        assert_eq!(bounded("  ab\n   c\n\n", 100), "ab\n c");
        assert_eq!(bounded("ab\ncd\nef\n", 5), "ab\n… 2 more lines");
        assert_eq!(bounded("abcdef\n", 3), "… 1 more line");
        assert_eq!(bounded("", 3), "");
    }
}
