//! Snapshots from the first run to the one that differs.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use crate::ANANKE;
use crate::run::one_turn;

const FILE: &str = "tests/__snapshots__/shop.first-answer.snap";

fn project(say: &str) -> (TestContext, ScriptedAgent) {
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"tool": {"name": "search", "args": {"b": 2, "a": 1}, "result": {"order": "11111111-2222-4333-8444-555555555555"}}},
        {"text": say},
    ]}]}));
    let cx = TestContext::new(ANANKE);
    cx.config_for(&agent);
    cx.write(
        "tests/shop.test.yaml",
        &one_turn("shop", "Hello", "assert: {snapshot: first answer}\n"),
    );
    (cx, agent)
}

#[test]
fn the_first_run_writes_and_the_next_compare() {
    let (cx, _agent) = project("Here is 11111111-2222-4333-8444-555555555555.");
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [tests/shop.test.yaml] shop FAILED ([TIME])
      └─ test · snapshot first answer: expected the same as `tests/__snapshots__/shop.first-answer.snap`, got there is no snapshot yet
         `ananke run --update-snapshots=missing` writes it; look at it and commit it
         demanded at tests/shop.test.yaml:5:20 (test level)

    Failures:
      ✗ [tests/shop.test.yaml] test: snapshot first answer: expected the same as `tests/__snapshots__/shop.first-answer.snap`, got there is no snapshot yet

    Rerun: ananke run tests/shop.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert!(!cx.exists(FILE));
    assert_snapshot!(cx.ananke(&["run", "--update-snapshots=missing"]), @"
    exit code: 0
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [tests/shop.test.yaml] shop ([TIME])

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    assert_snapshot!(cx.read(FILE), @r#"
    # ananke snapshot 1

    ## text
    Here is id-1.

    ## tools
    search {"a":1,"b":2}
      -> {"order":"id-1"}
    "#);
    assert_eq!(cx.run(&["run"]).code, Some(0));
    let older = cx
        .read(FILE)
        .replace("Here is", "Here was")
        .replace("\"a\":1", "\"a\":0");
    cx.write(FILE, &older);
    assert_snapshot!(cx.ananke(&["run"]), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [tests/shop.test.yaml] shop FAILED ([TIME])
      └─ test · snapshot first answer: expected the same as `tests/__snapshots__/shop.first-answer.snap`, got 2 lines changed
         │   ## text
         │ - Here was id-1.
         │ + Here is id-1.
         │   
         │   ## tools
         │ - search {"a":0,"b":2}
         │ + search {"a":1,"b":2}
         │     -> {"order":"id-1"}
         `ananke run --update-snapshots=changed` takes over what was seen (+)
         demanded at tests/shop.test.yaml:5:20 (test level)

    Failures:
      ✗ [tests/shop.test.yaml] test: snapshot first answer: expected the same as `tests/__snapshots__/shop.first-answer.snap`, got 2 lines changed

    Rerun: ananke run tests/shop.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    assert_eq!(cx.run(&["run", "--update-snapshots=missing"]).code, Some(1));
    assert_eq!(cx.read(FILE), older);
    assert_eq!(cx.run(&["run", "--update-snapshots"]).code, Some(0));
    assert_ne!(cx.read(FILE), older);
    assert_eq!(cx.bundled(&["run"]).run().code, Some(0));
    assert_eq!(cx.run(&["judge", "latest"]).code, Some(0));
}

#[test]
fn nothing_is_written_in_ci() {
    let (cx, _agent) = project("Hello");
    let output = cx
        .command(&["run", "--update-snapshots=all"])
        .env("CI", "true")
        .run();
    assert_snapshot!(cx.show(&output), @"
    exit code: 2
    --- stdout
    --- stderr
    error: snapshots are never written in CI, where a missing or different one is a failure
    hint: update them where you can look at them, and commit the files
    ");
    assert!(!cx.exists("tests/__snapshots__"));
}
