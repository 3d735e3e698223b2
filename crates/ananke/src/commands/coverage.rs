//! `--coverage`: how much of the user's scripts was run, as a table and as files, and whether that is enough.

use std::path::{Path, PathBuf};

use ananke_model::coverage::Coverage;
use ananke_model::place::Sources;
use ananke_report::{coverage_html, coverage_json, coverage_lcov, coverage_table};
use clap::Args;

use super::run::parse_percent;
use super::write_file::{Existing, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, parse_switch};
use crate::ui::Ui;

/// How much of the scripts was run.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Coverage of scripts")]
pub(crate) struct CoverageArgs {
    /// Tell how many lines and functions of the scripts were run
    #[arg(long, env = "ANANKE_COVERAGE", value_parser = parse_switch)]
    pub(crate) coverage: bool,
    /// Also write it to this file: .info or .lcov, .html, .json; may be repeated
    #[arg(
        long = "coverage-report",
        value_name = "FILE",
        env = "ANANKE_COVERAGE_REPORT"
    )]
    pub(crate) coverage_reports: Vec<PathBuf>,
    /// Fail if fewer percent of the lines were run
    #[arg(long, value_name = "PERCENT", env = "ANANKE_FAIL_UNDER", value_parser = parse_percent)]
    pub(crate) fail_under: Option<f64>,
}

/// In which form coverage is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Lcov,
    Html,
    Json,
}

impl CoverageArgs {
    /// Tells whether lines and functions are to be counted.
    pub(crate) fn is_wanted(&self) -> bool {
        self.coverage || self.fail_under.is_some() || !self.coverage_reports.is_empty()
    }

    /// Refuses what cannot be done, before anything runs: a replay calls no script, and some files have no form that is known.
    pub(crate) fn check(&self, is_replay: bool) -> Result<(), CommandError> {
        if is_replay && self.is_wanted() {
            let message = "`--replay` runs no script: there is nothing to count";
            let hint = "leave out `--coverage`, `--coverage-report` and `--fail-under`";
            return Err(CommandError::new(Exit::Configuration, message).hint(hint));
        }
        self.coverage_reports
            .iter()
            .try_for_each(|path| form(path).map(drop))
    }

    /// Shows and writes what was counted; `owns_stdout` says that a report took the place of what people read. Returns how the run ends because of it.
    pub(crate) fn tell(
        &self,
        coverage: &Coverage,
        owns_stdout: bool,
        environment: &Environment,
        ui: &Ui,
    ) -> Result<Exit, CommandError> {
        if !self.is_wanted() {
            return Ok(Exit::Passed);
        }
        if coverage.files.is_empty() {
            let message = "there is no coverage: no script but the tests themselves was run";
            ui.warning(message, &[]);
        } else if owns_stdout {
            // Stdout is for a program.
            ui.talk(&coverage_table(coverage, &ui.stderr_style));
        } else if !ui.quiet {
            ui.out(&coverage_table(coverage, &ui.stdout_style));
        }
        for path in &self.coverage_reports {
            let text = match form(path)? {
                Form::Lcov => coverage_lcov(coverage),
                Form::Html => coverage_html(coverage, &sources(coverage, environment)),
                Form::Json => format!("{:#}\n", coverage_json(coverage)),
            };
            write_file(path, &text, Existing::Replace, environment, ui)?;
        }
        let Some(least) = self.fail_under else {
            return Ok(Exit::Passed);
        };
        let (hit, all) = coverage.lines();
        // Nothing that was run is no evidence for anything.
        let is_enough = all > 0 && count(hit) * 100.0 >= least * count(all);
        if is_enough {
            return Ok(Exit::Passed);
        }
        let percent = if all == 0 {
            0.0
        } else {
            count(hit) * 100.0 / count(all)
        };
        let message = format!(
            "--fail-under {least}: {hit} of {all} lines of the scripts were run ({percent:.2} %)"
        );
        Err(CommandError::new(Exit::Failed, message))
    }
}

#[expect(clippy::cast_precision_loss, reason = "nobody has that many lines")]
fn count(n: usize) -> f64 {
    n as f64
}

fn form(path: &Path) -> Result<Form, CommandError> {
    let end = path.extension().and_then(|end| end.to_str());
    match end {
        Some("info" | "lcov") => Ok(Form::Lcov),
        Some("html") => Ok(Form::Html),
        Some("json") => Ok(Form::Json),
        _ => {
            let message = format!("`--coverage-report {}`: of which form?", path.display());
            Err(CommandError::new(Exit::Configuration, message)
                .hint("the name ends in .info or .lcov, .html or .json"))
        }
    }
}

/// Returns the texts of the files that were counted.
fn sources(coverage: &Coverage, environment: &Environment) -> Sources {
    let mut sources = Sources::default();
    for file in &coverage.files {
        if let Ok(text) = std::fs::read_to_string(environment.cwd.join(&file.file)) {
            sources.insert(&file.file, &text);
        }
    }
    sources
}
