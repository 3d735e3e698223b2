//! Sides that come from reports.

use ananke_model::result::TestResult;
use insta::assert_snapshot;

use super::super::{Comparison, Missing, Side, Verdict, compare, comparison_text};
use super::{failed, first_turn, searched};
use crate::report::ReportFormat;
use crate::samples::{passed, plain, rendered, run, summary_mut};

/// Returns the report of a run in a format, as text.
fn report(format: ReportFormat, results: Vec<TestResult>) -> String {
    rendered(format, &run(results))
}

#[test]
fn reports_are_read_back() {
    let results = || {
        vec![
            searched("cart", r#"{"q":"mug"}"#, "3", "Found 3 mugs."),
            failed(passed("b")),
        ]
    };
    let bundle = Side::from_results("bundle", results());
    for format in [ReportFormat::Json, ReportFormat::Jsonl] {
        let side = Side::from_report("report", &report(format, results())).unwrap();
        let comparison = compare(&bundle, &side, Missing::Regression);
        assert_eq!(comparison.verdict, Verdict::NoDifference, "{comparison:#?}");
        assert_eq!(comparison.tests[0].timing, []);
    }
    let mut other = results();
    first_turn(&mut other[0]).turn.text = "Found 4 mugs.".to_owned();
    let side = Side::from_report("report.json", &report(ReportFormat::Json, other)).unwrap();
    assert_snapshot!(comparison_text(&compare(&bundle, &side, Missing::Regression), &plain(), true, false), @r#"
    A bundle: 2 tests, 1 passed, 2.4s
    B report.json: 2 tests, 1 passed, 2.4s
    ⚠ JSON reports hold no raw events: which event differs first is only known where both sides are bundles

    Changed (1): came out alike, behaves otherwise
      ~ [tests/cart.test.yaml] cart works PASSED → PASSED
        differs: text
        first difference in turn 1, text: "Found 3 mugs." → "Found 4 mugs."
        text of turn 1
          │ Found [-3-]{+4+} mugs.

    1 changed, 1 same (1 passed in neither)
    no regression
    "#);
}

#[test]
fn what_is_no_report_is_refused_with_a_reason() {
    let cases = [
        "",
        "hello",
        "[1]",
        "{}",
        r#"{"schema":"ananke.report/2","results":[]}"#,
        r#"{"schema":"ananke.export/1","run":{"run_id":"20261115-115353-7f3a2b1c"},"results":[]}"#,
        r#"{"schema":"ananke.export/1","results":[]}"#,
        r#"{"schema":"ananke.report/1","error":{"message":"1 error in 1 file"},"results":[]}"#,
        r#"{"results":[{"id":"a","status":"great"}]}"#,
        "{\"type\":\"start\"}\nnot JSON\n{\"type\":\"summary\"}\n",
        "{\"a\":1}\n{\"b\":2}\n",
    ];
    let refused = cases.map(|text| match Side::from_report("x", text) {
        Ok(side) => panic!("{text} was read as {side:?}"),
        Err(error) => error.to_string(),
    });
    assert_snapshot!(refused.join("\n"), @"
    it is empty
    it is not JSON: expected value at line 1 column 1
    it is JSON, but no report of ananke: it has no `results`
    it is JSON, but no report of ananke: it has no `results`
    its `schema` is `ananke.report/2`, expected `ananke.report/1`
    it was saved from the HTML report (`ananke.export/1`), which leaves out what was not shown; give the bundle `20261115-115353-7f3a2b1c` instead, or what `ananke report 20261115-115353-7f3a2b1c -o report.json` writes
    it was saved from the HTML report (`ananke.export/1`), which leaves out what was not shown; give the bundle `RUN` instead, or what `ananke report RUN -o report.json` writes
    it holds no results because nothing was run: 1 error in 1 file
    result 1 is not a result of ananke: unknown variant `great`, expected one of `passed`, `failed`, `error`, `timeout`, `skipped`, `inconclusive`
    line 2 is not JSON: expected ident at line 1 column 2
    it is JSON Lines, but no report of ananke: no line has the type `start` or `result`
    ");
}

#[test]
fn a_report_that_was_cut_off_says_so() {
    let whole = report(ReportFormat::Jsonl, vec![passed("a"), passed("b")]);
    let lines: Vec<&str> = whole.lines().take(2).collect();
    let cut = format!("{}\n{{\"type\":\"resu", lines.join("\n"));
    let side = Side::from_report("cut", &cut).unwrap();
    let comparison = compare(
        &Side::from_results("x", vec![passed("a")]),
        &side,
        Missing::Regression,
    );
    assert_eq!(
        comparison.notes,
        ["B is incomplete: the report has no summary, so it was cut off"]
    );
    assert_eq!(comparison.verdict, Verdict::Inconclusive);
}

#[test]
fn an_interrupted_run_decides_nothing_whatever_its_report() {
    let mut events = run(vec![passed("a")]);
    summary_mut(&mut events).interrupted = true;
    for format in [ReportFormat::Json, ReportFormat::Jsonl] {
        let side = Side::from_report("cut", &rendered(format, &events)).unwrap();
        let whole = Side::from_results("x", vec![passed("a")]);
        let comparison: Comparison = compare(&side, &whole, Missing::Regression);
        assert_eq!(comparison.verdict, Verdict::Inconclusive);
        assert_eq!(
            comparison.notes,
            ["A is incomplete: the run was interrupted"]
        );
    }
}

#[test]
fn causes_are_the_same_in_reports_and_bundles() {
    let results = |actual: &str| {
        let mut result = failed(passed("a"));
        result.checks[0].actual = actual.to_owned();
        vec![result]
    };
    let bundle = Side::from_results("bundle", results("0 of 2"));
    for format in [ReportFormat::Json, ReportFormat::Jsonl] {
        let text = rendered(format, &run(results("0 of 3")));
        let side = Side::from_report("report", &text).unwrap();
        let comparison = compare(&bundle, &side, Missing::Regression);
        assert_eq!(comparison.verdict, Verdict::NoDifference, "{comparison:#?}");
    }
}

#[test]
fn cases_and_runs_are_read_from_reports() {
    let (a, b) = (
        crate::samples::stable("T001"),
        crate::samples::mostly_stable("T001"),
    );
    for format in [crate::ReportFormat::Json, crate::ReportFormat::Jsonl] {
        let side = |result: &ananke_model::result::TestResult| {
            let events = crate::samples::run(vec![result.clone()]);
            let events = crate::samples::with_identity(events, 5);
            Side::from_report("report", &crate::samples::rendered(format, &events)).unwrap()
        };
        let comparison = compare(&side(&a), &side(&b), Missing::Regression);
        let test = &comparison.tests[0];
        assert_eq!(test.id, "tests/shop.jsonl#T001");
        let outcome = super::super::words::outcome(test, "->");
        assert_eq!(
            outcome,
            "3 of 3 passed, Stable -> 4 of 5 passed, Mostly Stable"
        );
        // A bundle knows each run by itself; the numbers are the same.
        let bundle = Side::from_results("bundle", vec![b.clone()]);
        let same = compare(&bundle, &side(&b), Missing::Regression);
        assert_eq!(same.counts.broken + same.counts.fixed, 0);
        assert_eq!(same.a.passed, same.b.passed);
    }
}
