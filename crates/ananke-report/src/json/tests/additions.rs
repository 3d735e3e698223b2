//! What the documented report does not have: attempts, the run and its bundle; and text that tries to be more than text.

use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;

use super::{lines, pretty, report, report_text, test};
use crate::samples::{HOSTILE, flaky, hostile, passed, run};

#[test]
fn retried_tests_show_every_attempt() {
    let entry = test(flaky("a"));
    assert_eq!(entry["flaky"], true);
    assert_eq!(entry["status"], "passed");
    assert_snapshot!(pretty(&entry["attempts"]), @r#"
    [
      {
        "attempt": 1,
        "status": "failed",
        "output": "Here are hats.",
        "duration_ms": 1234.567,
        "error": "turn 1: text.must_match /shoes/: expected text matching /shoes/, got Here are hats.",
        "checks": 1,
        "assertions": [
          {
            "type": "text.must_match",
            "value": "/shoes/",
            "passed": false,
            "check": "text.must_match",
            "subject": "/shoes/",
            "status": "failed",
            "expected": "text matching /shoes/",
            "actual": "Here are hats.",
            "details": [],
            "level": "turn",
            "file": "tests/a.test.yaml",
            "line": 12,
            "column": 9,
            "turn": 1
          }
        ],
        "test_start_ts": 1734429600000,
        "test_end_ts": 1734429601200
      },
      {
        "attempt": 2,
        "status": "passed",
        "output": "Here are shoes.",
        "duration_ms": 1234.567,
        "error": null,
        "checks": 1,
        "assertions": [],
        "test_start_ts": 1734429600000,
        "test_end_ts": 1734429601200
      }
    ]
    "#);
    assert_eq!(test(passed("a")).get("attempts"), None);
}

#[test]
fn the_run_is_named_in_the_metadata() {
    let mut events = run(vec![flaky("a"), passed("b")]);
    if let RunEvent::RunStarted(info) = &mut events[0] {
        info.run_id = "20241217-100000-00c0ffee".to_owned();
        info.bundle = Some(".ananke/runs/20241217-100000-00c0ffee".to_owned());
        info.facts = [("os", "linux"), ("seed", "7")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
    }
    let report = report(&events);
    assert_snapshot!(pretty(&report["metadata"]), @r#"
    {
      "started_at": "2024-12-17T10:00:00Z",
      "completed_at": "2024-12-17T10:00:05.1Z",
      "version": "0.1.0",
      "config_file": "ananke.config.yaml",
      "run_id": "20241217-100000-00c0ffee",
      "bundle": ".ananke/runs/20241217-100000-00c0ffee",
      "input": "tests",
      "facts": {
        "os": "linux",
        "seed": "7"
      }
    }
    "#);
    assert_snapshot!(report["summary"], @r#"{"total":2,"passed":2,"failed":0,"errors":0,"timeouts":0,"skipped":0,"inconclusive":0,"unchecked":0,"flaky":1,"interrupted":false,"duration_ms":5100,"agent_id":"shop","connector":null,"runs_per_case":1,"overall_pass_rate":100.0}"#);
}

#[test]
fn hostile_text_stays_text() {
    let events = run(vec![hostile("h")]);
    let text = report_text(&events);
    assert!(!text.contains("##[") && !text.contains("##vso["), "{text}");
    let entry = &report(&events)["results"][0];
    assert_eq!(entry["output"], HOSTILE);
    let lines = lines(&events);
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1]["turns"][0]["text"], HOSTILE);
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::"), "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}
