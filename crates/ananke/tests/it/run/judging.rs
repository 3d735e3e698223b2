//! What is judged, and when: turns at once, the test at its end, errors, protocol, nearest misses.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;
use serde_json::json;

use super::{one_turn, said};
use crate::ANANKE;

/// An agent of a small shop with a few habits worth judging.
fn shop() -> ScriptedAgent {
    ScriptedAgent::start(json!({"rules": [
        {"when": {"user_contains": "search"}, "reply": [
            {"tool": {"name": "search", "args": {"query": "red mug", "limit": 10}, "result": {"hits": 3}}},
            {"tool": {"name": "search", "args": {"query": "mug", "limit": 5}, "result": {"hits": 0}}},
            {"text": "Found 3 mugs."},
        ]},
        {"when": {"user_contains": "pay"}, "reply": [
            {"tool": {"name": "charge_card", "args": {"amount": {"cents": 2800}}, "result": "declined: no funds"}},
            {"text": "Paid."},
        ]},
        {"when": {"user_contains": "crash"}, "reply": [{"text": "One moment"}, {"error": {"message": "out of stock", "code": "E7"}}]},
        {"when": {"user_contains": "odd"}, "reply": [
            {"event": {"type": "TEXT_MESSAGE_CONTENT", "messageId": "nobody", "delta": "odd"}},
            {"text": "odd"},
        ]},
        {"reply": [{"text": "Hello"}]},
    ]}))
}

/// Runs one test file against the shop; returns what is shown and what the agent was told.
fn run(test: &str) -> (String, Vec<String>) {
    let cx = TestContext::new(ANANKE);
    let agent = shop();
    cx.config_for(&agent);
    cx.write("a.test.yaml", test);
    (cx.ananke(&["run", "-q"]), said(&agent))
}

