//! The report as one JSON document, version 1.

use std::collections::BTreeMap;

use ananke_model::conformance::{ConformanceReport, Verdict};
use serde::Serialize;

use super::words::{self, Overall};
use crate::json::inert;

/// What the documents of this version are called.
const SCHEMA: &str = "ananke.conform/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    /// Whether something was judged, with `--strict` all of it, and nothing fails the run.
    ok: bool,
    verdict: &'static str,
    counts: BTreeMap<&'static str, usize>,
    #[serde(flatten)]
    report: &'a ConformanceReport,
}

/// Returns the report as a JSON document.
pub fn conformance_json(report: &ConformanceReport) -> String {
    let overall = Overall::of(report);
    let verdicts = [
        Verdict::Pass,
        Verdict::Warn,
        Verdict::Fail,
        Verdict::Inconclusive,
        Verdict::Off,
    ];
    let counts = verdicts.map(|verdict| (words::verdict(verdict), report.count(verdict)));
    let document = Document {
        schema: SCHEMA,
        ok: overall == Overall::Passed,
        verdict: overall.key(),
        counts: BTreeMap::from(counts),
        report,
    };
    inert(serde_json::to_string_pretty(&document).expect("all keys are strings"))
}
