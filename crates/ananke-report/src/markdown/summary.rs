//! The beginning of the Markdown report: the verdict, the totals, and what the run depended on.

use ananke_model::run_event::{RunInfo, Summary};

use super::span::cell;
use crate::asking::asking;
use crate::count::counts;
use crate::duration::duration;
use crate::excerpt::PLAIN;
use crate::page::Page;
use crate::totals::{Repeats, RunsTally, pass_rate};

/// How much of a value is shown.
const VALUE_CHARS: usize = 200;

/// More facts would push the results off the screen.
const MOST_FACTS: usize = 50;

/// What came of a run in all.
#[derive(Debug)]
pub(super) struct Totals<'a> {
    pub(super) run: &'a RunInfo,
    pub(super) summary: &'a Summary,
    pub(super) runs: &'a RunsTally,
    /// The connector, if all tests used the same one.
    pub(super) connector: Option<String>,
}

/// Writes the verdict and the table of totals.
pub(super) fn summary(page: &mut Page, of: &Totals<'_>) {
    let (run, totals) = (of.run, of.summary);
    let n_not_run = run.total.saturating_sub(totals.total);
    let repeats = Repeats::of(run);
    let verdict = verdict(totals, n_not_run, repeats);
    page.line(format_args!("{verdict}\n\n## Summary\n"));
    page.line(format_args!("| Metric | Value |\n| --- | --- |"));
    let mut row = |name: &str, value: String| page.line(format_args!("| {name} | {value} |"));
    if !run.agents.is_empty() {
        row("Agent", cell(&run.agents.join(", "), VALUE_CHARS));
    }
    if let Some(connector) = &of.connector {
        row("Connector", cell(connector, VALUE_CHARS));
    }
    let n_results = totals.total + n_not_run;
    row(
        "Total",
        match repeats.n_more {
            0 => n_results.to_string(),
            _ => repeats.words(n_results),
        },
    );
    row("Passed", totals.passed.to_string());
    let of_failed = counts(&[(totals.errors, "error"), (totals.timeouts, "timeout")]);
    row(
        "Failed",
        match of_failed.as_str() {
            "" => totals.failed_in_all().to_string(),
            _ => format!("{} ({of_failed})", totals.failed_in_all()),
        },
    );
    let rare = [
        ("Inconclusive", totals.inconclusive),
        ("Skipped", totals.skipped),
        ("Not run", n_not_run),
        ("Flaky", totals.flaky),
        ("Without checks", totals.unchecked),
    ];
    for (name, n) in rare.into_iter().filter(|(_, n)| *n > 0) {
        row(name, n.to_string());
    }
    row("Pass Rate", format!("{:.1}%", pass_rate(totals)));
    if of.runs.n_tests > 0 {
        row("Runs per Test", of.runs.runs_per_test());
        row("Total Runs", of.runs.n_runs.to_string());
        row("Overall Pass Rate", format!("{:.1}%", of.runs.pass_rate()));
        row("Stable Tests", of.runs.n_stable().to_string());
        row("Unstable Tests", of.runs.n_unstable().to_string());
    }
    row("Duration", duration(totals.duration_us, &PLAIN));
    if let Some(bundle) = &run.bundle {
        row("Bundle", cell(bundle, VALUE_CHARS));
    }
    page.gap();
}

/// Writes who asked and the table of facts; nothing if there are neither.
pub(super) fn environment(page: &mut Page, run: &RunInfo) {
    if run.facts.is_empty() && run.identity.is_none() {
        return;
    }
    page.line(format_args!("## Environment\n"));
    page.line(format_args!("| Setting | Value |\n| --- | --- |"));
    for (name, value) in run.identity.as_deref().into_iter().flat_map(asking) {
        page.line(format_args!("| {name} | {} |", cell(&value, VALUE_CHARS)));
    }
    for (name, value) in run.facts.iter().take(MOST_FACTS) {
        let (name, value) = (cell(name, VALUE_CHARS), cell(value, VALUE_CHARS));
        page.line(format_args!("| {name} | {value} |"));
    }
    page.gap();
}

/// Returns the verdict in one line. "All passed" needs something that passed and nothing that stands against it.
fn verdict(totals: &Summary, n_not_run: usize, repeats: Repeats) -> String {
    let all = repeats.words(totals.total + n_not_run);
    let n_failed = totals.failed_in_all();
    let n_run = totals.total.saturating_sub(totals.skipped);
    if totals.interrupted {
        return format!("⚠️ **Interrupted**: {n_run} of {all} finished, {n_failed} failed");
    }
    if n_failed > 0 {
        return format!("❌ **{n_failed} of {all} failed**");
    }
    if totals.inconclusive > 0 {
        return format!("⚠️ **{} of {all} inconclusive**", totals.inconclusive);
    }
    if totals.passed == 0 {
        return "⚠️ **No test was run**".to_owned();
    }
    if n_not_run > 0 {
        return format!("⚠️ **{n_not_run} of {all} not run**");
    }
    match totals.flaky {
        0 => "✅ **All tests passed**".to_owned(),
        n => format!("✅ **All tests passed**, {n} of them flaky"),
    }
}
