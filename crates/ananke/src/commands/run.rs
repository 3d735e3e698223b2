//! `ananke run`: the whole pipeline on one screen. Load, arrange, start the server, run, report, stop the server, say how
//! it went.

use std::collections::BTreeMap;
use std::time::Duration;

use ananke_model::check::SnapshotUpdate;
use ananke_model::diagnostic::Diagnostic;
use ananke_report::{dry_run_listing, json_load_error, list_json};
use ananke_run::{FlakyResult, RateLimit};
use ananke_suite::Input;
use clap::{Args, ValueEnum};

use super::bundle::BundleArgs;
use super::coverage::CoverageArgs;
use super::default_output::default_output;
use super::facts::{FLAKY_RESULT, facts_of_tests};
use super::generate::generate;
use super::load::{LoadArgs, LoadedPlan, Loading, load};
use super::order::OrderArgs;
use super::outputs::OutputsArgs;
use super::pipeline::{self, Job};
use super::replay;
use super::snapshots::SnapshotArgs;
use super::write_file::{Existing, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_duration, parse_rate_limit, parse_switch};
use crate::ui::Ui;

/// The limit of a test where nobody says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

/// Run tests
#[derive(Args, Debug)]
#[command(next_help_heading = "How to run")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) order: OrderArgs,
    #[command(flatten)]
    pub(crate) how: HowArgs,
    #[command(flatten)]
    pub(crate) outputs: OutputsArgs,
    #[command(flatten)]
    pub(crate) bundle: BundleArgs,
    /// Take answers from the recordings of this bundle; no agent, hook or server is started
    #[arg(long, value_name = "BUNDLE", env = "ANANKE_REPLAY")]
    pub(crate) replay: Option<String>,
    #[command(flatten)]
    pub(crate) snapshots: SnapshotArgs,
    #[command(flatten)]
    pub(crate) coverage: CoverageArgs,
    /// Check every file and list what would run; no hook, server or request is started
    #[arg(long, env = "ANANKE_DRY_RUN", value_parser = parse_switch)]
    pub(crate) dry_run: bool,
}

/// How to run.
#[derive(Args, Debug)]
#[command(next_help_heading = "How to run")]
pub(crate) struct HowArgs {
    /// Tests at once: a number, or `auto` for twice the number of cores
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_parallel, env = "ANANKE_PARALLEL")]
    pub(crate) parallel: usize,
    /// Start no further test after the first failure
    #[arg(long, env = "ANANKE_FAIL_FAST", value_parser = parse_switch)]
    pub(crate) fail_fast: bool,
    /// Limit for each test, hooks included: 500ms, 30s, 5m, 1h30m [default: 5m; functions of scripts: 30s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, env = "ANANKE_TIMEOUT")]
    pub(crate) timeout: Option<Duration>,
    /// Run each test N times and tell how stable it is
    #[arg(long, value_name = "N", default_value = "1", env = "ANANKE_RUNS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) runs: u32,
    /// How many percent of its runs a test must pass; by default all, or as recorded
    #[arg(long, value_name = "PERCENT", env = "ANANKE_MIN_PASS_RATE", value_parser = parse_percent)]
    pub(crate) min_pass_rate: Option<f64>,
    /// Run a test that did not pass up to N times more; every attempt is kept
    #[arg(long, value_name = "N", default_value = "0", env = "ANANKE_RETRIES", value_parser = clap::value_parser!(u16).range(..=100))]
    pub(crate) retries: u16,
    /// What a test counts as that passed only on a retry; by default `pass`, or as recorded
    #[arg(long, value_enum, value_name = "RESULT", env = "ANANKE_FLAKY_RESULT")]
    pub(crate) flaky_result: Option<FlakyChoice>,
    /// At most this many requests in a time, evenly spread: 5/s, 60/m, 1000/h
    #[arg(long, value_name = "N/UNIT", value_parser = parse_rate_limit, env = "ANANKE_RATE_LIMIT")]
    pub(crate) rate_limit: Option<RateLimit>,
    /// How long a turn may wait in all, and be sent again, when the agent answers 429
    #[arg(long, value_name = "TIME", value_parser = parse_duration, env = "ANANKE_BACKOFF")]
    pub(crate) backoff: Option<Duration>,
    /// Print exactly one JSON document on stdout instead of the report
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Reports")]
    pub(crate) json: bool,
}

