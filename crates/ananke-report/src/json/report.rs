//! Follows a run and ends with one document.

use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use serde_json::value::{RawValue, to_raw_value};

use super::format::{Document, Environment, SCHEMA};
use super::inert::inert;
use super::run::{Counted, completed_at, metadata};
use crate::report::Report;

/// The JSON report (`--json`, `.json`): one document.
#[derive(Debug, Default)]
pub(crate) struct JsonReport {
    run: RunInfo,
    results: Vec<Box<RawValue>>,
    counted: Counted,
}

impl JsonReport {
    /// Returns the document as text, one line for each test.
    fn document(&self) -> String {
        let summary: Summary = self.counted.summary();
        let document = Document {
            schema: SCHEMA,
            script: self.counted.script_run(),
            error: None,
            diagnostics: None,
            summary: self.counted.totals(&self.run, &summary),
            environment: Environment(self.run.identity.as_deref()),
            results: &self.results,
            metadata: Some(metadata(&self.run, completed_at(&self.run, &summary))),
        };
        serde_json::to_string_pretty(&document).expect("all keys are strings")
    }
}

impl Report for JsonReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        self.counted.event(event);
        match event {
            RunEvent::RunStarted(run) => self.run = run.clone(),
            RunEvent::TestFinished { result, .. } => {
                let entry = to_raw_value(&self.counted.test(result, &self.run));
                let entry = entry.expect("all keys are strings");
                self.results.push(entry);
            }
            RunEvent::TestStarted { .. }
            | RunEvent::TestSlow { .. }
            | RunEvent::Notice(_)
            | RunEvent::RunFinished(_) => {}
        }
        Vec::new()
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let mut document = inert(self.document());
        document.push('\n');
        document.into_bytes()
    }
}
