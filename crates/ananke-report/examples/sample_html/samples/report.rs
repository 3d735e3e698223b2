//! From results to a page.

use std::collections::BTreeMap;

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use ananke_report::ReportFormat;

use super::STARTED_MS;
use super::cases::case_tests;
use super::dynamic::dynamic_tests;
use super::functions::function_tests;
use super::many::small_test;
use super::mixed::mixed_tests;

/// Returns the page with every kind of thing in it.
pub(crate) fn mixed() -> Vec<u8> {
    report(mixed_tests(), RunInfo::default())
}

/// Returns the page of that many one-turn tests.
pub(crate) fn many(n_tests: usize) -> Vec<u8> {
    report((0..n_tests).map(small_test).collect(), RunInfo::default())
}

/// Returns the page of cases that were run five times each.
pub(crate) fn cases() -> Vec<u8> {
    let run = RunInfo {
        runs_per_case: 5,
        identity: Some(Box::default()),
        ..RunInfo::default()
    };
    report(case_tests(), run)
}

/// Returns the page of cases that a simulator led.
pub(crate) fn dynamic() -> Vec<u8> {
    report(dynamic_tests(), RunInfo::default())
}

/// Returns the page of functions of scripts.
pub(crate) fn functions() -> Vec<u8> {
    report(function_tests(), RunInfo::default())
}

fn report(results: Vec<TestResult>, run: RunInfo) -> Vec<u8> {
    let mut report = ReportFormat::Html.open();
    let mut bytes = report.event(&RunEvent::RunStarted(RunInfo {
        run_id: "20261115-115353-7f3a2b1c".to_owned(),
        version: "0.1.0".to_owned(),
        config_file: Some("ananke.config.yaml".to_owned()),
        bundle: Some(".ananke/runs/20261115-115353-7f3a2b1c".to_owned()),
        facts: BTreeMap::from([
            ("os".to_owned(), "linux x86_64".to_owned()),
            ("parallel".to_owned(), "8".to_owned()),
            ("retries".to_owned(), "2".to_owned()),
        ]),
        total: results.len(),
        agents: vec![
            "shop (http://127.0.0.1:8000/agui)".to_owned(),
            "support".to_owned(),
        ],
        input: "tests".to_owned(),
        started_at_ms: STARTED_MS,
        ..run
    }));
    let mut summary = Summary {
        duration_us: 48_312_000,
        ..Summary::default()
    };
    for (index, result) in results.into_iter().enumerate() {
        summary.count(result.status);
        summary.flaky += usize::from(result.flaky);
        let result = Box::new(result);
        bytes.extend(report.event(&RunEvent::TestFinished { index, result }));
    }
    bytes.extend(report.event(&RunEvent::RunFinished(summary)));
    bytes.extend(report.finish());
    bytes
}
