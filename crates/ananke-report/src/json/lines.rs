//! The JSONL report (`.jsonl`, `-o -`): a line when the run begins, one for each test as it ends, and the summary.

use ananke_model::run_event::{RunEvent, RunInfo, Summary};

use super::format::{Environment, LINES_SCHEMA, Line, StartLine, SummaryLine};
use super::inert::inert;
use super::run::{Counted, agent_id, completed_at, rfc3339};
use crate::report::Report;

/// The JSONL report: lines that can be read while the run goes on.
#[derive(Debug, Default)]
pub(crate) struct JsonlReport {
    run: RunInfo,
    counted: Counted,
    is_complete: bool,
}

impl JsonlReport {
    fn summary(&self, summary: &Summary) -> Vec<u8> {
        line(&Line::Summary(SummaryLine {
            totals: self.counted.totals(&self.run, summary),
            completed_at: completed_at(&self.run, summary),
        }))
    }
}

impl Report for JsonlReport {
    fn event(&mut self, event: &RunEvent) -> Vec<u8> {
        self.counted.event(event);
        match event {
            RunEvent::RunStarted(run) => {
                self.run = run.clone();
                line(&Line::Start(start(run)))
            }
            RunEvent::TestFinished { result, .. } => {
                let entry = self.counted.test(result, &self.run);
                line(&Line::Result(Box::new(entry)))
            }
            RunEvent::RunFinished(summary) => {
                self.is_complete = true;
                self.summary(summary)
            }
            RunEvent::TestStarted { .. } | RunEvent::TestSlow { .. } | RunEvent::Notice(_) => {
                Vec::new()
            }
        }
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        if self.is_complete {
            return Vec::new();
        }
        self.summary(&self.counted.summary())
    }
}

fn start(run: &RunInfo) -> StartLine<'_> {
    StartLine {
        timestamp: rfc3339(run.started_at_ms),
        agent_id: agent_id(run),
        total_cases: run.total,
        schema: LINES_SCHEMA,
        run_id: &run.run_id,
        version: &run.version,
        config_file: run.config_file.as_deref(),
        bundle: run.bundle.as_deref(),
        input: &run.input,
        runs_per_case: run.runs_per_case,
        environment: Environment(run.identity.as_deref()),
        facts: &run.facts,
    }
}

fn line(line: &Line<'_>) -> Vec<u8> {
    let mut text = inert(serde_json::to_string(line).expect("all keys are strings"));
    text.push('\n');
    text.into_bytes()
}
