//! The rules for a terminal: those that are broken with all that helps to mend it, the others in short.

use ananke_model::conformance::{ConformanceReport, RuleVerdict, Verdict};

use super::sheet::Sheet;
use super::terminal::{LONGEST, MARKED, mark, title};
use super::{alike, words};
use crate::count::{count, some_of};
use crate::escape::cut;
use crate::page::Excerpt;
use crate::paint::{Tone, paint};

/// Lines of findings of a rule beyond these are counted, unless more is wanted.
const MOST_FINDINGS: usize = 5;

/// How much of an event is shown.
const EVENT: Excerpt = Excerpt {
    lines: 3,
    chars: 300,
};

/// Names of rules beyond these are counted.
const MOST_NAMES: usize = 8;

/// Writes all rules that are not simply fine.
pub(super) fn rules(sheet: &mut Sheet<'_>, report: &ConformanceReport, verbose: u8) {
    broken(sheet, report, Verdict::Fail, verbose);
    broken(sheet, report, Verdict::Warn, verbose);
    let known: Vec<&RuleVerdict> = words::known(report).collect();
    if !known.is_empty() {
        title(sheet, &format!("Known failures ({})", known.len()));
        match verbose {
            0 => names(sheet, &known),
            _ => known.iter().for_each(|check| rule(sheet, check, verbose)),
        }
        sheet.gap();
    }
    folded(sheet, report, Verdict::Inconclusive, verbose > 0);
    if verbose > 0 {
        folded(sheet, report, Verdict::Off, true);
    }
    if verbose > 1 {
        folded(sheet, report, Verdict::Pass, true);
    }
}

/// Writes the rules that fail the run, or those that only warn.
pub(super) fn broken(
    sheet: &mut Sheet<'_>,
    report: &ConformanceReport,
    verdict: Verdict,
    verbose: u8,
) {
    let checks: Vec<&RuleVerdict> = words::with(report, verdict).collect();
    if checks.is_empty() {
        return;
    }
    let words = match verdict {
        Verdict::Fail => "Broken rules",
        _ => "Warnings",
    };
    title(sheet, &format!("{words} ({})", checks.len()));
    for check in checks {
        rule(sheet, check, verbose);
    }
    sheet.gap();
}

/// Writes rules with a verdict, each on a line of its own, or all of them in one.
fn folded(sheet: &mut Sheet<'_>, report: &ConformanceReport, verdict: Verdict, is_listed: bool) {
    let checks: Vec<&RuleVerdict> = words::with(report, verdict).collect();
    if checks.is_empty() {
        return;
    }
    let style = sheet.style;
    if !is_listed {
        let rules = count(checks.len(), "rule");
        let line =
            format!("{rules} could not be judged: what that takes was not seen; -v lists them");
        sheet.line(2, format_args!("{}", paint(style, Tone::Faint, line)));
        sheet.gap();
        return;
    }
    let words = match verdict {
        Verdict::Inconclusive => "Not judged",
        Verdict::Off => "Switched off",
        _ => "Rules that hold",
    };
    title(sheet, &format!("{words} ({})", checks.len()));
    for check in checks {
        let detail = check.detail.as_deref().unwrap_or(&check.rule.title);
        let detail = cut(detail, LONGEST, style.ellipsis());
        let (mark, id) = (mark(verdict, style), &check.rule.id);
        sheet.line(MARKED, format_args!("  {mark} {id}: {detail}"));
    }
    sheet.gap();
}

fn names(sheet: &mut Sheet<'_>, checks: &[&RuleVerdict]) {
    let names = checks.iter().map(|check| check.rule.id.clone());
    let names = some_of(&names.collect::<Vec<_>>(), MOST_NAMES);
    let mark = mark(Verdict::Warn, sheet.style);
    sheet.line(MARKED, format_args!("  {mark} {names}; -v says more"));
}

fn rule(sheet: &mut Sheet<'_>, check: &RuleVerdict, verbose: u8) {
    let style = sheet.style;
    let facts = &check.rule;
    let (mark, dot) = (mark(check.verdict, style), style.dot());
    let level = words::level(facts.level);
    let id = paint(style, Tone::Strong, &facts.id).to_string();
    sheet.line(
        MARKED,
        format_args!("  {mark} {id} {dot} {level} {dot} {}", facts.title),
    );
    let n_more = match verbose {
        0 => causes(sheet, check),
        _ => {
            findings(sheet, check);
            check.n_more
        }
    };
    if n_more > 0 {
        let more = count(n_more, "more finding");
        sheet.line(4, format_args!("    {} {more}", style.ellipsis()));
    }
    let section = match facts.section.as_str() {
        "" => String::new(),
        section => format!(" ({section})"),
    };
    let says = [
        ("why", format!("{}{section}", facts.reason)),
        ("fix", facts.advice.clone()),
        ("see", words::explain(&facts.id)),
    ];
    for (what, words) in says.iter().filter(|(_, words)| !words.is_empty()) {
        let what = paint(style, Tone::Faint, format_args!("{what}:")).to_string();
        sheet.line(MARKED, format_args!("    {what} {words}"));
    }
}

/// Writes a line for each cause; returns how many findings are left out.
fn causes(sheet: &mut Sheet<'_>, check: &RuleVerdict) -> usize {
    let groups = alike::alike(&check.findings);
    for group in groups.iter().take(MOST_FINDINGS) {
        let line = alike::line(group, sheet.style.dot());
        finding(sheet, &line);
    }
    let left_out = groups.iter().skip(MOST_FINDINGS).map(Vec::len);
    left_out.sum::<usize>() + check.n_more
}

/// Writes every finding with its event.
fn findings(sheet: &mut Sheet<'_>, check: &RuleVerdict) {
    for one in &check.findings {
        let line = words::finding(one, sheet.style.dot());
        finding(sheet, &line);
        if let Some(excerpt) = &one.excerpt {
            sheet.block("       ", excerpt, EVENT);
        }
    }
}

fn finding(sheet: &mut Sheet<'_>, line: &str) {
    let line = cut(line, LONGEST, sheet.style.ellipsis());
    let branch = sheet.style.branch();
    sheet.line(7, format_args!("    {branch} {line}"));
}
