//! Cases that a simulator led, and checks that judges decided.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{lines, pretty, report_text, test};
use crate::samples::{
    HOSTILE, case, dynamic, dynamic_failed, hostile_dynamic, passed, run, with_opinion,
};

/// Returns an object with these members only.
fn only(value: &Value, keys: &[&str]) -> Value {
    let members = keys.iter().filter_map(|key| {
        let member = value.get(key)?;
        Some(((*key).to_owned(), member.clone()))
    });
    Value::Object(members.collect())
}

#[test]
fn turns_and_checkpoints_have_their_keys() {
    let entry = test(dynamic("expense-dynamic", TestStatus::Passed));
    let turns = entry["turns"].as_array().unwrap();
    let turns: Vec<Value> = turns
        .iter()
        .map(|turn| only(turn, &["turn", "input", "output", "simulated"]))
        .collect();
    let keys = ["id", "description", "required", "reached_at_turn", "passed"];
    let checkpoints = entry["checkpoints"].as_array().unwrap();
    let checkpoints: Vec<Value> = checkpoints.iter().map(|one| only(one, &keys)).collect();
    let shown = json!({
        "id": entry["id"], "name": entry["name"], "status": entry["status"], "input": entry["input"],
        "turns": turns, "checkpoints": checkpoints, "total_turns": entry["total_turns"],
        "duration_ms": entry["duration_ms"], "checks": entry["checks"], "error": entry["error"],
    });
    assert_snapshot!(pretty(&shown), @r#"
    {
      "id": "expense-dynamic",
      "name": "Expense Coverage",
      "status": "passed",
      "input": "Help me file an expense\nClient dinner, $250\nYes",
      "turns": [
        {
          "turn": 1,
          "input": "Help me file an expense",
          "output": "What type?"
        },
        {
          "turn": 2,
          "input": "Client dinner, $250",
          "output": "Confirm?",
          "simulated": {
            "input": "Client dinner, $250",
            "goal_achieved": false,
            "reasoning": "The agent needs an answer"
          }
        },
        {
          "turn": 3,
          "input": "Yes",
          "output": "Submitted!",
          "simulated": {
            "input": "Yes",
            "goal_achieved": false,
            "reasoning": "The agent needs an answer"
          }
        }
      ],
      "checkpoints": [
        {
          "id": "ask_type",
          "description": "Agent asks for expense type",
          "required": true,
          "reached_at_turn": 1,
          "passed": true
        },
        {
          "id": "call_create",
          "required": true,
          "reached_at_turn": 2,
          "passed": true
        },
        {
          "id": "confirm",
          "description": "Agent confirms submission",
          "required": true,
          "reached_at_turn": 3,
          "passed": true
        },
        {
          "id": "thanks",
          "required": false,
          "reached_at_turn": null,
          "passed": false
        }
      ],
      "total_turns": 3,
      "duration_ms": 8500,
      "checks": 4,
      "error": null
    }
    "#);
}

#[test]
fn missing_checkpoints_are_the_error() {
    let entry = test(dynamic_failed("T004"));
    assert_eq!(entry["error"], "missing checkpoints: confirm");
    assert_eq!(entry["checkpoints"][2]["reached_at_turn"], Value::Null);
    assert_eq!(entry["checkpoints"][2]["passed"], false);
    let keys = ["type", "value", "passed", "turn"];
    let assertion = &entry["checkpoints"][2]["assertions"][0];
    assert_snapshot!(only(assertion, &keys), @r#"{"type":"contains","value":"submitted","passed":false,"turn":3}"#);
}

#[test]
fn judges_have_every_answer() {
    let entry = test(with_opinion(case("T001", TestStatus::Passed, "What?")));
    assert_snapshot!(pretty(&only(&entry["assertions"][1], &["type", "value", "passed", "samples"])), @r#"
    {
      "type": "agent",
      "value": "The answer is polite",
      "passed": false,
      "samples": [
        {
          "passed": false,
          "reason": "It is curt",
          "answer": {
            "passed": false,
            "reason": "It is curt",
            "score": 0.4
          },
          "duration_ms": 420
        },
        {
          "passed": null,
          "reason": "the answer holds no JSON object",
          "answer": "I would say so",
          "duration_ms": 420
        },
        {
          "passed": false,
          "reason": "No greeting",
          "answer": {
            "passed": false,
            "reason": "No greeting",
            "score": 0.4
          },
          "duration_ms": 420
        }
      ]
    }
    "#);
}

#[test]
fn other_tests_have_none_of_it() {
    for result in [passed("a"), case("T001", TestStatus::Passed, "Hi")] {
        let entry = test(result);
        for key in ["checkpoints", "total_turns"] {
            assert_eq!(entry.get(key), None);
        }
        for key in ["input", "output", "simulated"] {
            assert_eq!(entry["turns"][0].get(key), None);
        }
        assert_eq!(entry["assertions"][0].get("samples"), None);
    }
}

#[test]
fn hostile_simulators_and_judges_are_only_text() {
    let text = report_text(&run(vec![hostile_dynamic("h")]));
    assert!(!text.contains("##[") && !text.contains(|c: char| c.is_control() && c != '\n'));
    let line = &lines(&run(vec![hostile_dynamic("h")]))[1];
    assert_eq!(line["checkpoints"][0]["description"], HOSTILE);
    assert_eq!(line["turns"][0]["simulated"]["reasoning"], HOSTILE);
    assert_eq!(line["assertions"][1]["samples"][0]["reason"], HOSTILE);
}
