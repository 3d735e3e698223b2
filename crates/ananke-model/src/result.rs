//! What came of the checks: one result for each demand, and one for each test.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::{CheckpointResult, Sample};
use crate::case::{Case, present};
use crate::check::Origin;
use crate::plan::TestId;
use crate::recording::Turn;
use crate::script::{ScriptLog, ScriptRecord};

/// How the reasons of tests begin that were not run because the run stopped. What a user skips has the user's words.
const NOT_RUN: &str = "not run: ";
/// The reason of a test of which a run left nothing: a crash, a full disk, or the run is still going on.
pub const CUT_SHORT: &str = "not run: the run was cut short";
/// The reason of a test that did not begin because another one failed.
pub const FAIL_FAST: &str = "not run: --fail-fast stopped after a failure";
/// The reason of a test that did not begin because the user stopped the run.
pub const INTERRUPTED: &str = "interrupted";

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not hold.
    Failed,
    /// There is no telling; never counts as passed.
    Inconclusive,
}

/// What came of one demand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    /// The key a user writes, such as `tools.require`.
    pub check: String,
    /// What it is about: the tool, the pattern, the limit.
    pub subject: String,
    /// How it came out.
    pub outcome: Outcome,
    /// What was demanded.
    pub expected: String,
    /// What was seen.
    pub actual: String,
    /// The nearest miss and other help, one line each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub details: Vec<String>,
    /// Who demanded it.
    pub origin: Origin,
    /// Number of the event it points at, counted from 0 in the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<usize>,
    /// The demand as written, for checks that have one value.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "present"
    )]
    pub value: Option<Value>,
    /// Whether the opposite was demanded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub negate: bool,
    /// What the user wants to be said when it does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Every answer of the judge, for checks that another agent decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
    /// A snapshot file that is to be written because of `--update-snapshots`.
    #[serde(skip)]
    pub snapshot: Option<Box<SnapshotWrite>>,
}

/// A snapshot file that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotWrite {
    /// The file, below the project root.
    pub path: String,
    /// What it is to hold.
    pub content: String,
}

impl CheckResult {
    /// Tells whether this keeps the test from passing.
    pub fn is_failure(&self) -> bool {
        self.outcome == Outcome::Failed
    }
}

/// How a test came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TestStatus {
    /// Every check holds.
    Passed,
    /// A check does not hold.
    Failed,
    /// The agent, a hook or the connection failed.
    Error,
    /// A wall-clock limit was hit.
    Timeout,
    /// Not run on purpose.
    Skipped,
    /// No check failed, but at least one could not be decided.
    Inconclusive,
}

impl TestStatus {
    /// Returns the word that reports show.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "PASSED",
            Self::Failed => "FAILED",
            Self::Error => "ERROR",
            Self::Timeout => "TIMEOUT",
            Self::Skipped => "SKIPPED",
            Self::Inconclusive => "INCONCLUSIVE",
        }
    }

    /// Tells whether the test counts as failed in the totals: failed, error or timeout.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Error | Self::Timeout)
    }
}

/// A turn with the results of its own block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedTurn {
    /// What happened.
    pub turn: Turn,
    /// What came of its block; empty if it has none.
    pub checks: Vec<CheckResult>,
}

/// Everything a report can say about a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The stable name.
    pub id: TestId,
    /// What the user calls it, references resolved.
    pub name: String,
    /// The file as the user would type it.
    pub file: String,
    /// How it came out.
    pub status: TestStatus,
    /// Why it was skipped, or what went wrong outside the checks. One sentence without a full stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// More lines about the reason, such as the tail of a hook's stderr.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reason_details: Vec<String>,
    /// The turns that were run.
    pub turns: Vec<JudgedTurn>,
    /// How many turns the test has.
    pub n_turns: usize,
    /// What came of the test-level block; empty if the test stopped before.
    pub checks: Vec<CheckResult>,
    /// Things worth a look that did not change the status.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
    /// The words for `--tag`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<String>,
    /// Whether any turn tried to reach the agent, and whether any response came.
    pub reach: Reach,
    /// When the first request was sent, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at_ms: Option<i64>,
    /// When the last turn ended, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at_ms: Option<i64>,
    /// Wall-clock time of the whole test, hooks included.
    pub duration_us: u64,
    /// The agent it talked to, as shown to a person.
    #[serde(default)]
    pub target: String,
    /// What the hooks gave.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, Value>,
    /// Whether it passed only after a failed attempt.
    #[serde(default)]
    pub flaky: bool,
    /// The attempts before this one, oldest first; they have no earlier attempts themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Self>,
    /// What is known of it if it is a JSONL case or a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Arc<Case>>,
    /// The connector that was chosen with `-c` or by the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connector: Option<String>,
    /// What came of the checkpoints, in the order in which they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkpoints: Vec<CheckpointResult>,
    /// Which run of `--runs` this is, counted from 1; absent if there is one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// The other runs, by number; they have no other runs themselves. This one speaks for all: the first that did not pass,
    /// unless enough of them did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_runs: Vec<Self>,
    /// What is recorded of it if it is a function of a script. Its turns are what it asked agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<Box<ScriptRecord>>,
    /// What scripts around it logged, in order: hooks of its case and of the run (`before: …`), and the agent if it is a
    /// script (`agent: …`). What a test function itself logged is in its record. Bounded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<ScriptLog>,
}

impl TestResult {
    /// Returns why the run stopped before this test, if it is one that never began.
    pub fn stopped_before(&self) -> Option<&str> {
        let is_skipped = self.status == TestStatus::Skipped;
        let reason = self.reason.as_deref().filter(|_| is_skipped)?;
        match reason {
            INTERRUPTED => Some(reason),
            _ => reason.strip_prefix(NOT_RUN),
        }
    }

    /// Returns what a person calls this test: the id of a case, else the stable name. A run that was cut short may have left
    /// nothing of a case but its name.
    pub fn short_id(&self) -> &str {
        match &self.case {
            Some(case) => &case.id,
            None => self.id.short(),
        }
    }

    /// Returns the stable name of the file: of a case the part before its own id.
    pub fn source_id(&self) -> &str {
        self.id.source(self.case.as_deref())
    }

    /// Returns every run of `--runs` by number; this one alone if there is one only.
    pub fn runs(&self) -> Vec<&Self> {
        let mut runs: Vec<&Self> = self.other_runs.iter().chain([self]).collect();
        runs.sort_by_key(|result| result.run);
        runs
    }

    /// Tells whether anything was demanded of it.
    pub fn has_evidence(&self) -> bool {
        let by_script = |script: &ScriptRecord| script.assertions > 0;
        self.script.as_deref().is_some_and(by_script) || self.all_checks().next().is_some()
    }

    /// Goes through the results of all blocks: those of turns, of checkpoints, and of the whole test.
    pub fn all_checks(&self) -> impl Iterator<Item = &CheckResult> {
        self.turns
            .iter()
            .flat_map(|judged| &judged.checks)
            .chain(self.checkpoints.iter().flat_map(|one| &one.checks))
            .chain(&self.checks)
    }
}

/// Whether an agent was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// No request was sent.
    NotTried,
    /// No request was answered.
    Unreached,
    /// Some request was answered, whatever the answer.
    Reached,
}
