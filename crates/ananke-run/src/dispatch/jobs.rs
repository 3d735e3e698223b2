//! What workers do: each run of each test is a job of its own, so that runs of one test are made at once too.

use std::collections::BTreeMap;

use ananke_model::plan::PlannedTest;
use ananke_model::result::TestResult;

use super::repeat::Repeat;

/// One run of one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The test's position in the plan.
    pub(super) test: usize,
    /// Which run this is, counted from 1; `None` if there is one only.
    pub(super) run: Option<u32>,
}

/// Returns the jobs of all tests, in plan order. What is skipped is skipped once.
pub(super) fn jobs(tests: &[PlannedTest], repeat: Repeat) -> Vec<Job> {
    let jobs = tests.iter().enumerate().flat_map(|(test, planned)| {
        let is_repeated = repeat.runs > 1 && planned.skip.is_none();
        let last = if is_repeated { repeat.runs } else { 1 };
        (1..=last).map(move |number| Job {
            test,
            run: is_repeated.then_some(number),
        })
    });
    jobs.collect()
}

/// Runs that have ended, until their tests have.
#[derive(Debug)]
pub(super) struct Gathering {
    repeat: Repeat,
    /// Runs of each test that have not ended.
    n_left: Vec<u32>,
    ended: BTreeMap<usize, Vec<TestResult>>,
}

impl Gathering {
    pub(super) fn new(n_tests: usize, jobs: &[Job], repeat: Repeat) -> Self {
        let mut n_left = vec![0; n_tests];
        for job in jobs {
            n_left[job.test] += 1;
        }
        Self {
            repeat,
            n_left,
            ended: BTreeMap::new(),
        }
    }

    /// Takes the result of a run; returns that of its test if it was the last.
    pub(super) fn take(&mut self, test: usize, result: TestResult) -> Option<TestResult> {
        let n_left = self.n_left.get_mut(test)?;
        *n_left = n_left.saturating_sub(1);
        let runs = self.ended.entry(test).or_default();
        runs.push(result);
        if *n_left > 0 {
            return None;
        }
        let runs = self.ended.remove(&test)?;
        Some(self.repeat.merge(runs))
    }
}
