//! Tests that were never started, told in one line instead of one line each.

use std::collections::BTreeMap;

use ananke_model::result::{TestResult, TestStatus};

use crate::count::count;
use crate::escape::cut;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// How the reasons of tests begin that were not run because the run stopped. What a user skips has the user's words.
const STOPPED: &str = "not run: ";

/// Counts of tests that were not run, by reason.
#[derive(Debug, Default)]
pub(super) struct NotRun(BTreeMap<String, usize>);

impl NotRun {
    /// Takes in a test that was not run because the run stopped; tells whether it was one.
    pub(super) fn takes(&mut self, result: &TestResult) -> bool {
        let Some(reason) = stopped(result) else {
            return false;
        };
        *self.0.entry(reason.to_owned()).or_default() += 1;
        true
    }

    /// Writes one line for each reason: `○ 7 tests not run: --fail-fast stopped after a failure`.
    pub(super) fn lines(&self, page: &mut Page, style: &Style) {
        let mark = paint(style, Tone::Faint, style.circle()).to_string();
        for (reason, n) in &self.0 {
            let tests = count(*n, "test");
            let reason = cut(reason, 200, style.ellipsis());
            page.line(format_args!("{mark} {tests} not run: {reason}"));
        }
    }
}

fn stopped(result: &TestResult) -> Option<&str> {
    let is_skipped = result.status == TestStatus::Skipped;
    let reason = result.reason.as_deref().filter(|_| is_skipped)?;
    match reason {
        "interrupted" => Some(reason),
        _ => reason.strip_prefix(STOPPED),
    }
}
