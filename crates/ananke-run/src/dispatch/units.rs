//! What a worker takes at once: one run of a test, or one run of all functions of a script that share their limit.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use ananke_model::plan::PlannedTest;

use super::jobs::Job;
use crate::session::limit_of;

/// What a worker takes at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// One run of a test.
    One(Job),
    /// Functions of one file, in plan order.
    File(FileUnit),
}

/// Functions of one file that are run one after another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileUnit {
    pub(super) jobs: Vec<Job>,
    /// How long each of them may take.
    pub(super) limit: Duration,
}

impl Unit {
    /// Returns the test that comes first in it, by its position in the plan.
    pub(super) fn first(&self) -> usize {
        match self {
            Self::One(job) => job.test,
            Self::File(file) => file.jobs.first().map_or(0, |job| job.test),
        }
    }
}

/// Puts jobs together, each unit where its first job stands.
pub(super) fn units(tests: &[PlannedTest], jobs: Vec<Job>, of_run: Duration) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut files: HashMap<(&Path, Option<u32>, Duration), usize> = HashMap::new();
    for job in jobs {
        let test = &tests[job.test];
        let script = test.script.as_deref().filter(|_| test.skip.is_none());
        let Some(script) = script else {
            units.push(Unit::One(job));
            continue;
        };
        let limit = limit_of(test, of_run);
        let key = (script.file.path.as_path(), job.run, limit);
        let at = *files.entry(key).or_insert(units.len());
        match units.get_mut(at) {
            Some(Unit::File(file)) => file.jobs.push(job),
            _ => units.push(Unit::File(FileUnit {
                jobs: vec![job],
                limit,
            })),
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ananke_model::script::{ScriptFile, ScriptTest, TestFunction};

    use super::super::jobs::jobs;
    use super::super::repeat::Repeat;
    use super::super::tests::test;
    use super::*;

    /// Plans tests: functions of the file before the `#`, or any other test.
    fn planned(ids: &[&str]) -> Vec<PlannedTest> {
        let plan = |id: &&str| {
            let mut planned = test(id);
            if let Some((file, name)) = id.split_once('#') {
                planned.script = Some(Arc::new(ScriptTest {
                    file: Arc::new(ScriptFile {
                        path: file.into(),
                        ..ScriptFile::default()
                    }),
                    function: TestFunction {
                        name: name.to_owned(),
                        place: planned.name.place.clone(),
                        fails_by_itself: false,
                    },
                }));
            }
            planned
        };
        ids.iter().map(plan).collect()
    }

    fn shown(tests: &[PlannedTest], runs: u32) -> String {
        let repeat = Repeat {
            runs,
            min_pass_rate: None,
        };
        let units = units(tests, jobs(tests, repeat), Duration::from_secs(30));
        let name = |job: &Job| {
            let run = job
                .run
                .map_or_else(String::new, |run| format!(" run {run}"));
            format!("{}{run}", tests[job.test].id)
        };
        let units = units.iter().map(|unit| match unit {
            Unit::One(job) => name(job),
            Unit::File(file) => {
                let names: Vec<String> = file.jobs.iter().map(name).collect();
                format!("[{}] {:?}", names.join(", "), file.limit)
            }
        });
        units.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn functions_of_a_file_are_taken_together() {
        let mut tests = planned(&["a.ts#A", "x", "b.ts#B", "a.ts#C", "a.ts#D", "a.ts#E"]);
        tests[4].skip = Some(tests[4].name.clone());
        tests[5].timeout_ms = Some(100);
        insta::assert_snapshot!(shown(&tests, 1), @"
        [a.ts#A, a.ts#C] 30s
        x
        [b.ts#B] 30s
        a.ts#D
        [a.ts#E] 100ms
        ");
        insta::assert_snapshot!(shown(&tests[..1], 2), @"
        [a.ts#A run 1] 30s
        [a.ts#A run 2] 30s
        ");
    }
}
