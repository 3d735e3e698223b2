//! What a check finds out, before `negate` is looked at.

use crate::verdict::Verdict;

/// Whether a check holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// There is no telling: it fails, negated or not.
    Undecided,
}

/// What a check found out.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) state: State,
    /// One sentence about why it does not hold.
    pub(super) said: String,
    /// What was seen.
    pub(super) actual: String,
    /// The nearest miss and other help.
    pub(super) details: Vec<String>,
    /// The event it points at.
    pub(super) event: Option<usize>,
}

impl Judged {
    /// Returns that the check holds.
    pub(super) fn holds(actual: impl Into<String>) -> Self {
        Self {
            state: State::Holds,
            said: String::new(),
            actual: actual.into(),
            details: Vec::new(),
            event: None,
        }
    }

    /// Returns that the check does not hold, in one sentence and as what was seen.
    pub(super) fn fails(said: impl Into<String>, actual: impl Into<String>) -> Self {
        Self {
            state: State::Fails,
            said: said.into(),
            ..Self::holds(actual)
        }
    }

    /// Returns that there is no telling.
    pub(super) fn undecided(said: impl Into<String>, actual: impl Into<String>) -> Self {
        Self {
            state: State::Undecided,
            ..Self::fails(said, actual)
        }
    }

    /// Returns that a search was given up.
    pub(super) fn gave_up(pattern: &str) -> Self {
        let verdict = Verdict::gave_up(pattern);
        Self::undecided(verdict.actual.clone(), verdict.actual).details(verdict.details)
    }

    /// Adds lines of help.
    pub(super) fn details(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines);
        self
    }

    /// Points at an event.
    pub(super) fn event(mut self, event: usize) -> Self {
        self.event = Some(event);
        self
    }
}
