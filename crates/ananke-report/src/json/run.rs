//! What the JSON and the JSONL report say about a whole run.

use ananke_model::run_event::{RunInfo, Summary};
use jiff::Timestamp;

use super::convert::later;
use super::format::{Metadata, Ms, Totals};
use crate::totals::{Repeats, pass_rate};

/// Returns the totals as they are written.
pub(super) fn totals(run: &RunInfo, summary: &Summary) -> Totals {
    let repeats = Repeats::of(run);
    let is_joined = repeats.n_more > 0;
    Totals {
        total: summary.total,
        passed: summary.passed,
        failed: summary.failed_in_all(),
        errors: summary.errors,
        timeouts: summary.timeouts,
        skipped: summary.skipped,
        inconclusive: summary.inconclusive,
        unchecked: summary.unchecked,
        flaky: summary.flaky,
        interrupted: summary.interrupted,
        duration_ms: Ms(summary.duration_us),
        agent_id: agent_id(run),
        runs_per_case: repeats.most,
        total_cases: is_joined.then_some(summary.total.saturating_sub(repeats.n_more)),
        total_runs: is_joined.then_some(summary.total),
        overall_pass_rate: pass_rate(summary),
    }
}

/// Returns when and by what the report was made.
pub(super) fn metadata(run: &RunInfo, completed_at: Option<String>) -> Metadata<'_> {
    Metadata {
        started_at: rfc3339(run.started_at_ms),
        completed_at,
        version: &run.version,
        config_file: run.config_file.as_deref(),
        run_id: &run.run_id,
        bundle: run.bundle.as_deref(),
        input: &run.input,
        facts: &run.facts,
    }
}

/// Returns the agents, as one word for the seeds' key.
pub(super) fn agent_id(run: &RunInfo) -> Option<String> {
    (!run.agents.is_empty()).then(|| run.agents.join(", "))
}

/// Returns when the run ended.
pub(super) fn completed_at(run: &RunInfo, summary: &Summary) -> Option<String> {
    rfc3339(later(run.started_at_ms, summary.duration_us))
}

/// Returns a moment for a machine; nothing for one that no calendar has.
pub(super) fn rfc3339(unix_ms: i64) -> Option<String> {
    let timestamp = Timestamp::from_millisecond(unix_ms).ok()?;
    Some(timestamp.to_string())
}
