//! How tests changed, and what that comes to.

use ananke_model::check::Level;
use ananke_model::recording::TroubleKind;
use ananke_model::result::{Outcome, TestResult, TestStatus};
use insta::assert_snapshot;
use serde_json::json;

use super::super::{Missing, Side, Verdict, compare};
use super::{compared, events, failed, first_turn, searched, shown};
use crate::samples::{check, judged, passed, turn};

#[test]
fn the_same_run_twice_has_no_difference() {
    let results = || vec![passed("a"), failed(passed("b"))];
    assert_snapshot!(shown(results(), results()), @"
    A before: 2 tests, 1 passed, 2.4s
    B after: 2 tests, 1 passed, 2.4s

    2 same (1 passed in neither)
    no difference
    ");
}

#[test]
fn every_kind_of_change_is_named() {
    let a = vec![
        searched(
            "cart",
            r#"{"q":"mug","limit":10}"#,
            r#"{"hits":3}"#,
            "Found 3 mugs.",
        ),
        failed(passed("mended")),
        passed("removed"),
        searched("talk", "{}", "1", "Good day."),
        passed("same"),
    ];
    let b = vec![
        failed(searched(
            "cart",
            r#"{"q":"mug","limit":5}"#,
            r#"{"hits":2}"#,
            "Found 2 mugs.",
        )),
        passed("mended"),
        searched("talk", "{}", "1", "Good morning."),
        passed("same"),
        failed(passed("fresh")),
    ];
    assert_snapshot!(shown(a, b), @r#"
    A before: 5 tests, 4 passed, 6.1s
    B after: 5 tests, 3 passed, 6.1s

    Broken (1): passed in A, not in B
      ✗ [tests/cart.test.yaml] cart works PASSED → FAILED
        differs: tool calls, text
        first difference in turn 1, tool call 1 `search`, arguments, limit: 10 → 5
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2
        tool calls
          ~ turn 1, arguments: search: limit: 10 → 5
          ~ turn 1, result: search: hits: 3 → 2
        text of turn 1
          │ Found [-3-]{+2+} mugs.
        first differing event, in turn 1
          A event 1 │ {"delta":"Found 3 mugs.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
          B event 1 │ {"delta":"Found 2 mugs.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}

    Gone (1): in A only, or not run in B
      - [tests/removed.test.yaml] removed works PASSED → not there

    New, not passing (1): in B only, or not run in A
      ✗ [tests/fresh.test.yaml] fresh works not there → FAILED
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2

    Fixed (1): passes in B, not in A
      ✓ [tests/mended.test.yaml] mended works FAILED → PASSED
        no difference in tool calls, text, state and endings
        └─ in A: test: tools.require search: expected at least 1 call of "search", got 0 of 2

    Changed (1): came out alike, behaves otherwise
      ~ [tests/talk.test.yaml] talk works PASSED → PASSED
        differs: text
        first difference in turn 1, text: "Good day." → "Good morning."
        text of turn 1
          │ Good [-day.-]{+morning.+}
        first differing event, in turn 1
          A event 1 │ {"delta":"Good day.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
          B event 1 │ {"delta":"Good morning.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}

    1 broken, 1 gone, 1 fixed, 1 new, 1 changed, 1 same
    regression: 1 test broken, 1 test gone; 1 new test does not pass
    "#);
}

#[test]
fn ids_times_and_chunks_are_no_difference() {
    let test = |id: &str, at: &str, deltas: &[&str]| {
        let args = format!(r#"{{"cart":"{id}","at":"{at}"}}"#);
        let mut result = searched(
            "a",
            &args,
            &format!(r#"{{"order":"{id}"}}"#),
            &deltas.concat(),
        );
        let mut payloads = vec![format!(
            r#"{{"type":"RUN_STARTED","runId":"{id}","timestamp":{}}}"#,
            id.len()
        )];
        payloads.extend(deltas.iter().map(|delta| {
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta}).to_string()
        }));
        payloads.push(format!(r#"{{"type":"RUN_FINISHED","runId":"{id}"}}"#));
        let payloads: Vec<&str> = payloads.iter().map(String::as_str).collect();
        let turn = &mut first_turn(&mut result).turn;
        turn.tool_calls[0].id = id.to_owned();
        turn.events = events(&payloads);
        result
    };
    let a = test(
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "2026-11-15T11:53:53Z",
        &["Hel", "lo ", "you"],
    );
    let b = test(
        "7f3a2b1c-0000-4000-8000-00a0c91e6bf6",
        "2026-11-16T08:00:00Z",
        &["Hello", " you"],
    );
    assert_eq!(
        compared(vec![a.clone()], vec![b]).verdict,
        Verdict::NoDifference
    );
    // The id that a tool gave is used again: another one would be a difference.
    let mut other = a.clone();
    first_turn(&mut other).turn.tool_calls[0].args_text =
        r#"{"cart":"7f3a2b1c-0000-4000-8000-00a0c91e6bf6","at":"x"}"#.to_owned();
    assert_eq!(compared(vec![a], vec![other]).counts.changed, 1);
}

#[test]
fn the_first_differing_event_is_shown() {
    let test = |extra: &str| {
        let mut result = passed("a");
        let payloads = [
            r#"{"type":"RUN_STARTED","runId":"1"}"#,
            extra,
            r#"{"type":"RUN_FINISHED","runId":"1"}"#,
        ];
        first_turn(&mut result).turn.events = events(&payloads);
        result
    };
    let a = test(r#"{"type":"STATE_SNAPSHOT","snapshot":{"step":1}}"#);
    assert_snapshot!(shown(vec![a.clone()], vec![test("not JSON \u{1b}[2J")]), @r#"
    A before: 1 test, 1 passed, 1.2s
    B after: 1 test, 1 passed, 1.2s

    Changed (1): came out alike, behaves otherwise
      ~ [tests/a.test.yaml] a works PASSED → PASSED
        differs: events
        first differing event, in turn 1
          A event 1 │ {"snapshot":{"step":1},"type":"STATE_SNAPSHOT"}
          B event 1 │ "not JSON \u001b[2J"

    1 changed
    no regression
    "#);
    let mut short = passed("a");
    first_turn(&mut short).turn.events = events(&[r#"{"type":"RUN_STARTED","runId":"2"}"#]);
    assert_snapshot!(shown(vec![a], vec![short]), @r#"
    A before: 1 test, 1 passed, 1.2s
    B after: 1 test, 1 passed, 1.2s

    Changed (1): came out alike, behaves otherwise
      ~ [tests/a.test.yaml] a works PASSED → PASSED
        differs: events
        first differing event, in turn 1
          A event 1 │ {"snapshot":{"step":1},"type":"STATE_SNAPSHOT"}
          B no more events

    1 changed
    no regression
    "#);
}

#[test]
fn states_endings_and_turns_are_compared() {
    let mut a = passed("a");
    first_turn(&mut a).turn.state = json!({"cart": {"items": 1}, "user": "Ann"});
    let mut b = a.clone();
    first_turn(&mut b).turn.state = json!({"user": "Ann", "cart": {"items": 2}});
    first_turn(&mut b).turn.interrupts = vec![json!({"id": "i", "reason": "pay?"})];
    let second = judged(turn("And now?", "Nothing."), Vec::new());
    b.turns.push(second);
    assert_snapshot!(shown(vec![a], vec![b]), @r#"
    A before: 1 test, 1 passed, 1.2s
    B after: 1 test, 1 passed, 1.2s

    Changed (1): came out alike, behaves otherwise
      ~ [tests/a.test.yaml] a works PASSED → PASSED
        differs: number of turns, state, ending of a turn
        first difference in turn 1, state, cart.items: 1 → 2
        text of turn 2
          │ {+Nothing.+}
        state
          ~ turn 1, cart.items: 1 → 2
        conversation
          ~ turn 1, ending: "finished" → {"ending":"finished","interrupts":[{"id":"i","reason":"pay?"}]}
          ~ turn 2, user: "" → "And now?"
          ~ turn 2, ending: null → "finished"
        first differing event, in turn 2
          A no more events
          B event 0 │ {}

    1 changed
    no regression
    "#);
}

#[test]
fn what_still_fails_may_fail_for_another_reason() {
    let a = failed(passed("a"));
    let mut b = passed("a");
    b.status = TestStatus::Timeout;
    b.reason = Some("no answer within 5 s".to_owned());
    assert_snapshot!(shown(vec![a], vec![b]), @r#"
    A before: 1 test, 0 passed, 1.2s
    B after: 1 test, 0 passed, 1.2s

    Changed (1): came out alike, behaves otherwise
      ~ [tests/a.test.yaml] a works FAILED → TIMEOUT
        differs: status
        └─ in A: test: tools.require search: expected at least 1 call of "search", got 0 of 2
        └─ in B: no answer within 5 s

    1 changed (1 passed in neither)
    no regression
    "#);
}

#[test]
fn skipped_tests_give_no_evidence() {
    let mut skipped = passed("a");
    skipped.status = TestStatus::Skipped;
    skipped.reason = Some("waits for the cart".to_owned());
    skipped.turns.clear();
    let gone = compared(vec![passed("a")], vec![skipped.clone()]);
    assert_eq!((gone.counts.gone, gone.verdict), (1, Verdict::Regression));
    let new = compared(vec![skipped.clone()], vec![passed("a")]);
    assert_eq!((new.counts.new, new.verdict), (1, Verdict::NoRegression));
    let both = compared(vec![skipped.clone()], vec![skipped]);
    assert_eq!(both.verdict, Verdict::NoDifference);
}

#[test]
fn tests_that_are_gone_can_be_allowed() {
    let side = |results: Vec<TestResult>| Side::from_results("x", results);
    let (a, b) = (
        side(vec![passed("a"), passed("b")]),
        side(vec![passed("a")]),
    );
    assert_eq!(
        compare(&a, &b, Missing::Regression).verdict,
        Verdict::Regression
    );
    assert_eq!(
        compare(&a, &b, Missing::Allowed).verdict,
        Verdict::NoRegression
    );
    let other = side(vec![passed("c")]);
    assert_eq!(
        compare(&a, &other, Missing::Allowed).verdict,
        Verdict::NothingInCommon
    );
    assert_eq!(
        compare(&side(Vec::new()), &other, Missing::Regression).verdict,
        Verdict::NothingInCommon
    );
}

#[test]
fn several_results_are_compared_by_how_many_passed() {
    let good = || passed("a");
    let bad = || failed(passed("a"));
    assert_snapshot!(shown(vec![good(), good(), bad()], vec![good(), bad(), bad()]), @r#"
    A before: 3 results of 1 test, 2 passed, 3.7s
    B after: 3 results of 1 test, 1 passed, 3.7s

    Broken (1): passed in A, not in B
      ✗ [tests/a.test.yaml] a works 2 of 3 passed, Unstable → 1 of 3 passed, Highly Unstable
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2

    1 broken
    regression: 1 test broken
    "#);
    let same = compared(vec![good(), bad()], vec![good(), bad(), bad(), good()]);
    assert_eq!(same.verdict, Verdict::NoDifference);
}

#[test]
fn flakiness_and_times_are_told_but_break_nothing() {
    let a = passed("a");
    let mut b = passed("a");
    b.flaky = true;
    b.duration_us = 4_000_000;
    first_turn(&mut b).turn.timing.first_text_us = Some(100_000);
    assert_snapshot!(shown(vec![a], vec![b]), @"
    A before: 1 test, 1 passed, 1.2s
    B after: 1 test, 1 passed, 4.0s

    Changed (1): came out alike, behaves otherwise
      ~ [tests/a.test.yaml] a works PASSED → PASSED (flaky)
        differs: flakiness

    Slower or faster by more than 20 % and 50 ms
      [tests/a.test.yaml] test: 1.2s → 4.0s (+224 %)
      [tests/a.test.yaml] first text of turn 1: 300ms → 100ms (-66 %)

    1 changed
    flaky: 0 → 1
    no regression
    ");
}

/// Returns a test that took too long by `ms`.
fn slow(ms: u64) -> TestResult {
    let mut unmet = check("timing.max_duration_ms", "500", Outcome::Failed);
    unmet.expected = "at most 500 ms".to_owned();
    unmet.actual = format!("{ms} ms");
    let mut result = passed("a");
    result.status = TestStatus::Failed;
    result.checks = vec![unmet];
    result
}

#[test]
fn a_check_that_failed_by_other_numbers_is_the_same_reason() {
    let comparison = compared(vec![slow(512)], vec![slow(547)]);
    assert_eq!(comparison.verdict, Verdict::NoDifference, "{comparison:#?}");
    // So is a turn that came further before the same limit.
    let broken = |events: usize| {
        let message = format!("timeout after 150ms (timeout_ms): {events} events came before");
        let turn = crate::samples::broken(TroubleKind::Timeout, &message, "Half");
        let mut result = passed("a");
        result.status = TestStatus::Timeout;
        result.turns = vec![judged(turn, Vec::new())];
        result
    };
    let comparison = compared(vec![broken(5)], vec![broken(7)]);
    assert_eq!(comparison.verdict, Verdict::NoDifference, "{comparison:#?}");
}

#[test]
fn another_check_is_another_reason() {
    let mut two = slow(547);
    two.checks
        .push(check("tools.forbid", "delete", Outcome::Failed));
    assert_snapshot!(shown(vec![slow(512)], vec![two]), @"
    A before: 1 test, 0 passed, 1.2s
    B after: 1 test, 0 passed, 1.2s

    Changed (1): came out alike, behaves otherwise
      ~ [tests/a.test.yaml] a works FAILED → FAILED
        differs: reason
        └─ in A: test: timing.max_duration_ms 500: expected at most 500 ms, got 512 ms
        └─ in B: test: timing.max_duration_ms 500: expected at most 500 ms, got 547 ms (+1 more)

    1 changed (1 passed in neither)
    no regression
    ");
    let mut level = slow(512);
    level.checks[0].origin.level = Level::Target;
    assert_eq!(compared(vec![slow(512)], vec![level]).counts.changed, 1);
    let mut elsewhere = slow(512);
    elsewhere.checks[0].origin.place.line += 1;
    let moved = compared(vec![slow(512)], vec![elsewhere]);
    assert_eq!(moved.verdict, Verdict::NoDifference);
}

#[test]
fn new_tests_that_do_not_pass_are_told_apart() {
    let a = vec![passed("a")];
    let b = vec![passed("a"), passed("fine"), failed(passed("fresh"))];
    assert_snapshot!(shown(a, b), @r#"
    A before: 1 test, 1 passed, 1.2s
    B after: 3 tests, 2 passed, 3.7s

    New, not passing (1): in B only, or not run in A
      ✗ [tests/fresh.test.yaml] fresh works not there → FAILED
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2

    New (1): in B only, or not run in A
      + [tests/fine.test.yaml] fine works not there → PASSED

    2 new, 1 same
    no regression, but 1 new test does not pass
    "#);
}

#[test]
fn a_side_that_is_incomplete_decides_nothing() {
    let verdict = |a: Vec<TestResult>, b: Vec<TestResult>, cut: [bool; 2], missing: Missing| {
        let mut sides = [Side::from_results("a", a), Side::from_results("b", b)];
        for (side, _) in sides.iter_mut().zip(cut).filter(|(_, is_cut)| *is_cut) {
            side.set_incomplete("the run was interrupted");
        }
        let comparison = compare(&sides[0], &sides[1], missing);
        let words = super::super::words::verdict(&comparison);
        format!("{:?}: {words}", comparison.verdict)
    };
    let (one, two) = (|| vec![passed("a")], || vec![passed("a"), passed("b")]);
    let bad = || vec![failed(passed("a"))];
    let verdicts = [
        verdict(one(), one(), [false, true], Missing::Regression),
        verdict(one(), two(), [true, true], Missing::Regression),
        verdict(two(), one(), [false, true], Missing::Regression),
        verdict(two(), one(), [false, true], Missing::Allowed),
        verdict(one(), bad(), [true, false], Missing::Regression),
        verdict(Vec::new(), bad(), [true, false], Missing::Regression),
    ];
    assert_snapshot!(verdicts.join("\n"), @"
    Inconclusive: inconclusive: no regression in what was compared, but B is incomplete
    Inconclusive: inconclusive: no regression in what was compared, but A and B are incomplete
    Regression: regression: 1 test gone; B is incomplete
    Inconclusive: inconclusive: no regression in what was compared, but B is incomplete
    Regression: regression: 1 test broken; A is incomplete
    NothingInCommon: nothing was compared: no test is in both; 1 new test does not pass, and A is incomplete
    ");
}

#[test]
fn cases_are_shown_by_their_own_id() {
    let good = || crate::samples::case("T001", TestStatus::Passed, "Here are shoes.");
    let bad = || crate::samples::case("T001", TestStatus::Failed, "Here are hats.");
    assert_snapshot!(shown(vec![good()], vec![bad()]), @r#"
    A before: 1 test, 1 passed, 1.2s
    B after: 1 test, 0 passed, 1.2s

    Broken (1): passed in A, not in B
      ✗ [T001 in tests/shop.jsonl] PASSED → FAILED
        differs: text
        first difference in turn 1, text: "Here are shoes." → "Here are hats."
        └─ output does not contain 'shoes'
        text of turn 1
          │ Here are [-shoes.-]{+hats.+}

    1 broken
    regression: 1 test broken
    "#);
    // The same id in another file is another case.
    let mut other = good();
    other.id = ananke_model::plan::TestId("tests/other.jsonl#T001".to_owned());
    other.file = "tests/other.jsonl".to_owned();
    assert_eq!(
        compared(vec![good()], vec![other]).verdict,
        Verdict::Regression
    );
}
