//! Starts the workers, watches over them, and hands events to the reporters.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ananke_model::plan::{Plan, PlannedTest};
use ananke_model::result::{Reach, TestResult, TestStatus};
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use futures_util::FutureExt as _;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::collect::Collector;
use crate::clients::Clients;
use crate::session::{Context, Threads, run_test};

/// How to run a plan.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Tests at once.
    pub parallel: usize,
    /// Start no further test after a failure.
    pub fail_fast: bool,
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
    /// What the tests were found by, as shown to a person.
    pub input: String,
    /// The agents, as shown to a person.
    pub agents: Vec<String>,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// The totals.
    pub summary: Summary,
    /// Whether every test that tried to reach its agent failed to.
    pub unreached: bool,
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
        agents: options.agents.clone(),
        input: options.input.clone(),
        started_at_ms: (options.unix_ms)(),
        ..RunInfo::default()
    };
    let n_tests = plan.tests.len();
    let collector = Collector::new(&info, options.slow_after, events);
    collector.emit(RunEvent::RunStarted(info)).await;
    let context = Arc::new(Context {
        plan,
        variables: options.variables,
        proxies: options.proxies,
        clients: Clients::default(),
        threads: Threads::default(),
        test_timeout: options.test_timeout,
        unix_ms: options.unix_ms,
        cancel: cancel.clone(),
    });
    let queue = Arc::new(Queue {
        next: AtomicUsize::new(0),
        closed: AtomicBool::new(false),
        fail_fast: options.fail_fast,
    });
    let (sender, receiver) = mpsc::channel(1024);
    let mut workers = JoinSet::new();
    for _ in 0..options.parallel.clamp(1, n_tests.max(1)) {
        workers.spawn(work(
            Arc::clone(&context),
            Arc::clone(&queue),
            sender.clone(),
        ));
    }
    drop(sender);
    let outcome = collector.collect(receiver, &cancel).await;
    while workers.join_next().await.is_some() {}
    outcome
}

/// The next test to run, and whether any more are to be started.
struct Queue {
    next: AtomicUsize,
    closed: AtomicBool,
    fail_fast: bool,
}

async fn work(context: Arc<Context>, queue: Arc<Queue>, sender: mpsc::Sender<Message>) {
    loop {
        let index = queue.next.fetch_add(1, Ordering::Relaxed);
        let Some(test) = context.plan.tests.get(index) else {
            return;
        };
        let result = if context.cancel.is_cancelled() {
            not_run(test, "interrupted")
        } else if queue.closed.load(Ordering::Relaxed) {
            not_run(test, "not run: --fail-fast stopped after a failure")
        } else {
            if sender.send(Message::Started(index)).await.is_err() {
                return;
            }
            guarded(run_test(&context, test), test).await
        };
        if queue.fail_fast && result.status.is_failure() {
            queue.closed.store(true, Ordering::Relaxed);
        }
        if sender
            .send(Message::Finished(index, Box::new(result)))
            .await
            .is_err()
        {
            return;
        }
    }
}

/// Runs a test; a panic is that test's error and nobody else's.
pub(super) async fn guarded(
    running: impl Future<Output = TestResult>,
    test: &PlannedTest,
) -> TestResult {
    match AssertUnwindSafe(running).catch_unwind().await {
        Ok(result) => result,
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            let reason = format!("ananke panicked in this test, which is a bug in ananke: {text}");
            TestResult {
                status: TestStatus::Error,
                ..not_run(test, &reason)
            }
        }
    }
}

pub(super) fn not_run(test: &PlannedTest, reason: &str) -> TestResult {
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
        target: String::new(),
        variables: std::collections::BTreeMap::new(),
        flaky: false,
        earlier: Vec::new(),
    }
}
