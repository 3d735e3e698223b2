//! `target → test → turn`: what is inherited, what `false`, `inherit` and `extends` do, and how failures name it.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use crate::ANANKE;

const CONFIG: &str = "  assert:
    tools: {forbid: [wipe]}
    text:
      must_match: Hello
      must_not_match: [exception]
assertions:
  careful:
    tools:
      forbid_calls: [{name: pay, result_match: declined}]
";

/// Runs a test against an agent that calls `wipe` and `pay` and speaks of an exception.
fn run(test: &str) -> String {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"tool": {"name": "wipe", "result": "done"}},
        {"tool": {"name": "pay", "args": {"cents": 5}, "result": "declined"}},
        {"text": "An exception."},
    ]}]}));
    cx.config_for(&agent);
    let config = cx.read("ananke.config.yaml");
    cx.write("ananke.config.yaml", &format!("{config}{CONFIG}"));
    cx.write("a.test.yaml", &format!("version: 1\nname: a\n{test}"));
    let shown = cx.ananke(&["run"]);
    let body: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with(['✓', '✗']) && !line.starts_with("--- stderr"))
        .take_while(|line| !line.starts_with("Failures:") && !line.starts_with("────"))
        .collect();
    body.join("\n")
}

#[test]
fn failures_name_the_level_the_place_and_the_named_block() {
    assert_snapshot!(run("turns:
  - user: go
    assert:
      extends: careful
      text: {must_not_match: An}
assert:
  tools: {require: [{name: login}]}
"), @r#"
    ✗ [a.test.yaml] a FAILED ([TIME])
      └─ turn 1 · tools.forbid wipe: expected no call of `wipe`, got 1 call
         event 1: wipe({})
         demanded at ananke.config.yaml:6:22 (target level)
      └─ turn 1 · tools.require login: expected at least 1 call of `login`, got no call
         called instead: pay, wipe
         the turn inherits this from the test level; `inherit: limits` in its `assert` takes over prohibitions and limits only
         demanded at a.test.yaml:9:21 (test level)
      └─ turn 1 · tools.forbid_calls pay: expected no call of `pay` with result matching /declined/, got 1 of 1 call
         event 5: pay({"cents":5}) -> declined
         demanded at ananke.config.yaml:13:22 (turn level, through `careful`)
      └─ turn 1 · text.must_match /Hello/: expected text matching /Hello/, got "An exception."
         the turn inherits this from the target level; `inherit: limits` in its `assert` takes over prohibitions and limits only
         demanded at ananke.config.yaml:8:19 (target level)
      └─ turn 1 · text.must_not_match /exception/: expected no text matching /exception/, got "exception"
         An exception.
         demanded at ananke.config.yaml:9:24 (target level)
      └─ turn 1 · text.must_not_match /An/: expected no text matching /An/, got "An"
         An exception.
         demanded at a.test.yaml:7:30 (turn level)
    "#);
}

#[test]
fn false_drops_what_was_inherited() {
    assert_snapshot!(run("turns:
  - user: go
    assert:
      tools: {require: false}
      text: {must_not_match: false, must_match: exception}
assert:
  tools: {forbid: false, require: [{name: login}]}
  text: {must_match: false}
"), @r#"
    ✗ [a.test.yaml] a FAILED ([TIME])
      └─ test · tools.require login: expected at least 1 call of `login`, got no call
         called instead: pay, wipe
         demanded at a.test.yaml:9:36 (test level)
      └─ test · text.must_not_match /exception/: expected no text matching /exception/, got "exception"
         turn 1: An exception.
         demanded at ananke.config.yaml:9:24 (target level)
    "#);
    assert_snapshot!(run("turns:
  - user: go
    assert: {tools: false, text: false, timing: {max_duration_ms: 60000}}
assert: {tools: false, text: {must_match: false, must_not_match: false}, timing: {max_duration_ms: 60000}}
"), @"✓ [a.test.yaml] a ([TIME])");
}

#[test]
fn inherit_narrows_what_comes_from_above() {
    assert_snapshot!(run("turns:
  - user: go
    assert: {inherit: limits, text: {must_match: exception}}
"), @r#"
    ✗ [a.test.yaml] a FAILED ([TIME])
      └─ turn 1 · tools.forbid wipe: expected no call of `wipe`, got 1 call
         event 1: wipe({})
         demanded at ananke.config.yaml:6:22 (target level)
      └─ turn 1 · text.must_not_match /exception/: expected no text matching /exception/, got "exception"
         An exception.
         demanded at ananke.config.yaml:9:24 (target level)
    "#);
    assert_snapshot!(run("turns:
  - user: go
    assert: {inherit: none, text: {must_match: exception}}
assert: {inherit: none, tools: {require: [{name: pay, count: {exact: 1}}]}}
"), @"✓ [a.test.yaml] a ([TIME])");
}

#[test]
fn numbers_override_from_level_to_level() {
    let run = |target: &str, test: &str, turn: &str| {
        let cx = TestContext::new(ANANKE);
        let agent = ScriptedAgent::start(
            json!({"rules": [{"reply": [{"delay_ms": 40}, {"text": "Hello"}]}]}),
        );
        cx.config_for(&agent);
        let config = cx.read("ananke.config.yaml");
        let limit = |level: &str| format!("assert: {{timing: {{max_duration_ms: {level}}}}}\n");
        cx.write(
            "ananke.config.yaml",
            &format!("{config}  {}", limit(target)),
        );
        let turns = format!("turns:\n  - user: go\n    {}", limit(turn));
        cx.write(
            "a.test.yaml",
            &format!("version: 1\nname: a\n{turns}{}", limit(test)),
        );
        let output = cx.run(&["run", "-q", "--allow-unchecked"]);
        let is_demand = |line: &&str| line.contains("└─") || line.contains("demanded");
        let demands: Vec<&str> = output
            .stdout
            .lines()
            .filter(is_demand)
            .map(str::trim)
            .collect();
        demands.join("\n")
    };
    assert_eq!(run("20", "60000", "60000"), "");
    assert_eq!(run("20", "60000", "false"), "");
    assert_eq!(run("20", "false", "false"), "");
    let (shown, demanded) = run("60000", "60000", "20")
        .split_once(", got ")
        .map(|(shown, rest)| {
            let (_, demanded) = rest.split_once('\n').unwrap_or_default();
            (shown.to_owned(), demanded.to_owned())
        })
        .unwrap_or_default();
    assert_snapshot!(shown, @"└─ turn 1 · timing.max_duration_ms 20 ms: expected at most 20 ms");
    assert_snapshot!(demanded, @"demanded at a.test.yaml:5:40 (turn level)");
}
