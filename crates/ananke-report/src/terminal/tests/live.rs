//! What is told while tests run.

use ananke_model::plan::TestId;
use ananke_model::run_event::{RunEvent, RunInfo};
use insta::assert_snapshot;

use super::console::{failed, options, shown};
use crate::samples::{NOON, plain, run};
use crate::style::Style;
use crate::terminal::{Terminal, TerminalOptions};

#[test]
fn talk_goes_to_stderr() {
    let events = [
        RunEvent::TestStarted {
            index: 4,
            id: TestId("tests/\x1bx.test.yaml".to_owned()),
        },
        RunEvent::TestSlow {
            index: 4,
            elapsed_ms: 60_400,
        },
        RunEvent::Notice("the server left\na process".to_owned()),
    ];
    assert_snapshot!(shown(&events), @r"
    stderr: ⚠ slow: [tests/\u{1b}x.test.yaml] has been running for 60s
    stderr: ℹ the server left\na process
    ");
}

#[test]
fn progress_tells_what_runs() {
    let mut terminal = Terminal::new(TerminalOptions {
        style: Style {
            width: 60,
            ..plain()
        },
        ..options(plain())
    });
    let now = u64::try_from(NOON).unwrap();
    let mut lines = vec![terminal.progress(now)];
    terminal.event(&RunEvent::RunStarted(RunInfo {
        total: 40,
        started_at_ms: NOON,
        ..RunInfo::default()
    }));
    lines.push(terminal.progress(now + 500));
    for index in 0..3 {
        let id = TestId(format!("tests/{index}.test.yaml"));
        terminal.event(&RunEvent::TestStarted { index, id });
    }
    lines.push(terminal.progress(now + 2_500));
    terminal.event(&RunEvent::TestFinished {
        index: 0,
        result: Box::new(failed("0")),
    });
    lines.push(terminal.progress(now + 90_000));
    for event in run(Vec::new()).into_iter().skip(1) {
        terminal.event(&event);
    }
    lines.push(terminal.progress(now + 90_000));
    assert_snapshot!(lines.join("\n"), @"

    0/40
    0/40 · 2.5s · running [tests/0.test.yaml] and 2 more
    1/40 · 1.5m · 1 failed · running [tests/1.test.yaml] and 1…
    ");
}
