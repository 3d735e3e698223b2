//! Snapshots as text: what is stored, what is renamed, what a difference looks like, and what updates write.

use std::sync::Arc;

use ananke_model::check::{Check, Snapshot, SnapshotPart, SnapshotUpdate};
use ananke_model::recording::Turn;
use ananke_model::result::CheckResult;
use insta::assert_snapshot;
use serde_json::json;

use super::content;
use crate::evidence::Evidence;
use crate::testing::{block, judge_test, judge_turn, text, turns, variables};

const ALL: [SnapshotPart; 3] = [SnapshotPart::Text, SnapshotPart::Tools, SnapshotPart::State];

fn check(stored: Option<&str>, update: SnapshotUpdate) -> Check {
    Check::Snapshot(Snapshot {
        name: text("greeting"),
        of: vec![SnapshotPart::Text, SnapshotPart::Tools],
        path: "tests/__snapshots__/a.greeting.snap".to_owned(),
        stored: stored.map(str::to_owned),
        update,
    })
}

fn compared(stored: Option<&str>, turn: &str) -> String {
    judge_turn(check(stored, SnapshotUpdate::None), turn)
}

/// Returns whether it passed, and what is written.
fn updated(stored: Option<&str>, update: SnapshotUpdate) -> String {
    let block = crate::compile(&block([check(stored, update)]), &variables()).unwrap();
    let result: CheckResult = block.judge_turn(&turns("say Hello")[0]).remove(0);
    match result.snapshot {
        Some(write) => format!("{:?}: {}\n{}", result.outcome, write.path, write.content),
        None => format!("{:?}: {}", result.outcome, result.actual),
    }
}

fn written(source: &str) -> String {
    content(&ALL, &Evidence::of_test(&turns(source)))
}

