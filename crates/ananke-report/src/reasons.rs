//! Why a test did not pass, as single sentences. Nothing is escaped here: the JSON report shows the same words.

use ananke_model::recording::TurnStatus;
use ananke_model::result::{CheckResult, Outcome, TestResult, TestStatus};

use crate::dynamic::missed_in_words;
use crate::script;

/// The checks on the output, which begin their details with a sentence that says it all.
const OUTPUT_CHECKS: &[&str] = &[
    "equals",
    "contains",
    "not_contains",
    "regex",
    "json_path",
    "type",
    "tool_called",
    "tool_result",
];

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

    /// Returns the sentence that says it all: the user's own words, else what a check on the output says first.
    pub(crate) fn plainly(&self) -> Option<&str> {
        let said = || {
            let is_output = OUTPUT_CHECKS.contains(&self.check.check.as_str());
            let first = self.check.details.first();
            first.filter(|_| is_output && self.check.is_failure())
        };
        self.check
            .message
            .as_ref()
            .or_else(said)
            .map(String::as_str)
    }

    /// Returns the check in one sentence.
    pub(crate) fn sentence(&self) -> String {
        match self.plainly() {
            Some(said) => said.to_owned(),
            None => format!(
                "{}: {} {}",
                self.name(),
                self.expectation(),
                self.check.actual
            ),
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

/// Returns everything that the agent said, turn by turn.
pub(crate) fn output(result: &TestResult) -> String {
    let turns = result.turns.iter().map(|judged| judged.turn.text.as_str());
    let texts: Vec<&str> = turns.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
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
    let said = result.reason.clone().or_else(|| script::reason(result));
    said.or_else(|| missed_in_words(result)).or_else(|| {
        needs_one().then(|| from_turn().unwrap_or_else(|| "no reason was recorded".to_owned()))
    })
}

/// Returns the first reason in one sentence and the number of all reasons.
pub(crate) fn first_reason(result: &TestResult) -> (String, usize) {
    let trouble = trouble(result);
    let of_script = result.script.as_deref().map_or(0, |record| {
        let more = usize::try_from(record.more_failures).unwrap_or(usize::MAX);
        more.saturating_add(record.failures.len())
    });
    let n_reasons = usize::from(trouble.is_some()).max(of_script) + unmet(result).count();
    let sentence = trouble.or_else(|| {
        unmet(result).next().map(|unmet| match result.case {
            // A case has one block: to name it says nothing.
            Some(_) => unmet.sentence(),
            None => format!("{}: {}", unmet.block(), unmet.sentence()),
        })
    });
    (sentence.unwrap_or_default(), n_reasons)
}
