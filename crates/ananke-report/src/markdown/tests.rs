use ananke_model::result::{Outcome, TestStatus};
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;

use crate::report::ReportFormat;
use crate::samples::{
    check, flaky, hostile, judged, passed, rendered, result, run, summary_mut, turn,
};

pub(super) fn markdown(events: &[RunEvent]) -> String {
    rendered(ReportFormat::Markdown, events)
}

#[test]
fn a_run_with_everything() {
    let mut unmet = check("tools.require", "search", Outcome::Failed);
    unmet.details = vec!["nearest: call 1, argument `q` is \"hat\"".to_owned()];
    let turns = vec![judged(turn("Refund", "I cannot"), vec![unmet])];
    let failed = result("b", TestStatus::Failed, turns);
    let mut skipped = result("c", TestStatus::Skipped, Vec::new());
    skipped.reason = Some("waits for #12".to_owned());
    let mut events = run(vec![passed("a"), failed, skipped, flaky("d")]);
    if let RunEvent::RunStarted(info) = &mut events[0] {
        info.facts = [("os", "linux"), ("args", "a|b")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
    }
    assert_snapshot!(markdown(&events), @r#"
    # Agent Test Report

    ❌ **1 of 4 tests failed**

    ## Summary

    | Metric | Value |
    | --- | --- |
    | Agent | `shop` |
    | Total | 4 |
    | Passed | 2 |
    | Failed | 1 |
    | Skipped | 1 |
    | Flaky | 1 |
    | Pass Rate | 66.7% |
    | Duration | 5.1s |

    ## Environment

    | Setting | Value |
    | --- | --- |
    | `args` | <code>a&#124;b</code> |
    | `os` | `linux` |

    ## Results

    ### ❌ `tests/b.test.yaml` - Failed (1.2s)

    `b works`

    `turn 1: tools.require search: expected at least 1 call of "search", got 0 of 2`

    <details>
    <summary>Why</summary>

    ```text
    └─ turn 1 · tools.require search: expected at least 1 call of "search", got 0 of 2
       nearest: call 1, argument `q` is "hat"
       demanded at tests/a.test.yaml:12:9 (turn level)
    ```

    </details>

    <details>
    <summary>Conversation</summary>

    ```text
    turn 1 · user · 1.2s · 2 events · first text after 300ms
      user
      │ Refund
      assistant
      │ I cannot
    ```

    </details>

    ### ✅ `tests/d.test.yaml` - Passed (flaky, attempt 2, 1.2s)

    `d works`

    <details>
    <summary>Attempt 1: failed</summary>

    ```text
    └─ turn 1 · text.must_match /shoes/: expected text matching /shoes/, got Here are hats.
       demanded at tests/a.test.yaml:12:9 (turn level)
    ```

    </details>

    <details>
    <summary>Conversation</summary>

    ```text
    turn 1 · user · 1.2s · 2 events · first text after 300ms
      user
      │ Find shoes
      assistant
      │ Here are shoes.
    ```

    </details>

    <details>
    <summary>1 test passed</summary>

    ### ✅ `tests/a.test.yaml` - Passed (1.2s)

    `a works`

    1 turn, 1 check

    </details>

    <details>
    <summary>1 test skipped</summary>

    ### ⏭️ `tests/c.test.yaml` - Skipped

    `c works`

    `waits for #12`

    </details>
    "#);
}

#[test]
fn verdicts_need_evidence() {
    let verdict = |events: &[RunEvent]| markdown(events).lines().nth(2).unwrap().to_owned();
    let skipped = || result("s", TestStatus::Skipped, Vec::new());
    let undecided = result("i", TestStatus::Inconclusive, Vec::new());
    let mut stopped = run(vec![passed("a"), passed("b")]);
    summary_mut(&mut stopped).interrupted = true;
    let mut cut = run(vec![passed("a"), passed("b")]);
    cut.truncate(3);
    let mut unfinished = run(vec![passed("a"), passed("b")]);
    unfinished.truncate(3);
    unfinished.extend(run(vec![passed("a")]).pop());
    let verdicts = [
        verdict(&run(Vec::new())),
        verdict(&run(vec![skipped()])),
        verdict(&run(vec![passed("a"), skipped()])),
        verdict(&run(vec![passed("a"), undecided])),
        verdict(&run(vec![passed("a"), flaky("b")])),
        verdict(&stopped),
        verdict(&cut),
        verdict(&unfinished),
    ];
    assert_snapshot!(verdicts.join("\n"), @"
    ⚠️ **No test was run**
    ⚠️ **No test was run**
    ✅ **All tests passed**
    ⚠️ **1 of 2 tests inconclusive**
    ✅ **All tests passed**, 1 of them flaky
    ⚠️ **Interrupted**: 2 of 2 tests finished, 0 failed
    ⚠️ **Interrupted**: 1 of 2 tests finished, 0 failed
    ⚠️ **1 of 2 tests not run**
    ");
}

/// Removes what is inert in every reader of Markdown: fenced blocks and code spans. What is left is ours.
pub(super) fn outside_of_code(markdown: &str) -> String {
    let mut left = String::new();
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        match &fence {
            Some(open) if line == open => fence = None,
            Some(_) => {}
            // A line that goes on with ticks is no fence but a span.
            None if line.starts_with("```") && !line.trim_start_matches('`').contains('`') => {
                let ticks = line.chars().take_while(|c| *c == '`').collect();
                fence = Some(ticks);
            }
            None => left.push_str(&without_spans(line)),
        }
        left.push('\n');
    }
    assert_eq!(fence, None, "a block is never closed");
    left
}

fn without_spans(line: &str) -> String {
    let mut left = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (before, from) = rest.split_at(at);
        left.push_str(before);
        let n_ticks = from.chars().take_while(|c| *c == '`').count();
        let (ticks, after) = from.split_at(n_ticks);
        let mut pieces = after;
        // The span ends at the next run of exactly as many ticks.
        loop {
            let at = pieces.find('`').expect("a code span is never closed");
            let (_, from) = pieces.split_at(at);
            let n = from.chars().take_while(|c| *c == '`').count();
            let (_, behind) = from.split_at(n);
            pieces = behind;
            if n == ticks.len() {
                break;
            }
        }
        rest = pieces;
    }
    left + rest
}

#[test]
fn hostile_text_is_never_markup() {
    let mut events = run(vec![hostile("h"), passed("a")]);
    if let RunEvent::RunStarted(info) = &mut events[0] {
        info.agents = vec![crate::samples::HOSTILE.to_owned()];
        info.bundle = Some(crate::samples::HOSTILE.to_owned());
        let hostile = || crate::samples::HOSTILE.to_owned();
        info.facts = [(hostile(), hostile())].into();
    }
    let text = markdown(&events);
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    let left = outside_of_code(&text);
    for word in [
        "<img",
        "<b>",
        "![",
        "](",
        "@ada",
        " #12",
        "-->",
        "# Heading",
        "::error",
    ] {
        assert!(!left.contains(word), "{word} in\n{left}");
    }
    // What is left has only the elements that we write.
    let elements: Vec<&str> = left
        .split('<')
        .skip(1)
        .filter_map(|from| from.split('>').next())
        .collect();
    let ours = [
        "details", "/details", "summary", "/summary", "code", "/code",
    ];
    assert!(
        elements.iter().all(|one| ours.contains(one)),
        "{elements:?}"
    );
}

#[test]
fn large_runs_are_cut_below_what_github_shows() {
    let mut long = hostile("x");
    long.turns = vec![long.turns[0].clone(); 10];
    let mut results = vec![long; 50];
    results.extend((0..2_500).map(|n| passed(&n.to_string())));
    let text = markdown(&run(results));
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
    let notes: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("left out"))
        .collect();
    assert_snapshot!(notes.join("\n"), @"
    **25 more tests left out**: GitHub shows no larger report. The HTML and JSON reports have them all.
    **574 more tests left out**: GitHub shows no larger report. The HTML and JSON reports have them all.
    ");
    assert!(text.trim_end().ends_with("</details>"));
}
