//! What the JSON and the JSONL report look like.

mod additions;
mod cases;
mod document;
mod dynamic;
mod lines;
mod schema;
mod scripts;
mod stability;

use ananke_model::result::TestResult;
use ananke_model::run_event::RunEvent;
use serde_json::Value;

use crate::report::ReportFormat;
use crate::samples::{rendered, run};

pub(super) fn report(events: &[RunEvent]) -> Value {
    serde_json::from_str(&report_text(events)).unwrap()
}

pub(super) fn report_text(events: &[RunEvent]) -> String {
    rendered(ReportFormat::Json, events)
}

/// Returns the lines of the JSONL report.
pub(super) fn lines(events: &[RunEvent]) -> Vec<Value> {
    let text = rendered(ReportFormat::Jsonl, events);
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// Returns what the report says about one test.
pub(super) fn test(test: TestResult) -> Value {
    report(&run(vec![test]))["results"][0].clone()
}
