//! Runs a loaded plan inside the async runtime and writes its reports.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use ananke_model::run_event::{RunEvent, RunInfo};
use ananke_report::ReportFormat;
use ananke_run::RunOptions;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::agent_report::Writers;
use super::arrange::random;
use super::bundle::{BundleArgs, BundleSink};
use super::coverage::CoverageArgs;
use super::facts::facts;
use super::load::LoadedPlan;
use super::outputs::{Outputs, OutputsArgs};
use super::reporting::Reporting;
use super::run::{FlakyChoice, HowArgs};
use super::server::{check_proxies, start_server};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, unix_ms};
use crate::signals::Signals;
use crate::ui::Ui;

/// When a running test is worth a notice.
const SLOW_AFTER: Duration = Duration::from_secs(60);
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// How many events are written at once, and over what time they may be gathered.
const MOST_AT_ONCE: usize = 512;
const AT_ONCE: Duration = Duration::from_millis(10);

/// How to run a plan, and what to leave behind.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) how: &'a HowArgs,
    pub(crate) outputs: &'a OutputsArgs,
    /// Where the report goes that nobody asked for.
    pub(crate) default_output: Option<PathBuf>,
    /// Whether, and how, a bundle is left.
    pub(crate) bundle: Option<&'a BundleArgs>,
    /// What is told about how much of the scripts was run.
    pub(crate) coverage: Option<&'a CoverageArgs>,
    /// The command that runs the same again, without the inputs.
    pub(crate) rerun: Vec<String>,
    /// What else is worth remembering about this run.
    pub(crate) facts: BTreeMap<String, String>,
}

/// Runs the plan to its end.
pub(crate) fn run(
    loaded: LoadedPlan,
    job: Job<'_>,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    runtime(job.how.parallel)?.block_on(run_async(loaded, job, environment, ui))
}

/// Builds the async runtime. One test at a time needs one thread: handing every chunk of a stream from one thread to
/// another would cost more than all the rest.
pub(crate) fn runtime(parallel: usize) -> Result<tokio::runtime::Runtime, CommandError> {
    let mut builder = if parallel == 1 {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    builder.enable_all().build().map_err(|error| {
        CommandError::new(
            Exit::Trouble,
            format!("the runtime cannot be started: {error}"),
        )
    })
}

/// Runs the plan to its end, inside the runtime.
pub(crate) async fn run_async(
    loaded: LoadedPlan,
    job: Job<'_>,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let signals = Signals::listen().map_err(|error| {
        CommandError::new(Exit::Trouble, format!("signals cannot be heard: {error}"))
    })?;
    check_proxies(environment)?;
    let mut info = run_info(&loaded, &job, environment);
    let mut outputs = Outputs::open(job.outputs, job.how.json, environment)?;
    let owns_stdout = outputs.owns_stdout;
    outputs.refuse_inputs(&loaded.files(environment))?;
    if let Some(path) = &job.default_output
        && let Err(error) = outputs.add_file(ReportFormat::Jsonl, path, environment)
    {
        ui.warning(
            &error.message,
            &["`-o FILE` writes it elsewhere, `--no-output` leaves it out".to_owned()],
        );
    }
    let bundle = job
        .bundle
        .map(|args| BundleSink::create(args, &loaded, &mut info, environment));
    let bundle = bundle.transpose()?;
    let server = start_server(
        &loaded.plan,
        &loaded.variables,
        environment,
        &signals.cancel,
    )
    .await;
    let server = match server {
        Ok(server) => server,
        Err(error) => {
            if let Some(bundle) = bundle {
                bundle.discard();
            }
            if let Some(path) = &job.default_output {
                // Nothing is in it yet.
                std::fs::remove_file(environment.cwd.join(path)).ok();
            }
            return Err(match signals.stop() {
                Some(stop) => CommandError::new(Exit::Stopped(stop), error.message),
                None => error,
            });
        }
    };
    let root = loaded.plan.root.clone();
    let agent_reports = job.outputs.agent_reports(ui.verbose > 0);
    let reporting = Reporting::new(outputs, bundle, job.rerun, root.clone(), ui)
        .with_agent_reports(agent_reports);
    let writers = Writers {
        agents: loaded.plan.agents.clone(),
        variables: loaded.variables.clone(),
        redactor: loaded.redactor.clone(),
        scripts: loaded.plan.scripts.clone(),
        root,
        timeout: job.how.limit(),
    };
    let options = RunOptions {
        parallel: job.how.parallel,
        fail_fast: job.how.fail_fast,
        test_timeout: job.how.limit(),
        slow_after: SLOW_AFTER,
        variables: loaded.variables,
        proxies: environment.proxies(),
        unix_ms,
        info,
        runs: job.how.runs,
        min_pass_rate: job.how.min_pass_rate,
        retries: usize::from(job.how.retries),
        flaky_result: FlakyChoice::result(job.how.flaky_result),
        rate_limit: job.how.rate_limit,
        backoff: job.how.backoff,
        redactor: loaded.redactor,
        cwd: environment.cwd.clone(),
        coverage: job.coverage.is_some_and(CoverageArgs::is_wanted),
    };
    let (sender, receiver) = mpsc::channel(1024);
    let run = ananke_run::run(loaded.plan, options, sender, signals.cancel.clone());
    let (outcome, reporting) = tokio::join!(run, follow(receiver, reporting, ui));
    if let Some(server) = server {
        for trouble in server.stop(outcome.summary.errors > 0).await {
            ui.warning(&trouble.message, &trouble.output);
        }
    }
    let mut reporting = reporting;
    let agent_reports = reporting.take_agent_reports();
    let mut exit = finish(reporting, Exit::of(&outcome, signals.stop()), ui);
    if let Some(failed) = &outcome.after_all {
        ui.error(&CommandError::new(Exit::Failed, failed.clone()));
        exit = exit.or_worse(Exit::Failed);
    }
    if let (Some(args), Some(coverage)) = (job.coverage, &outcome.coverage) {
        match args.tell(coverage, owns_stdout, environment, ui) {
            Ok(told) => exit = exit.or_worse(told),
            Err(error) => {
                ui.error(&error);
                exit = exit.or_worse(error.exit);
            }
        }
    }
    for report in agent_reports {
        let written = writers
            .write(report, environment, &signals.cancel, ui)
            .await;
        if let Err(error) = written {
            ui.error(&error);
            exit = exit.or_worse(error.exit);
        }
    }
    if let Some(path) = job
        .default_output
        .filter(|path| environment.cwd.join(path).exists())
    {
        ui.talk(&format!("Output: {}\n", path.display()));
    }
    Ok(exit)
}

