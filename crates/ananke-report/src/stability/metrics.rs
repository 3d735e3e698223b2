//! The numbers: counts, rates, times and the class of a test with several runs.

use ananke_model::result::{TestResult, TestStatus};

use super::alike::groups;
use super::estimates::{Interval, pass_k, wilson};
use super::parting::{FirstDifference, first_difference};
use crate::rate::{percent, share};

/// What several runs say about a test.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stability {
    /// How many runs were carried out; those that were skipped say nothing.
    pub(crate) runs: usize,
    /// How many of them passed.
    pub(crate) passed: usize,
    /// How many of them did not, whatever kept them from it.
    pub(crate) failed: usize,
    /// Percent of the runs that passed, as [`percent`] gives it.
    pub(crate) pass_rate: f64,
    /// The share of runs in the largest group that behaved alike, up to 1.
    pub(crate) consistency: f64,
    /// Whether every run passed.
    pub(crate) stable: bool,
    /// What people call it.
    pub(crate) class: StabilityClass,
    /// The mean duration.
    pub(crate) avg_us: u64,
    /// The shortest duration.
    pub(crate) min_us: u64,
    /// The longest duration.
    pub(crate) max_us: u64,
    /// The standard deviation of the durations, over these runs as a population.
    pub(crate) std_deviation_us: f64,
    /// Where the agent's true pass rate is, with 95 % confidence.
    pub(crate) wilson: Interval,
    /// How likely it is that `k` runs in a row all pass, for k = 1, 2, …
    pub(crate) pass_k: Vec<f64>,
    /// Where runs part; `None` if they did the same.
    pub(crate) first_difference: Option<FirstDifference>,
}

/// Bands of pass rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StabilityClass {
    /// Every run passed.
    Stable,
    /// At least 80 % passed.
    MostlyStable,
    /// At least 50 % passed.
    Unstable,
    /// Fewer passed.
    HighlyUnstable,
}

impl StabilityClass {
    /// Returns the class of a test of whose runs so many passed.
    pub(crate) fn of(passed: usize, runs: usize) -> Self {
        if passed == runs {
            Self::Stable
        } else if passed * 100 >= runs * 80 {
            Self::MostlyStable
        } else if passed * 100 >= runs * 50 {
            Self::Unstable
        } else {
            Self::HighlyUnstable
        }
    }

    /// Returns the words for a person.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Stable => "Stable",
            Self::MostlyStable => "Mostly Stable",
            Self::Unstable => "Unstable",
            Self::HighlyUnstable => "Highly Unstable",
        }
    }

    /// Returns the word for a machine.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::MostlyStable => "mostly_stable",
            Self::Unstable => "unstable",
            Self::HighlyUnstable => "highly_unstable",
        }
    }
}

/// Returns what the runs of a test say about it; nothing if it was not repeated, or none of its runs was carried out.
pub(crate) fn stability(result: &TestResult) -> Option<Stability> {
    result.run?;
    let mut runs = result.runs();
    runs.retain(|run| run.status != TestStatus::Skipped);
    let n_runs = runs.len();
    if n_runs == 0 {
        return None;
    }
    let is_passed = |run: &&&TestResult| run.status == TestStatus::Passed;
    let passed = runs.iter().filter(is_passed).count();
    let groups = groups(&runs);
    let n_alike = groups.first().map_or(0, Vec::len);
    let times = || runs.iter().map(|run| run.duration_us);
    let mean = times().map(|us| us as f64).sum::<f64>() / n_runs as f64;
    let squares = times().map(|us| (us as f64 - mean).powi(2)).sum::<f64>();
    Some(Stability {
        runs: n_runs,
        passed,
        failed: n_runs - passed,
        pass_rate: percent(passed, n_runs),
        consistency: share(n_alike, n_runs),
        stable: passed == n_runs,
        class: StabilityClass::of(passed, n_runs),
        avg_us: times().fold(0, u64::saturating_add) / n_runs as u64,
        min_us: times().min().unwrap_or_default(),
        max_us: times().max().unwrap_or_default(),
        std_deviation_us: (squares / n_runs as f64).sqrt(),
        wilson: wilson(passed, n_runs),
        pass_k: pass_k(passed, n_runs),
        first_difference: first_difference(&runs, &groups),
    })
}
