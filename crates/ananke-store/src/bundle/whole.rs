//! A bundle as a whole: everything that a run left, and the run events it stands for.

use std::path::{Path, PathBuf};

use ananke_model::result::{TestResult, TestStatus};
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
    /// The tests, in the order of the plan.
    pub results: Vec<TestResult>,
    /// How it ended.
    pub ending: Ending,
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
        Ok(Self {
            path,
            head,
            sources,
            results,
            ending: ending.unwrap_or_else(|| Ending::Cut {
                reason: "it was not read to its end".to_owned(),
            }),
        })
    }

    /// Returns the totals: those that the run came to, or those of the tests that are there if it was cut.
    pub fn summary(&self) -> Summary {
        let mut summary = match &self.ending {
            Ending::Complete(summary) => return summary.clone(),
            Ending::Cut { .. } => Summary {
                interrupted: true,
                ..Summary::default()
            },
        };
        for result in &self.results {
            let is_passed = result.status == TestStatus::Passed;
            summary.count(result.status);
            summary.flaky += usize::from(result.flaky);
            summary.unchecked += usize::from(is_passed && result.all_checks().next().is_none());
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
                self.results.len(),
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