/// Ends the reports. What could not be written is told, and makes the exit worse.
pub(crate) fn finish(reporting: Reporting, exit: Exit, ui: &Ui) -> Exit {
    let mut exit = exit;
    for trouble in reporting.finish() {
        ui.error(&trouble);
        exit = exit.or_worse(trouble.exit);
    }
    exit
}

fn run_info(loaded: &LoadedPlan, job: &Job<'_>, environment: &Environment) -> RunInfo {
    let started_at_ms = unix_ms();
    let chance = u32::try_from(random() >> 32).unwrap_or_default();
    let mut facts = facts(job.how, environment);
    facts.extend(job.facts.clone());
    RunInfo {
        run_id: ananke_store::new_run_id(started_at_ms, chance),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        config_file: loaded.plan.config_file.clone(),
        bundle: None,
        facts,
        total: loaded.plan.tests.len(),
        tests: loaded
            .plan
            .tests
            .iter()
            .map(|test| test.id.clone())
            .collect(),
        agents: ananke_run::agents(&loaded.plan, &loaded.variables),
        input: loaded.input.clone(),
        started_at_ms,
        runs_per_case: job.how.runs,
        identity: loaded.plan.identity.clone().map(Box::new),
        connector: loaded.plan.connector().map(str::to_owned),
    }
}

/// Feeds the reports until the run is over. They are written on another thread: a reader that is slow, or stopped, must
/// not hold up the tests and their clocks.
async fn follow(
    mut events: mpsc::Receiver<RunEvent>,
    mut reporting: Reporting,
    ui: &Ui,
) -> Reporting {
    let mut tick = tokio::time::interval(PROGRESS_EVERY);
    let mut batch = Vec::new();
    let mut taken_at = Instant::now();
    loop {
        tokio::select! {
            n_events = events.recv_many(&mut batch, MOST_AT_ONCE) => {
                if n_events == 0 {
                    break;
                }
                gather(&mut events, &mut batch, taken_at + AT_ONCE).await;
                taken_at = Instant::now();
                let taken = tokio::task::spawn_blocking(move || {
                    reporting.take(&batch);
                    batch.clear();
                    (reporting, batch)
                });
                (reporting, batch) = taken.await.expect("reporting does not panic");
            }
            _ = tick.tick(), if ui.shows_progress => {
                let now_ms = u64::try_from(unix_ms()).unwrap_or_default();
                ui.progress(&reporting.progress(now_ms));
            }
        }
    }
    ui.clear_progress();
    reporting
}

/// Takes in what else comes until `until`. When hundreds of tests end in a second, writing them a few at a time costs half
/// of writing them one by one; when they do not, nothing is waited for.
async fn gather(events: &mut mpsc::Receiver<RunEvent>, batch: &mut Vec<RunEvent>, until: Instant) {
    while batch.len() < MOST_AT_ONCE && !matches!(batch.last(), Some(RunEvent::RunFinished(_))) {
        let room = MOST_AT_ONCE - batch.len();
        match timeout_at(until, events.recv_many(batch, room)).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
}
