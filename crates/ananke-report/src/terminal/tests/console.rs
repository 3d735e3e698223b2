//! Runs with trouble, and the console that shows them.

use ananke_model::check::Level;
use ananke_model::recording::{TroubleKind, Turn};
use ananke_model::result::{Outcome, TestResult, TestStatus};
use ananke_model::run_event::RunEvent;

use crate::samples::{broken, call, check, finding, judged, plain, result, run, turn};
use crate::style::Style;
use crate::terminal::{Terminal, TerminalOptions};

pub(super) fn options(style: Style) -> TerminalOptions {
    TerminalOptions {
        style,
        verbose: 0,
        quiet: false,
        rerun: vec!["ananke".to_owned(), "run".to_owned()],
        dry_run: false,
        is_ci: false,
    }
}

pub(super) fn shown_with(options: TerminalOptions, events: &[RunEvent]) -> String {
    let mut terminal = Terminal::new(options);
    let chunks = events.iter().map(|event| terminal.event(event));
    chunks
        .map(|chunk| {
            let lines = chunk.stderr.lines();
            let stderr: String = lines.map(|line| format!("stderr: {line}\n")).collect();
            chunk.stdout + &stderr
        })
        .collect()
}

pub(super) fn shown(events: &[RunEvent]) -> String {
    shown_with(options(plain()), events)
}

/// Returns only what is said about the tests.
pub(super) fn rows(verbose: u8, results: Vec<TestResult>) -> String {
    let options = TerminalOptions {
        verbose,
        ..options(plain())
    };
    let all = shown_with(options, &run(results));
    let (_, rows) = all.split_once("Running Tests\n").unwrap();
    let (rows, _) = rows.split_once("\n  Summary").unwrap();
    let (_, rows) = rows.split_once("\n\n").unwrap();
    let (rows, _) = rows.rsplit_once("\n\n").unwrap();
    rows.to_owned()
}

pub(super) fn failed(id: &str) -> TestResult {
    let mut require = check("tools.require", "search", Outcome::Failed);
    require.details = vec!["nearest: call 1, argument `q` is \"hat\"".to_owned()];
    let mut text = check("text.must_match", "/refund/", Outcome::Failed);
    text.expected = "text matching /refund/".to_owned();
    text.actual = "I cannot\n✓ PASSED\n::error::do that".to_owned();
    text.origin.level = Level::Test;
    text.origin.named = Some("no_errors".to_owned());
    let mut undecided = check("timing.max_idle_ms", "500", Outcome::Inconclusive);
    undecided.expected = "at most 500 ms".to_owned();
    undecided.actual = "no timestamps".to_owned();
    let checks = vec![require, check("tools.forbid", "x", Outcome::Passed), text];
    let turns = vec![judged(turn("Refund", "I cannot"), checks)];
    let mut failed = result(id, TestStatus::Failed, turns);
    failed.n_turns = 2;
    failed.checks = vec![undecided];
    failed
}

pub(super) fn timeout() -> TestResult {
    let turn = Turn {
        tool_calls: vec![call("search", "{}", None), call("pay\x1b[2J", "{}", None)],
        findings: vec![finding(), finding()],
        ..broken(
            TroubleKind::Timeout,
            "no end within 120s",
            "Let me see\n✓ PASSED",
        )
    };
    let mut timeout = result("slow", TestStatus::Timeout, vec![judged(turn, Vec::new())]);
    timeout.warnings = vec!["lines end with CRLF".to_owned()];
    timeout
}
