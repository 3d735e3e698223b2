//! `-r <agent>`: an agent writes the report. It gets the JSON report and says what goes into the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ananke_model::plan::Target;
use ananke_model::run_event::RunEvent;
use ananke_model::script::Scripts;
use ananke_model::variables::Variables;
use ananke_report::{Report, ReportFormat, escape};
use ananke_run::{AskOptions, Redactor, ask_agent};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::write_file::{Existing, write_file};
use crate::error::{CommandError, Exit};
use crate::settings::{Environment, unix_ms};
use crate::ui::Ui;

/// A report that an agent writes when the run is over.
#[derive(Debug)]
pub(crate) struct AgentReport {
    /// The agent.
    pub(crate) agent: String,
    /// Where its words go; stdout if absent.
    pub(crate) file: Option<PathBuf>,
    report: Box<dyn Report>,
    is_verbose: bool,
}

impl AgentReport {
    /// Gets ready to follow a run.
    pub(crate) fn new(agent: String, file: Option<PathBuf>, is_verbose: bool) -> Self {
        Self {
            agent,
            file,
            report: ReportFormat::Json.open(),
            is_verbose,
        }
    }

    /// Takes in one event.
    pub(crate) fn event(&mut self, event: &RunEvent) {
        // A document comes whole at the end.
        self.report.event(event);
    }

    /// Returns what the agent is asked, and what it is told beside that.
    pub(crate) fn question(self) -> (Value, Map<String, Value>) {
        let format = format_of(self.file.as_deref());
        let report = self.report.finish();
        let report = serde_json::from_slice(&report).unwrap_or(Value::Null);
        let message = json!({
            "report": report,
            "format": format,
            "options": {"verbose": self.is_verbose, "include_outputs": true},
        });
        let metadata = json!({"test_mode": "reporter", "format": format});
        let metadata = metadata.as_object().cloned().unwrap_or_default();
        (message, metadata)
    }
}

/// What is needed to ask agents for reports once the run is over.
#[derive(Debug)]
pub(crate) struct Writers {
    /// The agents of the plan.
    pub(crate) agents: BTreeMap<String, Target>,
    pub(crate) variables: Variables,
    pub(crate) redactor: Redactor,
    pub(crate) root: PathBuf,
    pub(crate) timeout: Duration,
    pub(crate) scripts: Scripts,
}

impl Writers {
    /// Asks for a report and writes what comes back.
    pub(crate) async fn write(
        &self,
        report: AgentReport,
        environment: &Environment,
        cancel: &CancellationToken,
        ui: &Ui,
    ) -> Result<(), CommandError> {
        let (agent, file) = (report.agent.clone(), report.file.clone());
        let failed = |why: String| {
            let message = format!("`{agent}` wrote no report: {why}");
            CommandError::new(Exit::Trouble, message)
        };
        let Some(target) = self.agents.get(&agent) else {
            return Err(failed("there is no such agent".to_owned()));
        };
        let (message, metadata) = report.question();
        let options = AskOptions {
            message: &message,
            metadata: &metadata,
            timeout: self.timeout,
            variables: &self.variables,
            proxies: &environment.proxies(),
            root: &self.root,
            identity: None,
            redactor: &self.redactor,
            unix_ms: unix_ms(),
            cancel,
            scripts: &self.scripts,
        };
        let answer = ask_agent(target, options).await;
        let answer = answer.map_err(|error| failed(error.to_string()))?;
        if answer.text.trim().is_empty() {
            return Err(failed("its answer is empty".to_owned()));
        }
        let text = self.redactor.text(&answer.text);
        match file.filter(|file| file.as_os_str() != "-") {
            Some(file) => write_file(&file, &text, Existing::Replace, environment, ui),
            None => {
                // On a terminal nobody but ananke moves the cursor.
                let lines: Vec<_> = text.trim_end().lines().map(escape).collect();
                ui.out(&format!("{}\n", lines.join("\n")));
                Ok(())
            }
        }
    }
}

/// Returns the format that a file with this name is to have.
fn format_of(file: Option<&Path>) -> &'static str {
    let extension = file
        .and_then(Path::extension)
        .and_then(|word| word.to_str());
    match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => "html",
        Some("md" | "markdown") => "markdown",
        Some("json") => "json",
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_which_format_is_wanted() {
        let format = |name: &str| format_of(Some(Path::new(name)));
        let names = ["a.html", "a.MD", "a.json", "a.txt", "summary"];
        assert_eq!(
            names.map(format),
            ["html", "markdown", "json", "text", "text"]
        );
        assert_eq!(format_of(None), "text");
    }
}
