//! Starts the workers, watches over them, and hands events to the reporters.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::plan::{Plan, PlannedTest};
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
use super::file::RunningFile;
use super::jobs::{Gathering, jobs};
use super::repeat::Repeat;
use super::units::{Unit, units};
use crate::pace::{Pace, Rate, RateLimit};
use crate::redact::{Redactor, secrets_of};
use crate::script::Hooked;
use crate::session::{Attachments, Context, FlakyResult, Stopped, Threads, not_run, run_attempts};
use crate::world::{World, WorldParts};

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
    /// The folder from which files of scripts are shown.
    pub cwd: PathBuf,
    /// Whether lines and functions of scripts are counted.
    pub coverage: bool,
}

/// What workers tell the collector of a run of a test, by the test's position in the plan.
pub(super) enum Message {
    Started(usize),
    Finished(usize, Box<TestResult>),
    /// Something that belongs to no test.
    Notice(String),
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
    let plan = Arc::new(plan);
    let jobs = jobs(&plan.tests, repeat);
    let redactor = options.redactor;
    redactor.add(&secrets_of(&plan, &options.variables));
    let gathering = Gathering::new(plan.tests.len(), &jobs, repeat);
    let slow_after = options.slow_after;
    let mut collector = Collector::new(&info, gathering, slow_after, redactor.clone(), events);
    collector.emit(RunEvent::RunStarted(info)).await;
    if let Some(notice) = redactor.notice() {
        collector.emit(RunEvent::Notice(notice)).await;
    }
    let units = units(&plan.tests, jobs, options.test_timeout);
    let parallel = options.parallel.clamp(1, units.len().max(1));
    let pace = Pace::new(units.iter().map(|unit| &plan.tests[unit.first()]), parallel);
    let world = World::new(WorldParts {
        plan,
        variables: options.variables,
        redactor,
        proxies: options.proxies,
        rate: options.rate_limit.map(Rate::new),
        backoff: options.backoff,
        unix_ms: options.unix_ms,
        cancel: cancel.clone(),
        cwd: &options.cwd,
        coverage: options.coverage,
    });
    let hooked = Hooked {
        world: &world,
        limit: options.test_timeout,
    };
    if world.plan.scripts.after_all.is_some() {
        collector.keep_results();
    }
    let opened = hooked.before_all().await;
    collector.opened_with(opened.logs);
    let prepared = opened.result;
    let context = Context {
        pace,
        world: Arc::clone(&world),
        threads: Threads::default(),
        attachments: Attachments::default(),
        retries: options.retries,
        flaky_result: options.flaky_result,
        test_timeout: options.test_timeout,
    };
    let shared = Arc::new(Shared {
        context,
        units,
        stop: FailFast::new(options.fail_fast, repeat),
        unprepared: prepared.as_ref().err().cloned(),
    });
    let ones = shared.units.iter().filter_map(|unit| match unit {
        Unit::One(job) => Some(&world.plan.tests[job.test]),
        Unit::File(_) => None,
    });
    world.shared_servers.expect(ones);
    let (sender, receiver) = mpsc::channel(1024);
    let mut workers = JoinSet::new();
    for _ in 0..parallel {
        workers.spawn(work(Arc::clone(&shared), sender.clone()));
    }
    drop(sender);
    collector.collect(receiver).await;
    while workers.join_next().await.is_some() {}
    // Nothing is open any more, unless a worker broke off.
    world.shared_servers.close().await;
    let mut after_all = None;
    if let Ok(data) = prepared {
        let closed = hooked.after_all(collector.take_results(), data).await;
        let failed = closed.result;
        after_all = failed.map(|failed| world.redactor.text(&failed.reason).into_owned());
        collector.close(closed.logs, after_all.as_deref());
    }
    collector.release().await;
    RunOutcome {
        coverage: options.coverage.then(|| world.take_coverage()),
        after_all,
        ..collector.finish(&cancel).await
    }
}

/// What the workers share.
pub(super) struct Shared {
    pub(super) context: Context,
    units: Vec<Unit>,
    pub(super) stop: FailFast,
    /// Why no test is to be run, if `--before-all` failed.
    unprepared: Option<Stopped>,
}

/// Why a test is not begun.
pub(super) enum Refused<'a> {
    /// The run was stopped, for this reason.
    Stopped(&'static str),
    /// It was not prepared.
    Unprepared(&'a Stopped),
}

impl Refused<'_> {
    /// Returns the result of a test that is not begun.
    pub(super) fn result(&self, test: &PlannedTest, variables: &Variables) -> TestResult {
        match self {
            Self::Stopped(reason) => not_run(test, variables, reason),
            // What the user skips is skipped.
            Self::Unprepared(_) if test.skip.is_some() => {
                let skip = test
                    .skip
                    .as_ref()
                    .map(|skip| Stopped::skipped(skip, variables));
                not_run(
                    test,
                    variables,
                    &skip.map(|skip| skip.reason).unwrap_or_default(),
                )
            }
            Self::Unprepared(stopped) => TestResult {
                status: stopped.status,
                reason_details: stopped.details.clone(),
                ..not_run(test, variables, &stopped.reason)
            },
        }
    }
}

impl Shared {
    /// Returns why nothing more is to be begun, if that is so.
    pub(super) fn refused(&self) -> Option<Refused<'_>> {
        if self.context.world.cancel.is_cancelled() {
            Some(Refused::Stopped(INTERRUPTED))
        } else if let Some(unprepared) = &self.unprepared {
            Some(Refused::Unprepared(unprepared))
        } else if self.stop.has_failed() {
            Some(Refused::Stopped(FAIL_FAST))
        } else {
            None
        }
    }
}

async fn work(shared: Arc<Shared>, sender: mpsc::Sender<Message>) {
    let context = &shared.context;
    let world = &context.world;
    while let Some(running) = context.pace.next_test(&world.cancel).await {
        let job = match &shared.units[running.index] {
            Unit::One(job) => *job,
            Unit::File(unit) => {
                let file = RunningFile {
                    shared: &shared,
                    sender: &sender,
                    limit: unit.limit,
                };
                if file.run(unit).await.is_err() {
                    return;
                }
                continue;
            }
        };
        let mut result = match shared.refused() {
            Some(refused) => refused.result(&world.plan.tests[job.test], &world.variables),
            None => {
                if sender.send(Message::Started(job.test)).await.is_err() {
                    return;
                }
                run_attempts(context, job.test, context.pace.group_of(running.index)).await
            }
        };
        let odd = world
            .shared_servers
            .leave(&world.plan.tests[job.test])
            .await;
        let odd = odd.iter().map(|odd| world.redactor.text(odd).into_owned());
        result.warnings.extend(odd);
        result.run = job.run;
        if shared.stop.stops(job.test, result.status) {
            context.pace.close();
        }
        drop(running);
        let finished = Message::Finished(job.test, Box::new(result));
        if sender.send(finished).await.is_err() {
            return;
        }
    }
}
