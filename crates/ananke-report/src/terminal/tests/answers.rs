//! Messages from the command line: the answer is all there is on stdout.

use ananke_model::plan::TestId;
use ananke_model::recording::TroubleKind;
use ananke_model::result::TestStatus;
use insta::assert_snapshot;

use super::console::{options, shown, shown_with};
use crate::samples::{HOSTILE, ascii, broken, call, case, judged, message, passed, plain, run};
use crate::terminal::{Terminal, TerminalOptions};

/// Returns stdout alone.
fn stdout(events: &[ananke_model::run_event::RunEvent]) -> String {
    let mut terminal = Terminal::new(options(plain()));
    events
        .iter()
        .map(|event| terminal.event(event).stdout)
        .collect()
}

#[test]
fn an_answer_stands_alone() {
    let events = run(vec![message("Hello", "Hi!\n\n  {\"a\":\t1}")]);
    assert_eq!(stdout(&events), "Hi!\n\n  {\"a\":\t1}\n");
    assert_eq!(stdout(&run(vec![message("Hello", "")])), "");
}

#[test]
fn tool_calls_follow_the_answer() {
    let mut answered = message("Find shoes", "Here are shoes.");
    let mut wrong = call("ship\u{1b}", "{}", Some("x"));
    wrong.error = Some("no stock".to_owned());
    answered.turns[0].turn.tool_calls = vec![
        call("search", r#"{"q": "shoes"}"#, Some("[1,2]")),
        wrong,
        call("pay", "{}", None),
    ];
    let events = run(vec![answered, message("Thanks", "Welcome.")]);
    assert_snapshot!(stdout(&events), @r#"
    Here are shoes.

    --- Tool Calls ---
    search → OK (args: {"q": "shoes"})
    ship\u{1b} → ERROR: no stock (args: {})
    pay → no result (args: {})

    Welcome.
    "#);
    assert!(shown_with(options(ascii()), &events).contains("search -> OK"));
}

#[test]
fn trouble_goes_to_stderr() {
    let late = broken(TroubleKind::Timeout, "no end within 120s", "Let me");
    let mut late = ananke_model::result::TestResult {
        turns: vec![judged(late, Vec::new())],
        status: TestStatus::Timeout,
        ..message("Hello", "")
    };
    late.reason = Some("timeout after 30s".to_owned());
    let mut skipped = message("Hello", "");
    skipped.status = TestStatus::Skipped;
    skipped.reason = Some("interrupted".to_owned());
    skipped.turns.clear();
    let events = run(vec![late, skipped]);
    assert_eq!(stdout(&events), "");
    assert_snapshot!(shown(&events), @"
    stderr: ► [message#1] Hello TIMEOUT (1.2s)
    stderr:   └─ timeout after 30s
    stderr:      captured in turn 1: 2 events, no tool call, text:
    stderr:      │ Let me
    stderr: ► [message#1] Hello SKIPPED: interrupted
    ");
}

#[test]
fn verbose_and_other_tests_bring_the_frame() {
    let verbose = TerminalOptions {
        verbose: 1,
        ..options(plain())
    };
    assert_snapshot!(shown_with(verbose, &run(vec![message("Hello", "Hi!")])), @"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [message#1] Hello PASSED (1.2s, no checks)
      └─ Output: Hi!
      Messages: 1, Assertions: 0/0 passed

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      1 test
      Passed:     1 (1 without checks)
      Failed:     0
      Pass Rate:  100%
      Time:       5.1s

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (1 without checks)
    ═══════════════════════════════════════════════════════════════
    ");
    assert!(shown(&run(vec![message("Hello", "Hi!"), passed("a")])).contains("Agent Test"));
    // Cases from standard input look like messages until the first of them ended.
    let mut from_stdin = case("T001", TestStatus::Passed, "Hi");
    from_stdin.id = TestId("stdin#T001".to_owned());
    from_stdin.file = "stdin".to_owned();
    let shown = shown(&run(vec![from_stdin]));
    assert!(
        shown.contains("Agent Test") && shown.contains("► [T001]"),
        "{shown}"
    );
    let nothing = run(Vec::new());
    assert!(stdout(&nothing).contains("Agent Test"));
}

#[test]
fn answers_are_harmless() {
    let mut hostile = message("Hello", HOSTILE);
    hostile.turns[0].turn.tool_calls = vec![call(HOSTILE, HOSTILE, Some(HOSTILE))];
    let in_ci = TerminalOptions {
        is_ci: true,
        ..options(plain())
    };
    for line in shown_with(in_ci, &run(vec![hostile])).lines() {
        assert!(!line.trim_start().starts_with("::"), "{line}");
        let is_control = |c: char| c.is_control() && c != '\t';
        assert!(
            !line.contains("##[") && !line.contains(is_control),
            "{line:?}"
        );
    }
}

#[test]
fn only_a_ci_obeys_colons() {
    let events = run(vec![message("Hello", "::error::no\n  :: note")]);
    assert_eq!(stdout(&events), "::error::no\n  :: note\n");
    let in_ci = TerminalOptions {
        is_ci: true,
        ..options(plain())
    };
    assert_snapshot!(shown_with(in_ci, &events), @r"
    \u{3a}:error::no
      \u{3a}: note
    ");
}

#[test]
fn a_result_that_is_an_error_is_shown_as_one() {
    let mut answered = message("Find shoes", "");
    let results = [
        r#"{"error": "no stock"}"#,
        r#"{"error": {"code": 5}}"#,
        r#"{"error": null}"#,
        r#"{"error": "late", "items": []}"#,
        r#"["error"]"#,
    ];
    let calls = results.map(|result| call("search", "{}", Some(result)));
    answered.turns[0].turn.tool_calls = calls.into();
    assert_snapshot!(stdout(&run(vec![answered])), @r#"
    --- Tool Calls ---
    search → ERROR: no stock (args: {})
    search → ERROR: {"code":5} (args: {})
    search → OK (args: {})
    search → OK (args: {})
    search → OK (args: {})
    "#);
}
