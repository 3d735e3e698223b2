//! Starts the workers, watches over them, and hands events to the reporters.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ananke_model::plan::Plan;
use ananke_model::result::{FAIL_FAST, INTERRUPTED, TestResult};
use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::RunOutcome;
use super::collect::Collector;
use crate::clients::Clients;
use crate::pace::{Pace, Rate, RateLimit};
use crate::redact::{Redactor, secrets_of};
use crate::session::{Context, FlakyResult, Threads, not_run, run_attempts};

/// How to run a plan.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Tests at once.
    pub parallel: usize,
    /// Start no further test after a failure.
    pub fail_fast: bool,
    /// How often a test that failed is run again.
    pub retries: usize,
    /// What a test that passed only on a retry counts as.
    pub flaky_result: FlakyResult,
    /// How many turns may be sent in which time, over all tests.
    pub rate_limit: Option<RateLimit>,
    /// How long a turn may wait for a busy agent in all, where its target does not say.
    pub backoff: Option<Duration>,
    /// Wall-clock limit of a test.
    pub test_timeout: Duration,
    /// After how long a running test is worth a notice.
    pub slow_after: Duration,
    /// `--var` and the environment.
    pub variables: Variables,
    /// Proxies, from the environment.
    pub proxies: Proxies,
    /// The clock, in Unix milliseconds.
    pub unix_ms: fn() -> i64,
    /// What is known of the run when it begins; its tests are those of the plan.
    pub info: RunInfo,
    /// Hides secrets in everything that leaves this crate. It learns those of the targets, and what hooks give: whoever holds
    /// a clone of it hides them too.
    pub redactor: Redactor,
}

/// What workers tell the collector.
pub(super) enum Message {
    Started(usize),
    Finished(usize, Box<TestResult>),
}

/// Runs all tests of `plan`; events go to `events` as they happen, results in plan order.
pub async fn run(
    plan: Plan,
    options: RunOptions,
    events: mpsc::Sender<RunEvent>,
    cancel: CancellationToken,
) -> RunOutcome {
    let info = RunInfo {
        total: plan.tests.len(),
        tests: plan.tests.iter().map(|test| test.id.clone()).collect(),
        ..options.info
    };
    let n_tests = plan.tests.len();
    let redactor = options.redactor;
    redactor.add(&secrets_of(&plan, &options.variables));
    let collector = Collector::new(&info, options.slow_after, redactor.clone(), events);
    collector.emit(RunEvent::RunStarted(info)).await;
    if let Some(notice) = redactor.notice() {
        collector.emit(RunEvent::Notice(notice)).await;
    }
    let parallel = options.parallel.clamp(1, n_tests.max(1));
    let context = Arc::new(Context {
        pace: Pace::new(&plan.tests, parallel),
        plan,
        variables: options.variables,
        redactor,
        proxies: options.proxies,
        clients: Clients::default(),
        threads: Threads::default(),
        rate: options.rate_limit.map(Rate::new),
        backoff: options.backoff,
        retries: options.retries,
        flaky_result: options.flaky_result,
        test_timeout: options.test_timeout,
        unix_ms: options.unix_ms,
        cancel: cancel.clone(),
    });
    let stop = Arc::new(FailFast {
        is_wanted: options.fail_fast,
        has_failed: AtomicBool::new(false),
    });
    let (sender, receiver) = mpsc::channel(1024);
    let mut workers = JoinSet::new();
    for _ in 0..parallel {
        workers.spawn(work(
            Arc::clone(&context),
            Arc::clone(&stop),
            sender.clone(),
        ));
    }
    drop(sender);
    let outcome = collector.collect(receiver, &cancel).await;
    while workers.join_next().await.is_some() {}
    outcome
}

/// `--fail-fast`: whether any more tests are to be started.
struct FailFast {
    is_wanted: bool,
    has_failed: AtomicBool,
}

async fn work(context: Arc<Context>, stop: Arc<FailFast>, sender: mpsc::Sender<Message>) {
    while let Some(running) = context.pace.next_test(&context.cancel).await {
        let index = running.index;
        let test = &context.plan.tests[index];
        let result = if context.cancel.is_cancelled() {
            not_run(test, &context.variables, INTERRUPTED)
        } else if stop.has_failed.load(Ordering::Relaxed) {
            not_run(test, &context.variables, FAIL_FAST)
        } else {
            if sender.send(Message::Started(index)).await.is_err() {
                return;
            }
            run_attempts(&context, index).await
        };
        if stop.is_wanted && result.status.is_failure() {
            stop.has_failed.store(true, Ordering::Relaxed);
            context.pace.close();
        }
        drop(running);
        let finished = Message::Finished(index, Box::new(result));
        if sender.send(finished).await.is_err() {
            return;
        }
    }
}
