//! Two runs in, what is shown out.

use ananke_model::recording::EventLog;
use ananke_model::result::{JudgedTurn, Outcome, TestResult, TestStatus};
use insta::assert_snapshot;
use serde_json::json;

use super::{
    Comparison, Missing, Side, Verdict, compare, comparison_html, comparison_json,
    comparison_markdown, comparison_text,
};
use crate::report::ReportFormat;
use crate::samples::{call, check, judged, passed, plain, result, run, turn};

fn compared(a: Vec<TestResult>, b: Vec<TestResult>) -> Comparison {
    compare(
        &Side::from_results("before", a),
        &Side::from_results("after", b),
        Missing::Regression,
    )
}

fn shown(a: Vec<TestResult>, b: Vec<TestResult>) -> String {
    comparison_text(&compared(a, b), &plain(), true, false)
}

/// Returns the report of a run in a format, as text.
fn report(format: ReportFormat, results: Vec<TestResult>) -> String {
    let mut report = format.open();
    let mut bytes = Vec::new();
    for event in run(results) {
        bytes.extend(report.event(&event));
    }
    bytes.extend(report.finish());
    String::from_utf8(bytes).unwrap()
}

fn events(payloads: &[&str]) -> EventLog {
    let mut log = EventLog::default();
    for payload in payloads {
        log.push(payload.as_bytes(), 1_000);
    }
    log
}

/// Returns a test with one turn that called `search` and said `text`.
fn searched(id: &str, args: &str, found: &str, text: &str) -> TestResult {
    let mut turn = turn("Find shoes", text);
    turn.tool_calls = vec![call("search", args, Some(found))];
    turn.events = events(&[
        r#"{"type":"RUN_STARTED","threadId":"t-1","runId":"r-1"}"#,
        &json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m-1", "delta": text}).to_string(),
        r#"{"type":"RUN_FINISHED","threadId":"t-1","runId":"r-1"}"#,
    ]);
    result(id, TestStatus::Passed, vec![judged(turn, Vec::new())])
}

fn failed(mut result: TestResult) -> TestResult {
    result.status = TestStatus::Failed;
    result.checks = vec![check("tools.require", "search", Outcome::Failed)];
    result
}

