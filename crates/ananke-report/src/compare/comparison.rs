//! What a comparison found. Renderers show it; written as JSON it is version 1 of its format.

use ananke_model::result::TestStatus;
use serde::{Serialize, Serializer};

/// Two runs, side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What it comes to.
    pub verdict: Verdict,
    /// What it meant that a test is gone.
    pub missing: Missing,
    /// How many tests changed in which way.
    pub counts: Counts,
    /// The run before.
    pub a: SideTotals,
    /// The run after.
    pub b: SideTotals,
    /// The targets, where each side has one and they are not the same: then behavior is what both show, without events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<[String; 2]>,
    /// What could not be compared, one sentence each.
    pub notes: Vec<String>,
    /// Every test of either side: those of the run before in its order, then new ones.
    pub tests: Vec<TestComparison>,
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A test broke, or is gone without leave.
    Regression,
    /// No test is in both runs.
    NothingInCommon,
    /// No regression was seen, but one of the runs is not all here.
    Inconclusive,
    /// There are differences, none of them a regression.
    NoRegression,
    /// Every test behaves as before.
    NoDifference,
}

/// What it means that a test of the run before is not in the run after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Evidence was lost: a regression.
    Regression,
    /// It was left out on purpose.
    Allowed,
}

/// How many tests changed in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Passed before, not now.
    pub broken: usize,
    /// In the run before only.
    pub gone: usize,
    /// Passes now, not before.
    pub fixed: usize,
    /// In the run after only.
    pub new: usize,
    /// New ones that do not pass; these are counted above too.
    pub new_failing: usize,
    /// Came out alike, behaves otherwise.
    pub changed: usize,
    /// As before.
    pub same: usize,
    /// Passed in neither run; these are counted above too.
    pub still_failing: usize,
}

/// The totals of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideTotals {
    /// What a person calls the run.
    pub label: String,
    /// All results.
    pub total: usize,
    /// All tests; fewer than results if several runs were joined.
    pub tests: usize,
    /// Results that passed.
    pub passed: usize,
    /// Results that were skipped.
    pub skipped: usize,
    /// Results that passed only after a failed attempt.
    pub flaky: usize,
    /// The time of all tests together; written in milliseconds.
    #[serde(rename = "duration_ms", serialize_with = "milliseconds")]
    pub duration_us: u64,
    /// Why the run did not come to its end, or is not all here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
}

/// A test on both sides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestComparison {
    /// Its stable name.
    pub id: String,
    /// What the user calls it.
    pub name: String,
    /// The id of a case, which the stable name ends with; `file` says where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The file that holds it, as the user would type it.
    pub file: String,
    /// How it changed.
    pub change: Change,
    /// What is different, for a test that is on both sides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aspects: Vec<Aspect>,
    /// The run before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<Seen>,
    /// The run after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Seen>,
    /// The first difference in behavior.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_difference: Option<FirstDifference>,
    /// Where the two part.
    #[serde(skip_serializing_if = "Details::is_empty")]
    pub details: Details,
    /// What took notably more or less time; never a regression by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timing: Vec<TimingChange>,
}

/// How a test changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Passed before, not now; of several results, fewer passed.
    Broken,
    /// In the run before only, or skipped now.
    Gone,
    /// Passes now, not before; of several results, more passed.
    Fixed,
    /// In the run after only, or skipped before.
    New,
    /// Came out alike, behaves otherwise.
    Changed,
    /// As before.
    Same,
}

/// What can be different about a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The status, among those that are no pass.
    Status,
    /// Why it does not pass.
    Reason,
    /// How many of its runs passed.
    PassRate,
    /// Whether it needed more than one attempt.
    Flaky,
    /// How many turns were run.
    Turns,
    /// What the user said: the test itself was changed.
    Input,
    /// Tools, arguments, results or their order.
    ToolCalls,
    /// What the agent said.
    Text,
    /// The shared state.
    State,
    /// Which checkpoints were reached, and when.
    Checkpoints,
    /// How a turn ended, interrupts included.
    Ending,
    /// Only events that amount to none of the above.
    Events,
}

impl Aspect {
    /// Returns the words for a person.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Status => "status",
            Self::Reason => "reason",
            Self::PassRate => "pass rate",
            Self::Flaky => "flakiness",
            Self::Turns => "number of turns",
            Self::Input => "user messages",
            Self::ToolCalls => "tool calls",
            Self::Text => "text",
            Self::State => "state",
            Self::Checkpoints => "checkpoints",
            Self::Ending => "ending of a turn",
            Self::Events => "events",
        }
    }
}

