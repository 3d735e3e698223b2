//! Why a test did not pass, as single sentences. Nothing is escaped here: the JSON report shows the same words.

use ananke_model::recording::TurnStatus;
use ananke_model::result::{CheckResult, Outcome, TestResult, TestStatus};

/// A check that does not hold, or could not be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unmet<'a> {
    /// The turn whose block holds it, counted from 1; `None` for the test's own block.
    pub(crate) turn: Option<usize>,
    /// What came of it.
    pub(crate) check: &'a CheckResult,
}

impl Unmet<'_> {
    /// Returns the block that holds the check: `turn 1` or `test`.
    pub(crate) fn block(&self) -> String {
        self.turn
            .map_or_else(|| "test".to_owned(), |turn| format!("turn {turn}"))
    }

    /// Returns the check as a user would look for it: key and subject.
    pub(crate) fn name(&self) -> String {
        let CheckResult { check, subject, .. } = self.check;
        if subject.is_empty() {
            check.clone()
        } else {
            format!("{check} {subject}")
        }
    }

    /// Returns what was demanded and what stands before the thing that was seen.
    pub(crate) fn expectation(&self) -> String {
        let expected = &self.check.expected;
        match self.check.outcome {
            Outcome::Inconclusive => format!("could not be decided: expected {expected}, got"),
            Outcome::Passed | Outcome::Failed => format!("expected {expected}, got"),
        }
    }
}

/// Goes through the checks that keep a test from passing, turns first.
pub(crate) fn unmet(result: &TestResult) -> impl Iterator<Item = Unmet<'_>> {
    let of_turns = result.turns.iter().enumerate().flat_map(|(index, judged)| {
        let turn = Some(index + 1);
        judged.checks.iter().map(move |check| Unmet { turn, check })
    });
    let of_test = result
        .checks
        .iter()
        .map(|check| Unmet { turn: None, check });
    of_turns
        .chain(of_test)
        .filter(|unmet| unmet.check.outcome != Outcome::Passed)
}

/// Returns what went wrong outside the checks, if anything did.
pub(crate) fn trouble(result: &TestResult) -> Option<String> {
    if matches!(result.status, TestStatus::Passed | TestStatus::Skipped) {
        return None;
    }
    let from_turn = || {
        let turn = &result.turns.last()?.turn;
        let message = match &turn.status {
            TurnStatus::Finished => return None,
            TurnStatus::RunError { message, .. } => {
                format!("the agent ended the run with an error: {message}")
            }
            TurnStatus::Broken(trouble) => trouble.message.clone(),
        };
        Some(format!("turn {}: {message}", result.turns.len()))
    };
    let needs_one = || unmet(result).next().is_none();
    result.reason.clone().or_else(|| {
        needs_one().then(|| from_turn().unwrap_or_else(|| "no reason was recorded".to_owned()))
    })
}

/// Returns the first reason in one sentence and the number of all reasons.
pub(crate) fn first_reason(result: &TestResult) -> (String, usize) {
    let trouble = trouble(result);
    let n_reasons = usize::from(trouble.is_some()) + unmet(result).count();
    let sentence = trouble.or_else(|| {
        unmet(result).next().map(|unmet| {
            let (block, name) = (unmet.block(), unmet.name());
            let actual = &unmet.check.actual;
            format!("{block}: {name}: {} {actual}", unmet.expectation())
        })
    });
    (sentence.unwrap_or_default(), n_reasons)
}
