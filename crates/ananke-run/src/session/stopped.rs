//! Why a test did not come to its verdict.

use ananke_model::place::Text;
use ananke_model::result::TestStatus;
use ananke_model::variables::Variables;

/// Why a test did not come to its verdict.
#[derive(Clone, Debug)]
pub(crate) struct Stopped {
    pub(crate) status: TestStatus,
    /// Empty if the checks say why.
    pub(crate) reason: String,
    pub(crate) details: Vec<String>,
}

impl Stopped {
    /// Returns an error with its reason.
    pub(crate) fn error(reason: impl Into<String>) -> Self {
        Self {
            status: TestStatus::Error,
            reason: reason.into(),
            details: Vec::new(),
        }
    }

    /// Returns that the test is not to be run, with the user's reason.
    pub(crate) fn skipped(skip: &Text, variables: &Variables) -> Self {
        let reason = variables.text(&skip.text);
        Self {
            status: TestStatus::Skipped,
            reason: reason.unwrap_or_else(|_| skip.text.clone()),
            details: Vec::new(),
        }
    }

    /// Adds lines about the reason.
    pub(crate) fn details(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(lines);
        self
    }

    /// Returns one reason that tells all of them; nothing if there is none.
    pub(crate) fn all(reasons: impl IntoIterator<Item = Option<Self>>) -> Option<Self> {
        let mut reasons = reasons.into_iter().flatten();
        let mut first = reasons.next()?;
        for other in reasons {
            first.details.push(other.reason);
            first.details.extend(other.details);
        }
        Some(first)
    }
}
