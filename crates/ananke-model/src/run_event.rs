//! What a run tells its reporters, as it happens. Reports are folds over these events.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::Identity;
use crate::plan::TestId;
use crate::result::{TestResult, TestStatus};

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// The run begins.
    RunStarted(RunInfo),
    /// A test begins. Comes at once, in any order.
    TestStarted {
        /// Its position in the plan.
        index: usize,
        /// Its stable name.
        id: TestId,
    },
    /// A test takes long.
    TestSlow {
        /// Its position in the plan.
        index: usize,
        /// How long it has been running, in milliseconds.
        elapsed_ms: u64,
    },
    /// A test ended. Comes in the order of the plan, whatever order tests ended in.
    TestFinished {
        /// Its position in the plan.
        index: usize,
        /// What came of it.
        result: Box<TestResult>,
    },
    /// Something worth telling that belongs to no test.
    Notice(String),
    /// The run is over.
    RunFinished(Summary),
}

/// What is known when a run begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunInfo {
    /// The name of the run, which its bundle carries too; sorts by time.
    pub run_id: String,
    /// The version of ananke that ran it.
    pub version: String,
    /// The config file as the user would type it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_file: Option<String>,
    /// Where its bundle is, as the user would type it, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// The machine and the options that mattered: names and values for a person, such as `os` or `seed`.
    pub facts: BTreeMap<String, String>,
    /// How many tests there are.
    pub total: usize,
    /// Stable name of every test, in order.
    pub tests: Vec<TestId>,
    /// Agents that the tests talk to, as shown to a person.
    pub agents: Vec<String>,
    /// What the tests were found by, as shown to a person.
    pub input: String,
    /// When it began, in Unix milliseconds.
    pub started_at_ms: i64,
    /// How often each test is run; 0 and 1 mean once.
    pub runs_per_case: u32,
    /// Who asks, where the run says so; a case may say otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Box<Identity>>,
    /// The connector, if all tests use the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connector: Option<String>,
}

/// The totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// All tests.
    pub total: usize,
    /// Tests that passed.
    pub passed: usize,
    /// Tests whose checks failed.
    pub failed: usize,
    /// Tests that could not be carried out.
    pub errors: usize,
    /// Tests that took too long.
    pub timeouts: usize,
    /// Tests that were not run.
    pub skipped: usize,
    /// Tests that could not be decided.
    pub inconclusive: usize,
    /// Tests that passed without a check, by `--allow-unchecked`.
    pub unchecked: usize,
    /// Tests that passed only after a failed attempt; whether they count as passed is `--flaky-result`'s to say.
    pub flaky: usize,
    /// Wall-clock time.
    pub duration_us: u64,
    /// Whether the user stopped the run.
    pub interrupted: bool,
}

impl Summary {
    /// Counts one test.
    pub fn count(&mut self, status: TestStatus) {
        self.total += 1;
        match status {
            TestStatus::Passed => self.passed += 1,
            TestStatus::Failed => self.failed += 1,
            TestStatus::Error => self.errors += 1,
            TestStatus::Timeout => self.timeouts += 1,
            TestStatus::Skipped => self.skipped += 1,
            TestStatus::Inconclusive => self.inconclusive += 1,
        }
    }

    /// Counts one test with everything that the totals say about it.
    pub fn count_result(&mut self, result: &TestResult) {
        self.count(result.status);
        if result.flaky {
            self.flaky += 1;
        }
        if result.status == TestStatus::Passed && !result.has_evidence() {
            self.unchecked += 1;
        }
    }

    /// Returns failed, error and timeout together: everything that did not come out well.
    pub fn failed_in_all(&self) -> usize {
        self.failed + self.errors + self.timeouts
    }
}
