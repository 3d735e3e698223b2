//! Where the report goes, and how the command ends.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ananke_model::conformance::ConformanceReport;
use ananke_report::{
    Telling, conformance_json, conformance_junit, conformance_markdown, conformance_sarif,
    conformance_text,
};

use super::args::ConformArgs;
use super::command::configuration;
use crate::commands::write_file::{Existing, check_path, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::Environment;
use crate::ui::Ui;

type Render = fn(&ConformanceReport) -> String;

/// Where the report goes; checked before anything is asked.
#[derive(Debug)]
pub(super) struct Outputs {
    files: Vec<(PathBuf, Render)>,
    baseline: Option<PathBuf>,
    json: bool,
}

impl Outputs {
    /// Reads the flags.
    pub(super) fn new(args: &ConformArgs, environment: &Environment) -> Result<Self, CommandError> {
        let mut files = Vec::new();
        for path in &args.outputs {
            check_path(path, environment)?;
            files.push((path.clone(), format_of(path)?));
        }
        if let Some(path) = &args.verdict.write_baseline {
            check_path(path, environment)?;
        }
        Ok(Self {
            files,
            baseline: args.verdict.write_baseline.clone(),
            json: args.json,
        })
    }

    /// Writes the report everywhere.
    pub(super) fn write(
        &self,
        report: &ConformanceReport,
        environment: &Environment,
        ui: &Ui,
    ) -> Result<(), CommandError> {
        let written = self.write_files(report, environment, ui);
        if self.json {
            // An error is then the one document.
            written?;
            ui.out(&format!("{}\n", conformance_json(report)));
            return Ok(());
        }
        let telling = Telling {
            verbose: ui.verbose,
            quiet: ui.quiet,
            // What a program reads keeps its lines.
            columns: environment
                .columns
                .filter(|_| environment.stdout_is_terminal || environment.get("COLUMNS").is_some()),
        };
        ui.out(&conformance_text(report, &ui.stdout_style, telling));
        written
    }

    /// Writes the files alone.
    pub(super) fn write_files(
        &self,
        report: &ConformanceReport,
        environment: &Environment,
        ui: &Ui,
    ) -> Result<(), CommandError> {
        for (path, render) in &self.files {
            let text = ui.hidden(&render(report));
            write_file(path, &text, Existing::Replace, environment, ui)?;
        }
        if let Some(path) = &self.baseline {
            let text = ui.hidden(&baseline(report));
            write_file(path, &text, Existing::Replace, environment, ui)?;
            if !self.json {
                ui.talk(&format!("The baseline is in {}.\n", path.display()));
            }
        }
        Ok(())
    }
}

fn format_of(path: &Path) -> Result<Render, CommandError> {
    let extension = path.extension().and_then(|word| word.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("json") => Ok(|report| format!("{}\n", conformance_json(report))),
        Some("xml") => Ok(conformance_junit),
        Some("sarif") => {
            Ok(|report| format!("{}\n", conformance_sarif(report, env!("CARGO_PKG_VERSION"))))
        }
        Some("md" | "markdown") => Ok(conformance_markdown),
        _ => Err(configuration(format!(
            "`-o {}`: the extension names no format; known are json, xml (JUnit), sarif, md",
            path.display()
        ))),
    }
}

/// Every finding once by rule and scenario, as a baseline.
fn baseline(report: &ConformanceReport) -> String {
    let mut text =
        "# Failures that are known. Remove an entry when it passes.\nversion: \"1.0\"\n".to_owned();
    let mut entries: Vec<(&str, &str)> = Vec::new();
    for check in &report.checks {
        for finding in &check.findings {
            let entry = (check.rule.id.as_str(), finding.scenario.as_str());
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
    }
    if entries.is_empty() {
        text.push_str("known: []\n");
        return text;
    }
    text.push_str("known:\n");
    for (rule, scenario) in entries {
        writeln!(text, "  - rule: {rule}\n    scenario: {scenario}").ok();
    }
    text
}

/// Decides how the command ends. Zero evidence is never a pass.
pub(super) fn exit(report: &ConformanceReport) -> Exit {
    if report.harness_error.is_some() {
        Exit::Trouble
    } else if report.fails() {
        Exit::Failed
    } else if !report.has_evidence() || report.is_unclear() {
        Exit::Inconclusive
    } else {
        Exit::Passed
    }
}
