//! The end of the console report: failures, totals, verdict.

use ananke_model::result::TestStatus;
use ananke_model::run_event::{RunInfo, Summary};

use super::row::mark;
use super::stability::{analysis, percent};
use crate::count::counts;
use crate::duration::duration;
use crate::escape::escape;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;
use crate::totals::{Repeats, RunsTally, pass_rate};

/// What is kept of a test that did not pass. Texts are escaped.
#[derive(Debug)]
pub(super) struct Troubled {
    /// What a person calls it.
    pub(super) id: String,
    /// How it came out.
    pub(super) status: TestStatus,
    /// The first reason.
    pub(super) reason: String,
    /// How many reasons there are.
    pub(super) n_reasons: usize,
    /// Everything that was shown about it, if it is to be shown again.
    pub(super) block: String,
}

/// Writes the tests that did not pass, either with everything that was said about them or in one line each.
pub(super) fn failures(page: &mut Page, troubled: &[Troubled], repeats: bool, style: &Style) {
    page.line(format_args!("Failures:"));
    for test in troubled {
        if repeats {
            page.lines(&test.block);
            continue;
        }
        let more = match test.n_reasons {
            0 | 1 => String::new(),
            n => format!(" (+{} more)", n - 1),
        };
        let mark = mark(test.status, style);
        let (id, reason) = (&test.id, &test.reason);
        page.line(format_args!("  {mark} [{id}] {reason}{more}"));
    }
}

/// What is known of a run besides its totals.
#[derive(Debug)]
pub(super) struct Known<'a> {
    /// How the run began.
    pub(super) info: &'a RunInfo,
    /// Whether tests have several results.
    pub(super) repeats: Repeats,
    /// What came of tests that were run several times.
    pub(super) runs: &'a RunsTally,
    /// Whether cases were among the tests, whose summary names the pass rate.
    pub(super) has_cases: bool,
}

/// Writes totals and verdict.
pub(super) fn summary(page: &mut Page, totals: &Summary, known: &Known<'_>, style: &Style) {
    let Known { info, repeats, .. } = known;
    let n_planned = info.total;
    let n_not_run = n_planned.saturating_sub(totals.total);
    page.line(format_args!("{}", style.ruler()));
    page.line(format_args!("  Summary"));
    page.line(format_args!("{}", style.ruler()));
    let in_brackets = |counts: String| match counts.as_str() {
        "" => counts,
        _ => format!(" ({counts})"),
    };
    let of_failed = counts(&[(totals.errors, "error"), (totals.timeouts, "timeout")]);
    let unchecked = match totals.unchecked {
        0 => String::new(),
        n => format!("{n} without checks"),
    };
    let mut lines = vec![
        ("Total:", repeats.words(totals.total + n_not_run)),
        (
            "Passed:",
            format!("{}{}", totals.passed, in_brackets(unchecked)),
        ),
        (
            "Failed:",
            format!("{}{}", totals.failed_in_all(), in_brackets(of_failed)),
        ),
    ];
    let rare = [
        ("Flaky:", totals.flaky),
        ("Inconclusive:", totals.inconclusive),
        ("Skipped:", totals.skipped),
        ("Not run:", n_not_run),
    ];
    let some = rare.into_iter().filter(|(_, n)| *n > 0);
    lines.extend(some.map(|(label, n)| (label, n.to_string())));
    if known.has_cases && known.runs.n_tests == 0 {
        lines.push(("Pass Rate:", percent(pass_rate(totals))));
    }
    lines.push(("Time:", duration(totals.duration_us, style)));
    let bundle = info.bundle.as_deref();
    lines.extend(bundle.map(|path| ("Bundle:", escape(path).into_owned())));
    let longest = lines.iter().map(|(label, _)| label.len()).max();
    let column = longest.unwrap_or_default() + 2;
    for (label, value) in lines {
        page.line(format_args!("  {label:column$}{value}"));
    }
    page.gap();
    analysis(page, known.runs, style);
    page.line(format_args!("{}", style.double_ruler()));
    let verdict = verdict(totals, n_not_run, *repeats, style);
    page.line(format_args!("  {verdict}"));
    page.line(format_args!("{}", style.double_ruler()));
}

/// Returns the last word. "All passed" needs something that passed and nothing that stands against it.
fn verdict(totals: &Summary, n_not_run: usize, repeats: Repeats, style: &Style) -> String {
    let n_run = totals.total - totals.skipped.min(totals.total);
    let warn = style.warn();
    let bad = |words: String| paint(style, Tone::Bad, words).to_string();
    let odd = |words: String| paint(style, Tone::Odd, words).to_string();
    if totals.interrupted {
        let of_all = totals.total + n_not_run;
        let n_failed = totals.failed_in_all();
        return odd(format!(
            "{warn} INTERRUPTED: {n_run} of {} finished, {n_failed} failed",
            repeats.words(of_all)
        ));
    }
    if totals.failed_in_all() > 0 {
        return bad(style
            .pick("❌ TESTS FAILED", "xxx TESTS FAILED xxx")
            .to_owned());
    }
    if totals.inconclusive > 0 {
        return odd(format!("{warn} TESTS INCONCLUSIVE"));
    }
    if n_run == 0 || totals.passed == 0 {
        return odd(format!("{warn} NO TEST WAS RUN"));
    }
    if n_not_run > 0 {
        return odd(format!("{warn} NOT ALL TESTS WERE RUN"));
    }
    let words = style.pick("✨ ALL TESTS PASSED ✨", "*** ALL TESTS PASSED ***");
    let words = paint(style, Tone::Good, words).to_string();
    let mut but = Vec::new();
    if totals.flaky > 0 {
        but.push(format!("{} flaky", totals.flaky));
    }
    if totals.skipped > 0 {
        but.push(format!("{} skipped", totals.skipped));
    }
    if totals.unchecked > 0 {
        but.push(format!("{} without checks", totals.unchecked));
    }
    if but.is_empty() {
        return words;
    }
    format!("{words} ({})", but.join(", "))
}
