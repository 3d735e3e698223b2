//! Conversations that a simulator led: which checkpoints were reached, in the words that all reports share.

use ananke_model::agent::CheckpointResult;
use ananke_model::result::{Outcome, TestResult, TestStatus};

use crate::count::count;

/// Tells whether a simulator led the conversation.
pub(crate) fn is_dynamic(result: &TestResult) -> bool {
    !result.checkpoints.is_empty()
}

/// Returns how many checkpoints were reached.
pub(crate) fn n_reached(result: &TestResult) -> usize {
    let checkpoints = result.checkpoints.iter();
    checkpoints
        .filter(|checkpoint| checkpoint.reached_at_turn.is_some())
        .count()
}

/// Returns how far it came: `3 turns, 3 checkpoints`, or `5 turns, 2 of 3 checkpoints`.
pub(crate) fn progress(result: &TestResult) -> String {
    let turns = count(result.turns.len(), "turn");
    format!("{turns}, {}", reached_in_all(result))
}

/// Returns the checkpoints in words: `3 checkpoints` if all were reached, else `2 of 3 checkpoints`.
pub(crate) fn reached_in_all(result: &TestResult) -> String {
    let (n_reached, n_all) = (n_reached(result), result.checkpoints.len());
    let all = count(n_all, "checkpoint");
    if n_reached == n_all {
        all
    } else {
        format!("{n_reached} of {all}")
    }
}

/// Returns what came of a checkpoint: `turn 2`, `not reached`, `not reached, optional`, `not decided, optional`.
pub(crate) fn came(checkpoint: &CheckpointResult) -> String {
    let mut checks = checkpoint.checks.iter();
    let is_undecided = checks.any(|check| check.outcome == Outcome::Inconclusive);
    match (checkpoint.reached_at_turn, checkpoint.required) {
        (Some(turn), _) => format!("turn {turn}"),
        (None, true) => "not reached".to_owned(),
        (None, false) if is_undecided => "not decided, optional".to_owned(),
        (None, false) => "not reached, optional".to_owned(),
    }
}

/// Goes through the required checkpoints that were not reached, if that kept the test from passing.
pub(crate) fn missed(result: &TestResult) -> impl Iterator<Item = &CheckpointResult> {
    let is_fine = matches!(result.status, TestStatus::Passed | TestStatus::Skipped);
    let checkpoints = result.checkpoints.iter();
    checkpoints.filter(move |one| !is_fine && one.required && one.reached_at_turn.is_none())
}

/// Returns the required checkpoints that were not reached in one sentence, if there are any.
pub(crate) fn missed_in_words(result: &TestResult) -> Option<String> {
    let ids: Vec<&str> = missed(result).map(|one| one.id.as_str()).collect();
    (!ids.is_empty()).then(|| format!("missing checkpoints: {}", ids.join(", ")))
}
