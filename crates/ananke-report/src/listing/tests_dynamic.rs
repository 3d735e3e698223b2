//! Cases that a simulator will lead.

use ananke_model::check::Level;
use ananke_model::plan::Plan;
use ananke_model::variables::Variables;
use insta::assert_snapshot;

use super::{dry_run_listing, effective_demands, list_json, list_text, resolved_plan};
use crate::samples::{
    demand, judged_by_agent, plain, plan, planned, planned_case, planned_dynamic,
};

fn led() -> Plan {
    let mut judged = planned_dynamic("T002");
    judged.name.text = "Expense Coverage".to_owned();
    judged.block.demands = vec![demand(judged_by_agent(), Level::Test, None)];
    let mut plan = plan(vec![
        planned_dynamic("T001"),
        judged,
        planned_case("T003", "Finds shoes", Vec::new()),
    ]);
    let target = planned("a", Vec::new(), Vec::new()).target;
    plan.agents = [("user-simulator".to_owned(), target)].into();
    plan
}

#[test]
fn listings_count_checkpoints() {
    assert_snapshot!(list_text(&led(), &plain()), @"
    ID    NAME                     FILE              TARGET
    T001  Help me file an expense  tests/shop.jsonl  http://localhost:8000/agui
    T002  Expense Coverage         tests/shop.jsonl  http://localhost:8000/agui
    T003  Finds shoes              tests/shop.jsonl  http://localhost:8000/agui
    ");
    assert_snapshot!(dry_run_listing(&led(), &plain()), @"
    ○ [T001] Help me file an expense (dynamic, 2 checkpoints, 2 checks)
    ○ [T002] Expense Coverage (dynamic, 2 checkpoints, 3 checks)
    ○ [T003] Finds shoes (1 message, 0 checks)

    3 tests with 1 turn and 5 checks; nothing was run
    ");
    assert_snapshot!(list_json(&led())["tests"][0], @r#"{"id":"T001","test_id":"tests/shop.jsonl#T001","name":"T001","file":"tests/shop.jsonl","tags":[],"target":"http://localhost:8000/agui","simulator":"user-simulator","checkpoints":["ask_type","thanks"],"max_turns":10,"turns":0,"checks":2}"#);
}

#[test]
fn demands_name_simulator_checkpoints_and_judge() {
    assert_snapshot!(effective_demands(&led(), &plain()), @r#"
    [T001] Help me file an expense
      simulator user-simulator, at most 10 turns
      checkpoint ask_type
        text.must_match /type/  (test level, tests/a.test.yaml:7:5)
      checkpoint thanks (optional, after ask_type)
        agent tone-judge "The answer is polite", most of 3 answers, said as "be polite"  (test level, tests/a.test.yaml:7:5)

    [T002] Expense Coverage
      simulator user-simulator, at most 10 turns
      checkpoint ask_type
        text.must_match /type/  (test level, tests/a.test.yaml:7:5)
      checkpoint thanks (optional, after ask_type)
        agent tone-judge "The answer is polite", most of 3 answers, said as "be polite"  (test level, tests/a.test.yaml:7:5)
      whole conversation
        agent tone-judge "The answer is polite", most of 3 answers, said as "be polite"  (test level, tests/a.test.yaml:7:5)

    [T003] Finds shoes
      1 message: nothing is demanded
    "#);
}

#[test]
fn a_resolved_plan_has_simulator_and_checkpoints() {
    let plan = led();
    let variables = Variables::default();
    let resolved = serde_json::to_value(resolved_plan(&plan, &variables)).unwrap();
    assert_snapshot!(resolved["agents"], @r#"{"user-simulator":{"type":"agui","endpoint":"http://localhost:8000/agui","timeout_ms":120000}}"#);
    assert_snapshot!(serde_json::to_string_pretty(&resolved["tests"][1]["dynamic"]).unwrap(), @r#"
    {
      "simulator": "user-simulator",
      "metadata": {
        "persona": "New employee"
      },
      "max_turns": 10,
      "input": "Help me file an expense",
      "checkpoints": [
        {
          "id": "ask_type",
          "description": "Agent asks for the type",
          "required": true,
          "demands": [
            "text.must_match /type/ (test level)"
          ]
        },
        {
          "id": "thanks",
          "after": [
            "ask_type"
          ],
          "required": false,
          "demands": [
            "agent tone-judge \"The answer is polite\", most of 3 answers, said as \"be polite\" (test level)"
          ]
        }
      ]
    }
    "#);
    assert_eq!(resolved["tests"][2].get("dynamic"), None);
}
