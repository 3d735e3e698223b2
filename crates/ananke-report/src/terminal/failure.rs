//! Why a test did not pass: reasons, nearest misses, who demanded it, and what was captured before things went wrong.

use ananke_model::agent::CheckpointResult;
use ananke_model::check::Origin;
use ananke_model::recording::{Turn, TurnStatus};
use ananke_model::result::{CheckResult, Outcome, TestResult, TestStatus};

use super::dynamic::{description, short};
use crate::count::{count, some_of};
use crate::dynamic::missed;
use crate::escape::{cut, escape};
use crate::page::{Excerpt, Page};
use crate::paint::{Tone, paint};
use crate::reasons::{Unmet, trouble, unmet};
use crate::script::{self, Told};
use crate::style::Style;

/// Below the branch, in line with its text.
const INDENT: &str = "     ";

/// Longer things that were seen go into a block of their own.
const SHORT: usize = 160;

/// More checkpoints than these are only named by the reason.
const MOST_MISSED: usize = 20;

/// How much of a reason's details is shown.
const DETAILS: Excerpt = Excerpt {
    lines: 20,
    chars: 2_000,
};

/// How much of what was seen is shown.
const SEEN: Excerpt = Excerpt {
    lines: 12,
    chars: 1_000,
};

/// How much of an unfinished answer is shown.
const CAPTURED: Excerpt = Excerpt {
    lines: 8,
    chars: 200,
};

/// Writes everything that keeps a test from passing.
pub(crate) fn failure(page: &mut Page, result: &TestResult, style: &Style) {
    let branch = paint(style, Tone::Bad, style.branch()).to_string();
    let of_script = Told {
        style,
        indent: "  ",
        has_stack: true,
        most_logs: 0,
    };
    if !script::failures(page, result, &of_script)
        && let Some(reason) = trouble(result)
    {
        let reason = cut(&reason, DETAILS.chars, style.ellipsis());
        page.line(format_args!("  {branch} {reason}"));
        if result.script.is_none() {
            page.block(style, INDENT, &result.reason_details.join("\n"), DETAILS);
        }
    }
    for unmet in unmet(result) {
        unmet_check(page, &unmet, result.case.is_some(), &branch, style);
    }
    if result.status == TestStatus::Failed {
        for checkpoint in missed(result).take(MOST_MISSED) {
            missed_checkpoint(page, checkpoint, &branch, style);
            awaited(page, checkpoint, style);
        }
    } else if missed(result).next().is_some() {
        // Something else ended the conversation: what they wait for says little.
        let ids: Vec<String> = missed(result).map(|one| short(&one.id, style)).collect();
        let ids = some_of(&ids, MOST_MISSED);
        page.line(format_args!("  {branch} not reached: {ids}"));
    }
    if let Some(judged) = result.turns.last() {
        captured(page, &judged.turn, result.turns.len(), style);
    }
}

/// Writes a check: the sentence that says it all if there is one, what was demanded and seen, help, who demanded it.
fn unmet_check(page: &mut Page, unmet: &Unmet<'_>, is_case: bool, branch: &str, style: &Style) {
    // A case has one block: to name it says nothing.
    let block = if is_case && unmet.turn.is_none() {
        String::new()
    } else {
        format!("{} {} ", unmet.block(), style.dot())
    };
    match unmet.plainly() {
        Some(said) => {
            let shown = cut(said, DETAILS.chars, style.ellipsis());
            page.line(format_args!("  {branch} {block}{shown}"));
            demand(page, unmet, None, style);
        }
        None => demand(page, unmet, Some(&format!("  {branch} {block}")), style),
    }
    evidence(page, unmet, style);
}

/// Writes `checkpoint confirm (what it is about) was not reached`.
fn missed_checkpoint(page: &mut Page, checkpoint: &CheckpointResult, branch: &str, style: &Style) {
    let id = short(&checkpoint.id, style);
    let about = description(checkpoint, style);
    let about = about.map(|about| format!(" ({about})")).unwrap_or_default();
    page.line(format_args!(
        "  {branch} checkpoint {id}{about} was not reached"
    ));
}

