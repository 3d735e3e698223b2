//! `--runs`: one row for each test, and the analysis at the end.

use ananke_model::result::TestStatus;
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;
use serde_json::json;

use super::console::{rows, shown};
use crate::samples::{
    case, function_failed, function_passed, mostly_stable, passed, repeated, run, script_run,
    stable, with_identity,
};

#[test]
fn a_stable_run() {
    let yaml = repeated(vec![passed("a"), passed("a"), passed("a")]);
    let events = with_identity(run(vec![stable("T001"), yaml]), 3);
    assert_snapshot!(shown(&events), @"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests/shop.jsonl (2 tests)
    ℹ User: test-user, Team: test-team
    ℹ Runs: 3 of each test

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [T001] 100% (3/3) Stable avg:1.2s
    ✓ [tests/a.test.yaml] a works 100% (3/3) Stable avg:1.2s

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  2
      Failed:  0
      Time:    5.1s

    ───────────────────────────────────────────────────────────────
      Stability Analysis
    ───────────────────────────────────────────────────────────────
      Runs/Case:     3
      Total Runs:    6
      Stable Cases:  2
      Unstable:      0
      Pass Rate:     100%

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    ");
}

#[test]
fn an_unstable_run() {
    let mut skipped = case("T003", TestStatus::Skipped, "");
    skipped.reason = Some("waits for #12".to_owned());
    let mut unstable = mostly_stable("T002");
    unstable.warnings = vec!["run 3 of 5; passed 4 of 5 runs".to_owned()];
    let results = vec![stable("T001"), unstable, skipped];
    let events = with_identity(run(results), 5);
    assert_snapshot!(shown(&events), @r#"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests/shop.jsonl (3 test cases)
    ℹ User: test-user, Team: test-team
    ℹ Runs: 5 of each test

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [T001] 100% (3/3) Stable avg:1.2s
    ✗ [T002] 80% (4/5) Mostly Stable avg:1.1s
      run 3 FAILED (1.9s)
      └─ output does not contain 'shoes'
         contains shoes: expected text containing "shoes", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
      First difference: run 3 called `refund` where run 1 called `search` (event 1 / event 1)
      Consistency: 0.8, true pass rate: 37.5% to 96.4% with 95% confidence
    ► [T003] Find shoes for Ada SKIPPED: waits for #12

    Failures:
      ✗ [T002] output does not contain 'shoes'

    Rerun: ananke run tests/shop.jsonl --run '^(T002)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    3 tests
      Passed:   1
      Failed:   1
      Skipped:  1
      Time:     5.1s

    ───────────────────────────────────────────────────────────────
      Stability Analysis
    ───────────────────────────────────────────────────────────────
      Runs/Case:     3 to 5
      Total Runs:    8
      Stable Cases:  1
      Unstable:      1
      Pass Rate:     87.5%

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn enough_runs_make_a_pass() {
    let mut enough = mostly_stable("T001");
    let failed = enough.clone();
    enough = enough.other_runs[0].clone();
    enough.other_runs = failed.other_runs[1..].to_vec();
    enough.other_runs.push(ananke_model::result::TestResult {
        checkpoints: Vec::new(),
        other_runs: Vec::new(),
        script: None,
        ..failed
    });
    enough.warnings = vec!["passed 4 of 5 runs (80 %, at least 80 % wanted)".to_owned()];
    let mut events = with_identity(run(vec![enough]), 5);
    if let RunEvent::RunStarted(info) = &mut events[0] {
        info.facts = [("min pass rate".to_owned(), "80".to_owned())].into();
    }
    assert_snapshot!(shown(&events), @"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests/shop.jsonl (1 test case)
    ℹ User: test-user, Team: test-team
    ℹ Runs: 5 of each test, at least 80% must pass

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [T001] 80% (4/5) Mostly Stable avg:1.1s
      First difference: run 3 called `refund` where run 1 called `search` (event 1 / event 1)
      Consistency: 0.8, true pass rate: 37.5% to 96.4% with 95% confidence

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    5.1s

    ───────────────────────────────────────────────────────────────
      Stability Analysis
    ───────────────────────────────────────────────────────────────
      Runs/Case:     5
      Total Runs:    5
      Stable Cases:  0
      Unstable:      1
      Pass Rate:     80%

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    ");
}

#[test]
fn verbose_shows_every_run() {
    assert_snapshot!(rows(1, vec![stable("T001"), mostly_stable("T002")]), @r#"
    ✓ [T001] 100% (3/3) Stable avg:1.2s
      run 1 PASSED (1.2s)
      run 2 PASSED (1.2s)
      run 3 PASSED (1.2s)
      Consistency: 1, true pass rate: 43.8% to 100% with 95% confidence
      Time: 1.2s to 1.2s, deviation 0µs, pass^k: 1 1 1

    ✗ [T002] 80% (4/5) Mostly Stable avg:1.1s
      run 1 PASSED (800ms)
      run 2 PASSED (850ms)
      run 3 FAILED (1.9s)
      └─ output does not contain 'shoes'
         contains shoes: expected text containing "shoes", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
      run 4 PASSED (950ms)
      run 5 PASSED (1.0s)
      First difference: run 3 called `refund` where run 1 called `search` (event 1 / event 1)
      Consistency: 0.8, true pass rate: 37.5% to 96.4% with 95% confidence
      Time: 800ms to 1.9s, deviation 406ms, pass^k: 0.8 0.6 0.4 0.2 0

    Failures:
      ✗ [T002] output does not contain 'shoes'

    Rerun: ananke run tests/shop.jsonl --run '^(T002)$'
    "#);
}

#[test]
fn runs_of_merged_results_count_together() {
    let mut four = stable("T001");
    four.other_runs.push(four.other_runs[0].clone());
    let text = shown(&with_identity(
        run(vec![four, stable("T001"), stable("T002")]),
        3,
    ));
    assert!(!text.contains("of each test"), "{text}");
    let analysis = text.split("Stability Analysis").nth(1).unwrap();
    let lines: Vec<&str> = analysis
        .lines()
        .filter(|line| line.contains(": "))
        .collect();
    assert_snapshot!(lines.join("\n"), @"
    Runs/Case:     3 to 7
    Total Runs:    10
    Stable Cases:  2
    Unstable:      0
    Pass Rate:     100%
    ");
}

#[test]
fn repeated_functions_have_rates() {
    let results = vec![repeated(vec![
        function_passed("TestA", 12_000),
        function_failed("TestA", json!(1), json!(2)),
        function_passed("TestA", 13_000),
    ])];
    assert_snapshot!(shown(&script_run(results)), @r#"
    ═══════════════════════════════════════════════════════════════════════════════
      Script Test: scripts.expense.setup
    ═══════════════════════════════════════════════════════════════════════════════
      Script: expense/src/setup_test.ts
      Tests: 1 function
      User: test-user
      Team: test-team
    ───────────────────────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────────────────────
    ✗ [expense/src/setup_test.ts#TestA] 66.7% (2/3) Unstable avg:13ms
      run 2 FAILED (15ms)
      └─ assertion failed: Result ID should match
         expected: 1
         actual: 2
         --> expense/src/setup_test.ts:12:2
            |
         11 |   const result = Setup(ctx);
         12 |     assert.Equal(result.id, 1, "Result ID should match");
            |     ^^^^^^^^^^^^
         13 | }
         at check (expense/src/setup_test.ts:12:2)
         at TestA (expense/src/setup_test.ts:20:5)
      Consistency: 0.67, true pass rate: 20.7% to 93.9% with 95% confidence

    Rerun: ananke run expense/src/setup_test.ts --run '^(TestA)$'

    ───────────────────────────────────────────────────────────────
      Stability Analysis
    ───────────────────────────────────────────────────────────────
      Runs/Case:     3
      Total Runs:    3
      Stable Cases:  0
      Unstable:      1
      Pass Rate:     66.7%

    ═══════════════════════════════════════════════════════════════════════════════
      Summary: 0 passed, 1 failed, 0 skipped (35ms)
    ═══════════════════════════════════════════════════════════════════════════════
    "#);
}
