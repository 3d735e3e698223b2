//! The lines: the documented shapes, as tests end.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;

use super::lines;
use crate::report::ReportFormat;
use crate::samples::{passed, rendered, result, run};

#[test]
fn lines_have_the_shapes_of_the_seeds() {
    let mut error = result("b", TestStatus::Error, Vec::new());
    error.reason = Some("hook `x` ended with exit status 3".to_owned());
    let events = run(vec![result("a", TestStatus::Passed, Vec::new()), error]);
    assert_snapshot!(rendered(ReportFormat::Jsonl, &events), @r#"
    {"type":"start","timestamp":"2024-12-17T10:00:00Z","agent_id":"shop","total_cases":2,"schema":"ananke.report-lines/1","version":"0.1.0","config_file":"ananke.config.yaml","input":"tests"}
    {"type":"result","id":"tests/a.test.yaml","name":"a works","file":"tests/a.test.yaml","status":"passed","input":"","output":"","response":"","expected":null,"duration_ms":1234.567,"error":null,"target":"shop","flaky":false,"checks":0,"assertions":[],"assertion_errors":[],"turns":[],"test_start_ts":1734429600000,"test_end_ts":1734429601200,"warnings":[]}
    {"type":"result","id":"tests/b.test.yaml","name":"b works","file":"tests/b.test.yaml","status":"error","input":"","output":"","response":"","expected":null,"duration_ms":1234.567,"error":"hook `x` ended with exit status 3","target":"shop","flaky":false,"checks":0,"assertions":[],"assertion_errors":[],"turns":[],"test_start_ts":1734429600000,"test_end_ts":1734429601200,"warnings":[]}
    {"type":"summary","total":2,"passed":1,"failed":1,"errors":1,"timeouts":0,"skipped":0,"inconclusive":0,"unchecked":1,"flaky":0,"interrupted":false,"duration_ms":5100,"agent_id":"shop","connector":null,"runs_per_case":1,"overall_pass_rate":50.0,"completed_at":"2024-12-17T10:00:05.1Z"}
    "#);
}

#[test]
fn lines_are_written_as_tests_end() {
    let events = run(vec![passed("a"), passed("b")]);
    let mut report = ReportFormat::Jsonl.open();
    let n_lines: Vec<usize> = events
        .iter()
        .map(|event| String::from_utf8(report.event(event)).unwrap())
        .inspect(|text| assert!(text.is_empty() || text.ends_with('\n')))
        .map(|text| text.lines().count())
        .collect();
    assert_eq!(n_lines, [1, 0, 1, 0, 1, 1]);
    assert!(report.finish().is_empty());
}

#[test]
fn lines_of_a_run_that_never_finished_end_with_a_summary() {
    let mut events = run(vec![passed("a"), passed("b")]);
    events.truncate(3);
    let lines = lines(&events);
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "summary");
    assert_eq!(last["interrupted"], true);
    assert_eq!([&last["total"], &last["passed"]], [1, 1]);
}
