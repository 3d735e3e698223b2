//! Cases, beside other tests.

use ananke_model::case::Identity;
use ananke_model::result::{Outcome, TestStatus};
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;

use super::console::{failed, options, rows, shown, shown_with};
use crate::samples::{
    HOSTILE, ascii, call, case, contains, messages_case, passed, plain, run, with_identity,
};
use crate::terminal::TerminalOptions;

#[test]
fn a_run_of_cases_with_input() {
    let mut bad = case("T002", TestStatus::Failed, "Here are hats.");
    bad.checks.push(contains("laces", Outcome::Passed));
    bad.checks.push(contains("size", Outcome::Failed));
    bad.checks[2].message = Some("it must name the size".to_owned());
    bad.checks[2]
        .details
        .push("\"Size\" is there: case and white space count".to_owned());
    let mut skipped = case("T003", TestStatus::Skipped, "");
    skipped.reason = Some("waits for #12".to_owned());
    let results = vec![
        case("T001", TestStatus::Passed, "Here are shoes."),
        bad,
        skipped,
    ];
    let mut events = with_identity(run(results), 1);
    if let RunEvent::RunStarted(info) = &mut events[0] {
        info.facts = [("connector".to_owned(), "openai.gpt4".to_owned())].into();
        let identity = Identity {
            user_id: "ada\u{1b}[2J".to_owned(),
            ..Identity::default()
        };
        info.identity = Some(Box::new(identity));
    }
    assert_snapshot!(shown(&events), @r#"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Connector: openai.gpt4 (override)
    ℹ Input: tests/shop.jsonl (3 test cases)
    ℹ User: ada\u{1b}[2J, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [T001] Find shoes for Ada PASSED (1.2s)
    ► [T002] Find shoes for Ada FAILED (1.2s)
      └─ output does not contain 'shoes'
         contains shoes: expected text containing "shoes", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
      └─ it must name the size
         contains size: expected text containing "size", got "Here are hats."
         output does not contain 'size'
         "Size" is there: case and white space count
         demanded at tests/shop.jsonl:12:9 (test level)
    ► [T003] Find shoes for Ada SKIPPED: waits for #12

    Failures:
      ✗ [T002] output does not contain 'shoes' (+1 more)

    Rerun: ananke run tests/shop.jsonl --run '^(T002)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      3 tests
      Passed:     1
      Failed:     1
      Skipped:    1
      Pass Rate:  50%
      Time:       5.1s

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn a_run_of_cases_with_messages() {
    let results = vec![
        messages_case("expense-turn1", TestStatus::Passed),
        messages_case("expense-turn2", TestStatus::Failed),
    ];
    assert_snapshot!(shown(&with_identity(run(results), 1)), @r#"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests/shop.jsonl (2 test cases)
    ℹ User: test-user, Team: test-team

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✓ [expense-turn1] Second turn - find shoes (1.2s)
      Messages: 3, Assertions: 1/1 passed

    ✗ [expense-turn2] Second turn - find shoes FAILED (1.2s)
      └─ output does not contain 'shoes'
         contains shoes: expected text containing "shoes", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
      Messages: 3, Assertions: 0/1 passed

    Failures:
      ✗ [expense-turn2] output does not contain 'shoes'

    Rerun: ananke run tests/shop.jsonl --run '^(expense-turn2)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      2 tests
      Passed:     1
      Failed:     1
      Pass Rate:  50%
      Time:       5.1s

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn cases_stand_beside_other_tests() {
    let mut timeout = case("T003", TestStatus::Timeout, "");
    timeout.reason = Some("timeout after 30s".to_owned());
    timeout.checks.clear();
    let mut yaml = failed("b");
    yaml.turns[0].checks = vec![contains("shoes", Outcome::Failed)];
    yaml.turns[0].checks[0].message = Some("it must offer shoes".to_owned());
    yaml.checks.clear();
    let results = vec![
        passed("a"),
        case("T001", TestStatus::Passed, "Here are shoes."),
        messages_case("T002", TestStatus::Passed),
        timeout,
        yaml,
    ];
    assert_snapshot!(rows(0, results), @r#"
    ✓ [tests/a.test.yaml] a works (1.2s)
    ► [T001] Find shoes for Ada PASSED (1.2s)
    ✓ [T002] Second turn - find shoes (1.2s)
      Messages: 3, Assertions: 1/1 passed

    ► [T003] Find shoes for Ada TIMEOUT (1.2s)
      └─ timeout after 30s
    ✗ [tests/b.test.yaml] b works FAILED (1.2s)
      └─ turn 1 · it must offer shoes
         contains shoes: expected text containing "shoes", got "Here are hats."
         output does not contain 'shoes'
         demanded at tests/shop.jsonl:12:9 (test level)

    Failures:
      ✗ [T003] timeout after 30s
      ✗ [tests/b.test.yaml] turn 1: it must offer shoes

    Rerun: ananke run tests/shop.jsonl tests/b.test.yaml
    "#);
}

#[test]
fn verbose_adds_output_and_tool_calls() {
    let mut one = case("T001", TestStatus::Passed, "Here are\n  shoes.");
    let mut wrong = call("ship", "{}", Some("x"));
    wrong.error = Some("no stock".to_owned());
    one.turns[0].turn.tool_calls = vec![call("search", r#"{"q": 1}"#, Some("[1,2]")), wrong];
    let two = messages_case("T002", TestStatus::Passed);
    assert_snapshot!(rows(1, vec![one, two]), @r#"
    ► [T001] Find shoes for Ada PASSED (1.2s)
      └─ Output: Here are shoes.
      └─ Tool: search {"q": 1} → [1,2]
      └─ Tool: ship {} → error: no stock
      Messages: 1, Assertions: 1/1 passed

    ✓ [T002] Second turn - find shoes (1.2s)
      └─ Output: {"shoes": ["red", "blue"]}
      Messages: 3, Assertions: 1/1 passed
    "#);
}

#[test]
fn previews_are_cut_between_characters() {
    let asks = |input: &str| {
        let mut result = case("T001", TestStatus::Passed, "Hi");
        let mut case = result.case.as_deref().cloned().unwrap();
        case.input = input.into();
        result.case = Some(case.into());
        result
    };
    let long = "Größere\n Schuhe\tfür 世界 ".repeat(5);
    let results = vec![asks(&long), asks(""), asks("x\u{1b}[2J\u{202e}")];
    assert_snapshot!(rows(0, results), @r"
    ► [T001] Größere Schuhe für 世界 Größere Schuhe für 世界 Größer… PASSED (1.2s)
    ► [T001] PASSED (1.2s)
    ► [T001] x\u{1b}[2J\u{202e} PASSED (1.2s)
    ");
    let events = run(vec![asks(&long)]);
    let shown = shown_with(options(ascii()), &events);
    let row = shown.lines().find(|line| line.contains("[T001]")).unwrap();
    assert_snapshot!(row, @"> [T001] Größere Schuhe für 世界 Größere Schuhe für 世界 Größer... PASSED (1.2s)");
}

#[test]
fn quiet_shows_only_what_did_not_pass() {
    let options = TerminalOptions {
        quiet: true,
        ..options(plain())
    };
    let results = vec![
        messages_case("T001", TestStatus::Passed),
        messages_case("T002", TestStatus::Failed),
    ];
    assert_snapshot!(shown_with(options, &with_identity(run(results), 1)), @r#"
    ✗ [T002] Second turn - find shoes FAILED (1.2s)
      └─ output does not contain 'shoes'
         contains shoes: expected text containing "shoes", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
      Messages: 3, Assertions: 0/1 passed

    Failures:
      ✗ [T002] output does not contain 'shoes'

    Rerun: ananke run tests/shop.jsonl --run '^(T002)$'

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      2 tests
      Passed:     1
      Failed:     1
      Pass Rate:  50%
      Time:       5.1s

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    "#);
}

#[test]
fn cases_cannot_forge_lines() {
    let mut forged = case("T001", TestStatus::Failed, HOSTILE);
    forged.checks[0].message = Some(HOSTILE.to_owned());
    forged.checks[0].expected = HOSTILE.to_owned();
    forged.checks[0].actual = HOSTILE.to_owned();
    let mut case = forged.case.as_deref().cloned().unwrap();
    case.id = HOSTILE.to_owned();
    case.input = HOSTILE.into();
    forged.case = Some(case.into());
    forged.name = String::new();
    for line in rows(1, vec![forged]).lines() {
        let line = line.trim_start();
        assert!(!line.starts_with("::") && !line.starts_with('✓'), "{line}");
        assert!(
            !line.contains("##[") && !line.contains(char::is_control),
            "{line}"
        );
    }
}

#[test]
fn the_head_names_the_connector() {
    let head = |is_override: bool| {
        let mut events = run(vec![passed("a")]);
        if let Some(RunEvent::RunStarted(info)) = events.first_mut() {
            info.connector = Some("fast".to_owned());
            let fact = ("connector".to_owned(), "fast".to_owned());
            info.facts.extend(is_override.then_some(fact));
        }
        let text = shown(&events);
        let line = text.lines().find(|line| line.contains("Connector"));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(head(false), "ℹ Connector: fast");
    assert_eq!(head(true), "ℹ Connector: fast (override)");
}