/// Writes what a checkpoint that was not reached still waits for.
fn awaited(page: &mut Page, checkpoint: &CheckpointResult, style: &Style) {
    let checks = || checkpoint.checks.iter();
    for check in checks().filter(|check| check.outcome != Outcome::Passed) {
        let unmet = Unmet { turn: None, check };
        if let Some(said) = unmet.plainly() {
            let shown = cut(said, DETAILS.chars, style.ellipsis());
            page.guarded(style, INDENT, &shown);
        }
        demand(page, &unmet, None, style);
        evidence(page, &unmet, style);
    }
    let is_met = |check: &CheckResult| check.outcome == Outcome::Passed;
    if !checkpoint.checks.is_empty() && checks().all(is_met) {
        page.line(format_args!(
            "{INDENT}its assertions held in the last turn, but not yet what it comes after"
        ));
    }
}

/// Writes what helps to understand a check, and who demanded it.
fn evidence(page: &mut Page, unmet: &Unmet<'_>, style: &Style) {
    let details = unmet.check.details.iter();
    for detail in details.filter(|detail| unmet.plainly() != Some(detail)) {
        if detail.contains('\n') || detail.chars().nth(DETAILS.chars).is_some() {
            page.block(style, INDENT, detail, DETAILS);
        } else {
            page.guarded(style, INDENT, detail);
        }
    }
    let demanded = paint(style, Tone::Faint, demanded(&unmet.check.origin));
    page.line(format_args!("{INDENT}{demanded}"));
}

/// Writes what was demanded and what was seen, behind `lead` or below it.
fn demand(page: &mut Page, unmet: &Unmet<'_>, lead: Option<&str>, style: &Style) {
    let ellipsis = style.ellipsis();
    let name = cut(&unmet.name(), 2 * SHORT, ellipsis);
    let expectation = cut(&unmet.expectation(), DETAILS.chars, ellipsis);
    let actual = &unmet.check.actual;
    let is_short = !actual.contains('\n') && actual.chars().nth(SHORT).is_none();
    let line = if is_short {
        format!("{name}: {expectation} {}", escape(actual))
    } else {
        format!("{name}: {expectation}:")
    };
    match lead {
        Some(lead) => page.line(format_args!("{lead}{line}")),
        None => page.guarded(style, INDENT, &line),
    }
    if !is_short {
        page.block(style, INDENT, actual, SEEN);
    }
}

/// Returns who demanded a check: `demanded at a.yaml:12:9 (test level)`.
fn demanded(origin: &Origin) -> String {
    let through = match &origin.named {
        Some(named) => format!(", through `{}`", escape(named)),
        None => String::new(),
    };
    let (place, level) = (&origin.place, origin.level);
    let file = escape(&place.file);
    format!(
        "demanded at {file}:{}:{} ({level} level{through})",
        place.line, place.column
    )
}

/// Writes what came before a turn broke off; nothing about a turn that came to its end.
fn captured(page: &mut Page, turn: &Turn, number: usize, style: &Style) {
    if turn.status == TurnStatus::Finished {
        return;
    }
    let names: Vec<String> = turn
        .tool_calls
        .iter()
        .map(|call| cut(&call.name, 60, style.ellipsis()))
        .collect();
    let calls = match names.len() {
        0 => "no tool call".to_owned(),
        n => format!("{} ({})", count(n, "tool call"), some_of(&names, 5)),
    };
    let n_events = count(turn.events.len(), "event");
    let text = if turn.text.is_empty() {
        ", no text"
    } else {
        ", text:"
    };
    let line = format!("captured in turn {number}: {n_events}, {calls}{text}");
    page.line(format_args!("{INDENT}{line}"));
    page.block(style, INDENT, &turn.text, CAPTURED);
}