fn first_turn(result: &mut TestResult) -> &mut JudgedTurn {
    &mut result.turns[0]
}

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

    Fixed (1): passes in B, not in A
      ✓ [tests/mended.test.yaml] mended works FAILED → PASSED
        no difference in tool calls, text, state and endings
        └─ in A: test: tools.require search: expected at least 1 call of "search", got 0 of 2

    New (1): in B only, or not run in A
      + [tests/fresh.test.yaml] fresh works not there → FAILED
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2

    Changed (1): came out alike, behaves otherwise
      ~ [tests/talk.test.yaml] talk works PASSED → PASSED
        differs: text
        text of turn 1
          │ Good [-day.-]{+morning.+}
        first differing event, in turn 1
          A event 1 │ {"delta":"Good day.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
          B event 1 │ {"delta":"Good morning.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}

    1 broken, 1 gone, 1 fixed, 1 new, 1 changed, 1 same
    regression: 1 test broken, 1 test gone
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
    A before: 3 tests, 2 passed, 3.7s
    B after: 3 tests, 1 passed, 3.7s

    Broken (1): passed in A, not in B
      ✗ [tests/a.test.yaml] a works 2 of 3 passed → 1 of 3 passed
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

#[test]
fn reports_are_read_back() {
    let results = || {
        vec![
            searched("cart", r#"{"q":"mug"}"#, "3", "Found 3 mugs."),
            failed(passed("b")),
        ]
    };
    let bundle = Side::from_results("bundle", results());
    for format in [ReportFormat::Json, ReportFormat::Jsonl] {
        let side = Side::from_report("report", &report(format, results())).unwrap();
        let comparison = compare(&bundle, &side, Missing::Regression);
        assert_eq!(comparison.verdict, Verdict::NoDifference, "{comparison:#?}");
        assert_eq!(comparison.tests[0].timing, []);
    }
    let mut other = results();
    first_turn(&mut other[0]).turn.text = "Found 4 mugs.".to_owned();
    let side = Side::from_report("report.json", &report(ReportFormat::Json, other)).unwrap();
    assert_snapshot!(comparison_text(&compare(&bundle, &side, Missing::Regression), &plain(), true, false), @"
    A bundle: 2 tests, 1 passed, 2.4s
    B report.json: 2 tests, 1 passed, 2.4s
    ⚠ JSON reports hold no raw events: which event differs first is only known where both sides are bundles

    Changed (1): came out alike, behaves otherwise
      ~ [tests/cart.test.yaml] cart works PASSED → PASSED
        differs: text
        text of turn 1
          │ Found [-3-]{+4+} mugs.

    1 changed, 1 same (1 passed in neither)
    no regression
    ");
}

#[test]
fn what_is_no_report_is_refused_with_a_reason() {
    let cases = [
        "",
        "hello",
        "[1]",
        "{}",
        r#"{"schema":"ananke.report/2","results":[]}"#,
        r#"{"schema":"ananke.report/1","error":{"message":"1 error in 1 file"},"results":[]}"#,
        r#"{"results":[{"id":"a","status":"great"}]}"#,
        "{\"type\":\"start\"}\nnot JSON\n{\"type\":\"summary\"}\n",
        "{\"a\":1}\n{\"b\":2}\n",
    ];
    let refused = cases.map(|text| match Side::from_report("x", text) {
        Ok(side) => panic!("{text} was read as {side:?}"),
        Err(error) => error.to_string(),
    });
    assert_snapshot!(refused.join("\n"), @"
    it is empty
    it is not JSON: expected value at line 1 column 1
    it is JSON, but no report of ananke: it has no `results`
    it is JSON, but no report of ananke: it has no `results`
    its `schema` is `ananke.report/2`, expected `ananke.report/1`
    it holds no results because nothing was run: 1 error in 1 file
    result 1 is not a result of ananke: unknown variant `great`, expected one of `passed`, `failed`, `error`, `timeout`, `skipped`, `inconclusive`
    line 2 is not JSON: expected ident at line 1 column 2
    it is JSON Lines, but no report of ananke: no line has the type `start` or `result`
    ");
}

#[test]
fn a_report_that_was_cut_off_says_so() {
    let whole = report(ReportFormat::Jsonl, vec![passed("a"), passed("b")]);
    let lines: Vec<&str> = whole.lines().take(2).collect();
    let cut = format!("{}\n{{\"type\":\"resu", lines.join("\n"));
    let side = Side::from_report("cut", &cut).unwrap();
    let comparison = compare(
        &Side::from_results("x", vec![passed("a")]),
        &side,
        Missing::Regression,
    );
    assert_eq!(
        comparison.notes,
        ["B: the report ends before its summary: the run was cut off"]
    );
}

/// Two runs whose every foreign text is hostile.
fn hostile() -> Comparison {
    let text = "```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J##[group] |";
    let test = |said: &str, status: TestStatus| {
        let mut result = searched(said, "{}", "1", &format!("{text} {said}"));
        result.id.0 = text.to_owned();
        result.name = text.to_owned();
        result.reason = Some(text.to_owned());
        result.status = status;
        result
    };
    compared(
        vec![test("old", TestStatus::Passed)],
        vec![test("new", TestStatus::Error)],
    )
}

#[test]
fn hostile_text_stays_text() {
    let comparison = hostile();
    let text = comparison_text(&comparison, &plain(), true, false);
    assert!(!text.contains('\u{1b}') && !text.contains("##["), "{text}");
    assert!(
        !text.lines().any(|line| line.trim_start().starts_with("::")),
        "{text}"
    );
    let html = comparison_html(&comparison);
    assert!(!html.contains("<img") && !html.contains('\u{1b}'), "{html}");
    assert!(html.contains("default-src &#39;none&#39;"), "{html}");
    assert!(!comparison_json(&comparison).contains("##["));
    assert_snapshot!(comparison_markdown(&comparison), @r#"
    ## ❌ Agent tests: regression: 1 test broken

    | | A | B |
    |---|---|---|
    | Run | `before` | `after` |
    | Tests | 1 | 1 |
    | Passed | 1 | 0 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |
    | Time of all tests | 1.2s | 1.2s |

    1 broken

    ### Broken (1)

    passed in A, not in B

    - ```` ```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J\u{23}#[group] | ```` ```` ```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J\u{23}#[group] | ````: PASSED → ERROR

      ````text
      differs: text
      └─ ```\n<img src=x onerror=alert(1)>\n::error::\u{1b}[2J\u{23}#[group] |
      text of turn 1
        │ …rror=alert(1)>
        │ ::error::\u{1b}[2J\u{23}#[group] | [-old-]{+new+}
      first differing event, in turn 1
        A event 1 │ {"delta":"```\n<img src=x onerror=alert(1)>\n::error::\u001b[2J\u{23}#[group] | old","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
        B event 1 │ {"delta":"```\n<img src=x onerror=alert(1)>\n::error::\u001b[2J\u{23}#[group] | new","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
      ````
    "#);
}

#[test]
fn markdown_is_a_comment_for_a_pull_request() {
    let a = vec![
        searched("cart", "{}", "1", "Found 3 mugs."),
        searched("talk", "{}", "1", "Good day."),
        passed("old"),
    ];
    let b = vec![
        failed(searched("cart", "{}", "1", "Found none.")),
        searched("talk", "{}", "1", "Hi."),
    ];
    assert_snapshot!(comparison_markdown(&compared(a, b)), @r#"
    ## ❌ Agent tests: regression: 1 test broken, 1 test gone

    | | A | B |
    |---|---|---|
    | Run | `before` | `after` |
    | Tests | 3 | 2 |
    | Passed | 3 | 1 |
    | Skipped | 0 | 0 |
    | Flaky | 0 | 0 |
    | Time of all tests | 3.7s | 2.4s |

    1 broken, 1 gone, 1 changed

    ### Broken (1)

    passed in A, not in B

    - `tests/cart.test.yaml` `cart works`: PASSED → FAILED

      ```text
      differs: text
      └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2
      text of turn 1
        │ Found [-3 mugs.-]{+none.+}
      first differing event, in turn 1
        A event 1 │ {"delta":"Found 3 mugs.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
        B event 1 │ {"delta":"Found none.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
      ```


    ### Gone (1)

    in A only, or not run in B

    - `tests/old.test.yaml` `old works`: PASSED → not there

    <details>
    <summary>Changed (1): came out alike, behaves otherwise</summary>

    - `tests/talk.test.yaml` `talk works`: PASSED → PASSED

      ```text
      differs: text
      text of turn 1
        │ [-Good day.-]{+Hi.+}
      first differing event, in turn 1
        A event 1 │ {"delta":"Good day.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
        B event 1 │ {"delta":"Hi.","messageId":"<id-3>","type":"TEXT_MESSAGE_CONTENT"}
      ```

    </details>
    "#);
    let many = |text: &str| -> Vec<TestResult> {
        (0..2_000)
            .map(|n| {
                searched(
                    &n.to_string(),
                    "{}",
                    "1",
                    &format!("{text} {}", "word ".repeat(20)),
                )
            })
            .collect()
    };
    let large = comparison_markdown(&compared(many("old"), many("new")));
    assert!(
        large.len() < 65_000 && large.contains("more tests left out"),
        "{}",
        large.len()
    );
}

#[test]
fn json_says_everything() {
    let a = vec![searched("cart", r#"{"n":1}"#, "1", "Found 3 mugs.")];
    let b = vec![failed(searched("cart", r#"{"n":2}"#, "1", "Found 2 mugs."))];
    assert_snapshot!(comparison_json(&compared(a, b)), @r#"
    {
      "schema": "ananke.compare/1",
      "verdict": "regression",
      "missing": "regression",
      "counts": {
        "broken": 1,
        "gone": 0,
        "fixed": 0,
        "new": 0,
        "changed": 0,
        "same": 0,
        "still_failing": 0
      },
      "a": {
        "label": "before",
        "total": 1,
        "passed": 1,
        "skipped": 0,
        "flaky": 0,
        "duration_ms": 1234.567
      },
      "b": {
        "label": "after",
        "total": 1,
        "passed": 0,
        "skipped": 0,
        "flaky": 0,
        "duration_ms": 1234.567
      },
      "notes": [],
      "tests": [
        {
          "id": "tests/cart.test.yaml",
          "name": "cart works",
          "change": "broken",
          "aspects": [
            "tool_calls",
            "text"
          ],
          "a": {
            "status": "passed",
            "runs": 1,
            "passed": 1,
            "flaky": false,
            "duration_ms": 1234.567
          },
          "b": {
            "status": "failed",
            "runs": 1,
            "passed": 0,
            "flaky": false,
            "reason": "test: tools.require search: expected at least 1 call of \"search\", got 0 of 2",
            "duration_ms": 1234.567
          },
          "details": {
            "calls": [
              {
                "turn": 1,
                "kind": "args",
                "name": "search",
                "values": [
                  {
                    "path": "n",
                    "a": "1",
                    "b": "2"
                  }
                ]
              }
            ],
            "texts": [
              {
                "turn": 1,
                "pieces": [
                  {
                    "kind": "same",
                    "text": "Found "
                  },
                  {
                    "kind": "removed",
                    "text": "3"
                  },
                  {
                    "kind": "added",
                    "text": "2"
                  },
                  {
                    "kind": "same",
                    "text": " mugs."
                  }
                ]
              }
            ],
            "first_event": {
              "turn": 1,
              "event_a": 1,
              "event_b": 1,
              "a": "{\"delta\":\"Found 3 mugs.\",\"messageId\":\"<id-3>\",\"type\":\"TEXT_MESSAGE_CONTENT\"}",
              "b": "{\"delta\":\"Found 2 mugs.\",\"messageId\":\"<id-3>\",\"type\":\"TEXT_MESSAGE_CONTENT\"}"
            }
          }
        }
      ]
    }
    "#);
}

#[test]
fn quiet_shows_what_makes_a_regression() {
    let a = vec![passed("a"), passed("b"), searched("c", "{}", "1", "x")];
    let b = vec![
        failed(passed("a")),
        searched("c", "{}", "1", "y"),
        passed("d"),
    ];
    assert_snapshot!(comparison_text(&compared(a, b), &plain(), false, true), @r#"
    Broken (1): passed in A, not in B
      ✗ [tests/a.test.yaml] a works PASSED → FAILED
        no difference in tool calls, text, state and endings
        └─ test: tools.require search: expected at least 1 call of "search", got 0 of 2

    Gone (1): in A only, or not run in B
      - [tests/b.test.yaml] b works PASSED → not there

    regression: 1 test broken, 1 test gone
    "#);
}
