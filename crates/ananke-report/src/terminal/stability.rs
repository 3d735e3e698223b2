//! Tests that were run several times: one row each, and what their runs say in all.

use ananke_model::result::TestResult;

use super::failure::failure;
use super::row::{is_troubled, mark};
use crate::count::count;
use crate::duration::duration;
use crate::escape::{cut, escape};
use crate::naming::shown_name;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::script::own_name;
use crate::stability::{Stability, StabilityClass};
use crate::style::Style;
use crate::totals::RunsTally;

/// More runs than these are only counted.
const MOST_RUNS: usize = 20;

/// How much of a difference is shown.
const DIFFERENCE_CHARS: usize = 400;

/// Writes `✗ [id] 80% (4/5) Mostly Stable avg:900ms`, then why runs failed and where they part.
pub(super) fn rows(
    page: &mut Page,
    result: &TestResult,
    stability: &Stability,
    verbose: u8,
    style: &Style,
) {
    let (mark, id) = (mark(result.status, style), escape(result.short_id()));
    let rate = percent(stability.pass_rate);
    let tone = match stability.class {
        StabilityClass::Stable => Tone::Good,
        StabilityClass::MostlyStable => Tone::Odd,
        StabilityClass::Unstable | StabilityClass::HighlyUnstable => Tone::Bad,
    };
    let class = paint(style, tone, stability.class.words()).to_string();
    let (passed, runs) = (stability.passed, stability.runs);
    let average = duration(stability.avg_us, style);
    let name = match &result.case {
        Some(_) => String::new(),
        None if own_name(result).is_empty() => String::new(),
        None => format!(" {}", shown_name(&result.name, None, style)),
    };
    page.line(format_args!(
        "{mark} [{id}]{name} {rate} ({passed}/{runs}) {class} avg:{average}"
    ));
    told_runs(page, result, verbose, style);
    if let Some(difference) = &stability.first_difference {
        let text = cut(&difference.text, DIFFERENCE_CHARS, style.ellipsis());
        page.line(format_args!("  First difference: {text}"));
    }
    if !stability.stable || verbose > 0 {
        let wilson = stability.wilson;
        let (low, high) = (percent(wilson.low), percent(wilson.high));
        let consistency = stability.consistency;
        let line = format!(
            "Consistency: {consistency}, true pass rate: {low} to {high} with 95% confidence"
        );
        page.line(format_args!("  {}", paint(style, Tone::Faint, line)));
    }
    if verbose > 0 {
        let [least, most] = [stability.min_us, stability.max_us].map(|us| duration(us, style));
        let deviation = duration(whole(stability.std_deviation_us), style);
        let pass_k = stability.pass_k.iter().take(5);
        let pass_k: Vec<String> = pass_k.map(ToString::to_string).collect();
        let line = format!(
            "Time: {least} to {most}, deviation {deviation}, pass^k: {}",
            pass_k.join(" ")
        );
        page.line(format_args!("  {}", paint(style, Tone::Faint, line)));
    }
}

/// Writes the run that speaks for a failure, with its reasons; with `-v` one line for each other run.
fn told_runs(page: &mut Page, result: &TestResult, verbose: u8, style: &Style) {
    let runs = result.runs();
    for (index, run) in runs.iter().enumerate() {
        let speaks = run.run == result.run && is_troubled(run.status);
        if speaks || (verbose > 0 && index < MOST_RUNS) {
            run_line(page, run, style);
        }
        if speaks {
            failure(page, run, style);
        }
    }
    if let Some(more @ 1..) = runs.len().checked_sub(MOST_RUNS).filter(|_| verbose > 0) {
        let more = count(more, "more run");
        page.line(format_args!("  {} {more}", style.ellipsis()));
    }
}

/// Writes `  run 2 FAILED (300ms)`.
fn run_line(page: &mut Page, run: &TestResult, style: &Style) {
    let tone = if is_troubled(run.status) {
        Tone::Bad
    } else {
        Tone::Good
    };
    let word = paint(style, tone, run.status.word()).to_string();
    let number = run.run.unwrap_or(1);
    let time = duration(run.duration_us, style);
    page.line(format_args!("  run {number} {word} ({time})"));
}

/// Writes what the runs of all tests say; nothing if tests were run once.
pub(super) fn analysis(page: &mut Page, runs: &RunsTally, style: &Style) {
    if runs.n_tests == 0 {
        return;
    }
    page.line(format_args!("{}", style.ruler()));
    page.line(format_args!("  Stability Analysis"));
    page.line(format_args!("{}", style.ruler()));
    let lines = [
        ("Runs/Case:", runs.runs_per_test()),
        ("Total Runs:", runs.n_runs.to_string()),
        ("Stable Cases:", runs.n_stable().to_string()),
        ("Unstable:", runs.n_unstable().to_string()),
        ("Pass Rate:", percent(runs.pass_rate())),
    ];
    for (label, value) in lines {
        page.line(format_args!("  {label:15}{value}"));
    }
    page.gap();
}

/// Returns a percentage without decimals that say nothing: `80%`, `66.7%`.
pub(super) fn percent(percent: f64) -> String {
    format!("{percent}%")
}

/// Returns microseconds without what is less.
fn whole(us: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casts of floats saturate"
    )]
    let us = us as u64;
    us
}
