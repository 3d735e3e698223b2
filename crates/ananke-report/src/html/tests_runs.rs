//! Cases and runs as the page holds them. What it does with them is tested by `interop/browser/cases.mjs`.

use ananke_model::case::Case;
use ananke_model::result::TestStatus;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::tests::{island, page};
use crate::samples::{
    HOSTILE, case, messages_case, mostly_stable, repeated, run, stable, with_identity,
};

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

#[test]
fn a_case_as_the_page_reads_it() {
    let events = run(vec![messages_case("T001", TestStatus::Failed)]);
    let page = page(&with_identity(events, 1));
    let index = island(&page, "index");
    let told = ["id", "short", "file", "ask", "conn"].map(|key| (key, &index[key]));
    assert_snapshot!(json!(told), @r#"[["id",["tests/shop.jsonl#T001"]],["short",{"0":"T001"}],["file",{}],["ask",{"0":"Shoes like these [image file://./fixtures/shoes.jpg]"}],["conn",{"0":0}]]"#);
    let detail = &island(&page, "chunk-0")[0];
    assert_snapshot!(pretty(&detail["case"]), @r#"
    {
      "ask": [
        {
          "r": "user",
          "t": "Hi"
        },
        {
          "r": "assistant",
          "t": "What are you looking for?"
        },
        {
          "r": "user",
          "t": "Shoes like these",
          "f": [
            "image file://./fixtures/shoes.jpg"
          ]
        }
      ],
      "exp": "{\"shoes\":[\"red\",\"blue\"]}",
      "meta": "{\"author\":\"ada\"}",
      "opt": "{\"connector\":\"openai.gpt4\"}",
      "who": [
        [
          "User",
          "ada"
        ]
      ]
    }
    "#);
    assert_snapshot!(pretty(&detail["checks"]), @r#"
    [
      {
        "o": "f",
        "k": 3,
        "s": "shoes",
        "e": 4,
        "a": "\"Here are hats.\"",
        "d": [
          "output does not contain 'shoes'"
        ],
        "l": 5,
        "n": 12,
        "w": "\"shoes\""
      }
    ]
    "#);
    let head = island(&page, "head");
    assert_snapshot!(json!([head["asking"], head["connector"]]), @r#"[[["User","test-user"],["Team","test-team"],["Locale","en-us"],["Client","test"],["Client IP","127.0.0.1"],["Referer","test"],["Accept","standard"]],"openai.gpt4"]"#);
}

#[test]
fn runs_are_kept_once_each() {
    let events = run(vec![stable("T001"), mostly_stable("T002")]);
    let page = page(&with_identity(events, 5));
    let index = island(&page, "index");
    let told = ["runs", "run", "class"].map(|key| (key, &index[key]));
    assert_snapshot!(json!(told), @r#"[["runs",{"0":[[1,"p",1234567,[]],[2,"p",1234567,[]],[3,"p",1234567,[]]],"1":[[1,"p",800000,[]],[2,"p",850000,[]],[3,"f",1900000,[]],[4,"p",950000,[]],[5,"p",1000000,[]]]}],["run",{"0":1,"1":3}],["class",{"0":"stable","1":"mostly_stable"}]]"#);
    let shaky = &island(&page, "chunk-0")[1];
    assert_snapshot!(shaky["st"], @r#"{"runs":5,"passed":4,"rate":80.0,"class":"mostly_stable","con":0.8,"avg":1100000,"min":800000,"max":1900000,"dev":406201,"low":37.5,"high":96.4,"k":[0.8,0.6,0.4,0.2,0.0],"diff":{"text":"run 3 called `refund` where run 1 called `search` (event 1 / event 1)","at":[[3,1],[1,1]],"turn":0}}"#);
    let numbers: Vec<&Value> = shaky["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["n"])
        .collect();
    assert_eq!(numbers, [1, 2, 4, 5], "the third is the test itself");
    assert_eq!(
        shaky["runs"][0]["d"]["case"],
        Value::Null,
        "what all runs share is there once"
    );
    assert_eq!(shaky["runs"][0]["d"]["turns"][0]["x"], "Here are shoes.");
    assert_snapshot!(island(&page, "head")["runs"], @r#""3 to 5 of each test, 8 in all, 87.5 % passed: 1 Stable, 1 Mostly Stable""#);
}

#[test]
fn ten_runs_of_many_cases_stay_small() {
    let mut one = stable("T001");
    while one.other_runs.len() < 9 {
        one.other_runs.push(one.other_runs[0].clone());
    }
    let results = vec![one; 200];
    let page = page(&with_identity(run(results), 10));
    let frame = super::document::SCRIPT.len() + super::document::STYLE.len();
    let per_run = (page.len() - frame) / 2_000;
    assert!(per_run < 400, "{per_run} bytes for a run");
}

#[test]
fn contents_of_files_are_left_out() {
    let content = "QUJD".repeat(200);
    let mut test = case("T001", TestStatus::Failed, "");
    test.turns[0].turn.requests = vec![json!({"messages": [{"role": "user", "content": [
        {"type": "image", "source": {"type": "data", "value": content, "mimeType": "image/png"}}]}]})];
    test.case = Some(std::sync::Arc::new(Case {
        id: HOSTILE.to_owned(),
        input: json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": format!("data:image/png;base64,{content}")}}]}]),
        ..Case::default()
    }));
    let page = page(&run(vec![test]));
    assert!(!page.contains(&content));
    assert!(page.contains("image data (image/png)"));
    assert!(page.contains("800 characters"));
}

#[test]
fn a_request_with_numbers_is_shown() {
    let mut test = case("T001", TestStatus::Failed, "");
    test.turns[0].turn.requests = vec![json!({"n": 1, "b": true, "none": null})];
    let detail = &island(&page(&run(vec![test])), "chunk-0")[0];
    assert_snapshot!(detail["turns"][0]["req"], @r#"["{\"n\":1,\"b\":true,\"none\":null}"]"#);
}

#[test]
fn merged_results_count_together() {
    let mut four = stable("T001");
    four.other_runs.push(four.other_runs[0].clone());
    let mut shaky = mostly_stable("T001");
    shaky.other_runs.truncate(2);
    let once = case("T001", TestStatus::Failed, "Here are hats.");
    let results = vec![four, shaky, stable("T002"), once];
    let page = page(&with_identity(run(results), 3));
    let index = island(&page, "index");
    let told = ["all", "class", "again"].map(|key| (key, &index[key]));
    assert_snapshot!(json!(told), @r#"[["all",{"0":[6,8],"2":[3,3]}],["class",{"0":"unstable","2":"stable"}],["again",{"1":0,"3":0}]]"#);
    assert_snapshot!(island(&page, "head")["runs"], @r#""3 to 8 of each test, 11 in all, 81.8 % passed: 1 Stable, 1 Unstable""#);
}

#[test]
fn numbers_of_two_thousand_runs_are_those_of_all() {
    let mut runs = vec![case("T001", TestStatus::Passed, "Here are shoes."); 2_000];
    runs[1_999].status = TestStatus::Failed;
    let page = page(&with_identity(run(vec![repeated(runs)]), 2_000));
    let index = island(&page, "index");
    assert_eq!(index["all"], json!({"0": [1_999, 2_000]}));
    assert_eq!(index["runs"]["0"].as_array().map(Vec::len), Some(1_000));
    assert_eq!(index["runs"]["0"][999][0], 2_000, "the one that speaks");
    let view = &island(&page, "chunk-0")[0]["st"];
    assert_eq!(view["k"].as_array().map(Vec::len), Some(1_000));
    assert_snapshot!(json!([view["runs"], view["passed"], view["k"][999], view["kn"]]), @"[2000,1999,0.5,0.0]");
    assert_snapshot!(island(&page, "head")["runs"], @r#""2000 of each test, 2000 in all, 99.9 % passed: 1 Mostly Stable""#);
}
