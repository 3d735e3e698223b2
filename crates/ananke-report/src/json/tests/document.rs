//! The document: frame, tests, totals.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use ananke_model::recording::{TroubleKind, Turn, TurnStatus};
use ananke_model::result::{Outcome, TestStatus};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{pretty, report, report_text, test};
use crate::json::json_load_error;
use crate::samples::{
    broken, call, check, finding, judged, passed, place, result, run, summary_mut, turn,
};

#[test]
fn an_empty_run_has_the_whole_frame() {
    assert_snapshot!(pretty(&report(&run(Vec::new()))), @r#"
    {
      "schema": "ananke.report/1",
      "summary": {
        "total": 0,
        "passed": 0,
        "failed": 0,
        "errors": 0,
        "timeouts": 0,
        "skipped": 0,
        "inconclusive": 0,
        "unchecked": 0,
        "flaky": 0,
        "interrupted": false,
        "duration_ms": 5100,
        "agent_id": "shop",
        "connector": null,
        "runs_per_case": 1,
        "overall_pass_rate": 0.0
      },
      "environment": {},
      "results": [],
      "metadata": {
        "started_at": "2024-12-17T10:00:00Z",
        "completed_at": "2024-12-17T10:00:05.1Z",
        "version": "0.1.0",
        "config_file": "ananke.config.yaml",
        "input": "tests"
      }
    }
    "#);
}

#[test]
fn every_test_has_its_own_line() {
    let tests = ["a", "b"].map(|id| result(id, TestStatus::Skipped, Vec::new()));
    let text = report_text(&run(tests.into()));
    let (_, results) = text.split_once("\"environment\"").unwrap();
    assert_snapshot!(results, @r#"
    : {},
      "results": [
        {"id":"tests/a.test.yaml","name":"a works","file":"tests/a.test.yaml","status":"skipped","input":"","output":"","response":"","expected":null,"duration_ms":1234.567,"error":null,"target":"shop","flaky":false,"checks":0,"assertions":[],"assertion_errors":[],"turns":[],"test_start_ts":1734429600000,"test_end_ts":1734429601200,"warnings":[]},
        {"id":"tests/b.test.yaml","name":"b works","file":"tests/b.test.yaml","status":"skipped","input":"","output":"","response":"","expected":null,"duration_ms":1234.567,"error":null,"target":"shop","flaky":false,"checks":0,"assertions":[],"assertion_errors":[],"turns":[],"test_start_ts":1734429600000,"test_end_ts":1734429601200,"warnings":[]}
      ],
      "metadata": {
        "started_at": "2024-12-17T10:00:00Z",
        "completed_at": "2024-12-17T10:00:05.1Z",
        "version": "0.1.0",
        "config_file": "ananke.config.yaml",
        "input": "tests"
      }
    }
    "#);
}

#[test]
fn deep_values_are_text_so_that_the_report_parses() {
    let nested = |depth| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    let shown = |depth| {
        let args = nested(depth).to_string();
        let mut turn = turn("Hi", "");
        turn.state = nested(depth);
        turn.interrupts = vec![nested(depth)];
        turn.tool_calls = vec![call("t", &args, None)];
        let turns = vec![judged(turn, Vec::new())];
        let turn = test(result("a", TestStatus::Passed, turns))["turns"][0].take();
        [
            turn["state"].is_array(),
            turn["interrupts"][0].is_array(),
            turn["tool_calls"][0]["args"].is_array(),
        ]
    };
    assert_eq!(shown(100), [true; 3]);
    assert_eq!(shown(101), [false; 3]);
    assert_eq!(shown(500), [false; 3]);
}

#[test]
fn a_passed_test() {
    let mut passed = passed("a");
    passed.tags = vec!["fast".to_owned()];
    passed.turns[0].turn = Turn {
        reasoning: "Shoes are in the shop.".to_owned(),
        tool_calls: vec![call("search", r#"{"q":"shoes"}"#, Some("[1,2]"))],
        state: json!({"cart": []}),
        usage: vec![json!({"input": 3})],
        findings: vec![finding()],
        warnings: vec!["CRLF".to_owned()],
        ..passed.turns[0].turn.clone()
    };
    assert_snapshot!(pretty(&test(passed)), @r#"
    {
      "id": "tests/a.test.yaml",
      "name": "a works",
      "file": "tests/a.test.yaml",
      "status": "passed",
      "input": "Find shoes",
      "output": "Here are shoes.",
      "response": "Here are shoes.",
      "expected": null,
      "duration_ms": 1234.567,
      "error": null,
      "tags": [
        "fast"
      ],
      "target": "shop",
      "flaky": false,
      "checks": 1,
      "assertions": [
        {
          "type": "tools.require",
          "value": "search",
          "passed": true,
          "check": "tools.require",
          "subject": "search",
          "status": "passed",
          "expected": "at least 1 call of \"search\"",
          "actual": "0 of 2",
          "details": [],
          "level": "turn",
          "file": "tests/a.test.yaml",
          "line": 12,
          "column": 9,
          "turn": 1
        }
      ],
      "assertion_errors": [],
      "turns": [
        {
          "turn": 1,
          "kind": "user",
          "user": "Find shoes",
          "text": "Here are shoes.",
          "reasoning": "Shoes are in the shop.",
          "tool_calls": [
            {
              "id": "call-1",
              "name": "search",
              "args": {
                "q": "shoes"
              },
              "result": [
                1,
                2
              ],
              "timestamp": 1734429600150,
              "started_ms": 100,
              "args_done_ms": 110.5,
              "completed_ms": 150
            }
          ],
          "turn_start_ts": 1734429600000,
          "turn_end_ts": 1734429601200,
          "status": "finished",
          "timing": {
            "connect_ms": 1.5,
            "first_event_ms": 2,
            "first_text_ms": 300,
            "total_ms": 1200,
            "clock": "arrival"
          },
          "state": {
            "cart": []
          },
          "usage": [
            {
              "input": 3
            }
          ],
          "findings": [
            {
              "rule": "V8",
              "event": 3,
              "message": "the text message was never ended"
            }
          ],
          "warnings": [
            "CRLF"
          ],
          "n_events": 2
        }
      ],
      "test_start_ts": 1734429600000,
      "test_end_ts": 1734429601200,
      "warnings": []
    }
    "#);
}

#[test]
fn a_failed_test_names_its_demands() {
    let mut unmet = check("tools.require", "search", Outcome::Failed);
    unmet.details = vec!["nearest: call 1".to_owned()];
    unmet.origin.named = Some("no_errors".to_owned());
    unmet.event = Some(4);
    let mut failed = result(
        "a",
        TestStatus::Failed,
        vec![judged(turn("Hi", "Yo"), vec![unmet])],
    );
    failed.checks = vec![check("protocol", "", Outcome::Inconclusive)];
    let entry = test(failed);
    assert_snapshot!(entry["error"], @r#""turn 1: tools.require search: expected at least 1 call of \"search\", got 0 of 2""#);
    assert_snapshot!(pretty(&entry["assertions"]), @r#"
    [
      {
        "type": "tools.require",
        "value": "search",
        "passed": false,
        "check": "tools.require",
        "subject": "search",
        "status": "failed",
        "expected": "at least 1 call of \"search\"",
        "actual": "0 of 2",
        "details": [
          "nearest: call 1"
        ],
        "level": "turn",
        "named": "no_errors",
        "file": "tests/a.test.yaml",
        "line": 12,
        "column": 9,
        "turn": 1,
        "event": 4
      },
      {
        "type": "protocol",
        "passed": false,
        "check": "protocol",
        "subject": "",
        "status": "inconclusive",
        "expected": "at least 1 call of \"search\"",
        "actual": "0 of 2",
        "details": [],
        "level": "turn",
        "file": "tests/a.test.yaml",
        "line": 12,
        "column": 9
      }
    ]
    "#);
}

#[test]
fn what_was_captured_of_broken_turns_is_kept() {
    let timeout = broken(
        TroubleKind::Timeout,
        "no terminal event within 120000 ms",
        "I am",
    );
    let run_error = Turn {
        status: TurnStatus::RunError {
            message: "no\0pe".to_owned(),
            code: Some("E1".to_owned()),
        },
        ..turn("Hi", "")
    };
    let turns = vec![judged(run_error, Vec::new()), judged(timeout, Vec::new())];
    let mut timeout = result("a", TestStatus::Timeout, turns);
    timeout.reason_details = vec!["more".to_owned()];
    let entry = test(timeout);
    let facts: Vec<_> = (0..2)
        .map(|n| {
            let turn = &entry["turns"][n];
            json!([
                turn["status"],
                turn["error"],
                turn["text"],
                turn["n_events"]
            ])
        })
        .collect();
    assert_snapshot!(entry["error"], @r#""turn 2: no terminal event within 120000 ms""#);
    assert_snapshot!(pretty(&json!(facts)), @r#"
    [
      [
        "run_error",
        {
          "message": "no\u0000pe",
          "code": "E1"
        },
        "",
        2
      ],
      [
        "broken",
        {
          "kind": "timeout",
          "message": "no terminal event within 120000 ms"
        },
        "I am",
        2
      ]
    ]
    "#);
    assert_snapshot!(entry["error_details"], @r#"["more"]"#);
}

#[test]
fn arguments_are_json_only_if_nothing_is_lost() {
    let deep = "[".repeat(500) + &"]".repeat(500);
    let texts = [
        "{\"b\":1,\"a\":[null]}",
        "",
        "{\"open\":",
        "123456789012345678901234567890",
        "0.5",
        &deep,
    ];
    let mut turn = turn("Hi", "");
    turn.tool_calls = texts
        .iter()
        .map(|text| call("t", text, Some(text)))
        .collect();
    let entry = test(result(
        "a",
        TestStatus::Passed,
        vec![judged(turn, Vec::new())],
    ));
    let calls = entry["turns"][0]["tool_calls"].as_array().unwrap();
    let args: Vec<String> = calls
        .iter()
        .map(|call| call["args"].to_string())
        .map(|args| args.chars().take(40).collect())
        .collect();
    assert_snapshot!(args.join("\n"), @r#"
    {"b":1,"a":[null]}
    ""
    "{\"open\":"
    "123456789012345678901234567890"
    0.5
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
    "#);
    assert!(calls.iter().all(|call| call["args"] == call["result"]));
}

#[test]
fn skipped_tests_have_a_reason_and_no_error() {
    let mut skipped = result("a", TestStatus::Skipped, Vec::new());
    skipped.reason = Some("waits for #12".to_owned());
    let entry = test(skipped);
    assert_eq!(entry["skip_reason"], "waits for #12");
    assert_eq!(entry["error"], Value::Null);
    assert_eq!(entry["checks"], 0);
}

#[test]
fn failed_counts_errors_and_timeouts_as_in_the_seeds() {
    let statuses = [
        TestStatus::Failed,
        TestStatus::Error,
        TestStatus::Timeout,
        TestStatus::Inconclusive,
    ];
    let results = statuses.map(|status| result("a", status, Vec::new()));
    let mut events = run(results.into());
    summary_mut(&mut events).duration_us = 1_234_567;
    assert_snapshot!(report(&events)["summary"], @r#"{"total":4,"passed":0,"failed":3,"errors":1,"timeouts":1,"skipped":0,"inconclusive":1,"unchecked":0,"flaky":0,"interrupted":false,"duration_ms":1234.567,"agent_id":"shop","connector":null,"runs_per_case":4,"total_cases":1,"total_runs":4,"overall_pass_rate":0.0}"#);
    events.pop();
    assert_snapshot!(report(&events)["summary"], @r#"{"total":4,"passed":0,"failed":3,"errors":1,"timeouts":1,"skipped":0,"inconclusive":1,"unchecked":0,"flaky":0,"interrupted":true,"duration_ms":0,"agent_id":"shop","connector":null,"runs_per_case":4,"total_cases":1,"total_runs":4,"overall_pass_rate":0.0}"#);
}

#[test]
fn load_errors_are_a_document_too() {
    let error = Diagnostic::error(&place(12, 7), "unknown check `conatins`")
        .label("expected `contains`")
        .hint("did you mean `contains`?");
    let warning = Diagnostic::warning(&place(1, 1), "old");
    assert_snapshot!(pretty(&json_load_error(&[error.clone(), warning], &Sources::default(), 2)), @r#"
    {
      "schema": "ananke.report/1",
      "error": {
        "message": "unknown check `conatins`",
        "exit_code": 2
      },
      "diagnostics": [
        {
          "severity": "warning",
          "message": "old",
          "file": "tests/a.test.yaml",
          "line": 1,
          "column": 1
        },
        {
          "severity": "error",
          "message": "unknown check `conatins`",
          "file": "tests/a.test.yaml",
          "line": 12,
          "column": 7,
          "label": "expected `contains`",
          "hint": "did you mean `contains`?"
        }
      ],
      "summary": {
        "total": 0,
        "passed": 0,
        "failed": 0,
        "errors": 0,
        "timeouts": 0,
        "skipped": 0,
        "inconclusive": 0,
        "unchecked": 0,
        "flaky": 0,
        "interrupted": false,
        "duration_ms": 0,
        "connector": null,
        "runs_per_case": 1,
        "overall_pass_rate": 0.0
      },
      "environment": {},
      "results": []
    }
    "#);
    let two = json_load_error(&[error.clone(), error], &Sources::default(), 2);
    assert_snapshot!(two["error"], @r#"{"message":"2 errors in 1 file","exit_code":2}"#);
}
