//! What simulators and judges brought, as the page reads it.

use std::borrow::Cow;

use ananke_model::agent::{CheckpointResult, Opinion, Sample, Simulated};
use ananke_model::result::TestResult;
use serde::Serialize;

use super::detail::{Scale, check_view, some};
use super::format::{CheckView, LeftOut};
use super::island::cut;
use super::words::{Word, Words};
use crate::opinions::{criteria, judge, majority};

/// A checkpoint and what came of it.
#[derive(Debug, Serialize)]
pub(super) struct CheckpointView<'a> {
    #[serde(rename = "i")]
    id: Cow<'a, str>,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    description: Option<Cow<'a, str>>,
    /// Whether the case passes without it.
    #[serde(rename = "o", skip_serializing_if = "std::ops::Not::not")]
    is_optional: bool,
    /// The turn in which it was reached, counted from 0.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<CheckView<'a>>,
}

/// What the simulator said besides the message.
#[derive(Debug, Serialize)]
pub(super) struct SimulatedView<'a> {
    #[serde(rename = "g", skip_serializing_if = "std::ops::Not::not")]
    goal_achieved: bool,
    #[serde(rename = "r", skip_serializing_if = "Option::is_none")]
    reasoning: Option<Cow<'a, str>>,
}

/// What a judge said about a turn.
#[derive(Debug, Serialize)]
pub(super) struct OpinionView<'a> {
    #[serde(rename = "a")]
    judge: Word,
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    criteria: Option<String>,
    /// What the answers come to, in words.
    #[serde(rename = "m")]
    majority: String,
    #[serde(rename = "p", skip_serializing_if = "Vec::is_empty")]
    samples: Vec<SampleView<'a>>,
}

/// An answer: its verdict, the reason, microseconds.
pub(super) type SampleView<'a> = (Option<bool>, Cow<'a, str>, u64);

/// Returns the checkpoints in the order in which they are written.
pub(super) fn checkpoint_views<'a>(
    result: &'a TestResult,
    scale: Scale,
    words: &mut Words,
    left_out: &mut LeftOut,
) -> Vec<CheckpointView<'a>> {
    some(&result.checkpoints, scale, "cps", left_out)
        .map(|checkpoint| checkpoint_view(checkpoint, &result.file, scale, words))
        .collect()
}

fn checkpoint_view<'a>(
    checkpoint: &'a CheckpointResult,
    file: &str,
    scale: Scale,
    words: &mut Words,
) -> CheckpointView<'a> {
    let short = |text: &'a str| cut(text, scale.text / 10);
    let mut left_out = LeftOut::new();
    CheckpointView {
        id: short(&checkpoint.id),
        description: checkpoint.description.as_deref().map(short),
        is_optional: !checkpoint.required,
        turn: checkpoint
            .reached_at_turn
            .and_then(|turn| turn.checked_sub(1)),
        checks: some(&checkpoint.checks, scale, "checks", &mut left_out)
            .map(|check| check_view(check, file, scale, words))
            .collect(),
    }
}

/// Returns the events of a turn, counted from 0, in which a checkpoint was reached.
pub(super) fn reached_at(result: &TestResult, index: usize) -> impl Iterator<Item = usize> {
    let reached = result
        .checkpoints
        .iter()
        .filter(move |one| one.reached_at_turn == Some(index + 1));
    reached
        .flat_map(|checkpoint| &checkpoint.checks)
        .filter_map(|check| check.event)
}

/// Returns what the simulator said before a turn.
pub(super) fn simulated_view(simulated: &Simulated, scale: Scale) -> SimulatedView<'_> {
    let reasoning = simulated.reasoning.as_deref();
    SimulatedView {
        goal_achieved: simulated.goal_achieved,
        reasoning: reasoning.map(|text| cut(text, scale.text)),
    }
}

/// Returns what judges said about a turn.
pub(super) fn opinion_views<'a>(
    opinions: &'a [Opinion],
    scale: Scale,
    words: &mut Words,
    left_out: &mut LeftOut,
) -> Vec<OpinionView<'a>> {
    some(opinions, scale, "op", left_out)
        .map(|opinion| OpinionView {
            judge: words.word(&cut(judge(opinion), 200)),
            criteria: criteria(opinion).map(|text| cut(&text, scale.text / 10).into_owned()),
            majority: majority(&opinion.samples),
            samples: sample_views(&opinion.samples, scale),
        })
        .collect()
}

/// Returns every answer of a judge; there are never many.
pub(super) fn sample_views(samples: &[Sample], scale: Scale) -> Vec<SampleView<'_>> {
    let mut left_out = LeftOut::new();
    some(samples, scale, "p", &mut left_out)
        .map(|sample| {
            let reason = cut(&sample.reason, scale.text / 10);
            (sample.passed, reason, sample.duration_us)
        })
        .collect()
}
