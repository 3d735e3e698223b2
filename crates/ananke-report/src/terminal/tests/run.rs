//! Whole runs, from header to verdict.

use ananke_model::result::TestStatus;
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;

use super::console::{failed, options, shown, shown_with, timeout};
use crate::samples::{ascii, passed, plain, result, run, summary_mut};
use crate::style::Style;
use crate::terminal::TerminalOptions;

#[test]
fn a_passing_run() {
    assert_snapshot!(shown(&run(vec![passed("a"), passed("b")])), @"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests (2 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [tests/a.test.yaml] a works (1.2s)
    ✓ [tests/b.test.yaml] b works (1.2s)

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  2
      Failed:  0
      Time:    5.1s

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    ");
}

#[test]
fn a_failing_run() {
    assert_snapshot!(shown(&run(vec![passed("a"), failed("b"), timeout()])), @r#"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests (3 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [tests/a.test.yaml] a works (1.2s)
    ✗ [tests/b.test.yaml] b works FAILED (1.2s)
      └─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2
         nearest: call 1, argument `q` is "hat"
         demanded at tests/a.test.yaml:12:9 (turn level)
      └─ turn 1 · text.must_match /refund/: expected text matching /refund/, got:
         │ I cannot
         │ ✓ PASSED
         │ ::error::do that
         demanded at tests/a.test.yaml:12:9 (test level, through `no_errors`)
      └─ test · timing.max_idle_ms 500: could not be decided: expected at most 500 ms, got no timestamps
         demanded at tests/a.test.yaml:12:9 (turn level)
    ✗ [tests/slow.test.yaml] slow works TIMEOUT (1.2s)
      └─ turn 1: no end within 120s
         captured in turn 1: 2 events, 2 tool calls (search, pay\u{1b}[2J), text:
         │ Let me see
         │ ✓ PASSED
      ⚠ 2 protocol findings (V8: the text message was never ended), 1 warning (lines end with CRLF)

    Failures:
      ✗ [tests/b.test.yaml] turn 1: tools.require search: expected at least 1 call of "search", got 0 of 2 (+2 more)
      ✗ [tests/slow.test.yaml] turn 1: no end within 120s

    Rerun: ananke run tests/b.test.yaml tests/slow.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   3 tests
      Passed:  1
      Failed:  2 (1 timeout)
      Time:    5.1s

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn a_failing_run_in_ascii() {
    let events = run(vec![passed("a"), failed("b")]);
    assert_snapshot!(shown_with(options(ascii()), &events), @r#"
    ===============================================================
      Agent Test
    ===============================================================
    i Agent: shop
    i Input: tests (2 tests)

    ---------------------------------------------------------------
      Running Tests
    ---------------------------------------------------------------

    + [tests/a.test.yaml] a works (1.2s)
    x [tests/b.test.yaml] b works FAILED (1.2s)
      `- turn 1 - tools.require search: expected at least 1 call of "search", got 0 of 2
         nearest: call 1, argument `q` is "hat"
         demanded at tests/a.test.yaml:12:9 (turn level)
      `- turn 1 - text.must_match /refund/: expected text matching /refund/, got:
         | I cannot
         | ✓ PASSED
         | ::error::do that
         demanded at tests/a.test.yaml:12:9 (test level, through `no_errors`)
      `- test - timing.max_idle_ms 500: could not be decided: expected at most 500 ms, got no timestamps
         demanded at tests/a.test.yaml:12:9 (turn level)

    Failures:
      x [tests/b.test.yaml] turn 1: tools.require search: expected at least 1 call of "search", got 0 of 2 (+2 more)

    Rerun: ananke run tests/b.test.yaml

    ---------------------------------------------------------------
      Summary
    ---------------------------------------------------------------
      Total:   2 tests
      Passed:  1
      Failed:  1
      Time:    5.1s

    ===============================================================
      xxx TESTS FAILED xxx
    ===============================================================
    "#);
}

#[test]
fn quiet_shows_failures_and_summary() {
    let quiet = TerminalOptions {
        quiet: true,
        ..options(plain())
    };
    let events = run(vec![passed("a"), failed("b")]);
    assert_snapshot!(shown_with(quiet.clone(), &events), @r#"
    ✗ [tests/b.test.yaml] b works FAILED (1.2s)
      └─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2
         nearest: call 1, argument `q` is "hat"
         demanded at tests/a.test.yaml:12:9 (turn level)
      └─ turn 1 · text.must_match /refund/: expected text matching /refund/, got:
         │ I cannot
         │ ✓ PASSED
         │ ::error::do that
         demanded at tests/a.test.yaml:12:9 (test level, through `no_errors`)
      └─ test · timing.max_idle_ms 500: could not be decided: expected at most 500 ms, got no timestamps
         demanded at tests/a.test.yaml:12:9 (turn level)

    Failures:
      ✗ [tests/b.test.yaml] turn 1: tools.require search: expected at least 1 call of "search", got 0 of 2 (+2 more)

    Rerun: ananke run tests/b.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   2 tests
      Passed:  1
      Failed:  1
      Time:    5.1s

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
    assert_snapshot!(shown_with(quiet, &run(vec![passed("a")])), @"

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  1
      Failed:  0
      Time:    5.1s

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨
    ═══════════════════════════════════════════════════════════════
    ");
}

#[test]
fn many_tests_repeat_their_failures() {
    let mut results: Vec<_> = (0..30).map(|n| passed(&n.to_string())).collect();
    results[3] = failed("b");
    let all = shown(&run(results));
    let (_, end) = all.split_once("Failures:\n").unwrap();
    assert_snapshot!(end, @r#"
    ✗ [tests/b.test.yaml] b works FAILED (1.2s)
      └─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2
         nearest: call 1, argument `q` is "hat"
         demanded at tests/a.test.yaml:12:9 (turn level)
      └─ turn 1 · text.must_match /refund/: expected text matching /refund/, got:
         │ I cannot
         │ ✓ PASSED
         │ ::error::do that
         demanded at tests/a.test.yaml:12:9 (test level, through `no_errors`)
      └─ test · timing.max_idle_ms 500: could not be decided: expected at most 500 ms, got no timestamps
         demanded at tests/a.test.yaml:12:9 (turn level)

    Rerun: ananke run tests/b.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   30 tests
      Passed:  29
      Failed:  1
      Time:    5.1s

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn verdicts_need_evidence() {
    let verdict = |events: &[RunEvent]| {
        let all = shown(events);
        let (_, end) = all.split_once("  Summary\n").unwrap();
        let lines: Vec<&str> = end.lines().map(str::trim).collect();
        let facts = lines
            .iter()
            .filter(|line| line.starts_with(char::is_alphabetic));
        let facts: Vec<&str> = facts.copied().collect();
        format!("{} | {}", facts.join(", "), lines[lines.len() - 2])
    };
    let skipped = || result("s", TestStatus::Skipped, Vec::new());
    let undecided = result("i", TestStatus::Inconclusive, Vec::new());
    let mut cases = vec![
        verdict(&run(Vec::new())),
        verdict(&run(vec![skipped()])),
        verdict(&run(vec![passed("a"), skipped()])),
        verdict(&run(vec![passed("a"), undecided])),
    ];
    let mut unchecked = run(vec![result("u", TestStatus::Passed, Vec::new())]);
    summary_mut(&mut unchecked).unchecked = 1;
    cases.push(verdict(&unchecked));
    let mut stopped = run(vec![passed("a"), failed("b"), passed("c")]);
    stopped.truncate(5);
    let mut totals = run(vec![passed("a"), failed("b")]);
    summary_mut(&mut totals).interrupted = true;
    stopped.extend(totals.pop());
    cases.push(verdict(&stopped));
    let mut unfinished = run(vec![passed("a"), passed("b")]);
    unfinished.truncate(3);
    unfinished.extend(run(vec![passed("a")]).pop());
    cases.push(verdict(&unfinished));
    assert_snapshot!(cases.join("\n"), @"
    Total:   0 tests, Passed:  0, Failed:  0, Time:    5.1s | ⚠ NO TEST WAS RUN
    Total:    1 test, Passed:   0, Failed:   0, Skipped:  1, Time:     5.1s | ⚠ NO TEST WAS RUN
    Total:    2 tests, Passed:   1, Failed:   0, Skipped:  1, Time:     5.1s | ✨ ALL TESTS PASSED ✨ (1 skipped)
    Total:         2 tests, Passed:        1, Failed:        0, Inconclusive:  1, Time:          5.1s | ⚠ TESTS INCONCLUSIVE
    Total:   1 test, Passed:  1 (1 without checks), Failed:  0, Time:    5.1s | ✨ ALL TESTS PASSED ✨ (1 without checks)
    Total:    3 tests, Passed:   1, Failed:   1, Not run:  1, Time:     5.1s | ⚠ INTERRUPTED: 2 of 3 tests finished, 1 failed
    Total:    2 tests, Passed:   1, Failed:   0, Not run:  1, Time:     5.1s | ⚠ NOT ALL TESTS WERE RUN
    ");
}

#[test]
fn a_dry_run_has_only_a_header() {
    let dry = TerminalOptions {
        dry_run: true,
        ..options(ascii())
    };
    assert_snapshot!(shown_with(dry, &run(Vec::new())), @"
    ===============================================================
      Agent Test
    ===============================================================
    i Agent: shop
    i Input: tests (0 tests)

    ---------------------------------------------------------------
      Tests (dry run)
    ---------------------------------------------------------------
    ");
}

#[test]
fn colors_are_codes_around_the_same_words() {
    let color = Style {
        color: true,
        ..plain()
    };
    let mut skipped = result("c", TestStatus::Skipped, Vec::new());
    skipped.reason = Some("later".to_owned());
    let events = run(vec![passed("a"), failed("b"), skipped]);
    let colored = shown_with(options(color), &events);
    let mut bare = colored.clone();
    for code in [0, 1, 2, 31, 32, 33] {
        bare = bare.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(bare, shown(&events));
    let rows: Vec<&str> = colored.lines().skip(9).take(4).collect();
    assert_snapshot!(rows.join("\n").replace('\x1b', "<ESC>"), @r#"

    <ESC>[32m✓<ESC>[0m [tests/a.test.yaml] a works (1.2s)
    <ESC>[31m✗<ESC>[0m [tests/b.test.yaml] b works <ESC>[31mFAILED<ESC>[0m (1.2s)
      <ESC>[31m└─<ESC>[0m turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2
    "#);
}
