//! What the JSON and the JSONL report say about a whole run.

use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use jiff::Timestamp;

use super::convert::{later, test_entry};
use super::format::{Metadata, Ms, TestEntry, Totals};
use super::script::{ScriptRun, ScriptsOfRun};
use super::stability::stability_entry;
use crate::asking::Connector;
use crate::stability::stability;
use crate::totals::{Repeats, RunsTally, Tally, pass_rate};

/// What is counted of a run while it goes on.
#[derive(Debug, Default)]
pub(super) struct Counted {
    tally: Tally,
    runs: RunsTally,
    connector: Connector,
    scripts: ScriptsOfRun,
}

impl Counted {
    /// Takes in one event.
    pub(super) fn event(&mut self, event: &RunEvent) {
        self.tally.event(event);
    }

    /// Takes in what the totals do not say about a test, and returns it as it is written.
    pub(super) fn test<'a>(&mut self, result: &'a TestResult, run: &RunInfo) -> TestEntry<'a> {
        self.connector.add(result);
        self.scripts.add(result);
        let stability = stability(result);
        self.runs.add(result, stability.as_ref());
        TestEntry {
            stability: stability_entry(result, stability, run),
            ..test_entry(result, run)
        }
    }

    /// Returns what is known of the scripts, if all tests are functions of scripts.
    pub(super) fn script_run(&self) -> Option<ScriptRun<'_>> {
        self.scripts.run()
    }

    /// Returns the summary of the run as far as it came.
    pub(super) fn summary(&self) -> Summary {
        self.tally.summary()
    }

    /// Returns the totals as they are written.
    pub(super) fn totals(&self, run: &RunInfo, summary: &Summary) -> Totals {
        let repeats = Repeats::of(run);
        let is_joined = repeats.n_more > 0;
        let n_tests = summary.total.saturating_sub(repeats.n_more);
        let runs = (self.runs.n_tests > 0).then_some(&self.runs);
        let n_runs = runs.map(|runs| runs.n_runs);
        let runs_per_case = usize::try_from(run.runs_per_case).unwrap_or(usize::MAX);
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
            connector: self.connector.name(),
            runs_per_case: repeats.most.max(runs_per_case).max(self.runs.most()),
            total_cases: (is_joined || runs.is_some()).then_some(n_tests),
            total_runs: n_runs.or(is_joined.then_some(summary.total)),
            stable_cases: runs.map(RunsTally::n_stable),
            unstable_cases: runs.map(RunsTally::n_unstable),
            overall_pass_rate: runs.map_or_else(|| pass_rate(summary), RunsTally::pass_rate),
        }
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

/// Returns the agents, as one word for the documented key.
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
