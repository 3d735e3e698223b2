//! Starts the workers, watches over them, and hands events to the reporters.

use std::sync::Arc;
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
use super::fail_fast::FailFast;
use super::jobs::{Gathering, Job, jobs};
use super::repeat::Repeat;
use crate::agents::Helpers;
use crate::clients::Clients;
use crate::pace::{Pace, Rate, RateLimit};
use crate::redact::{Redactor, secrets_of};
use crate::session::{Attachments, Context, FlakyResult, Threads, not_run, run_attempts};
use crate::speakers::Scripts;

/// How to run a plan.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Tests at once; each run of `runs` counts.
    pub parallel: usize,
    /// How often each test is run.
    pub runs: u32,
    /// How many runs of a test have to pass, in percent; all of them if absent.
    pub min_pass_rate: Option<f64>,
    /// Start nothing more after a test that failed for good.
    pub fail_fast: bool,
    /// How often a test that failed is run again.
    pub retries: usize,
    /// What a test that passed only on a retry counts as.
    pub flaky_result: FlakyResult,
    /// How many turns may be sent in which time, over all tests.
    pub rate_limit: Option<RateLimit>,
    /// How long a turn may wait for a busy agent in all, where its target does not say.
    pub backoff: Option<Duration>,
    /// Wall-clock limit of a test that has none of its own.
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

/// What workers tell the collector of a run of a test, by the test's position in the plan.
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
        runs_per_case: options.runs.max(1),
        ..options.info
    };
    let repeat = Repeat {
        runs: options.runs.max(1),
        min_pass_rate: options.min_pass_rate,
    };
    let jobs = jobs(&plan.tests, repeat);
    let redactor = options.redactor;
    redactor.add(&secrets_of(&plan, &options.variables));
    let gathering = Gathering::new(plan.tests.len(), &jobs, repeat);
    let slow_after = options.slow_after;
    let collector = Collector::new(&info, gathering, slow_after, redactor.clone(), events);
    collector.emit(RunEvent::RunStarted(info)).await;
    if let Some(notice) = redactor.notice() {
        collector.emit(RunEvent::Notice(notice)).await;
    }
    let parallel = options.parallel.clamp(1, jobs.len().max(1));
    let context = Context {
        pace: Pace::new(jobs.iter().map(|job| &plan.tests[job.test]), parallel),
        plan,
        variables: options.variables,
        redactor,
        proxies: options.proxies,
        clients: Clients::default(),
        scripts: Scripts::default(),
        helpers: Helpers::default(),
        threads: Threads::default(),
        attachments: Attachments::default(),
        rate: options.rate_limit.map(Rate::new),
        backoff: options.backoff,
        retries: options.retries,
        flaky_result: options.flaky_result,
        test_timeout: options.test_timeout,
        unix_ms: options.unix_ms,
        cancel: cancel.clone(),
    };
    let shared = Arc::new(Shared {
        context,
        jobs,
        stop: FailFast::new(options.fail_fast, repeat),
    });
    let (sender, receiver) = mpsc::channel(1024);
    let mut workers = JoinSet::new();
    for _ in 0..parallel {
        workers.spawn(work(Arc::clone(&shared), sender.clone()));
    }
    drop(sender);
    let outcome = collector.collect(receiver, &cancel).await;
    while workers.join_next().await.is_some() {}
    outcome
}

/// What the workers share.
struct Shared {
    context: Context,
    jobs: Vec<Job>,
    stop: FailFast,
}

async fn work(shared: Arc<Shared>, sender: mpsc::Sender<Message>) {
    let Shared {
        context,
        jobs,
        stop,
    } = &*shared;
    while let Some(running) = context.pace.next_test(&context.cancel).await {
        let job = jobs[running.index];
        let test = &context.plan.tests[job.test];
        let mut result = if context.cancel.is_cancelled() {
            not_run(test, &context.variables, INTERRUPTED)
        } else if stop.has_failed() {
            not_run(test, &context.variables, FAIL_FAST)
        } else {
            if sender.send(Message::Started(job.test)).await.is_err() {
                return;
            }
            run_attempts(context, job.test, context.pace.group_of(running.index)).await
        };
        result.run = job.run;
        if stop.stops(job.test, result.status) {
            context.pace.close();
        }
        drop(running);
        let finished = Message::Finished(job.test, Box::new(result));
        if sender.send(finished).await.is_err() {
            return;
        }
    }
}
