//! Tests that were tried again, tests that were never started, and where the run was kept.

use ananke_model::result::TestStatus;
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;

use super::console::{failed, rows, shown};
use crate::samples::{flaky, passed, result, run};

fn end_of(all: &str) -> &str {
    let (_, end) = all.split_once("  Summary\n").unwrap();
    end.split_once('\n').unwrap().1
}

#[test]
fn flaky_tests_say_so() {
    let mut hopeless = failed("b");
    hopeless.turns[0].checks.truncate(1);
    hopeless.checks.clear();
    hopeless.earlier = vec![hopeless.clone(), hopeless.clone()];
    assert_snapshot!(rows(0, vec![flaky("a"), hopeless]), @r#"
    ✓ [tests/a.test.yaml] a works PASSED (flaky, attempt 2, 1.2s)
    ✗ [tests/b.test.yaml] b works FAILED (3 attempts, 1.2s)
      └─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2
         nearest: call 1, argument `q` is "hat"
         demanded at tests/a.test.yaml:12:9 (turn level)

    Failures:
      ✗ [tests/b.test.yaml] turn 1: tools.require search: expected at least 1 call of "search", got 0 of 2

    Rerun: ananke run tests/b.test.yaml
    "#);
    assert_snapshot!(end_of(&shown(&run(vec![flaky("a"), passed("b")]))), @"
      Total:   2 tests
      Passed:  2
      Failed:  0
      Flaky:   1
      Time:    5.1s

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (1 flaky)
    ═══════════════════════════════════════════════════════════════
    ");
}

#[test]
fn verbose_shows_the_failed_attempts() {
    assert_snapshot!(rows(1, vec![flaky("a")]), @"
    ✓ [tests/a.test.yaml] a works PASSED (flaky, attempt 2, 1.2s)
      attempt 1: FAILED (1.2s)
      └─ turn 1 · text.must_match /shoes/: expected text matching /shoes/, got Here are hats.
         demanded at tests/a.test.yaml:12:9 (turn level)
      Turns: 1, Assertions: 1/1 passed
    ");
}

#[test]
fn tests_that_were_never_started_take_one_line() {
    let not_run = |id: &str, reason: &str| {
        let mut skipped = result(id, TestStatus::Skipped, Vec::new());
        skipped.reason = Some(reason.to_owned());
        skipped
    };
    let fail_fast = "not run: --fail-fast stopped after a failure";
    let results = || {
        vec![
            passed("a"),
            not_run("b", "waits for #12"),
            not_run("c", fail_fast),
            not_run("d", fail_fast),
            not_run("e", "interrupted"),
        ]
    };
    let all = shown(&run(results()));
    let (_, tests) = all.split_once("Running Tests\n").unwrap();
    assert_snapshot!(tests, @"
    ───────────────────────────────────────────────────────────────

    ✓ [tests/a.test.yaml] a works (1.2s)
    ○ [tests/b.test.yaml] b works SKIPPED: waits for #12
    ○ 2 tests not run: --fail-fast stopped after a failure
    ○ 1 test not run: interrupted

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:    5 tests
      Passed:   1
      Failed:   0
      Skipped:  4
      Time:     5.1s

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (4 skipped)
    ═══════════════════════════════════════════════════════════════
    ");
    assert_snapshot!(rows(1, results()), @"
    ✓ [tests/a.test.yaml] a works (1.2s)
      Turns: 1, Assertions: 1/1 passed

    ○ [tests/b.test.yaml] b works SKIPPED: waits for #12

    ○ [tests/c.test.yaml] c works SKIPPED: not run: --fail-fast stopped after a failure

    ○ [tests/d.test.yaml] d works SKIPPED: not run: --fail-fast stopped after a failure

    ○ [tests/e.test.yaml] e works SKIPPED: interrupted
    ");
}

#[test]
fn the_bundle_is_named_at_the_end() {
    let mut events = run(vec![passed("a")]);
    if let RunEvent::RunStarted(info) = &mut events[0] {
        info.bundle = Some(".ananke/runs/2024\x1b[2J".to_owned());
    }
    assert_snapshot!(end_of(&shown(&events)), @r"
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    5.1s
      Bundle:  .ananke/runs/2024\u{1b}[2J

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    ");
}
