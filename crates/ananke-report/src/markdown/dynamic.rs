//! Checkpoints and what judges said, as items below a test.

use ananke_model::agent::Sample;
use ananke_model::result::TestResult;

use super::span::code;
use crate::count::count;
use crate::dynamic::came;
use crate::opinions::word;
use crate::page::Page;

/// Checkpoints beyond these are counted.
const MOST_CHECKPOINTS: usize = 50;

/// Writes one item for each checkpoint, with the turn in which it was reached.
pub(super) fn checkpoints(page: &mut Page, result: &TestResult, limit: usize) {
    for checkpoint in result.checkpoints.iter().take(MOST_CHECKPOINTS) {
        let mark = match (checkpoint.reached_at_turn, checkpoint.required) {
            (Some(_), _) => "✅",
            (None, true) => "❌",
            (None, false) => "⏭️",
        };
        let (id, came) = (code(&checkpoint.id, limit), came(checkpoint));
        let about = checkpoint.description.as_deref();
        let about = about.map(|about| format!(": {}", code(about, limit)));
        let about = about.unwrap_or_default();
        page.line(format_args!("- {mark} checkpoint {id} ({came}){about}"));
    }
    if let Some(more @ 1..) = result.checkpoints.len().checked_sub(MOST_CHECKPOINTS) {
        let more = count(more, "more checkpoint");
        page.line(format_args!("- {more}"));
    }
}

/// Writes every answer of a judge below the check that it decided.
pub(super) fn samples(page: &mut Page, samples: &[Sample], limit: usize) {
    for sample in samples {
        let (word, reason) = (word(sample), code(&sample.reason, limit));
        page.line(format_args!("  - {word}: {reason}"));
    }
}