impl HowArgs {
    /// Returns the flags on which a verdict may hang.
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.runs > 1 {
            words.extend(["--runs".to_owned(), self.runs.to_string()]);
        }
        if let Some(percent) = self.min_pass_rate {
            words.extend(["--min-pass-rate".to_owned(), percent.to_string()]);
        }
        if let Some(limit) = self.timeout {
            let limit = format!("{}ms", limit.as_millis());
            words.extend(["--timeout".to_owned(), limit]);
        }
        words
    }

    /// Returns the limit of a test that has none of its own.
    pub(crate) fn limit(&self) -> Duration {
        self.timeout.unwrap_or(DEFAULT_TIMEOUT)
    }

    /// Refuses flags that contradict each other.
    fn check(&self, is_replay: bool) -> Result<(), CommandError> {
        if self.runs > 1 && is_replay {
            let message = "`--replay` has as many runs as were recorded: `--runs` changes nothing";
            return Err(CommandError::new(Exit::Configuration, message).hint("leave out `--runs`"));
        }
        if self.runs > 1 && self.retries > 0 {
            let message = "`--runs` and `--retries` contradict each other: a run that is tried again says nothing about stability";
            return Err(CommandError::new(Exit::Configuration, message)
                .hint("`--min-pass-rate` lets a test pass that passes often enough"));
        }
        Ok(())
    }
}

/// What a test counts as that passed only on a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlakyChoice {
    Pass,
    Fail,
}

impl FlakyChoice {
    /// Returns what was chosen, or the default.
    pub(crate) fn result(choice: Option<Self>) -> FlakyResult {
        match choice {
            Some(Self::Fail) => FlakyResult::Fail,
            Some(Self::Pass) | None => FlakyResult::Pass,
        }
    }

    /// Returns what was chosen, or else what `facts` remember; they then say the same.
    pub(crate) fn settled(
        choice: Option<Self>,
        facts: &mut BTreeMap<String, String>,
    ) -> FlakyResult {
        match choice {
            Some(Self::Pass) => {
                facts.remove(FLAKY_RESULT);
            }
            Some(Self::Fail) => {
                facts.insert(FLAKY_RESULT.to_owned(), "fail".to_owned());
            }
            None => {}
        }
        match facts.get(FLAKY_RESULT).map(String::as_str) {
            Some("fail") => FlakyResult::Fail,
            _ => FlakyResult::Pass,
        }
    }
}

/// Reads a share from above 0 to 100 percent; `%` behind it changes nothing.
pub(crate) fn parse_percent(text: &str) -> Result<f64, String> {
    match text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent <= 100.0 => Ok(percent),
        _ => Err("expected a number above 0 and up to 100".to_owned()),
    }
}

fn parse_parallel(text: &str) -> Result<usize, String> {
    if text == "auto" {
        return Ok(2 * std::thread::available_parallelism().map_or(1, usize::from));
    }
    match text.parse() {
        Ok(n @ 1..=10_000) => Ok(n),
        _ => Err("expected a number from 1 to 10000, or `auto`".to_owned()),
    }
}

