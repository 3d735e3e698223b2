//! `--runs`: the documented rows, and totals that count runs.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;
use serde_json::Value;

use super::{lines, pretty, report};
use crate::samples::{case, mostly_stable, repeated, run, stable, with_identity};

fn document() -> Value {
    let skipped = case("T003", TestStatus::Skipped, "");
    let results = vec![stable("T001"), mostly_stable("T002"), skipped];
    report(&with_identity(run(results), 5))
}

#[test]
fn rows_have_every_metric() {
    let mut row = document()["results"][1].clone();
    for key in [
        "turns",
        "assertions",
        "test_start_ts",
        "test_end_ts",
        "warnings",
        "flaky",
        "input",
    ] {
        row.as_object_mut().unwrap().shift_remove(key);
    }
    assert_snapshot!(pretty(&row), @r#"
    {
      "id": "T002",
      "test_id": "tests/shop.jsonl#T002",
      "name": "T002",
      "file": "tests/shop.jsonl",
      "status": "failed",
      "output": "Here are hats.",
      "response": "Here are hats.",
      "expected": null,
      "duration_ms": 1900,
      "error": "output does not contain 'shoes'",
      "target": "shop",
      "messages_count": 1,
      "checks": 1,
      "assertion_errors": [
        "output does not contain 'shoes'"
      ],
      "runs": 5,
      "passed": 4,
      "failed": 1,
      "pass_rate": 80.0,
      "consistency": 0.8,
      "stable": false,
      "stability_class": "mostly_stable",
      "avg_duration_ms": 1100,
      "min_duration_ms": 800,
      "max_duration_ms": 1900,
      "std_deviation_ms": 406.202,
      "wilson_low": 37.5,
      "wilson_high": 96.4,
      "pass_k": [
        0.8,
        0.6,
        0.4,
        0.2,
        0.0
      ],
      "first_difference": {
        "text": "run 3 called `refund` where run 1 called `search` (event 1 / event 1)",
        "run": 3,
        "other_run": 1,
        "turn": 1,
        "event": 1,
        "other_event": 1
      },
      "run_details": [
        {
          "run": 1,
          "status": "passed",
          "duration_ms": 800,
          "output": "Here are shoes.",
          "error": null,
          "assertion_errors": []
        },
        {
          "run": 2,
          "status": "passed",
          "duration_ms": 850,
          "output": "Here are shoes.",
          "error": null,
          "assertion_errors": []
        },
        {
          "run": 3,
          "status": "failed",
          "duration_ms": 1900,
          "output": "Here are hats.",
          "error": "output does not contain 'shoes'",
          "assertion_errors": [
            "output does not contain 'shoes'"
          ]
        },
        {
          "run": 4,
          "status": "passed",
          "duration_ms": 950,
          "output": "Here are shoes.",
          "error": null,
          "assertion_errors": []
        },
        {
          "run": 5,
          "status": "passed",
          "duration_ms": 1000,
          "output": "Here are shoes.",
          "error": null,
          "assertion_errors": []
        }
      ]
    }
    "#);
}

#[test]
fn totals_count_runs() {
    assert_snapshot!(pretty(&document()["summary"]), @r#"
    {
      "total": 3,
      "passed": 1,
      "failed": 1,
      "errors": 0,
      "timeouts": 0,
      "skipped": 1,
      "inconclusive": 0,
      "unchecked": 0,
      "flaky": 0,
      "interrupted": false,
      "duration_ms": 5100,
      "agent_id": "shop",
      "connector": null,
      "runs_per_case": 5,
      "total_cases": 3,
      "total_runs": 8,
      "stable_cases": 1,
      "unstable_cases": 1,
      "overall_pass_rate": 87.5
    }
    "#);
}

#[test]
fn a_skipped_test_has_no_rate() {
    let document = document();
    let row = &document["results"][2];
    assert_eq!(row["status"], "skipped");
    assert_eq!([&row["runs"], &row["passed"], &row["failed"]], [0, 0, 0]);
    assert_eq!(row["pass_rate"], Value::Null);
    assert_eq!(row["run_details"].as_array().map(Vec::len), Some(0));
}

#[test]
fn rates_have_one_decimal() {
    let runs = [TestStatus::Passed, TestStatus::Failed, TestStatus::Passed]
        .map(|status| case("T001", status, "Hi"));
    let row = report(&with_identity(run(vec![repeated(runs.into())]), 3))["results"][0].take();
    assert_snapshot!(row["pass_rate"], @"66.7");
    assert_snapshot!(row["consistency"], @"1.0");
    assert_snapshot!(row["pass_k"], @"[0.6667,0.3333,0.0]");
    assert_eq!(row["first_difference"], Value::Null);
}

#[test]
fn lines_have_the_same_rows() {
    let events = with_identity(run(vec![stable("T001"), mostly_stable("T002")]), 5);
    let (lines, document) = (lines(&events), report(&events));
    assert_eq!(lines[0]["runs_per_case"], 5);
    for (line, row) in lines[1..3]
        .iter()
        .zip(document["results"].as_array().unwrap())
    {
        let mut line = line.clone();
        assert_eq!(
            line.as_object_mut().unwrap().remove("type"),
            Some("result".into())
        );
        assert_eq!(&line, row);
    }
    assert_eq!(lines[3]["total_runs"], 8);
}
