//! A test that has no recording: what is nearest, and what differs.

use ananke_model::plan::PlannedTest;
use ananke_model::result::{TestResult, TestStatus};
use ananke_model::variables::Variables;

use super::difference::n_turns;
use super::judge_test::RECORD;
use super::planned::Planned;
use crate::session::not_run;

/// Why a test has no recording.
#[derive(Debug)]
pub(super) struct Missing {
    reason: &'static str,
    details: Vec<String>,
}

impl Missing {
    /// Returns that no recording has the test's id.
    pub(super) fn id() -> Self {
        Self {
            reason: "no recording of this test",
            details: vec![RECORD.to_owned()],
        }
    }

    /// Returns that nothing that was recorded is what a test says, with what comes nearest.
    pub(super) fn new(nearest: Option<&TestResult>, planned: Option<&Planned>) -> Self {
        let mut details = Vec::new();
        match nearest {
            Some(nearest) => {
                details.push(format!(
                    "nearest recording: {} ({})",
                    nearest.id, nearest.name
                ));
                if let Some(planned) = planned {
                    details.extend(differences(planned, nearest));
                }
            }
            None => details.push("nothing like it was recorded".to_owned()),
        }
        details.push(RECORD.to_owned());
        Self {
            reason: "no recording of this conversation",
            details,
        }
    }

    /// Returns the result of the test.
    pub(super) fn result(self, test: &PlannedTest, variables: &Variables) -> TestResult {
        TestResult {
            status: TestStatus::Error,
            reason_details: self.details,
            ..not_run(test, variables, self.reason)
        }
    }
}

/// Says what differs first, and whether one of the two is longer.
fn differences(planned: &Planned, nearest: &TestResult) -> Vec<String> {
    let mut turns = (1..).zip(&nearest.turns);
    let first = turns.find_map(|(number, judged)| planned.difference(number, &judged.turn));
    let mut lines: Vec<String> = first.into_iter().flatten().collect();
    let (n_now, n_then) = (planned.actions.len(), nearest.turns.len());
    if n_now != n_then {
        lines.push(format!(
            "the test has {}, the recording {}",
            n_turns(n_now),
            n_turns(n_then)
        ));
    }
    lines
}
