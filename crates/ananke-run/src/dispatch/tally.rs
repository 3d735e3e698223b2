//! Counts results, live or judged again.

use ananke_model::coverage::Coverage;
use ananke_model::result::{Reach, TestResult, TestStatus};
use ananke_model::run_event::Summary;

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// The totals.
    pub summary: Summary,
    /// Whether every test that tried to reach its agent failed to.
    pub unreached: bool,
    /// How much of the user's scripts was run, if that was counted.
    pub coverage: Option<Coverage>,
    /// What went wrong in `--after-all`.
    pub after_all: Option<String>,
}

/// The counts so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    summary: Summary,
    n_reached: usize,
    n_unreached: usize,
}

impl Tally {
    /// Counts one result.
    pub(crate) fn count(&mut self, result: &TestResult) {
        self.summary.count(result.status);
        self.summary.flaky += usize::from(result.flaky);
        if result.status == TestStatus::Passed && !result.has_evidence() {
            self.summary.unchecked += 1;
        }
        for run in std::iter::once(result).chain(&result.other_runs) {
            match run.reach {
                Reach::Reached => self.n_reached += 1,
                Reach::Unreached => self.n_unreached += 1,
                Reach::NotTried => {}
            }
        }
    }

    /// Returns the totals of a run that took this long.
    pub(crate) fn outcome(self, duration_us: u64, interrupted: bool) -> RunOutcome {
        RunOutcome {
            summary: Summary {
                duration_us,
                interrupted,
                ..self.summary
            },
            unreached: self.n_unreached > 0 && self.n_reached == 0,
            coverage: None,
            after_all: None,
        }
    }
}
