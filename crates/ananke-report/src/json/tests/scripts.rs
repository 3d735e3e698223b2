//! Functions of scripts: a document of their own kind, and the same members among other tests.

use ananke_model::plan::TestId;
use insta::assert_snapshot;
use serde_json::json;

use super::{lines, pretty, report};
use crate::compare::Side;
use crate::samples::{
    function_failed, function_hostile, function_passed, function_skipped, function_thrown,
    function_with_subtests, passed, run, script_run, three_functions,
};

#[test]
fn a_run_of_functions_has_its_own_kind() {
    let mut document = report(&script_run(three_functions()));
    for result in document["results"].as_array_mut().unwrap() {
        for key in ["test_start_ts", "test_end_ts", "excerpt", "stack_trace"] {
            result.as_object_mut().unwrap().shift_remove(key);
        }
    }
    assert_snapshot!(pretty(&document), @r#"
    {
      "schema": "ananke.report/1",
      "type": "script_test",
      "script": "scripts.expense.setup",
      "script_path": "expense/src/setup_test.ts",
      "summary": {
        "total": 3,
        "passed": 2,
        "failed": 1,
        "errors": 0,
        "timeouts": 0,
        "skipped": 0,
        "inconclusive": 0,
        "unchecked": 0,
        "flaky": 0,
        "interrupted": false,
        "duration_ms": 35,
        "connector": null,
        "runs_per_case": 1,
        "overall_pass_rate": 66.7
      },
      "environment": {
        "user_id": "test-user",
        "team_id": "test-team",
        "locale": "en-us",
        "client_type": "test",
        "client_ip": "127.0.0.1",
        "referer": "test",
        "accept": "standard"
      },
      "results": [
        {
          "id": "expense/src/setup_test.ts#TestSystemReady",
          "name": "TestSystemReady",
          "file": "expense/src/setup_test.ts",
          "status": "passed",
          "input": "",
          "output": "",
          "response": "",
          "expected": null,
          "duration_ms": 12,
          "error": null,
          "script": "scripts.expense.setup",
          "logs": [],
          "flaky": false,
          "checks": 2,
          "assertions": [],
          "assertion_errors": [],
          "turns": [],
          "warnings": []
        },
        {
          "id": "expense/src/setup_test.ts#TestSystemReadyWithInvalidContext",
          "name": "TestSystemReadyWithInvalidContext",
          "file": "expense/src/setup_test.ts",
          "status": "passed",
          "input": "",
          "output": "",
          "response": "",
          "expected": null,
          "duration_ms": 8,
          "error": null,
          "script": "scripts.expense.setup",
          "logs": [],
          "flaky": false,
          "checks": 2,
          "assertions": [],
          "assertion_errors": [],
          "turns": [],
          "warnings": []
        },
        {
          "id": "expense/src/setup_test.ts#TestSetupWithMockData",
          "name": "TestSetupWithMockData",
          "file": "expense/src/setup_test.ts",
          "status": "failed",
          "input": "",
          "output": "",
          "response": "",
          "expected": null,
          "duration_ms": 15,
          "error": "assertion failed: Result ID should match",
          "script": "scripts.expense.setup",
          "assertion": {
            "type": "Equal",
            "expected": 1,
            "actual": 2,
            "message": "Result ID should match"
          },
          "place": {
            "file": "expense/src/setup_test.ts",
            "line": 12,
            "column": 2
          },
          "logs": [],
          "flaky": false,
          "checks": 3,
          "assertions": [],
          "assertion_errors": [],
          "turns": [],
          "warnings": []
        }
      ],
      "metadata": {
        "started_at": "2024-12-17T10:00:00Z",
        "completed_at": "2024-12-17T10:00:00.035Z",
        "version": "0.1.0",
        "config_file": "ananke.config.yaml",
        "input": "scripts.expense.setup"
      }
    }
    "#);
}

#[test]
fn everything_that_was_recorded_is_there() {
    let results = vec![
        function_thrown("TestA"),
        function_with_subtests("TestB"),
        function_skipped("TestC"),
    ];
    let document = report(&script_run(results));
    let [thrown, parts, skipped] = [0, 1, 2].map(|index| &document["results"][index]);
    let told = json!([
        thrown["error"],
        thrown["place"],
        thrown["excerpt"],
        thrown["stack_trace"],
        thrown["logs"],
        thrown["more_logs"],
        thrown["error_details"],
        parts["subtests"],
        parts["assertion"],
        skipped["skip_reason"],
        skipped["logs"],
    ]);
    assert_snapshot!(pretty(&told), @r#"
    [
      "TypeError: cannot read property 'id' of undefined\ncaused by: no row",
      {
        "file": "expense/src/setup_test.ts",
        "line": 31,
        "column": 12
      },
      [
        {
          "line": 31,
          "text": "  return rows[0].id;"
        }
      ],
      [
        {
          "function": "find",
          "file": "expense/src/setup_test.ts",
          "line": 31,
          "column": 12
        },
        {
          "function": "",
          "file": "expense/src/setup_test.ts",
          "line": 33,
          "column": 1
        },
        {
          "function": "TestA",
          "file": "expense/src/setup_test.ts",
          "line": 40,
          "column": 9
        }
      ],
      [
        "looking for 7",
        "warn: slow\nvery slow",
        "error: no rows"
      ],
      12,
      null,
      [
        {
          "name": "TestB/empty cart",
          "status": "failed",
          "duration_ms": 2
        },
        {
          "name": "TestB/empty cart/total",
          "status": "failed",
          "duration_ms": 2
        },
        {
          "name": "TestB/empty cart/tax",
          "status": "passed",
          "duration_ms": 2
        },
        {
          "name": "TestB/full cart",
          "status": "skipped",
          "duration_ms": 2
        }
      ],
      {
        "type": "Equal",
        "expected": 0,
        "actual": 2,
        "message": "Result ID should match"
      },
      "needs a database",
      []
    ]
    "#);
}

#[test]
fn several_files_are_lists_and_other_tests_make_it_an_ordinary_report() {
    let mut other = function_passed("TestB", 1);
    other.id = TestId("b_test.ts#TestB".to_owned());
    other.file = "b_test.ts".to_owned();
    let mut unnamed = other.clone();
    unnamed.script = None;
    let document = report(&script_run(vec![
        function_passed("TestA", 1),
        unnamed,
        other,
    ]));
    assert_eq!(
        (&document["script"], &document["script_path"]),
        (
            &json!(["scripts.expense.setup", "scripts.expense.setup"]),
            &json!(["expense/src/setup_test.ts", "b_test.ts"])
        )
    );
    assert_eq!(document["results"][1]["logs"], json!([]));
    let mixed = report(&run(vec![passed("a"), function_passed("TestA", 1)]));
    assert!(mixed.get("type").is_none() && mixed.get("script").is_none());
    assert_eq!(mixed["results"][1]["logs"], json!([]));
    assert!(report(&run(Vec::new())).get("type").is_none());
}

#[test]
fn lines_have_the_same_members() {
    let lines = lines(&script_run(vec![
        function_thrown("TestA"),
        function_failed("TestB", json!(1), json!(null)),
        function_hostile("TestH"),
    ]));
    assert_eq!(lines[1]["type"], "result");
    assert_eq!(
        lines[1]["logs"],
        json!(["looking for 7", "warn: slow\nvery slow", "error: no rows"])
    );
    assert_eq!(
        lines[2]["assertion"],
        json!({"type": "Equal", "expected": 1, "actual": null, "message": "Result ID should match"})
    );
}

#[test]
fn both_kinds_of_report_can_be_compared() {
    let before = crate::samples::rendered(
        crate::report::ReportFormat::Json,
        &script_run(three_functions()),
    );
    let mut now = three_functions();
    now[0] = function_thrown("TestSystemReady");
    now[2] = function_passed("TestSetupWithMockData", 1);
    let now = crate::samples::rendered(crate::report::ReportFormat::Jsonl, &script_run(now));
    let a = Side::from_report("a", &before).unwrap();
    let b = Side::from_report("b", &now).unwrap();
    let found = crate::compare::compare(&a, &b, crate::compare::Missing::Regression);
    let text = crate::compare::comparison_text(&found, &crate::samples::plain(), false, false);
    assert_snapshot!(text, @r"
    A a: 3 tests, 2 passed, 35ms
    B b: 3 tests, 2 passed, 16ms

    Broken (1): passed in A, not in B
      ✗ [expense/src/setup_test.ts#TestSystemReady] PASSED → ERROR
        └─ TypeError: cannot read property 'id' of undefined\ncaused by: no row

    Fixed (1): passes in B, not in A
      ✓ [expense/src/setup_test.ts#TestSetupWithMockData] FAILED → PASSED
        └─ in A: assertion failed: Result ID should match

    1 broken, 1 fixed, 1 same
    regression: 1 test broken
    ");
}
