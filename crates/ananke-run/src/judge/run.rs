//! Judges a whole plan by recordings, in plan order: the same events as a live run, from the recorded clocks.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ananke_model::plan::{Plan, PlannedTest, TestId};
use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::variables::Variables;

use super::judge_test::JudgeRecorded;
use super::missing::Missing;
use super::recordings::Recordings;
use crate::dispatch::{Repeat, RunOutcome, Tally};
use crate::opinions::Again;
use crate::session::{FlakyResult, Stopped, not_run, panicked};

/// How recordings are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// By the id of the test: `ananke judge`.
    ById,
    /// By what the test says: `ananke run --replay`.
    ByConversation,
}

/// How to judge a plan by recordings.
#[derive(Clone, Debug)]
pub struct JudgeOptions {
    /// `--var` and the environment, as they are to be seen by the tests.
    pub variables: Variables,
    /// How recordings are found.
    pub lookup: Lookup,
    /// What a test that passed only on a retry counts as.
    pub flaky_result: FlakyResult,
    /// How many runs of a test have to pass, in percent; all of them if absent. How many there are is as it was recorded.
    pub min_pass_rate: Option<f64>,
    /// What is known of the recorded run; its tests are those of the plan.
    pub info: RunInfo,
    /// How long the recorded run took.
    pub duration_us: u64,
    /// Whether the recorded run was interrupted.
    pub is_interrupted: bool,
}

/// Judges every test of `plan` by its recording. Events come as in a live run, results in plan order.
pub fn judge(
    plan: &Plan,
    recordings: Recordings,
    options: JudgeOptions,
    on_event: &mut dyn FnMut(RunEvent),
) -> RunOutcome {
    let how = How {
        again: Again::new(&plan.scripts, &plan.root),
        flaky_result: options.flaky_result,
        repeat: Repeat {
            runs: options.info.runs_per_case.max(1),
            min_pass_rate: options.min_pass_rate,
        },
    };
    on_event(RunEvent::RunStarted(RunInfo {
        total: plan.tests.len(),
        tests: plan.tests.iter().map(|test| test.id.clone()).collect(),
        ..options.info
    }));
    let variables = options.variables;
    let mut source = match options.lookup {
        Lookup::ById => Source::Ids(recordings.into_ids()),
        Lookup::ByConversation => Source::Conversations(recordings),
    };
    let mut tally = Tally::default();
    for (index, test) in plan.tests.iter().enumerate() {
        let id = test.id.clone();
        on_event(RunEvent::TestStarted { index, id });
        // As in a live run: a panic is that test's error and nobody else's.
        let judged = catch_unwind(AssertUnwindSafe(|| source.judge(test, &variables, &how)));
        let result = judged.unwrap_or_else(|panic| panicked(test, &variables, panic.as_ref()));
        tally.count(&result);
        let result = Box::new(result);
        on_event(RunEvent::TestFinished { index, result });
    }
    let outcome = tally.outcome(options.duration_us, options.is_interrupted);
    on_event(RunEvent::RunFinished(outcome.summary.clone()));
    outcome
}

/// How all tests are judged.
struct How {
    again: Again,
    flaky_result: FlakyResult,
    repeat: Repeat,
}

/// Where recordings come from: each is used by one test, or by all that say the same.
enum Source {
    Ids(HashMap<TestId, TestResult>),
    Conversations(Recordings),
}

impl Source {
    fn judge(&mut self, test: &PlannedTest, variables: &Variables, how: &How) -> TestResult {
        let recorded = match self {
            Self::Ids(results) => results.remove(&test.id).ok_or_else(Missing::id),
            Self::Conversations(recordings) => recordings.find(test, variables).cloned(),
        };
        match (recorded, &test.skip) {
            (Ok(recorded), _) => {
                let judge = JudgeRecorded {
                    again: &how.again,
                    variables,
                    flaky_result: how.flaky_result,
                };
                judge.test(test, recorded, how.repeat)
            }
            (Err(_), Some(skip)) => {
                not_run(test, variables, &Stopped::skipped(skip, variables).reason)
            }
            (Err(missing), None) => missing.result(test, variables),
        }
    }
}
