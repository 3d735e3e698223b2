//! The index of all results: one column for each thing that the table shows, filters by or finds. Results with the same
//! id, as a merge of runs has them, are one test.

use std::collections::BTreeMap;

use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::Summary;
use serde::Serialize;

use super::detail::letter;
use super::island::cut;
use super::runs::{RunCell, run_cells};
use super::words::{Word, Words};
use crate::asked::preview;
use crate::dynamic::{is_dynamic, progress};
use crate::naming::one_of_several;
use crate::reasons::first_reason;
use crate::script::is_function;
use crate::stability::Stability;
use crate::totals::TestRuns;

/// How many characters of a reason the table shows.
const REASON_CHARS: usize = 300;

/// How many characters of a name or an id are kept.
const NAME_CHARS: usize = 500;

/// How many characters of what a case asks the table shows.
const ASK_CHARS: usize = 120;

/// How many tags of a test are kept.
const MOST_TAGS: usize = 100;

/// The columns, by the position of the result.
#[derive(Debug, Default, Serialize)]
pub(super) struct Index {
    /// One letter for each result.
    status: String,
    id: Vec<String>,
    name: Vec<String>,
    /// What people call a case, where the id has more than that.
    short: BTreeMap<usize, String>,
    /// What a case asks, in a few words.
    ask: BTreeMap<usize, String>,
    /// Where the id does not begin with it.
    file: BTreeMap<usize, String>,
    us: Vec<u64>,
    target: Vec<Word>,
    tags: BTreeMap<usize, Vec<Word>>,
    /// Positions of results that passed only after a failed attempt.
    flaky: Vec<usize>,
    /// Why a test did not pass, or was skipped.
    why: BTreeMap<usize, String>,
    /// Earlier attempts: letter and duration.
    tries: BTreeMap<usize, Vec<(char, u64)>>,
    /// Every run of a test that was run several times.
    runs: BTreeMap<usize, Vec<RunCell>>,
    /// The number of the run that speaks for them.
    run: BTreeMap<usize, u32>,
    /// How stable such a test is, over all of its results.
    class: BTreeMap<usize, &'static str>,
    /// How many runs of such a test passed, and how many there are, by its first result: `runs` may not hold all.
    all: BTreeMap<usize, (usize, usize)>,
    /// The connector, where one was chosen.
    conn: BTreeMap<usize, Word>,
    /// Results of a test that has one already: the position of its first.
    again: BTreeMap<usize, usize>,
    #[serde(skip)]
    tests: BTreeMap<TestId, TestTally>,
}

/// What came of one test over all of its results.
#[derive(Clone, Copy, Debug)]
struct TestTally {
    /// The position of its first result.
    first: usize,
    /// The worst of them.
    status: TestStatus,
    is_flaky: bool,
    is_unchecked: bool,
    runs: TestRuns,
}

impl Index {
    /// Adds the next result.
    pub(super) fn push(
        &mut self,
        result: &TestResult,
        stability: Option<&Stability>,
        words: &mut Words,
    ) {
        let row = self.id.len();
        self.tally(row, result, stability);
        self.status.push(letter(result.status));
        self.id.push(cut(&result.id.0, NAME_CHARS).into_owned());
        self.name.push(cut(&result.name, NAME_CHARS).into_owned());
        // The page reads the file off the id of a case or a whole file, not off that of a function.
        let is_whole_id = result.case.is_some() || one_of_several(result).is_none();
        let is_in_id = result.file == result.source_id() && !is_function(result) && is_whole_id;
        if !is_in_id || result.id.0.len() > NAME_CHARS {
            self.file
                .insert(row, cut(&result.file, NAME_CHARS).into_owned());
        }
        if result.case.is_some() || result.short_id() != result.id.0 {
            let short = cut(result.short_id(), NAME_CHARS).into_owned();
            self.short.insert(row, short);
        }
        if let Some(case) = &result.case {
            let asks = match is_dynamic(result) {
                true => format!("dynamic, {}", progress(result)),
                false => preview(&case.input, ASK_CHARS),
            };
            self.ask.insert(row, asks);
        }
        if let Some(connector) = &result.connector {
            let connector = words.word(&cut(connector, NAME_CHARS));
            self.conn.insert(row, connector);
        }
        if let Some(cells) = run_cells(result) {
            self.runs.insert(row, cells);
            self.run.insert(row, result.run.unwrap_or_default());
        }
        self.us.push(result.duration_us);
        self.target
            .push(words.word(&cut(&result.target, NAME_CHARS)));
        if !result.tags.is_empty() {
            let tags = result.tags.iter().take(MOST_TAGS);
            let tags = tags.map(|tag| words.word(&cut(tag, NAME_CHARS))).collect();
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

    fn tally(&mut self, row: usize, result: &TestResult, stability: Option<&Stability>) {
        let is_unchecked = result.status == TestStatus::Passed && !result.has_evidence();
        let test = self.tests.entry(result.id.clone()).or_insert(TestTally {
            first: row,
            status: result.status,
            is_flaky: false,
            is_unchecked: false,
            runs: TestRuns::default(),
        });
        if test.first != row {
            self.again.insert(row, test.first);
        }
        if badness(result.status) > badness(test.status) {
            test.status = result.status;
        }
        test.is_flaky |= result.flaky;
        test.is_unchecked |= is_unchecked;
        test.runs.add(result, stability);
        if test.runs.is_repeated {
            let runs = test.runs;
            self.all.insert(test.first, (runs.n_passed, runs.n_runs));
            self.class.insert(test.first, runs.class().key());
        }
    }

    /// Returns how many results there are if some belong to the same test.
    pub(super) fn n_results(&self) -> Option<usize> {
        (!self.again.is_empty()).then_some(self.id.len())
    }

    /// Returns the totals of a run with tests counted, not results.
    pub(super) fn by_test(&self, of_results: &Summary) -> Summary {
        let mut summary = Summary {
            duration_us: of_results.duration_us,
            interrupted: of_results.interrupted,
            ..Summary::default()
        };
        for test in self.tests.values() {
            summary.count(test.status);
            summary.flaky += usize::from(test.is_flaky);
            let is_passed = test.status == TestStatus::Passed;
            summary.unchecked += usize::from(test.is_unchecked && is_passed);
        }
        summary
    }
}

/// Ranks what a test can come to: the highest of its results stands for it. `data.js` ranks the same way.
fn badness(status: TestStatus) -> u8 {
    match status {
        TestStatus::Skipped => 0,
        TestStatus::Passed => 1,
        TestStatus::Inconclusive => 2,
        TestStatus::Timeout => 3,
        TestStatus::Error => 4,
        TestStatus::Failed => 5,
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
