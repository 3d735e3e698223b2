//! Counts of a run, kept while it goes on.

use ananke_model::run_event::{RunEvent, Summary};

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
