//! Follows a run and ends with one document.

use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use jiff::Timestamp;
use serde_json::Map;
use serde_json::value::{RawValue, to_raw_value};

use super::convert::{later, test_entry};
use super::format::{Document, Metadata, Ms, SCHEMA, Totals};

/// What the report says about ananke itself.
#[derive(Clone, Debug)]
pub struct ReportInfo {
    /// The version of ananke.
    pub version: String,
    /// The config file as the user would type it, if there is one.
    pub config_file: Option<String>,
}

/// The JSON report: give it every event, then take the document.
#[derive(Debug)]
pub struct JsonReport {
    info: ReportInfo,
    run: RunInfo,
    results: Vec<Box<RawValue>>,
    counted: Summary,
    finished: Option<Summary>,
}

impl JsonReport {
    /// Returns a report at the beginning of a run.
    pub fn new(info: ReportInfo) -> Self {
        Self {
            info,
            run: RunInfo::default(),
            results: Vec::new(),
            counted: Summary::default(),
            finished: None,
        }
    }

    /// Takes in one event.
    pub fn event(&mut self, event: &RunEvent) {
        match event {
            RunEvent::RunStarted(run) => self.run = run.clone(),
            RunEvent::TestFinished { result, .. } => {
                self.counted.count(result.status);
                let entry = to_raw_value(&test_entry(result)).expect("all keys are strings");
                self.results.push(entry);
            }
            RunEvent::RunFinished(summary) => self.finished = Some(summary.clone()),
            RunEvent::TestStarted { .. } | RunEvent::TestSlow { .. } | RunEvent::Notice(_) => {}
        }
    }

    /// Returns the document as text, one line for each test. A run that never finished is reported as interrupted.
    pub fn finish(&self) -> String {
        let summary = self.finished.clone().unwrap_or_else(|| Summary {
            interrupted: true,
            ..self.counted.clone()
        });
        let started_at_ms = self.run.started_at_ms;
        let document = Document {
            schema: SCHEMA,
            error: None,
            diagnostics: None,
            summary: self.totals(&summary),
            environment: Map::new(),
            results: &self.results,
            metadata: Some(Metadata {
                started_at: rfc3339(started_at_ms),
                completed_at: rfc3339(later(started_at_ms, summary.duration_us)),
                version: &self.info.version,
                config_file: self.info.config_file.as_deref(),
            }),
        };
        serde_json::to_string_pretty(&document).expect("all keys are strings")
    }

    fn totals(&self, summary: &Summary) -> Totals {
        let agents = &self.run.agents;
        Totals {
            total: summary.total,
            passed: summary.passed,
            failed: summary.failed_in_all(),
            errors: summary.errors,
            timeouts: summary.timeouts,
            skipped: summary.skipped,
            inconclusive: summary.inconclusive,
            unchecked: summary.unchecked,
            interrupted: summary.interrupted,
            duration_ms: Ms(summary.duration_us),
            agent_id: (!agents.is_empty()).then(|| agents.join(", ")),
        }
    }
}

fn rfc3339(unix_ms: i64) -> Option<String> {
    let timestamp = Timestamp::from_millisecond(unix_ms).ok()?;
    Some(timestamp.to_string())
}
