//! Tests that were never started, told in one line instead of one line each.

use std::collections::BTreeMap;

use ananke_model::result::TestResult;

use crate::count::count;
use crate::escape::cut;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Counts of tests that were not run, by reason.
#[derive(Debug, Default)]
pub(super) struct NotRun(BTreeMap<String, usize>);

impl NotRun {
    /// Takes in a test that was not run because the run stopped; tells whether it was one.
    pub(super) fn takes(&mut self, result: &TestResult) -> bool {
        let Some(reason) = result.stopped_before() else {
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
