//! The runs of a test as the page reads them: each can be opened, and what they say together.

use ananke_model::result::{TestResult, TestStatus};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::detail::{Scale, detail, letter};
use super::island::cut;
use super::words::Words;
use crate::stability::{FirstDifference, Stability};

/// What the other runs of a test may bring before further ones are shortened, in bytes.
const RUNS_BYTES: usize = 1 << 20;

/// How many other runs can be opened.
const MOST_OPENED: usize = 100;

/// How many runs the chart shows.
const MOST_SHOWN: usize = 1_000;

/// One of the other runs.
#[derive(Debug, Serialize)]
pub(super) struct RunView {
    /// Its number, counted from 1.
    #[serde(rename = "n")]
    number: u32,
    /// JSON of its details.
    #[serde(rename = "d")]
    detail: Box<RawValue>,
}

/// A run in the index: number, letter, duration, and the attempts before it.
pub(super) type RunCell = (u32, char, u64, Vec<(char, u64)>);

/// What the runs say together. Rates are in percent, times in microseconds.
#[derive(Debug, Serialize)]
pub(super) struct StabilityView {
    runs: usize,
    passed: usize,
    rate: f64,
    class: &'static str,
    #[serde(rename = "con")]
    consistency: f64,
    avg: u64,
    min: u64,
    max: u64,
    dev: u64,
    low: f64,
    high: f64,
    #[serde(rename = "k")]
    pass_k: Vec<f64>,
    /// How likely all of them pass, where the list does not go so far.
    #[serde(rename = "kn", skip_serializing_if = "Option::is_none")]
    pass_all: Option<f64>,
    #[serde(rename = "diff", skip_serializing_if = "Option::is_none")]
    first_difference: Option<DifferenceView>,
}

/// Where runs part.
#[derive(Debug, Serialize)]
struct DifferenceView {
    text: String,
    /// Run and event, one for each of the two.
    at: [(u32, Option<usize>); 2],
    /// Counted from 0.
    turn: usize,
}

/// Returns the other runs of a test, those that did not pass with more in them than those that did.
pub(super) fn run_views(
    result: &TestResult,
    scale: Option<Scale>,
    words: &mut Words,
) -> Vec<RunView> {
    let mut n_bytes = 0;
    let runs = result.other_runs.iter().take(MOST_OPENED);
    let views = runs.map(|run| {
        let scale = match scale {
            Some(scale) => scale,
            None if n_bytes > RUNS_BYTES => Scale::least(),
            None => Scale::of_run(run.status),
        };
        let detail = detail(run, scale, words);
        let detail = to_raw_value(&detail).expect("all keys are strings");
        n_bytes += detail.get().len();
        RunView {
            number: run.run.unwrap_or_default(),
            detail,
        }
    });
    views.collect()
}

/// Returns the runs for the index, the one that speaks among them; nothing if there is one only.
pub(super) fn run_cells(result: &TestResult) -> Option<Vec<RunCell>> {
    result.run.filter(|_| !result.other_runs.is_empty())?;
    let mut runs = result.runs();
    let own = runs.iter().position(|run| run.run == result.run);
    if let Some(own) = own.filter(|own| *own >= MOST_SHOWN) {
        runs.swap(MOST_SHOWN - 1, own);
    }
    let cells = runs.into_iter().take(MOST_SHOWN).map(|run| {
        let tries = run.earlier.iter().take(MOST_OPENED);
        let tries = tries.map(|attempt| (letter(attempt.status), attempt.duration_us));
        let number = run.run.unwrap_or_default();
        (number, letter(run.status), run.duration_us, tries.collect())
    });
    Some(cells.collect())
}

/// Returns how many runs are neither in the index nor can be opened.
pub(super) fn n_left_out(result: &TestResult) -> usize {
    result.other_runs.len().saturating_sub(MOST_OPENED)
}

/// Returns what the runs say together.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates"
)]
pub(super) fn stability_view(stability: Stability, scale: Scale) -> StabilityView {
    StabilityView {
        runs: stability.runs,
        passed: stability.passed,
        rate: stability.pass_rate,
        class: stability.class.key(),
        consistency: stability.consistency,
        avg: stability.avg_us,
        min: stability.min_us,
        max: stability.max_us,
        dev: stability.std_deviation_us as u64,
        low: stability.wilson.low,
        high: stability.wilson.high,
        pass_all: stability
            .pass_k
            .get(MOST_SHOWN..)
            .and_then(<[f64]>::last)
            .copied(),
        pass_k: stability.pass_k.into_iter().take(MOST_SHOWN).collect(),
        first_difference: stability
            .first_difference
            .map(|difference| difference_view(&difference, scale)),
    }
}

fn difference_view(difference: &FirstDifference, scale: Scale) -> DifferenceView {
    DifferenceView {
        text: cut(&difference.text, scale.text / 10).into_owned(),
        at: [
            (difference.run, difference.event),
            (difference.other_run, difference.other_event),
        ],
        turn: difference.turn.saturating_sub(1),
    }
}

impl Scale {
    /// Returns how much is kept of a run that does not speak for its test.
    fn of_run(status: TestStatus) -> Self {
        let mut scale = Self::of(status);
        if status == TestStatus::Passed {
            scale.events.events = 30;
            scale.events.chars = 300;
        }
        scale
    }
}
