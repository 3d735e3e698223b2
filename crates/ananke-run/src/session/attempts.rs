//! Attempts at one test: a test that failed is run again if retries are left, and every attempt is kept.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use ananke_model::result::{TestResult, TestStatus};
use futures_util::FutureExt as _;

use super::panicked;
use super::run_test::{Context, run_attempt};

/// The pause before the first retry; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// `--flaky-result`: what a test that passed only on a retry counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlakyResult {
    /// Passed, marked as flaky.
    #[default]
    Pass,
    /// Failed.
    Fail,
}

/// Runs one test, and again while it fails and retries are left. `group` is who shares a limit with it.
pub(crate) async fn run_attempts(context: &Context, index: usize, group: usize) -> TestResult {
    let mut earlier: Vec<TestResult> = Vec::new();
    loop {
        // A panic is that attempt's error and nobody else's.
        let attempt = AssertUnwindSafe(run_attempt(context, index, group)).catch_unwind();
        let result = attempt.await.unwrap_or_else(|panic| {
            let test = &context.world.plan.tests[index];
            let mut result = panicked(test, &context.world.variables, panic.as_ref());
            context.world.redactor.result(&mut result);
            result
        });
        let is_last = !result.status.is_failure() || earlier.len() >= context.retries;
        if is_last || !pause(context, earlier.len()).await {
            return settle(earlier, result, context.flaky_result);
        }
        earlier.push(result);
    }
}

/// Waits before the next attempt; tells whether there is to be one.
pub(crate) async fn pause(context: &Context, n_earlier: usize) -> bool {
    let doubled = 1 << u32::try_from(n_earlier).unwrap_or(u32::MAX).min(16);
    let pause = FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE);
    tokio::select! {
        () = context.world.cancel.cancelled() => false,
        () = tokio::time::sleep(pause) => true,
    }
}

/// Makes one result of all attempts, live or recorded.
pub(crate) fn settle(
    mut earlier: Vec<TestResult>,
    last: TestResult,
    flaky_result: FlakyResult,
) -> TestResult {
    let mut result = match last.status {
        // An attempt that the user interrupted does not hide the failure before it.
        TestStatus::Skipped => earlier.pop().unwrap_or(last),
        _ => last,
    };
    result.flaky = !earlier.is_empty() && result.status == TestStatus::Passed;
    if result.flaky && flaky_result == FlakyResult::Fail {
        result.status = TestStatus::Failed;
        result.reason = Some(format!("flaky: passed on attempt {}", earlier.len() + 1));
    }
    result.earlier = earlier;
    result
}
