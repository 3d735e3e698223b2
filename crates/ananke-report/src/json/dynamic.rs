//! What a simulator and judges bring, as it is written.

use std::borrow::Cow;

use ananke_model::agent::{CheckpointResult, Sample};
use ananke_model::result::TestResult;
use serde::Serialize;
use serde_json::Value;

use super::convert::{assertion, shallow};
use super::format::{Assertion, Ms};
use crate::dynamic::is_dynamic;

/// What came of a checkpoint.
#[derive(Debug, Serialize)]
pub(super) struct CheckpointEntry<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    required: bool,
    /// Counted from 1; null if it was not reached.
    reached_at_turn: Option<usize>,
    passed: bool,
    /// What its checks said in that turn, or in the last one.
    assertions: Vec<Assertion<'a>>,
}

/// One answer of a judge.
#[derive(Debug, Serialize)]
pub(super) struct SampleEntry<'a> {
    /// Null if the answer is no verdict.
    passed: Option<bool>,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Cow<'a, Value>>,
    duration_ms: Ms,
}

/// Returns the checkpoints in the order in which they are written; nothing if no simulator led the test.
pub(super) fn checkpoint_entries(result: &TestResult) -> Vec<CheckpointEntry<'_>> {
    let checkpoints = result.checkpoints.iter();
    checkpoints.map(|one| checkpoint(one, result)).collect()
}

fn checkpoint<'a>(checkpoint: &'a CheckpointResult, result: &TestResult) -> CheckpointEntry<'a> {
    let last = Some(result.turns.len()).filter(|n_turns| *n_turns > 0);
    let turn = checkpoint.reached_at_turn.or(last);
    let checks = checkpoint.checks.iter();
    CheckpointEntry {
        id: &checkpoint.id,
        description: checkpoint.description.as_deref(),
        required: checkpoint.required,
        reached_at_turn: checkpoint.reached_at_turn,
        passed: checkpoint.reached_at_turn.is_some(),
        assertions: checks.map(|check| assertion(turn, check)).collect(),
    }
}

/// Returns how many turns a simulator led; nothing if none did.
pub(super) fn total_turns(result: &TestResult) -> Option<usize> {
    is_dynamic(result).then_some(result.turns.len())
}

/// Returns every answer of a judge.
pub(super) fn sample_entries(samples: &[Sample]) -> Vec<SampleEntry<'_>> {
    let entries = samples.iter().map(|sample| SampleEntry {
        passed: sample.passed,
        reason: &sample.reason,
        answer: (!sample.answer.is_null()).then(|| shallow(&sample.answer)),
        duration_ms: Ms(sample.duration_us),
    });
    entries.collect()
}
