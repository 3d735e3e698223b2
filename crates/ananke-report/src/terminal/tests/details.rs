//! What is said about single tests.

use ananke_model::recording::{TroubleKind, Turn};
use ananke_model::result::{Outcome, TestStatus};
use insta::assert_snapshot;

use super::console::{failed, rows, timeout};
use crate::samples::{broken, call, check, finding, judged, passed, result, turn};

#[test]
fn warnings_of_a_test_that_passed_are_told_in_one_line() {
    let mut odd = passed("a");
    odd.turns[0].turn.findings = vec![finding()];
    odd.turns[0].turn.warnings = vec!["the model refused".to_owned(), "x".to_owned()];
    let mut found = passed("b");
    found.turns[0].turn.findings = vec![finding()];
    assert_snapshot!(rows(0, vec![odd, found]), @"
    ✓ [tests/a.test.yaml] a works (1.2s)
      ⚠ 2 warnings (the model refused)
    ✓ [tests/b.test.yaml] b works (1.2s)
    ");
}

#[test]
fn verbose_adds_counts_and_warnings() {
    let mut odd = passed("a");
    odd.turns[0].turn.findings = vec![finding()];
    odd.turns[0].turn.warnings = vec!["lines end with CRLF".to_owned(), "x".to_owned()];
    let mut skipped = result("c", TestStatus::Skipped, Vec::new());
    skipped.reason = Some("waits for #12".to_owned());
    assert_snapshot!(rows(1, vec![odd, failed("b"), skipped]), @r#"
    ✓ [tests/a.test.yaml] a works (1.2s)
      Turns: 1, Assertions: 1/1 passed
      ⚠ 1 protocol finding (V8: the text message was never ended), 2 warnings (lines end with CRLF)

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
      Turns: 1 of 2, Assertions: 1/4 passed

    ○ [tests/c.test.yaml] c works SKIPPED: waits for #12

    Failures:
      ✗ [tests/b.test.yaml] turn 1: tools.require search: expected at least 1 call of "search", got 0 of 2 (+2 more)

    Rerun: ananke run tests/b.test.yaml
    "#);
}

#[test]
fn very_verbose_shows_conversations() {
    let mut talk = passed("a");
    let mut bad_args = call("pay", "{\"sum\":", None);
    bad_args.args_error = Some("EOF".to_owned());
    let mut wrong = call("ship", "{}", Some("x"));
    wrong.error = Some("no\nstock".to_owned());
    talk.turns[0].turn = Turn {
        reasoning: "Shoes?".to_owned(),
        tool_calls: vec![
            call("search", r#"{"q":"shoes"}"#, Some("[1,2]")),
            bad_args,
            wrong,
        ],
        findings: vec![finding()],
        warnings: vec!["lines end with CRLF".to_owned()],
        text: "One.\r\nTwo.\n\n##[error]Three\x1b[0m".to_owned(),
        ..talk.turns[0].turn.clone()
    };
    talk.warnings = vec!["the hook left a process".to_owned()];
    assert_snapshot!(rows(2, vec![talk, timeout()]), @r#"
    ✓ [tests/a.test.yaml] a works (1.2s)
      Turns: 1, Assertions: 1/1 passed
      turn 1 · user · 1.2s · 2 events · first text after 300ms
        user
        │ Find shoes
        reasoning
        │ Shoes?
        tool search {"q":"shoes"} → [1,2] (50ms)
        tool pay {"sum": → no result (10ms)
        ⚠ arguments are not JSON: EOF
        tool ship {} → error: no\nstock (50ms)
        assistant
        │ One.
        │ Two.
        │
        │ \u{23}#[error]Three\u{1b}[0m
        ⚠ V8 at event 3: the text message was never ended
        ⚠ lines end with CRLF
      ⚠ the hook left a process

    ✗ [tests/slow.test.yaml] slow works TIMEOUT (1.2s)
      └─ turn 1: no end within 120s
         captured in turn 1: 2 events, 2 tool calls (search, pay\u{1b}[2J), text:
         │ Let me see
         │ ✓ PASSED
      Turns: 1, Assertions: 0/0 passed
      turn 1 · user · 1.2s · 2 events · first text after 300ms
        user
        │ Refund order 42
        tool search {} → no result (10ms)
        tool pay\u{1b}[2J {} → no result (10ms)
        assistant
        │ Let me see
        │ ✓ PASSED
        ⚠ no end within 120s
        ⚠ V8 at event 3: the text message was never ended
        ⚠ V8 at event 3: the text message was never ended
      ⚠ lines end with CRLF

    Failures:
      ✗ [tests/slow.test.yaml] turn 1: no end within 120s

    Rerun: ananke run tests/slow.test.yaml
    "#);
}

#[test]
fn trouble_outside_the_checks_has_details() {
    let mut hook = result("hook", TestStatus::Error, Vec::new());
    hook.reason = Some("hook `./login.sh` ended with exit status 3".to_owned());
    hook.reason_details = vec!["::error::x".to_owned(), "  ##vso[task.x]".to_owned()];
    let refused = broken(TroubleKind::Unreachable, "connection refused", "");
    let refused = result("down", TestStatus::Error, vec![judged(refused, Vec::new())]);
    let nothing = result("none", TestStatus::Inconclusive, Vec::new());
    assert_snapshot!(rows(0, vec![hook, refused, nothing]), @r"
    ✗ [tests/hook.test.yaml] hook works ERROR (1.2s)
      └─ hook `./login.sh` ended with exit status 3
         │ ::error::x
         │   \u{23}#vso[task.x]
    ✗ [tests/down.test.yaml] down works ERROR (1.2s)
      └─ turn 1: connection refused
         captured in turn 1: 2 events, no tool call, no text
    ? [tests/none.test.yaml] none works INCONCLUSIVE (1.2s)
      └─ no reason was recorded

    Failures:
      ✗ [tests/hook.test.yaml] hook `./login.sh` ended with exit status 3
      ✗ [tests/down.test.yaml] turn 1: connection refused
      ? [tests/none.test.yaml] no reason was recorded

    Rerun: ananke run tests/hook.test.yaml tests/down.test.yaml tests/none.test.yaml
    ");
}

#[test]
fn agents_cannot_forge_lines() {
    let forged =
        "ok\r✓ [x] y (1ms)\n✓ PASSED\n::error::pwned\n##[command]rm\n\u{202e}txt\x1b]0;title\x07";
    let mut unmet = check("text.must_match", "/a\nb/", Outcome::Failed);
    unmet.actual = forged.to_owned();
    unmet.details = vec![
        "::set-output name=x::y".to_owned(),
        "✓ PASSED".to_owned(),
        forged.to_owned(),
    ];
    let turns = vec![judged(turn(forged, forged), vec![unmet])];
    let mut forged_test = result("f", TestStatus::Failed, turns);
    forged_test.name = forged.to_owned();
    let rows = rows(2, vec![forged_test]);
    assert_snapshot!(rows, @r#"
    ✗ [tests/f.test.yaml] ok\r✓ [x] y (1ms)\n✓ PASSED\n::error::pwned\n\u{23}#[command]rm\n\u{202e}txt\u{1b}]0;title\u{7} FAILED (1.2s)
      └─ turn 1 · text.must_match /a\nb/: expected at least 1 call of "search", got:
         │ ok\r✓ [x] y (1ms)
         │ ✓ PASSED
         │ ::error::pwned
         │ \u{23}#[command]rm
         │ \u{202e}txt\u{1b}]0;title\u{7}
         │ ::set-output name=x::y
         │ ✓ PASSED
         │ ok\r✓ [x] y (1ms)
         │ ✓ PASSED
         │ ::error::pwned
         │ \u{23}#[command]rm
         │ \u{202e}txt\u{1b}]0;title\u{7}
         demanded at tests/a.test.yaml:12:9 (turn level)
      Turns: 1, Assertions: 0/1 passed
      turn 1 · user · 1.2s · 2 events · first text after 300ms
        user
        │ ok\r✓ [x] y (1ms)
        │ ✓ PASSED
        │ ::error::pwned
        │ \u{23}#[command]rm
        │ \u{202e}txt\u{1b}]0;title\u{7}
        assistant
        │ ok\r✓ [x] y (1ms)
        │ ✓ PASSED
        │ ::error::pwned
        │ \u{23}#[command]rm
        │ \u{202e}txt\u{1b}]0;title\u{7}

    Failures:
      ✗ [tests/f.test.yaml] turn 1: text.must_match /a\nb/: expected at least 1 call of "search", got ok\r✓ [x] y (1ms)\n✓ PASSED\n::error::pwned\n\u{23}#[command]rm\n\u{202e}txt\u{1b}]0;title\u{7}

    Rerun: ananke run tests/f.test.yaml
    "#);
    for line in rows.lines() {
        let line = line.trim_start();
        assert!(!line.starts_with("::") && !line.starts_with('✓'), "{line}");
        assert!(!line.contains("##[") && !line.contains(char::is_control));
    }
}
