//! Cases that a simulator led, and checks that judges decided.

use ananke_model::recording::TroubleKind;
use ananke_model::result::TestStatus;
use insta::assert_snapshot;

use super::console::{rows, shown};
use crate::samples::{
    broken, case, dynamic, dynamic_failed, hostile_dynamic, judged, repeated, run, with_opinion,
};

#[test]
fn rows_tell_turns_and_checkpoints() {
    let mut plain = dynamic("dyn", TestStatus::Passed);
    plain.name = "dyn".to_owned();
    plain.checkpoints.pop();
    let mut skipped = case("later", TestStatus::Skipped, "");
    skipped.reason = Some("waits for #12".to_owned());
    let results = vec![plain, dynamic("T002", TestStatus::Passed), skipped];
    assert_snapshot!(shown(&run(results)), @"
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: shop
    ℹ Input: tests (3 test cases)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ► [dyn] (dynamic, 3 checkpoints)
      └─ PASSED (3 turns, 3 checkpoints, 8.5s)
    ► [T002] Expense Coverage (dynamic, 4 checkpoints)
      └─ PASSED (3 turns, 3 of 4 checkpoints, 8.5s)
    ► [later] Find shoes for Ada SKIPPED: waits for #12

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:      3 tests
      Passed:     2
      Failed:     0
      Skipped:    1
      Pass Rate:  100%
      Time:       5.1s

    ═══════════════════════════════════════════════════════════════
      ✨ ALL TESTS PASSED ✨ (1 skipped)
    ═══════════════════════════════════════════════════════════════
    ");
}

#[test]
fn missing_checkpoints_say_what_they_wait_for() {
    let mut early = dynamic_failed("T005");
    early.checkpoints[1].reached_at_turn = None;
    early.reason = None;
    let mut late = dynamic_failed("T006");
    let broke = broken(TroubleKind::Timeout, "timeout after 2m", "");
    late.turns[2] = judged(broke, Vec::new());
    late.status = TestStatus::Timeout;
    late.reason = Some("timeout after 2m".to_owned());
    let mut silent = dynamic("T007", TestStatus::Inconclusive);
    silent.reason = Some("the simulator answered without a message".to_owned());
    silent.turns.clear();
    assert_snapshot!(rows(0, vec![dynamic_failed("T004"), early, late, silent]), @r#"
    ► [T004] Expense Coverage (dynamic, 4 checkpoints)
      └─ FAILED (3 turns, 2 of 4 checkpoints, 8.5s)
      └─ missing checkpoints: confirm
      └─ checkpoint confirm (Agent confirms submission) was not reached
         output does not contain 'submitted'
         contains submitted: expected text containing "submitted", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
    ► [T005] Expense Coverage (dynamic, 4 checkpoints)
      └─ FAILED (3 turns, 1 of 4 checkpoints, 8.5s)
      └─ missing checkpoints: call_create, confirm
      └─ checkpoint call_create was not reached
         its assertions held in the last turn, but not yet what it comes after
      └─ checkpoint confirm (Agent confirms submission) was not reached
         output does not contain 'submitted'
         contains submitted: expected text containing "submitted", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
    ► [T006] Expense Coverage (dynamic, 4 checkpoints)
      └─ TIMEOUT (3 turns, 2 of 4 checkpoints, 8.5s)
      └─ timeout after 2m
      └─ not reached: confirm
         captured in turn 3: 2 events, no tool call, no text
    ► [T007] Expense Coverage (dynamic, 4 checkpoints)
      └─ INCONCLUSIVE (0 turns, 2 of 4 checkpoints, 8.5s)
      └─ the simulator answered without a message
      └─ not reached: confirm

    Failures:
      ✗ [T004] missing checkpoints: confirm
      ✗ [T005] missing checkpoints: call_create, confirm
      ✗ [T006] timeout after 2m
      ? [T007] the simulator answered without a message

    Rerun: ananke run tests/shop.jsonl --run '^(T004|T005|T006|T007)$'
    "#);
}

#[test]
fn checkpoints_are_listed_when_asked() {
    assert_snapshot!(rows(1, vec![dynamic("T001", TestStatus::Passed)]), @"
    ► [T001] Expense Coverage (dynamic, 4 checkpoints)
      └─ PASSED (3 turns, 3 of 4 checkpoints, 8.5s)
      ✓ ask_type (turn 1): Agent asks for expense type
      ✓ call_create (turn 2)
      ✓ confirm (turn 3): Agent confirms submission
      ○ thanks (not reached, optional)
    ");
}

#[test]
fn conversations_say_who_spoke_and_who_judged() {
    let mut case = with_opinion(dynamic("T001", TestStatus::Passed));
    let simulated = case.turns[2].turn.simulated.as_mut().unwrap();
    simulated.goal_achieved = true;
    assert_snapshot!(rows(2, vec![case]), @r#"
    ► [T001] Expense Coverage (dynamic, 4 checkpoints)
      └─ FAILED (3 turns, 3 of 4 checkpoints, 8.5s)
      └─ agent tone-judge: expected an output that `tone-judge` accepts, got refused by 2 of 3: It is curt
         no verdict: the answer holds no JSON object
         demanded at tests/shop.jsonl:12:9 (test level)
      ✓ ask_type (turn 1): Agent asks for expense type
      ✓ call_create (turn 2)
      ✓ confirm (turn 3): Agent confirms submission
      ○ thanks (not reached, optional)
      Assertions: 0/1 passed
      turn 1 · user · 800ms · 2 events · first text after 300ms
        user
        │ Help me file an expense
        assistant
        │ What type?
      turn 2 · user · 1.2s · 2 events · first text after 300ms
        user (simulator)
        │ Client dinner, $250
        simulator: The agent needs an answer
        tool create_expense {"amount": 250} → ok (50ms)
        assistant
        │ Confirm?
      turn 3 · user · 1.2s · 2 events · first text after 300ms
        user (simulator)
        │ Yes
        simulator: goal achieved, The agent needs an answer
        assistant
        │ Submitted!
        judge tone-judge: refused by 2 of 3, The answer is polite
          refused: It is curt
          no verdict: the answer holds no JSON object
          refused: No greeting

    Failures:
      ✗ [T001] agent tone-judge: expected an output that `tone-judge` accepts, got refused by 2 of 3: It is curt

    Rerun: ananke run tests/shop.jsonl --run '^(T001)$'
    "#);
}

#[test]
fn judges_are_told_with_their_reasons() {
    let mut judged = with_opinion(case("T001", TestStatus::Passed, "What?"));
    judged.checks.remove(0);
    assert_snapshot!(rows(0, vec![judged]), @"
    ► [T001] Find shoes for Ada FAILED (1.2s)
      └─ agent tone-judge: expected an output that `tone-judge` accepts, got refused by 2 of 3: It is curt
         no verdict: the answer holds no JSON object
         demanded at tests/shop.jsonl:12:9 (test level)

    Failures:
      ✗ [T001] agent tone-judge: expected an output that `tone-judge` accepts, got refused by 2 of 3: It is curt

    Rerun: ananke run tests/shop.jsonl --run '^(T001)$'
    ");
}

#[test]
fn runs_of_a_dynamic_case_are_rows() {
    let runs = vec![dynamic("T001", TestStatus::Passed), dynamic_failed("T001")];
    assert_snapshot!(rows(0, vec![repeated(runs)]), @r#"
    ✗ [T001] 50% (1/2) Unstable avg:8.5s
      run 2 FAILED (8.5s)
      └─ missing checkpoints: confirm
      └─ checkpoint confirm (Agent confirms submission) was not reached
         output does not contain 'submitted'
         contains submitted: expected text containing "submitted", got "Here are hats."
         demanded at tests/shop.jsonl:12:9 (test level)
      First difference: turn 3: run 2 said "Really?" where run 1 said "Submitted!"
      Consistency: 0.5, true pass rate: 9.4% to 90.6% with 95% confidence

    Failures:
      ✗ [T001] missing checkpoints: confirm

    Rerun: ananke run tests/shop.jsonl --run '^(T001)$'
    "#);
}

#[test]
fn simulators_and_judges_cannot_forge_lines() {
    for verbose in 0..3 {
        for line in rows(verbose, vec![hostile_dynamic("h")]).lines() {
            let line = line.trim_start();
            assert!(!line.starts_with("::"), "{line}");
            assert!(!line.contains("##[") && !line.contains(char::is_control));
        }
    }
}
