//! What `--runs` says about a test, as it is written.

use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::RunInfo;
use serde::Serialize;
use serde_json::Value;

use super::convert::{assertion_errors, error, output};
use super::format::Ms;
use crate::stability::{FirstDifference, Stability};

/// Counts, rates and times of the runs of a test, and each run in few words.
#[derive(Debug, Serialize)]
pub(super) struct StabilityEntry {
    /// The runs that were carried out.
    runs: usize,
    passed: usize,
    /// Those that did not pass, whatever kept them from it.
    failed: usize,
    /// Percent; null if no run was carried out.
    pass_rate: Option<f64>,
    #[serde(flatten)]
    metrics: Option<Metrics>,
    run_details: Vec<RunEntry>,
}

/// What only runs that were carried out can say.
#[derive(Debug, Serialize)]
struct Metrics {
    /// The share of runs in the largest group that behaved alike, up to 1.
    consistency: f64,
    stable: bool,
    stability_class: &'static str,
    avg_duration_ms: Ms,
    min_duration_ms: Ms,
    max_duration_ms: Ms,
    std_deviation_ms: f64,
    /// Percent.
    wilson_low: f64,
    wilson_high: f64,
    /// How likely 1, 2, … runs all pass.
    pass_k: Vec<f64>,
    /// Null if all runs did the same.
    first_difference: Option<DifferenceEntry>,
}

/// Where runs part.
#[derive(Debug, Serialize)]
struct DifferenceEntry {
    text: String,
    run: u32,
    other_run: u32,
    turn: usize,
    event: Option<usize>,
    other_event: Option<usize>,
}

/// One run; the bundle has its turns.
#[derive(Debug, Serialize)]
struct RunEntry {
    run: u32,
    status: TestStatus,
    duration_ms: Ms,
    output: Value,
    error: Option<String>,
    assertion_errors: Vec<String>,
}

/// Returns what the runs say about a test; nothing if tests of `run` are run once.
pub(super) fn stability_entry(
    result: &TestResult,
    stability: Option<Stability>,
    run: &RunInfo,
) -> Option<StabilityEntry> {
    let Some(stability) = stability else {
        return (run.runs_per_case > 1).then_some(StabilityEntry {
            runs: 0,
            passed: 0,
            failed: 0,
            pass_rate: None,
            metrics: None,
            run_details: Vec::new(),
        });
    };
    let runs = result.runs().into_iter();
    Some(StabilityEntry {
        runs: stability.runs,
        passed: stability.passed,
        failed: stability.failed,
        pass_rate: Some(stability.pass_rate),
        metrics: Some(metrics(stability)),
        run_details: runs
            .map(|run| RunEntry {
                run: run.run.unwrap_or(1),
                status: run.status,
                duration_ms: Ms(run.duration_us),
                output: output(run),
                error: error(run),
                assertion_errors: assertion_errors(run),
            })
            .collect(),
    })
}

fn metrics(stability: Stability) -> Metrics {
    Metrics {
        consistency: stability.consistency,
        stable: stability.stable,
        stability_class: stability.class.key(),
        avg_duration_ms: Ms(stability.avg_us),
        min_duration_ms: Ms(stability.min_us),
        max_duration_ms: Ms(stability.max_us),
        std_deviation_ms: stability.std_deviation_us.round() / 1_000.0,
        wilson_low: stability.wilson.low,
        wilson_high: stability.wilson.high,
        pass_k: stability.pass_k,
        first_difference: stability.first_difference.map(difference),
    }
}

fn difference(difference: FirstDifference) -> DifferenceEntry {
    DifferenceEntry {
        text: difference.text,
        run: difference.run,
        other_run: difference.other_run,
        turn: difference.turn,
        event: difference.event,
        other_event: difference.other_event,
    }
}
