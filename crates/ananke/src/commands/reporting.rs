//! Everything that follows a run: the terminal, reports in files, the bundle, snapshot files. A live run, a judged bundle
//! and a rendered bundle all go through here.

use std::path::PathBuf;

use ananke_model::run_event::RunEvent;
use ananke_report::{Chunk, Terminal, TerminalOptions};

use super::agent_report::AgentReport;
use super::bundle::BundleSink;
use super::outputs::Outputs;
use super::snapshots::write_snapshots;
use crate::error::CommandError;
use crate::ui::Ui;

/// What follows a run.
#[derive(Debug)]
pub(crate) struct Reporting {
    terminal: Terminal,
    outputs: Outputs,
    bundle: Option<BundleSink>,
    /// Reports that agents write when everything is over.
    agent_reports: Vec<AgentReport>,
    /// Below what snapshot files are written.
    root: PathBuf,
    troubles: Vec<CommandError>,
    ui: Ui,
}

impl Reporting {
    /// Gets ready to follow a run. `rerun` is the command that runs the same again, without the inputs.
    pub(crate) fn new(
        outputs: Outputs,
        bundle: Option<BundleSink>,
        rerun: Vec<String>,
        root: PathBuf,
        ui: &Ui,
    ) -> Self {
        let terminal = Terminal::new(TerminalOptions {
            style: ui.stdout_style.clone(),
            verbose: ui.verbose,
            quiet: ui.quiet,
            // A value of `--var` may be a secret.
            rerun: rerun.iter().map(|word| ui.hidden(word)).collect(),
            dry_run: false,
            is_ci: ui.is_ci,
        });
        Self {
            terminal,
            outputs,
            bundle,
            agent_reports: Vec::new(),
            root,
            troubles: Vec::new(),
            ui: ui.clone(),
        }
    }

    /// Also follows the run for reports that agents write.
    pub(crate) fn with_agent_reports(mut self, reports: Vec<AgentReport>) -> Self {
        self.agent_reports = reports;
        self
    }

    /// Returns the reports that agents write.
    pub(crate) fn take_agent_reports(&mut self) -> Vec<AgentReport> {
        std::mem::take(&mut self.agent_reports)
    }

    /// Takes in a batch of events and writes what follows from them. May wait for a slow reader or a disk.
    pub(crate) fn take(&mut self, events: &[RunEvent]) {
        let mut chunk = Chunk::default();
        for event in events {
            let said = self.terminal.event(event);
            chunk.stderr.push_str(&said.stderr);
            if !self.outputs.owns_stdout {
                chunk.stdout.push_str(&said.stdout);
            }
            self.outputs.event(event, &self.ui);
            for report in &mut self.agent_reports {
                report.event(event);
            }
            if let RunEvent::TestFinished { result, .. } = event {
                self.troubles.extend(write_snapshots(&self.root, result));
            }
        }
        if let Some(bundle) = &mut self.bundle {
            bundle.take(events);
        }
        self.ui.chunk(&chunk);
    }

    /// Returns the line that shows how far a run is.
    pub(crate) fn progress(&self, now_ms: u64) -> String {
        self.terminal.progress(now_ms)
    }

    /// Ends every report; returns what could not be written.
    pub(crate) fn finish(mut self) -> Vec<CommandError> {
        self.troubles.extend(self.outputs.finish(&self.ui));
        if let Some(bundle) = self.bundle {
            self.troubles.extend(bundle.finish(&self.ui));
        }
        self.troubles
    }
}
