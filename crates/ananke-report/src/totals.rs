//! Counts of a run, kept while it goes on.

use std::collections::HashMap;

use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use crate::count::results_of;

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
/// Rounded down to a tenth, so that 100 means that nothing stands against it.
pub(crate) fn pass_rate(summary: &Summary) -> f64 {
    let n_run = summary.total.saturating_sub(summary.skipped);
    let tenths = (summary.passed * 1_000).checked_div(n_run);
    tenths.unwrap_or_default() as f64 / 10.0
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
