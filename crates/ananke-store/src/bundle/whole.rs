//! A bundle as a whole: everything that a run left, and the run events it stands for.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use ananke_model::plan::TestId;
use ananke_model::result::{CUT_SHORT, Reach, TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, Summary};

use super::reader::BundleReader;
use super::{Ending, Head, StoreError};

/// Everything that a run left.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// The folder of the run.
    pub path: PathBuf,
    /// What was known when it began.
    pub head: Head,
    /// The files that the tests were read from: name and text.
    pub sources: Vec<(String, String)>,
    /// The tests, in the order of the plan. Those of which a run that was cut left nothing come last, as not run.
    pub results: Vec<TestResult>,
    /// How it ended.
    pub ending: Ending,
    n_recorded: usize,
}

impl Bundle {
    /// Reads the bundle at `path`, the folder of a run or its file.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let mut reader = BundleReader::open(path)?;
        let mut results = Vec::new();
        while let Some(result) = reader.next_test()? {
            results.push(result);
        }
        let path = reader.folder();
        let (head, sources, ending) = reader.into_parts();
        let ending = ending.unwrap_or_else(|| Ending::Cut {
            reason: "it was not read to its end".to_owned(),
        });
        let n_recorded = results.len();
        if matches!(ending, Ending::Cut { .. }) {
            add_not_run(&mut results, &head.run.tests);
        }
        Ok(Self {
            path,
            head,
            sources,
            results,
            ending,
            n_recorded,
        })
    }

    /// Returns the tests that the run left.
    pub fn recorded(&self) -> &[TestResult] {
        self.results.get(..self.n_recorded).unwrap_or_default()
    }

    /// Returns the totals: those that the run came to, or those of what it left if it was cut.
    pub fn summary(&self) -> Summary {
        let mut summary = match &self.ending {
            Ending::Complete(summary) => return summary.clone(),
            Ending::Cut { .. } => Summary {
                interrupted: true,
                ..Summary::default()
            },
        };
        for result in &self.results {
            summary.count_result(result);
        }
        let last_ms = self.results.iter().filter_map(|r| r.ended_at_ms).max();
        summary.duration_us = last_ms
            .and_then(|last_ms| last_ms.checked_sub(self.head.run.started_at_ms))
            .and_then(|ms| u64::try_from(ms).ok())
            .map_or(0, |ms| ms.saturating_mul(1000));
        summary
    }

    /// Returns the run events again. A bundle that was cut says so in a notice before the totals.
    pub fn events(self) -> impl Iterator<Item = RunEvent> {
        let summary = self.summary();
        let notice = match &self.ending {
            Ending::Complete(_) => None,
            Ending::Cut { reason } => Some(RunEvent::Notice(format!(
                "the bundle {} is incomplete: {reason}; {} of {} tests are in it",
                self.path.display(),
                self.recorded().len(),
                self.head.run.total,
            ))),
        };
        let tests = self
            .results
            .into_iter()
            .enumerate()
            .flat_map(|(index, result)| {
                let id = result.id.clone();
                let result = Box::new(result);
                [
                    RunEvent::TestStarted { index, id },
                    RunEvent::TestFinished { index, result },
                ]
            });
        std::iter::once(RunEvent::RunStarted(self.head.run))
            .chain(tests)
            .chain(notice)
            .chain(std::iter::once(RunEvent::RunFinished(summary)))
    }
}

/// Adds the tests of which a run that was cut left nothing, as an interrupted run has them.
fn add_not_run(results: &mut Vec<TestResult>, planned: &[TestId]) {
    let left: HashSet<&TestId> = results.iter().map(|result| &result.id).collect();
    let rest = planned.iter().filter(|id| !left.contains(id));
    let rest: Vec<TestResult> = rest.map(not_run).collect();
    results.extend(rest);
}

/// Returns the result of a test of which nothing but its id is known: its file, and behind a `#` that of a case.
fn not_run(id: &TestId) -> TestResult {
    let (file, name) = match id.0.split_once('#') {
        Some((file, case)) if file.ends_with(".jsonl") => (file, case),
        _ => (id.source(None), id.0.as_str()),
    };
    TestResult {
        id: id.clone(),
        name: name.to_owned(),
        file: file.to_owned(),
        status: TestStatus::Skipped,
        reason: Some(CUT_SHORT.to_owned()),
        reason_details: Vec::new(),
        turns: Vec::new(),
        n_turns: 0,
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: Vec::new(),
        reach: Reach::NotTried,
        started_at_ms: None,
        ended_at_ms: None,
        duration_us: 0,
        target: String::new(),
        variables: BTreeMap::new(),
        flaky: false,
        earlier: Vec::new(),
        case: None,
        connector: None,
        run: None,
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        logs: Vec::new(),
    }
}
