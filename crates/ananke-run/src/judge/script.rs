//! Test functions and hooks of scripts in recordings: neither is run again, what was recorded of them decides.

use ananke_model::plan::PlannedTest;
use ananke_model::result::{TestResult, TestStatus};

use super::judge_test::{RECORD, without_turns};
use crate::script::{AFTER_FAILED, came_out};
use crate::session::Stopped;

/// Judges a recorded test function by its record.
pub(super) fn judge_script(test: &PlannedTest, recorded: TestResult) -> TestResult {
    let Some(mut record) = recorded.script else {
        // It never began, or it was no function then.
        if recorded.stopped_before().is_some() {
            return recorded;
        }
        let why = "no recording: the recorded test is no function of a script";
        let stopped = Stopped::error(why).details([RECORD.to_owned()]);
        return without_turns(test, recorded, stopped);
    };
    if let Some(now) = &test.script {
        // Whether it counts without an assertion is for the test to say as it is now.
        record.fails_by_itself = now.function.fails_by_itself;
    }
    let Stopped {
        status,
        reason,
        details,
    } = came_out(&record);
    TestResult {
        id: test.id.clone(),
        name: test.name.text.clone(),
        file: test.file.to_string(),
        status,
        reason: Some(reason).filter(|reason| !reason.is_empty()),
        reason_details: details,
        tags: test.tags.clone(),
        flaky: false,
        earlier: Vec::new(),
        run: None,
        other_runs: Vec::new(),
        script: Some(record),
        ..recorded
    }
}

/// Returns what `after` did wrong when the test was recorded, if it has one and it did.
pub(super) fn after_failed(test: &PlannedTest, recorded: &TestResult) -> Option<Stopped> {
    test.after.as_ref()?;
    let is_it = |text: &&String| text.starts_with(AFTER_FAILED);
    if let Some(reason) = recorded.reason.as_ref().filter(is_it) {
        return Some(Stopped::error(reason).details(recorded.reason_details.clone()));
    }
    recorded.warnings.iter().find(is_it).map(Stopped::error)
}

/// Puts a failed `after` behind what was judged: a test that passes otherwise is an error.
pub(super) fn with_after(judged: TestResult, failed: Option<Stopped>) -> TestResult {
    match failed {
        Some(failed) if judged.status == TestStatus::Passed => TestResult {
            status: failed.status,
            reason: Some(failed.reason),
            reason_details: failed.details,
            ..judged
        },
        _ => judged,
    }
}
