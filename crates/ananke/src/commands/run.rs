//! `ananke run`: the whole pipeline on one screen. Load, start the server, run, report, stop the server, say how it went.

use std::time::Duration;

use ananke_report::{dry_run_listing, json_load_error, list_json};
use clap::Args;

use super::load::{LoadArgs, LoadedPlan, load};
use super::pipeline::{self, Reporting};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_duration, parse_switch};
use crate::ui::Ui;

/// Run tests
#[derive(Args, Debug)]
#[command(next_help_heading = "How to run")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) load: LoadArgs,
    #[command(flatten)]
    pub(crate) how: HowArgs,
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
    /// Limit for each test, hooks included: 500ms, 30s, 5m, 1h30m
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_duration, env = "ANANKE_TIMEOUT")]
    pub(crate) timeout: Duration,
    /// Print exactly one JSON document on stdout instead of the report
    #[arg(long, env = "ANANKE_JSON", value_parser = parse_switch, help_heading = "Output")]
    pub(crate) json: bool,
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
    let json = args.how.json;
    let loaded = load(&args.load, environment)?;
    ui.diagnostics(&loaded.diagnostics, &loaded.sources);
    if loaded.has_errors() {
        if json {
            ui.out(&format!(
                "{:#}\n",
                json_load_error(&loaded.diagnostics, Exit::Configuration.number())
            ));
        }
        return Ok(Exit::Configuration);
    }
    if let Some(error) = loaded.nothing_to_run(&args.load) {
        return Err(error);
    }
    if args.dry_run {
        return Ok(dry_run(json, &loaded, ui));
    }
    let reporting = Reporting {
        json,
        rerun: rerun(args),
    };
    pipeline::run(loaded, &args.how, &reporting, environment, ui)
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
fn rerun(args: &RunArgs) -> Vec<String> {
    let mut words = vec!["ananke".to_owned(), "run".to_owned()];
    if let Some(config) = &args.load.config {
        words.extend(["--config".to_owned(), config.display().to_string()]);
    }
    if let Some(target) = &args.load.target {
        words.extend(["--target".to_owned(), target.clone()]);
    }
    for (name, value) in &args.load.vars {
        words.extend(["--var".to_owned(), format!("{name}={value}")]);
    }
    if args.load.allow_unchecked {
        words.push("--allow-unchecked".to_owned());
    }
    words
}
