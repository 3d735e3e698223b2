//! What a check says, before it is known who demanded it.

use ananke_model::agent::Sample;
use ananke_model::result::{Outcome, SnapshotWrite};

use crate::pattern::BudgetExceeded;

/// What came of one check.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// Passed or failed.
    pub(crate) outcome: Outcome,
    /// What was seen.
    pub(crate) actual: String,
    /// The nearest miss and other help, one line each.
    pub(crate) details: Vec<String>,
    /// The event it points at.
    pub(crate) event: Option<usize>,
    /// Every answer, where another agent judges.
    pub(crate) samples: Vec<Sample>,
    /// A snapshot file that is to be written.
    pub(crate) snapshot: Option<Box<SnapshotWrite>>,
}

impl Verdict {
    /// Returns that the check holds.
    pub(crate) fn passed(actual: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Passed,
            actual: actual.into(),
            details: Vec::new(),
            event: None,
            samples: Vec::new(),
            snapshot: None,
        }
    }

    /// Returns that the check does not hold.
    pub(crate) fn failed(actual: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Failed,
            ..Self::passed(actual)
        }
    }

    /// Returns that there is no telling, and why: never a pass, and nothing that the agent did wrong.
    pub(crate) fn inconclusive(why: impl Into<String>) -> Self {
        Self {
            outcome: Outcome::Inconclusive,
            ..Self::passed(why)
        }
    }

    /// Returns that a search was given up, which is never a pass.
    pub(crate) fn gave_up(pattern: &str) -> Self {
        Self::failed(BudgetExceeded.to_string()).details([format!(
            "{pattern} needs backtracking on this text; write it without look-around, back-references or nested repetitions"
        )])
    }

    /// Adds lines of help.
    pub(crate) fn details(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines);
        self
    }

    /// Points at an event.
    pub(crate) fn event(mut self, event: Option<usize>) -> Self {
        self.event = event;
        self
    }
}
