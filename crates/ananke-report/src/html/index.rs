//! The index of all tests: one column for each thing that the table shows, filters by or finds.

use std::collections::BTreeMap;

use ananke_model::result::{TestResult, TestStatus};
use serde::Serialize;

use super::detail::letter;
use super::island::cut;
use super::words::{Word, Words};
use crate::reasons::first_reason;

/// How many characters of a reason the table shows.
const REASON_CHARS: usize = 300;

/// How many characters of a name or an id are kept.
const NAME_CHARS: usize = 500;

/// The columns, by the position of the test.
#[derive(Debug, Default, Serialize)]
pub(super) struct Index {
    /// One letter for each test.
    status: String,
    id: Vec<String>,
    name: Vec<String>,
    /// Where it is not the same as the id.
    file: BTreeMap<usize, String>,
    us: Vec<u64>,
    target: Vec<Word>,
    tags: BTreeMap<usize, Vec<Word>>,
    /// Positions of tests that passed only after a failed attempt.
    flaky: Vec<usize>,
    /// Why a test did not pass, or was skipped.
    why: BTreeMap<usize, String>,
    /// Earlier attempts: letter and duration.
    tries: BTreeMap<usize, Vec<(char, u64)>>,
}

impl Index {
    /// Adds the next test.
    pub(super) fn push(&mut self, result: &TestResult, words: &mut Words) {
        let row = self.id.len();
        self.status.push(letter(result.status));
        self.id.push(cut(&result.id.0, NAME_CHARS).into_owned());
        self.name.push(cut(&result.name, NAME_CHARS).into_owned());
        if result.file != result.id.0 {
            self.file
                .insert(row, cut(&result.file, NAME_CHARS).into_owned());
        }
        self.us.push(result.duration_us);
        self.target
            .push(words.word(&cut(&result.target, NAME_CHARS)));
        if !result.tags.is_empty() {
            let tags = result.tags.iter().take(20);
            let tags = tags.map(|tag| words.word(&cut(tag, 100))).collect();
            self.tags.insert(row, tags);
        }
        if result.flaky {
            self.flaky.push(row);
        }
        if let Some(reason) = reason(result) {
            self.why
                .insert(row, cut(&reason, REASON_CHARS).into_owned());
        }
        if !result.earlier.is_empty() {
            let earlier = result.earlier.iter().take(100);
            let tries = earlier.map(|attempt| (letter(attempt.status), attempt.duration_us));
            self.tries.insert(row, tries.collect());
        }
    }
}

fn reason(result: &TestResult) -> Option<String> {
    match result.status {
        TestStatus::Passed => None,
        TestStatus::Skipped => result.reason.clone(),
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout | TestStatus::Inconclusive => {
            Some(first_reason(result).0)
        }
    }
}
