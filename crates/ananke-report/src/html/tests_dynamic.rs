//! Cases that a simulator led, as the page holds them. What it does with them is tested by `interop/browser/dynamic.mjs`.

use ananke_model::result::TestStatus;
use insta::assert_snapshot;
use serde_json::Value;

use super::tests::{island, page};
use crate::samples::{HOSTILE, dynamic, dynamic_failed, hostile_dynamic, run, with_opinion};

#[test]
fn checkpoints_simulators_and_judges_as_the_page_reads_them() {
    let mut case = with_opinion(dynamic("T001", TestStatus::Passed));
    case.n_turns = 20;
    let page = page(&run(vec![case, dynamic_failed("T002")]));
    let index = island(&page, "index");
    assert_snapshot!(index["ask"], @r#"{"0":"dynamic, 3 turns, 3 of 4 checkpoints","1":"dynamic, 3 turns, 2 of 4 checkpoints"}"#);
    let chunk = island(&page, "chunk-0");
    let detail = &chunk[0];
    assert_eq!(detail.get("n"), None, "no turn is missing");
    let of = |one: &Value| one.get("t").cloned().unwrap_or_default();
    let turns: Vec<Value> = detail["cps"].as_array().unwrap().iter().map(of).collect();
    assert_snapshot!(Value::from(turns), @"[0,1,2,null]");
    assert_snapshot!(detail["cps"][1], @r#"{"i":"call_create","t":1,"checks":[{"o":"p","k":9,"s":"create_expense","e":10,"a":"0 of 2","l":11,"f":12,"n":12,"v":1}]}"#);
    assert_snapshot!(detail["turns"][2]["sim"], @r#"{"r":"The agent needs an answer"}"#);
    assert_snapshot!(detail["turns"][2]["op"], @r#"[{"a":3,"c":"The answer is polite","m":"refused by 2 of 3","p":[[false,"It is curt",420000],[null,"the answer holds no JSON object",420000],[false,"No greeting",420000]]}]"#);
    assert_eq!(detail["turns"][0].get("sim"), None);
    assert_snapshot!(detail["checks"][0]["p"], @r#"[[false,"It is curt",420000],[null,"the answer holds no JSON object",420000],[false,"No greeting",420000]]"#);
    assert_eq!(chunk[1]["why"], "missing checkpoints: confirm");
}

#[test]
fn hostile_simulators_and_judges_stay_in_their_island() {
    let page = page(&run(vec![hostile_dynamic("h")]));
    assert!(!page.contains("<img src=x"));
    let detail = &island(&page, "chunk-0")[0];
    assert_eq!(detail["cps"][0]["i"], HOSTILE);
    assert_eq!(detail["turns"][0]["op"][0]["p"][0][1], HOSTILE);
    assert_eq!(detail["turns"][0]["sim"]["r"], HOSTILE);
}
