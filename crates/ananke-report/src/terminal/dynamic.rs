//! A test that a simulator led: its rows, and the checkpoints that `-v` lists.

use ananke_model::agent::CheckpointResult;
use ananke_model::result::{TestResult, TestStatus};

use crate::count::count;
use crate::dynamic::{came, progress};
use crate::escape::{cut, escape};
use crate::facts::facts;
use crate::naming::shown_name;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// How much of an id or of a description is shown.
const NAME_CHARS: usize = 200;

/// More checkpoints than these are only counted.
const MOST_CHECKPOINTS: usize = 50;

/// Writes `► [id] name (dynamic, 3 checkpoints)` and `  └─ PASSED (3 turns, 3 checkpoints, 8.5s)`.
pub(super) fn rows(page: &mut Page, result: &TestResult, style: &Style) {
    let (mark, id) = (style.play(), escape(result.short_id()));
    let name = shown_name(&result.name, result.case.as_deref(), style);
    let separator = if name.is_empty() { "" } else { " " };
    let all = count(result.checkpoints.len(), "checkpoint");
    page.line(format_args!(
        "{mark} [{id}]{separator}{name} (dynamic, {all})"
    ));
    let tone = match result.status {
        TestStatus::Passed if result.flaky => Tone::Odd,
        TestStatus::Passed => Tone::Good,
        TestStatus::Inconclusive => Tone::Odd,
        TestStatus::Skipped => Tone::Faint,
        TestStatus::Failed | TestStatus::Error | TestStatus::Timeout => Tone::Bad,
    };
    let branch = paint(style, tone, style.branch()).to_string();
    let word = paint(style, tone, result.status.word()).to_string();
    let (progress, facts) = (progress(result), facts(result, style));
    page.line(format_args!("  {branch} {word} ({progress}, {facts})"));
}

/// Writes `  ✓ ask_type (turn 1): Agent asks for the type` for each checkpoint.
pub(super) fn checkpoints(page: &mut Page, result: &TestResult, style: &Style) {
    for checkpoint in result.checkpoints.iter().take(MOST_CHECKPOINTS) {
        let (tone, mark) = match (checkpoint.reached_at_turn, checkpoint.required) {
            (Some(_), _) => (Tone::Good, style.tick()),
            (None, true) => (Tone::Bad, style.cross()),
            (None, false) => (Tone::Faint, style.circle()),
        };
        let mark = paint(style, tone, mark).to_string();
        let (id, came) = (short(&checkpoint.id, style), came(checkpoint));
        let about = description(checkpoint, style);
        let about = about.map(|about| format!(": {about}")).unwrap_or_default();
        page.line(format_args!("  {mark} {id} ({came}){about}"));
    }
    if let Some(more @ 1..) = result.checkpoints.len().checked_sub(MOST_CHECKPOINTS) {
        let more = count(more, "more checkpoint");
        page.line(format_args!("  {} {more}", style.ellipsis()));
    }
}

/// Returns what a checkpoint is about, escaped and on one line.
pub(super) fn description(checkpoint: &CheckpointResult, style: &Style) -> Option<String> {
    let description = checkpoint.description.as_deref()?;
    Some(short(description, style))
}

/// Returns a name, escaped and shortened.
pub(super) fn short(text: &str, style: &Style) -> String {
    cut(text, NAME_CHARS, style.ellipsis())
}