#[test]
fn a_turn_that_fails_ends_the_test_at_once() {
    let (shown, said) = run("version: 1
name: stops
turns:
  - user: hello
    assert: {text: {must_match: Hello}}
  - user: search
    assert: {tools: {forbid: [search]}, text: {must_match: [Found, Lost]}}
  - user: pay
assert:
  tools: {forbid: [wipe]}
");
    assert_eq!(said, ["hello", "search"]);
    assert_snapshot!(shown, @r#"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] stops FAILED ([TIME])
      └─ turn 2 · tools.forbid search: expected no call of `search`, got 2 calls
         event 1: search({"query":"red mug","limit":10})
         event 5: search({"query":"mug","limit":5})
         demanded at a.test.yaml:7:31 (turn level)
      └─ turn 2 · text.must_match /Lost/: expected text matching /Lost/, got "Found 3 mugs."
         demanded at a.test.yaml:7:68 (turn level)

    Failures:
      ✗ [a.test.yaml] turn 2: tools.forbid search: expected no call of `search`, got 2 calls (+1 more)

    Rerun: ananke run a.test.yaml

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
}

#[test]
fn the_test_is_judged_after_its_last_turn() {
    let (shown, said) = run("version: 1
name: goes on
turns:
  - user: search
  - user: pay
assert:
  tools: {forbid: [search]}
  text: {must_match: /Found.*Paid/s}
");
    assert_eq!(said, ["search", "pay"]);
    assert_snapshot!(shown, @r#"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] goes on FAILED ([TIME])
      └─ test · tools.forbid search: expected no call of `search`, got 2 calls
         turn 1, event 1: search({"query":"red mug","limit":10})
         turn 1, event 5: search({"query":"mug","limit":5})
         demanded at a.test.yaml:7:20 (test level)

    Failures:
      ✗ [a.test.yaml] test: tools.forbid search: expected no call of `search`, got 2 calls

    Rerun: ananke run a.test.yaml

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
}

#[test]
fn a_turn_without_assert_is_not_judged_by_itself() {
    let (shown, said) = run("version: 1
name: only the last turn is judged
turns:
  - user: hello
  - user: pay
    assert: {}
assert:
  text: {must_match: Paid}
");
    assert_eq!(said, ["hello", "pay"]);
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
}

#[test]
fn the_nearest_call_is_shown_with_what_differed() {
    let (shown, _) = run(&one_turn(
        "nearest",
        "search",
        "assert:
  tools:
    require:
      - name: search
        args_match: {query: blue, limit: 10}
      - name: search
        args_match: {query: mug}
        result_match: hits.*9
      - name: serch
      - name: search
        count: {exact: 1}
      - name: search
        after: login
    forbid_calls:
      - name: search
        args_match: {limit: '^5$'}
        args_not_match: {query: red}
",
    ));
    assert_snapshot!(shown, @r#"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] nearest FAILED ([TIME])
      └─ test · tools.require search: expected at least 1 call of `search` with query matching /blue/ and limit matching /10/, got 0 of 2 calls
         closest call: turn 1, event 1: search({"query":"red mug","limit":10})
         query: "red mug" does not match /blue/
         demanded at a.test.yaml:8:9 (test level)
      └─ test · tools.require search: expected at least 1 call of `search` with query matching /mug/ and result matching /hits.*9/, got 0 of 2 calls
         closest call: turn 1, event 1: search({"query":"red mug","limit":10})
         result: {"hits":3} does not match /hits.*9/
         demanded at a.test.yaml:10:9 (test level)
      └─ test · tools.require serch: expected at least 1 call of `serch`, got no call
         did you mean `search`?
         called instead: search (2 times)
         demanded at a.test.yaml:13:9 (test level)
      └─ test · tools.require search: expected exactly 1 call of `search`, got 2 calls
         turn 1, event 1: search({"query":"red mug","limit":10})
         turn 1, event 5: search({"query":"mug","limit":5})
         demanded at a.test.yaml:14:9 (test level)
      └─ test · tools.require search: expected at least 1 call of `search`, after a call of `login`, got no call of `login` before turn 1, event 1: search({"query":"red mug","limit":10})
         called instead: search (2 times)
         demanded at a.test.yaml:16:9 (test level)
      └─ test · tools.forbid_calls search: expected no call of `search` with limit matching /^5$/ and query not matching /red/, got 1 of 2 calls
         turn 1, event 5: search({"query":"mug","limit":5})
         demanded at a.test.yaml:19:9 (test level)

    Failures:
      ✗ [a.test.yaml] test: tools.require search: expected at least 1 call of `search` with query matching /blue/ and limit matching /10/, got 0 of 2 calls (+5 more)

    Rerun: ananke run a.test.yaml

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
}

#[test]
fn an_expected_error_passes_and_an_unexpected_one_does_not() {
    let (shown, _) = run(&one_turn(
        "expected",
        "crash",
        "    assert: {error: out of stock}\n",
    ));
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
    let (shown, _) = run(&one_turn(
        "at the end",
        "crash",
        "assert: {error: /STOCK/i, text: {must_match: One moment}}\n",
    ));
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
    let (shown, _) = run(&one_turn(
        "another",
        "crash",
        "    assert: {error: gateway}\n",
    ));
    assert_snapshot!(shown, @"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] another FAILED ([TIME])
      └─ turn 1 · error /gateway/: expected a run error matching /gateway/, got the run failed: out of stock (code E7)
         demanded at a.test.yaml:5:21 (turn level)
         captured in turn 1: 6 events, no tool call, text:
         │ One moment

    Failures:
      ✗ [a.test.yaml] turn 1: error /gateway/: expected a run error matching /gateway/, got the run failed: out of stock (code E7)

    Rerun: ananke run a.test.yaml

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
    let (shown, _) = run(&one_turn(
        "unexpected",
        "crash",
        "assert: {text: {must_match: One moment}}\n",
    ));
    assert_snapshot!(shown, @"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] unexpected ERROR ([TIME])
      └─ turn 1: the agent ended with an error: out of stock (E7)
         captured in turn 1: 6 events, no tool call, text:
         │ One moment

    Failures:
      ✗ [a.test.yaml] turn 1: the agent ended with an error: out of stock (E7)

    Rerun: ananke run a.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1 (1 error)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let (shown, _) = run(&one_turn(
        "absent",
        "hello",
        "    assert: {error: out of stock}\n",
    ));
    assert_snapshot!(shown, @"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] absent FAILED ([TIME])
      └─ turn 1 · error /out of stock/: expected a run error matching /out of stock/, got the run finished without an error
         demanded at a.test.yaml:5:21 (turn level)

    Failures:
      ✗ [a.test.yaml] turn 1: error /out of stock/: expected a run error matching /out of stock/, got the run finished without an error

    Rerun: ananke run a.test.yaml

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
}

#[test]
fn protocol_findings_warn_unless_strict() {
    let (shown, _) = run(&one_turn(
        "lenient",
        "odd",
        "assert: {text: {must_match: odd}}\n",
    ));
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
    let (shown, _) = run(&one_turn(
        "strict",
        "odd",
        "    assert: {protocol: strict}\n",
    ));
    assert_snapshot!(shown, @"
    exit code: 1
    --- stdout
    ✗ [a.test.yaml] strict FAILED ([TIME])
      └─ turn 1 · protocol strict: expected no violation of the protocol, got 1 violation
         event 1: V8: TEXT_MESSAGE_CONTENT: no active text message found with ID 'nobody'
         demanded at a.test.yaml:5:24 (turn level)
      ⚠ 1 protocol finding (V8: TEXT_MESSAGE_CONTENT: no active text message found with ID 'nobody')

    Failures:
      ✗ [a.test.yaml] turn 1: protocol strict: expected no violation of the protocol, got 1 violation

    Rerun: ananke run a.test.yaml

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
}

#[test]
fn a_test_that_checks_nothing_is_refused_unless_permitted() {
    let cx = TestContext::new(ANANKE);
    let agent = shop();
    cx.config_for(&agent);
    cx.write("a.test.yaml", &one_turn("a", "hello", ""));
    assert_snapshot!(cx.ananke(&["run"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: the test has nothing to check
     --> a.test.yaml:2:7
      |
    2 | name: a
      |       ^ no `assert` at any level demands anything
    hint: write an `assert`, or pass `--allow-unchecked`

    error: 1 error in 1 file
    ");
    assert!(agent.requests().is_empty());
    assert_snapshot!(cx.ananke(&["run", "--allow-unchecked"]), @"
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

    ✓ [a.test.yaml] a ([TIME], no checks)

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1 (1 without checks)
      Failed:  0
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (1 without checks)
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
    let twin = cx.command(&["run"]).env("ANANKE_ALLOW_UNCHECKED", "yes");
    assert_eq!(twin.run().code, Some(0));
}
