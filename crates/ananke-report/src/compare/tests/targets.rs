//! Two targets side by side: what counts as behavior, and where they part first.

use ananke_model::plan::TestId;
use ananke_model::recording::{TaskRecord, Turn, TurnStatus};
use ananke_model::result::{TestResult, TestStatus};
use insta::assert_snapshot;
use serde_json::json;

use super::super::{
    Comparison, Missing, Side, compare, comparison_html, comparison_json, comparison_markdown,
    comparison_text,
};
use super::{events, failed};
use crate::samples::{call, judged, plain, result, turn};

/// Returns a test of a target with these turns, as a run against several targets has it.
fn face(id: &str, target: &str, turns: Vec<Turn>) -> TestResult {
    let turns = turns.into_iter().map(|turn| judged(turn, Vec::new()));
    let mut result = result(id, TestStatus::Passed, turns.collect());
    result.id = TestId(format!("{}@{target}", result.id));
    target.clone_into(&mut result.target);
    result
}

/// Returns a turn that called `search` with `args` and said `text`, told by events of a protocol.
fn searched(protocol: &str, args: &str, text: &str) -> Turn {
    let mut turn = turn("Find mugs", text);
    turn.tool_calls = vec![call("search", args, Some("3"))];
    turn.events = events(&[&json!({"protocol": protocol}).to_string()]);
    turn
}

/// Compares the targets `web` and `phone` of one run.
fn between(results: Vec<TestResult>) -> Comparison {
    let [mut a, mut b] = [(); 2].map(|()| Side::from_results("latest", results.clone()));
    a.only_target("web");
    b.only_target("phone");
    compare(&a, &b, Missing::Regression)
}

/// Returns the first difference between two conversations.
fn first(web: Vec<Turn>, phone: Vec<Turn>) -> String {
    let comparison = between(vec![face("t", "web", web), face("t", "phone", phone)]);
    let test = &comparison.tests[0];
    let first = super::super::words::first_difference(test, "→");
    first.unwrap_or_else(|| format!("{:?}", test.change))
}

