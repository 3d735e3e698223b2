//! Cases: as written, with who asked and what was demanded.

use std::sync::Arc;

use ananke_model::result::TestStatus;
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{lines, pretty, report, test};
use crate::samples::{case, messages_case, passed, run, with_identity};

/// Returns an entry without what all tests have.
fn of_case(mut entry: Value) -> String {
    for key in ["turns", "test_start_ts", "test_end_ts", "warnings", "flaky"] {
        entry.as_object_mut().unwrap().shift_remove(key);
    }
    pretty(&entry)
}

#[test]
fn a_case_with_input() {
    let mut failed = case("T001", TestStatus::Failed, "Here are hats.");
    failed.checks[0].message = Some("it must offer shoes".to_owned());
    assert_snapshot!(of_case(test(failed)), @r#"
    {
      "id": "T001",
      "test_id": "tests/shop.jsonl#T001",
      "name": "T001",
      "file": "tests/shop.jsonl",
      "status": "failed",
      "input": "Find shoes\n  for  Ada",
      "output": "Here are hats.",
      "response": "Here are hats.",
      "expected": null,
      "duration_ms": 1234.567,
      "error": "it must offer shoes",
      "target": "shop",
      "messages_count": 1,
      "checks": 1,
      "assertions": [
        {
          "type": "contains",
          "value": "shoes",
          "passed": false,
          "message": "it must offer shoes",
          "check": "contains",
          "subject": "shoes",
          "status": "failed",
          "expected": "text containing \"shoes\"",
          "actual": "\"Here are hats.\"",
          "details": [
            "output does not contain 'shoes'"
          ],
          "level": "test",
          "file": "tests/shop.jsonl",
          "line": 12,
          "column": 9
        }
      ],
      "assertion_errors": [
        "it must offer shoes"
      ]
    }
    "#);
}

#[test]
fn a_case_with_messages() {
    let events = with_identity(run(vec![messages_case("T002", TestStatus::Passed)]), 1);
    let document = report(&events);
    assert_snapshot!(of_case(document["results"][0].clone()), @r#"
    {
      "id": "T002",
      "test_id": "tests/shop.jsonl#T002",
      "name": "Second turn - find shoes",
      "file": "tests/shop.jsonl",
      "status": "passed",
      "input": [
        {
          "role": "user",
          "content": "Hi"
        },
        {
          "role": "assistant",
          "content": "What are you looking for?"
        },
        {
          "role": "user",
          "content": [
            {
              "type": "text",
              "text": "Shoes like these"
            },
            {
              "type": "image",
              "source": "file://./fixtures/shoes.jpg"
            }
          ]
        }
      ],
      "output": {
        "shoes": [
          "red",
          "blue"
        ]
      },
      "response": "{\"shoes\": [\"red\", \"blue\"]}",
      "expected": {
        "shoes": [
          "red",
          "blue"
        ]
      },
      "duration_ms": 1234.567,
      "error": null,
      "target": "shop",
      "connector": "openai.gpt4",
      "user": "ada",
      "metadata": {
        "author": "ada"
      },
      "options": {
        "connector": "openai.gpt4"
      },
      "messages_count": 3,
      "checks": 1,
      "assertions": [
        {
          "type": "contains",
          "value": "shoes",
          "passed": true,
          "check": "contains",
          "subject": "shoes",
          "status": "passed",
          "expected": "text containing \"shoes\"",
          "actual": "found",
          "details": [],
          "level": "test",
          "file": "tests/shop.jsonl",
          "line": 12,
          "column": 9
        }
      ],
      "assertion_errors": []
    }
    "#);
    assert_snapshot!(document["summary"]["connector"], @r#""openai.gpt4""#);
    assert_snapshot!(pretty(&document["environment"]), @r#"
    {
      "user_id": "test-user",
      "team_id": "test-team",
      "locale": "en-us",
      "client_type": "test",
      "client_ip": "127.0.0.1",
      "referer": "test",
      "accept": "standard"
    }
    "#);
    assert_snapshot!(lines(&events)[0]["environment"], @r#"{"user_id":"test-user","team_id":"test-team","locale":"en-us","client_type":"test","client_ip":"127.0.0.1","referer":"test","accept":"standard"}"#);
}

#[test]
fn only_whole_objects_and_lists_are_structured_output() {
    let outputs = [
        "{\"a\": 1}",
        " [1, 2]\n",
        "7",
        "\"text\"",
        "true",
        "{\"a\": 1} and more",
        "{\"big\": 123456789012345678901234567890}",
    ];
    let shown =
        outputs.map(|text| test(case("T001", TestStatus::Passed, text))["output"].to_string());
    assert_snapshot!(shown.join("\n"), @r#"
    {"a":1}
    [1,2]
    "7"
    "\"text\""
    "true"
    "{\"a\": 1} and more"
    "{\"big\": 123456789012345678901234567890}"
    "#);
    // The output of other tests stays text.
    let mut scripted = passed("a");
    scripted.turns[0].turn.text = "{\"a\": 1}".to_owned();
    assert_eq!(test(scripted)["output"], "{\"a\": 1}");
}

#[test]
fn another_environment_is_told_in_full() {
    let mut odd = case("T001", TestStatus::Passed, "Hi");
    if let Some(case) = odd.case.as_mut().map(Arc::make_mut) {
        case.identity.locale = "de".to_owned();
    }
    let mut events = with_identity(run(vec![odd]), 1);
    if let RunEvent::RunStarted(info) = &mut events[0]
        && let Some(identity) = &mut info.identity
    {
        identity.team_id = "ops".to_owned();
    }
    let entry = &report(&events)["results"][0];
    assert_eq!(entry["environment"]["locale"], "de");
    assert_eq!(entry["team"], "test-team");
    assert_eq!(entry.get("user"), None);
}

#[test]
fn deep_input_is_text_so_that_the_report_parses() {
    let nested = (0..500).fold(json!(1), |inner, _| json!([inner]));
    let mut deep = case("T001", TestStatus::Passed, &nested.to_string());
    if let Some(case) = deep.case.as_mut().map(Arc::make_mut) {
        case.input = nested.clone();
        case.expected = Some(nested);
    }
    let entry = test(deep);
    assert!(
        entry["input"].is_string() && entry["expected"].is_string() && entry["output"].is_string()
    );
}

#[test]
fn a_case_of_which_only_the_name_is_left_has_its_short_id() {
    let mut lost = crate::samples::result("x", TestStatus::Skipped, Vec::new());
    lost.id = ananke_model::plan::TestId("tests/slow.jsonl#s2".to_owned());
    let entry = test(lost);
    assert_eq!(entry["id"], "s2");
    assert_eq!(entry["test_id"], "tests/slow.jsonl#s2");
}

#[test]
fn negated_checks_say_so() {
    let mut negated = crate::samples::case("T001", TestStatus::Failed, "Here are shoes.");
    assert!(
        test(negated.clone())["assertions"][0]
            .get("negate")
            .is_none()
    );
    negated.checks[0].negate = true;
    assert_eq!(test(negated)["assertions"][0]["negate"], true);
}

#[test]
fn the_connector_is_that_of_every_test_that_was_run() {
    let with = |connector: Option<&str>, status: TestStatus| ananke_model::result::TestResult {
        connector: connector.map(str::to_owned),
        ..crate::samples::case("T001", status, "Hi")
    };
    let connector =
        |results| super::report(&crate::samples::run(results))["summary"]["connector"].clone();
    let (passed, skipped) = (TestStatus::Passed, TestStatus::Skipped);
    let (fast, slow, none) = (Some("fast"), Some("slow"), None);
    assert_eq!(
        connector(vec![with(fast, passed), with(fast, passed)]),
        "fast"
    );
    assert_eq!(
        connector(vec![with(fast, passed), with(none, skipped)]),
        "fast"
    );
    assert!(connector(vec![with(fast, passed), with(slow, passed)]).is_null());
    assert!(connector(vec![with(none, passed), with(fast, passed)]).is_null());
    assert!(connector(vec![with(fast, skipped)]).is_null());
}