#[test]
fn text_calls_and_state_are_readable() {
    let source = r#"
        say Here you are.
        search({"query":"shoes","limit":3,"amount":1.10}) -> {"status":"ok"}
        search({"query":"boots"})
        broken({"query) -> two words
        turn
        say ## tools
    "#;
    let mut turns = turns(source);
    turns[0].tool_calls[1].error = Some("out of stock".to_owned());
    turns[1].state = json!({"z": [], "a": {"n": 1.5, "empty": {}}, "list": [1, "x"]});
    assert_snapshot!(content(&ALL, &Evidence::of_test(&turns)), @r#"
    # ananke snapshot 1

    ## text
    Here you are.
    ## tools

    ## tools
    search {"amount":1.10,"limit":3,"query":"shoes"}
      -> {"status":"ok"}
    search {"query":"boots"}
      -> error: out of stock
    broken {"query
      -> two words

    ## state
    {
      "a": {
        "empty": {},
        "n": 1.5
      },
      "list": [
        1,
        "x"
      ],
      "z": []
    }
    "#);
}

#[test]
fn long_values_are_laid_out_and_numbers_kept() {
    let long = "x".repeat(80);
    let call =
        format!(r#"f({{"b":12345678901234567890123,"a":"{long}","c":[{{}},1e3]}}) -> [true]"#);
    assert_snapshot!(written(&call), @r#"
    # ananke snapshot 1

    ## text

    ## tools
    f {
        "a": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "b": 12345678901234567890123,
        "c": [
          {},
          1e3
        ]
      }
      -> [true]

    ## state
    null
    "#);
}

#[test]
fn nothing_seen_is_something_too() {
    assert_snapshot!(written(""), @"
    # ananke snapshot 1

    ## text

    ## tools
    (none)

    ## state
    null
    ");
}

#[test]
fn line_ends_and_harmful_signs_are_made_harmless() {
    let mut turns = turns("");
    turns[0].text = "one\r\ntwo\rthree \u{1b}[2J \u{202e}evil\n\n".to_owned();
    let content = content(&[SnapshotPart::Text], &Evidence::of_test(&turns));
    assert_snapshot!(content, @r"
    # ananke snapshot 1

    ## text
    one
    two
    three \u{1b}[2J \u{202e}evil
    ");
}

#[test]
fn generated_ids_are_renamed_in_order_of_appearance() {
    let source = r#"
        say Order 7F3A2B1C-0000-4000-8000-000000000001 and order-7f3a2b1c-0000-4000-8000-000000000001, call call_abc9. Not 7f3a2b1c-0000.
        #call_abc9 pay({"thread":"thread.9f:1","message":"msg-12345","id":"x7f3a2b1c-0000-4000-8000-000000000001"}) -> call_abc9 was 11111111-2222-4333-8444-555555555555
        #c2 look({"n":"c2","time":"12:30"}) -> call_abc99
    "#;
    let mut turns = turns(source);
    turns[0].requests = vec![json!({"body": {"threadId": "thread.9f:1", "runId": "17"}})];
    turns[0].messages = vec![Arc::new(json!({"id": "msg-12345", "content": "x"}))];
    assert_snapshot!(content(&[SnapshotPart::Text, SnapshotPart::Tools], &Evidence::of_test(&turns)), @r#"
    # ananke snapshot 1

    ## text
    Order id-1 and order-id-1, call id-2. Not 7f3a2b1c-0000.

    ## tools
    pay {"id":"x7f3a2b1c-0000-4000-8000-000000000001","message":"id-3","thread":"id-4"}
      -> id-2 was id-5
    look {"n":"c2","time":"12:30"}
      -> call_abc99
    "#);
}

#[test]
fn the_same_passes_whatever_the_line_ends() {
    let turn = "say Hello\nsearch({}) -> ok";
    let block = crate::compile(&block([check(None, SnapshotUpdate::All)]), &variables()).unwrap();
    let result = block.judge_turn(&turns(turn)[0]).remove(0);
    let stored = result.snapshot.unwrap().content;
    assert_snapshot!(compared(Some(&stored), turn), @"
    Passed snapshot greeting
    expected the same as `tests/__snapshots__/a.greeting.snap`
    actual the same
    ");
    let crlf = format!("\u{FEFF}{}", stored.replace('\n', "\r\n"));
    assert!(compared(Some(&crlf), turn).starts_with("Passed"));
}

#[test]
fn a_difference_is_shown() {
    let stored =
        "# ananke snapshot 1\n\n## text\nHello\nsame\n\n## tools\nsearch {\"q\":1}\n  -> ok\n";
    let mut source = turns("search({\"q\":2}) -> ok")[0].clone();
    source.text = "Hi\nsame".to_owned();
    let compiled = crate::compile(
        &block([check(Some(stored), SnapshotUpdate::None)]),
        &variables(),
    );
    let result = compiled.unwrap().judge_turn(&source).remove(0);
    assert_snapshot!(format!("{}\n{}", result.actual, result.details.join("\n")), @r#"
    2 lines changed
      ## text
    - Hello
    + Hi
      same
      ⋮
      ## tools
    - search {"q":1}
    + search {"q":2}
        -> ok
    `ananke run --update-snapshots=changed` takes over what was seen (+)
    "#);
}

#[test]
fn a_long_difference_is_cut() {
    let lines =
        |word: &str, n: usize| -> String { (0..n).map(|i| format!("{word} {i}\n")).collect() };
    let shown = |n_stored: usize, n_seen: usize| {
        let difference = super::difference(&lines("old", n_stored), &lines("new", n_seen));
        let last = difference.lines.last().cloned().unwrap_or_default();
        format!(
            "{}: {} lines, {last}",
            difference.summary,
            difference.lines.len()
        )
    };
    assert_snapshot!(shown(30, 40), @"40 lines in place of 30: 21 lines, and 50 more lines");
    assert_snapshot!(shown(3000, 3000), @"3000 lines changed: 21 lines, and 5980 more lines");
    assert_snapshot!(shown(0, 1), @"1 line more: 1 lines, + new 0");
    assert_snapshot!(shown(2, 0), @"2 lines less: 2 lines, - old 1");
}

#[test]
fn a_missing_snapshot_fails_and_says_how_to_write_it() {
    assert_snapshot!(compared(None, "say Hello"), @"
    Failed snapshot greeting
    expected the same as `tests/__snapshots__/a.greeting.snap`
    actual there is no snapshot yet
    - `ananke run --update-snapshots=missing` writes it; look at it and commit it
    ");
    assert_snapshot!(judge_test(check(None, SnapshotUpdate::None), "say Hello"), @"
    Failed snapshot greeting
    expected the same as `tests/__snapshots__/a.greeting.snap`
    actual there is no snapshot yet
    - `ananke run --update-snapshots=missing` writes it; look at it and commit it
    ");
}

#[test]
fn another_version_or_another_file_fails() {
    assert_snapshot!(compared(Some("# ananke snapshot 2\n"), "say Hello"), @"
    Failed snapshot greeting
    expected the same as `tests/__snapshots__/a.greeting.snap`
    actual a snapshot of version 2, this ananke reads 1
    - its first line is not `# ananke snapshot 1`; `ananke run --update-snapshots=changed` writes it anew
    ");
    assert_snapshot!(compared(Some("Hello\n"), "say Hello"), @"
    Failed snapshot greeting
    expected the same as `tests/__snapshots__/a.greeting.snap`
    actual a file that is no snapshot
    - its first line is not `# ananke snapshot 1`; `ananke run --update-snapshots=changed` writes it anew
    ");
}

#[test]
fn updates_write_what_they_are_asked_to() {
    let same = "# ananke snapshot 1\n\n## text\nHello\n\n## tools\n(none)\n";
    assert_snapshot!(updated(None, SnapshotUpdate::Missing), @"
    Passed: tests/__snapshots__/a.greeting.snap
    # ananke snapshot 1

    ## text
    Hello

    ## tools
    (none)
    ");
    assert_snapshot!(updated(Some("x"), SnapshotUpdate::Missing), @"Failed: a file that is no snapshot");
    assert_snapshot!(updated(Some("x"), SnapshotUpdate::Changed), @"
    Passed: tests/__snapshots__/a.greeting.snap
    # ananke snapshot 1

    ## text
    Hello

    ## tools
    (none)
    ");
    assert_snapshot!(updated(None, SnapshotUpdate::Changed), @"
    Passed: tests/__snapshots__/a.greeting.snap
    # ananke snapshot 1

    ## text
    Hello

    ## tools
    (none)
    ");
    assert_snapshot!(updated(Some(same), SnapshotUpdate::Changed), @"Passed: the same");
    assert_snapshot!(updated(Some(same), SnapshotUpdate::All), @"
    Passed: tests/__snapshots__/a.greeting.snap
    # ananke snapshot 1

    ## text
    Hello

    ## tools
    (none)
    ");
    assert_snapshot!(updated(Some(same), SnapshotUpdate::None), @"Passed: the same");
}

#[test]
fn what_is_stored_and_compared_is_redacted_first() {
    let stored = "# ananke snapshot 1\n\n## text\nthe key is [redacted K]\n\n## tools\n(none)\n";
    let compiled = crate::compile(
        &block([check(Some(stored), SnapshotUpdate::None)]),
        &variables(),
    );
    let compiled = compiled.unwrap();
    let hide = |turn: &Turn| {
        let text = turn.text.replace("s3cret", "[redacted K]");
        (text != turn.text).then(|| Turn {
            text,
            ..turn.clone()
        })
    };
    for (said, is_failure) in [
        ("say the key is s3cret", false),
        ("say the key is gone", true),
    ] {
        let turns = turns(said);
        assert_eq!(
            compiled.judge_turn_hiding(&turns[0], &hide)[0].is_failure(),
            is_failure
        );
        assert_eq!(
            compiled.judge_test_hiding(&turns, &hide)[0].is_failure(),
            is_failure
        );
    }
}

#[test]
fn artifacts_are_stored_by_name_and_part() {
    let turns = turns(
        r#"
        task working completed
        artifact invoice Total: 42
        holds {"total": 42}
        artifact -
        "#,
    );
    let stored = |turns: &[Turn]| content(&[SnapshotPart::Artifacts], &Evidence::of_test(turns));
    assert_snapshot!(stored(&turns), @r#"
    # ananke snapshot 1

    ## artifacts
    invoice
      text Total: 42
      data {"total":42}
    id-1
    "#);
    assert_snapshot!(stored(&[]), @"
    # ananke snapshot 1

    ## artifacts
    (none)
    ");
}
