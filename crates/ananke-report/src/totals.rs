//! Counts of a run, kept while it goes on.

use std::collections::HashMap;

use ananke_model::plan::TestId;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use crate::count::results_of;
use crate::rate::percent;
use crate::stability::{Stability, StabilityClass};

/// The totals of a run, whether it came to its end or not.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counted: Summary,
    finished: Option<Summary>,
}

impl Tally {
    /// Takes in one event.
    pub(crate) fn event(&mut self, event: &RunEvent) {
        match event {
            RunEvent::TestFinished { result, .. } => {
                self.counted.count_result(result);
            }
            RunEvent::RunFinished(summary) => self.finished = Some(summary.clone()),
            RunEvent::RunStarted(_)
            | RunEvent::TestStarted { .. }
            | RunEvent::TestSlow { .. }
            | RunEvent::Notice(_) => {}
        }
    }

    /// Returns the summary of the run; a run that never finished is one that was interrupted.
    pub(crate) fn summary(&self) -> Summary {
        self.finished.clone().unwrap_or_else(|| Summary {
            interrupted: true,
            ..self.counted.clone()
        })
    }
}

/// What came of the tests that were run several times. Where a merge has several results of a test, the runs of all of
/// them are runs of that test.
#[derive(Debug, Default)]
pub(crate) struct RunsTally {
    /// How many tests.
    pub(crate) n_tests: usize,
    /// How many runs of them were carried out.
    pub(crate) n_runs: usize,
    n_passed: usize,
    by_class: [usize; 4],
    by_test: HashMap<TestId, TestRuns>,
}

/// How many runs of a test there are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TestRuns {
    /// How many were carried out.
    pub(crate) n_runs: usize,
    /// How many of them passed.
    pub(crate) n_passed: usize,
    /// Whether `--runs` made any of them.
    pub(crate) is_repeated: bool,
}

impl TestRuns {
    /// Takes in one more result.
    pub(crate) fn add(&mut self, result: &TestResult, stability: Option<&Stability>) {
        if let Some(stability) = stability {
            self.n_runs += stability.runs;
            self.n_passed += stability.passed;
            self.is_repeated = true;
        } else if result.status != TestStatus::Skipped {
            self.n_runs += 1;
            self.n_passed += usize::from(result.status == TestStatus::Passed);
        }
    }

    /// Returns how stable the test is.
    pub(crate) fn class(self) -> StabilityClass {
        StabilityClass::of(self.n_passed, self.n_runs)
    }
}

/// The classes, best first.
const CLASSES: [StabilityClass; 4] = [
    StabilityClass::Stable,
    StabilityClass::MostlyStable,
    StabilityClass::Unstable,
    StabilityClass::HighlyUnstable,
];

impl RunsTally {
    /// Takes in a result.
    pub(crate) fn add(&mut self, result: &TestResult, stability: Option<&Stability>) {
        let test = self.by_test.entry(result.id.clone()).or_default();
        let before = *test;
        test.add(result, stability);
        let now = *test;
        if !now.is_repeated {
            return;
        }
        for (class, n) in CLASSES.iter().zip(&mut self.by_class) {
            *n -= usize::from(before.is_repeated && *class == before.class());
            *n += usize::from(*class == now.class());
        }
        // Runs from before the first repeated result come in with it.
        let counted = if before.is_repeated {
            before
        } else {
            TestRuns::default()
        };
        self.n_tests += usize::from(!before.is_repeated);
        self.n_runs += now.n_runs - counted.n_runs;
        self.n_passed += now.n_passed - counted.n_passed;
    }

    /// Returns how often the test was run that was run most.
    pub(crate) fn most(&self) -> usize {
        self.repeated().max().unwrap_or_default()
    }

    /// Returns how often each test was run: `5`, or `3 to 5` if that differs.
    pub(crate) fn runs_per_test(&self) -> String {
        let (least, most) = (self.repeated().min().unwrap_or_default(), self.most());
        if least == most {
            most.to_string()
        } else {
            format!("{least} to {most}")
        }
    }

    fn repeated(&self) -> impl Iterator<Item = usize> {
        let tests = self.by_test.values().filter(|test| test.is_repeated);
        tests.map(|test| test.n_runs)
    }

    /// Returns the share of all runs that passed, in percent.
    pub(crate) fn pass_rate(&self) -> f64 {
        percent(self.n_passed, self.n_runs)
    }

    /// Returns how many tests passed in every run.
    pub(crate) fn n_stable(&self) -> usize {
        self.by_class[0]
    }

    /// Returns how many tests did not pass in every run.
    pub(crate) fn n_unstable(&self) -> usize {
        self.n_tests - self.n_stable()
    }

    /// Returns how many tests each class has; classes without any are left out.
    pub(crate) fn classes(&self) -> String {
        let classes = CLASSES.iter().zip(self.by_class).filter(|(_, n)| *n > 0);
        let words: Vec<String> = classes
            .map(|(class, n)| format!("{n} {}", class.words()))
            .collect();
        words.join(", ")
    }
}

/// How often tests are in a run that was joined from several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeats {
    /// How many results there are beyond one for each test.
    pub(crate) n_more: usize,
    /// How many results the test has that has most.
    pub(crate) most: usize,
}

impl Repeats {
    /// Counts the results of each test.
    pub(crate) fn of(run: &RunInfo) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::with_capacity(run.tests.len());
        for id in &run.tests {
            *counts.entry(&id.0).or_default() += 1;
        }
        Self {
            n_more: run.tests.len() - counts.len(),
            most: counts.values().copied().max().unwrap_or(1),
        }
    }

    /// Returns `n_results` in words: as tests, or as results of fewer tests.
    pub(crate) fn words(self, n_results: usize) -> String {
        results_of(n_results, n_results.saturating_sub(self.n_more))
    }
}

/// Returns the share of tests that passed in percent, of those that were run; 0 if none was run.
///
/// It is rounded as [`percent`] does.
pub(crate) fn pass_rate(summary: &Summary) -> f64 {
    percent(
        summary.passed,
        summary.total.saturating_sub(summary.skipped),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_percent_needs_all() {
        let rate = |passed, total, skipped| {
            pass_rate(&Summary {
                passed,
                total,
                skipped,
                ..Summary::default()
            })
        };
        assert_eq!(rate(40, 42, 0), 95.2);
        assert_eq!(rate(9_999, 10_000, 0), 99.9);
        assert_eq!(rate(3, 5, 2), 100.0);
        assert_eq!(rate(0, 2, 2), 0.0);
        assert_eq!(rate(0, 0, 0), 0.0);
    }
}
