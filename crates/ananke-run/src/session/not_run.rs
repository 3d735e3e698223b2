//! Results of tests that never began, or that ananke itself broke off.

use std::any::Any;

use ananke_model::plan::PlannedTest;
use ananke_model::result::{Reach, TestResult, TestStatus};
use ananke_model::variables::Variables;

use super::shown_target;

/// Returns the result of a test that was not run.
pub(crate) fn not_run(test: &PlannedTest, variables: &Variables, reason: &str) -> TestResult {
    TestResult {
        id: test.id.clone(),
        name: test.name.text.clone(),
        file: test.file.to_string(),
        status: TestStatus::Skipped,
        reason: Some(reason.to_owned()),
        reason_details: Vec::new(),
        turns: Vec::new(),
        n_turns: test.turns.len(),
        checks: Vec::new(),
        warnings: Vec::new(),
        tags: test.tags.clone(),
        reach: Reach::NotTried,
        started_at_ms: None,
        ended_at_ms: None,
        duration_us: 0,
        target: shown_target(&test.target, variables),
        variables: std::collections::BTreeMap::new(),
        flaky: false,
        earlier: Vec::new(),
        case: test.case.clone(),
        connector: test.target.connector.clone(),
        run: None,
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        logs: Vec::new(),
    }
}

/// Returns the result of a test in which ananke panicked.
pub(crate) fn panicked(
    test: &PlannedTest,
    variables: &Variables,
    panic: &(dyn Any + Send),
) -> TestResult {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let reason = format!("ananke panicked in this test, which is a bug in ananke: {text}");
    TestResult {
        status: TestStatus::Error,
        ..not_run(test, variables, &reason)
    }
}