/// Runs tests.
pub(crate) fn run(
    args: &RunArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<Exit, CommandError> {
    let update = args.snapshots.update_snapshots.checked(environment)?;
    args.how.check(args.replay.is_some())?;
    args.coverage.check(args.replay.is_some())?;
    if args.how.runs > 1 && update != SnapshotUpdate::None {
        let message =
            "`--update-snapshots` and `--runs` contradict each other: which run is to be kept?";
        return Err(CommandError::new(Exit::Configuration, message).hint(
            "update the snapshots with one run, then see how often the others are the same",
        ));
    }
    if let Some(bundle) = &args.replay {
        return replay::replay(args, bundle, update, environment, ui);
    }
    let made = generate(&args.load, args.how.limit(), environment, ui)?;
    let helpers = args.outputs.agents();
    let loading = Loading {
        update_snapshots: update,
        generated: &made.inputs,
        helpers: &helpers,
        timeout_given: args.how.timeout.is_some(),
        goes_on: !args.dry_run,
        ..Loading::default()
    };
    let mut loaded = load(&args.load, loading, environment)?;
    ui.hide(loaded.redactor.clone());
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        return Ok(refuse(args.how.json, &loaded, ui));
    }
    ui.diagnostics(&loaded.broken, &loaded.sources);
    let is_broken = loaded.broken.iter().any(Diagnostic::is_error);
    if let Some(error) = loaded.nothing_to_run(&args.load) {
        return Err(error);
    }
    let arranged = loaded.arrange(&args.order, &args.bundle, environment, ui)?;
    if args.dry_run {
        save(&made.inputs, &args.outputs, environment, ui)?;
        return Ok(dry_run(args.how.json, &loaded, ui));
    }
    let mut facts = arranged.facts;
    facts.extend(facts_of_tests(&args.load));
    if made.n_refused > 0 {
        facts.insert("refused cases".to_owned(), made.n_refused.to_string());
    }
    facts.extend(args.load.asking.facts(&loaded.plan.root, environment));
    let job = Job {
        how: &args.how,
        outputs: &args.outputs,
        default_output: default_output(args, environment),
        bundle: (!args.bundle.no_bundle).then_some(&args.bundle),
        coverage: Some(&args.coverage),
        rerun: rerun(args),
        facts,
    };
    let exit = pipeline::run(loaded, job, environment, ui)?;
    if is_broken {
        return Ok(exit.or_worse(Exit::Configuration));
    }
    if arranged.is_empty_on_purpose && exit == Exit::NothingRan {
        return Ok(Exit::Passed);
    }
    Ok(exit)
}

/// Says that nothing is run because of mistakes in the files, which have been shown.
pub(crate) fn refuse(json: bool, loaded: &LoadedPlan, ui: &Ui) -> Exit {
    if json {
        ui.out(&format!(
            "{:#}\n",
            json_load_error(
                &loaded.diagnostics,
                &loaded.sources,
                Exit::Configuration.number()
            )
        ));
    }
    Exit::Configuration
}

/// Writes the cases that agents made to `-o`, so that they can be looked at and run again.
fn save(
    generated: &[Input],
    outputs: &OutputsArgs,
    environment: &Environment,
    ui: &Ui,
) -> Result<(), CommandError> {
    let texts = generated.iter().filter_map(|input| match input {
        Input::Cases { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let cases: String = texts.collect();
    let Some(path) = outputs.outputs.first() else {
        return Ok(());
    };
    if cases.is_empty() {
        ui.warning("a dry run has no report: `-o` writes nothing", &[]);
        return Ok(());
    }
    if path.extension().is_none_or(|end| end != "jsonl") {
        let message = format!("`-o {}`: cases are saved as `.jsonl`", path.display());
        return Err(CommandError::new(Exit::Configuration, message));
    }
    write_file(path, &cases, Existing::Keep, environment, ui)?;
    let written = match cases.lines().count() {
        1 => "1 case".to_owned(),
        n_cases => format!("{n_cases} cases"),
    };
    ui.talk(&format!("{written} written to {}\n", path.display()));
    Ok(())
}

fn dry_run(json: bool, loaded: &LoadedPlan, ui: &Ui) -> Exit {
    if json {
        ui.out(&format!("{:#}\n", list_json(&loaded.plan)));
    } else {
        ui.out(&dry_run_listing(&loaded.plan, &ui.stdout_style));
    }
    Exit::Passed
}

/// Returns the command that runs the same again, without the inputs.
pub(crate) fn rerun(args: &RunArgs) -> Vec<String> {
    let mut words = vec!["ananke".to_owned(), "run".to_owned()];
    if let Some(config) = &args.load.config {
        words.extend(["--config".to_owned(), config.display().to_string()]);
    }
    if !args.load.targets.is_empty() {
        words.extend(["--target".to_owned(), args.load.targets.join(",")]);
    }
    for file in &args.load.env_file.env_files {
        words.extend(["--env-file".to_owned(), file.display().to_string()]);
    }
    for (name, value) in &args.load.vars {
        words.extend(["--var".to_owned(), format!("{name}={value}")]);
    }
    words.extend(args.load.asking.words());
    words.extend(args.how.words());
    if args.load.allow_unchecked {
        words.push("--allow-unchecked".to_owned());
    }
    if let Some(bundle) = &args.replay {
        words.extend(["--replay".to_owned(), bundle.clone()]);
    }
    words
}