fn parting() -> Comparison {
    let mut state = searched("x", r#"{"q":1}"#, "Found  3\nmugs.");
    state.state = json!({"cart": []});
    between(vec![
        face("alike", "web", vec![state]),
        face(
            "alike",
            "phone",
            vec![searched("y", r#"{"q":1}"#, "Found 3 mugs.")],
        ),
        face(
            "cart",
            "web",
            vec![searched("x", r#"{"q":1,"n":10}"#, "Found 3.")],
        ),
        failed(face(
            "cart",
            "phone",
            vec![searched("y", r#"{"q":1,"n":5}"#, "None.")],
        )),
        face(
            "talk",
            "web",
            vec![turn("Hi", "Good day."), turn("Bye", "Until then.")],
        ),
        face(
            "talk",
            "phone",
            vec![turn("Hi", "Good day."), turn("Bye", "So long.")],
        ),
    ])
}

#[test]
fn each_test_behaves_alike_or_says_where_it_parts() {
    assert_snapshot!(comparison_text(&parting(), &plain(), false, false), @r#"
    A latest, target web: 3 tests, 3 passed, 3.7s
    B latest, target phone: 3 tests, 2 passed, 3.7s

    Broken (1): passed in A, not in B
      ✗ [tests/cart.test.yaml] cart works PASSED → FAILED
        differs: tool calls, text
        first difference in turn 1, tool call 1 `search`, arguments, n: 10 → 5
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2
        tool calls
          ~ turn 1, arguments: search: n: 10 → 5
        text of turn 1
          │ [-Found 3.-]{+None.+}

    Changed (1): came out alike, behaves otherwise
      ~ [tests/talk.test.yaml] talk works PASSED → PASSED
        differs: text
        first difference in turn 2, text: "Until then." → "So long."

    Alike (1): came out and behaves the same
      = [tests/alike.test.yaml] alike works PASSED → PASSED

    1 broken, 1 changed, 1 same
    regression: 1 test broken
    "#);
}

#[test]
fn targets_are_compared_in_every_format() {
    let comparison = parting();
    let json: serde_json::Value = serde_json::from_str(&comparison_json(&comparison)).unwrap();
    assert_snapshot!(json["targets"], @r#"["web","phone"]"#);
    assert_snapshot!(json["tests"][1]["first_difference"], @r#"{"turn":1,"what":"tool call 1 `search`, arguments, n","a":"10","b":"5"}"#);
    assert_snapshot!(comparison_markdown(&comparison), @r#"
    ## ❌ Agent tests: regression: 1 test broken

    | | A | B |
    |---|---|---|
    | Run | `latest, target web` | `latest, target phone` |
    | Tests | 3 | 3 |
    | Passed | 3 | 2 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |
    | Time of all tests | 3.7s | 3.7s |

    1 broken, 1 changed, 1 same

    ### Broken (1)

    passed in A, not in B

    - `tests/cart.test.yaml` `cart works`: PASSED → FAILED

      ```text
      differs: tool calls, text
      first difference in turn 1, tool call 1 `search`, arguments, n: 10 → 5
      └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2
      tool calls
        ~ turn 1, arguments: search: n: 10 → 5
      text of turn 1
        │ [-Found 3.-]{+None.+}
      ```


    <details>
    <summary>Changed (1): came out alike, behaves otherwise</summary>

    - `tests/talk.test.yaml` `talk works`: PASSED → PASSED

      ```text
      differs: text
      first difference in turn 2, text: "Until then." → "So long."
      text of turn 2
        │ [-Until then.-]{+So long.+}
      ```

    </details>

    ### Alike (1)

    came out and behaves the same

    - `tests/alike.test.yaml` `alike works`: PASSED → PASSED
    "#);
    let html = comparison_html(&comparison);
    assert!(html.contains("first difference in turn 2, text"), "{html}");
    assert!(html.contains("<h2>Alike (1)"), "{html}");
}

#[test]
fn the_first_difference_goes_by_the_conversation() {
    let said = |text: &str| vec![turn("Hi", text)];
    let calls = |calls: &[(&str, &str)]| {
        let mut turn = turn("Hi", "");
        let calls = calls.iter();
        turn.tool_calls = calls.map(|(name, args)| call(name, args, None)).collect();
        vec![turn]
    };
    let two = [("find", "{}"), ("buy", r#"{"sku":"A","n":1}"#)];
    assert_snapshot!(first(said("yes"), said("no")), @r#"first difference in turn 1, text: "yes" → "no""#);
    assert_snapshot!(first(calls(&two), calls(&[("find", "{}"), ("buy", r#"{"sku":"B","n":1}"#)])), @r#"first difference in turn 1, tool call 2 `buy`, arguments, sku: "A" → "B""#);
    assert_snapshot!(first(calls(&two), calls(&[("find", "{}")])), @r#"first difference in turn 1, tool call 2: `buy` {"n":1,"sku":"A"} → nothing"#);
    assert_snapshot!(first(calls(&two), calls(&[("buy", "{}"), ("find", "{}")])), @"first difference in turn 1, tool call 1: `find` {} → `buy` {}");
    assert_snapshot!(first(calls(&two), calls(&two)), @"Same");
    let more = vec![turn("Hi", "yes"), turn("Bye", "no")];
    assert_snapshot!(first(said("yes"), more), @"first difference in turn 2, the whole turn: nothing → was run");
    let mut gave = calls(&two);
    gave[0].tool_calls[1].result = Some("[1]".to_owned());
    let mut other = gave.clone();
    other[0].tool_calls[1].result = None;
    other[0].tool_calls[1].error = Some("sold out".to_owned());
    assert_snapshot!(first(gave, other), @r#"first difference in turn 1, tool call 2 `buy`, result: [1] → {"error":"sold out","result":null}"#);
}

#[test]
fn what_only_one_protocol_shows_is_no_behavior() {
    let plain_turn = || vec![turn("Hi", "yes")];
    let mut shows = turn("Hi", "yes");
    shows.interrupts = vec![json!({"id": "i"})];
    shows.state = json!({"cart": 1});
    shows.task = Some(Box::new(TaskRecord {
        state: Some("completed".to_owned()),
        ..TaskRecord::default()
    }));
    assert_snapshot!(first(vec![shows.clone()], plain_turn()), @"Same");
    let mut waits = shows.clone();
    if let Some(task) = &mut waits.task {
        task.state = Some("input-required".to_owned());
    }
    assert_snapshot!(first(vec![shows], vec![waits]), @r#"first difference in turn 1, ending, task: "completed" → "input-required""#);
    let ends = |message: &str| {
        let mut turn = turn("Hi", "yes");
        let message = message.to_owned();
        turn.status = TurnStatus::RunError {
            message,
            code: None,
        };
        vec![turn]
    };
    assert_snapshot!(first(ends("boom"), ends("JSON-RPC error -32000: boom")), @"Same");
    assert_snapshot!(first(ends("boom"), plain_turn()), @r#"first difference in turn 1, ending: "run error" → "finished""#);
}

#[test]
fn hidden_tool_calls_are_not_compared_and_that_is_told() {
    let mut hides = turn("Find mugs", "Found.");
    hides.task = Some(Box::new(TaskRecord {
        no_calls_because: Some("the agent tells of no calls".to_owned()),
        ..TaskRecord::default()
    }));
    let comparison = between(vec![
        face("t", "web", vec![searched("x", "{}", "Found.")]),
        face("t", "phone", vec![hides]),
    ]);
    assert_snapshot!(comparison_text(&comparison, &plain(), false, false), @"
    A latest, target web: 1 test, 1 passed, 1.2s
    B latest, target phone: 1 test, 1 passed, 1.2s
    ⚠ B shows no tool calls, so they are not compared: the agent tells of no calls

    Alike (1): came out and behaves the same
      = [tests/t.test.yaml] t works PASSED → PASSED

    1 same
    no difference
    ");
}

#[test]
fn two_runs_of_two_targets_are_compared_without_events() {
    let of = |target: &str, protocol: &str| {
        let turn = searched(protocol, "{}", "Found.");
        let mut result = result("t", TestStatus::Passed, vec![judged(turn, Vec::new())]);
        target.clone_into(&mut result.target);
        Side::from_results(target, vec![result])
    };
    let compared = |a: &Side, b: &Side| {
        let comparison = compare(a, b, Missing::Regression);
        (comparison.targets.is_some(), comparison.tests[0].change)
    };
    assert_snapshot!(format!("{:?}", compared(&of("web", "x"), &of("phone", "y"))), @"(true, Same)");
    // Behind another address may be the same agent.
    let (a, b) = (
        of("http://127.0.0.1:4000", "x"),
        of("http://127.0.0.1:5000", "y"),
    );
    assert_snapshot!(format!("{:?}", compared(&a, &b)), @"(false, Changed)");
}

#[test]
fn a_side_is_narrowed_to_one_target() {
    let turns = || vec![turn("Hi", "yes")];
    let mut unreached = face("b", "web", Vec::new());
    unreached.target = String::new();
    let results = vec![
        face("a", "web", turns()),
        unreached,
        face("a", "phone", turns()),
    ];
    let mut side = Side::from_results("latest", results);
    assert_eq!(side.targets(), ["web", "phone"]);
    side.only_target("web");
    let ids: Vec<&str> = side.tests.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["tests/a.test.yaml", "tests/b.test.yaml"]);
}