/// How a test came out on one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seen {
    /// How it came out; of several results, the first that did not pass. With a pass rate that is enough it passed although
    /// not every run did.
    pub status: TestStatus,
    /// Whether any result came out as passed.
    #[serde(skip)]
    pub(super) has_passed: bool,
    /// How many results there are, with every run of a test by itself.
    pub runs: usize,
    /// How many of them passed.
    pub passed: usize,
    /// How stable it is; absent if it was run once.
    #[serde(rename = "stability", skip_serializing_if = "Option::is_none")]
    pub class: Option<&'static str>,
    /// Whether any of them passed only after a failed attempt.
    pub flaky: bool,
    /// Why it or one of its runs did not pass, or why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many reasons there are; absent if there is no more than one.
    #[serde(rename = "reasons", skip_serializing_if = "is_told")]
    pub n_reasons: usize,
    /// How long it took; of several results, the median. Written in milliseconds.
    #[serde(rename = "duration_ms", serialize_with = "milliseconds")]
    pub duration_us: u64,
}

/// The first difference in behavior, in the order of the conversation. Generated ids have names such as `<id-1>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstDifference {
    /// The turn, counted from 1; absent for a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// What differs: `text`, `tool call 2 `search`, arguments, limit`, `state`, `ending`.
    pub what: String,
    /// Before, shortened; absent if it was not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// After, shortened; absent if it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}

/// Where two results part. Generated ids have names such as `<id-1>`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Details {
    /// Checkpoints that were reached on one side only, or in another turn; paths are their ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checkpoints: Vec<ValueChange>,
    /// Differences between the tool calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallChange>,
    /// Differences between the texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextChange>,
    /// Differences between the states; paths begin with `turn N`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<ValueChange>,
    /// Differences between the endings and the user messages; paths begin with `turn N`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ValueChange>,
    /// The first event that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_event: Option<EventChange>,
}

impl Details {
    /// Tells whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.checkpoints.is_empty()
            && self.calls.is_empty()
            && self.texts.is_empty()
            && self.states.is_empty()
            && self.others.is_empty()
            && self.first_event.is_none()
    }
}

/// A difference between the tool calls of a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallChange {
    /// The turn, counted from 1.
    pub turn: usize,
    /// What kind of difference.
    pub kind: CallChangeKind,
    /// The tool.
    pub name: String,
    /// The arguments, for a call that is on one side only or moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<String>,
    /// What differs inside the arguments or the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ValueChange>,
}

/// Kinds of differences between calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallChangeKind {
    /// On the side after only.
    Added,
    /// On the side before only.
    Removed,
    /// The same call at another place.
    Moved,
    /// Other arguments.
    Args,
    /// The same call, another result.
    Result,
}

/// A difference inside a JSON value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ValueChange {
    /// Where; empty for the whole value.
    pub path: String,
    /// Before; absent if it was not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// After; absent if it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}

/// A difference between the texts of a turn, word by word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextChange {
    /// The turn, counted from 1.
    pub turn: usize,
    /// Both texts in one; long stretches without a difference are cut.
    pub pieces: Vec<TextPiece>,
}

/// A stretch of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextPiece {
    /// Which side it is on.
    pub kind: PieceKind,
    /// The words.
    pub text: String,
}

/// Which side a stretch of text is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// On both.
    Same,
    /// Before only.
    Removed,
    /// After only.
    Added,
}

/// The first event that differs. Deltas of one message count as one event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventChange {
    /// The turn, counted from 1.
    pub turn: usize,
    /// Its number before, counted from 0 in the turn; absent if there are no more events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_a: Option<usize>,
    /// Its number after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_b: Option<usize>,
    /// Its payload before, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// Its payload after, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
}

/// Something that took notably more or less time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimingChange {
    /// What: `test`, `turn 1`, `first text of turn 1`.
    pub what: String,
    /// Before; written in milliseconds.
    #[serde(rename = "a_ms", serialize_with = "milliseconds")]
    pub a_us: u64,
    /// After; written in milliseconds.
    #[serde(rename = "b_ms", serialize_with = "milliseconds")]
    pub b_us: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn milliseconds<S: Serializer>(us: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if us.is_multiple_of(1_000) {
        serializer.serialize_u64(us / 1_000)
    } else {
        serializer.serialize_f64(*us as f64 / 1_000.0)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_told(n_reasons: &usize) -> bool {
    *n_reasons < 2
}
