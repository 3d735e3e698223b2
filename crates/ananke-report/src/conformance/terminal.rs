//! The report for a terminal.

use ananke_model::conformance::{ConformanceReport, Verdict};
use unicode_width::UnicodeWidthStr as _;

use super::sheet::Sheet;
use super::terminal_rules::{broken, rules};
use super::words::{self, Overall};
use crate::count::count;
use crate::escape::cut;
use crate::page::Excerpt;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Longer lines are cut; the JSON document has it all.
pub(super) const LONGEST: usize = 400;

/// How much of an error of the harness is shown.
const HARNESS: Excerpt = Excerpt {
    lines: 20,
    chars: 4_000,
};

/// How much is told, and how wide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Telling {
    /// From 1 on inconclusive rules are listed and every finding shows its event, from 2 on requests and rules that
    /// passed are listed too.
    pub verbose: u8,
    /// Only what is broken is told, and the last line.
    pub quiet: bool,
    /// Where lines are folded; `None` if they never are, since no terminal shows them.
    pub columns: Option<usize>,
}

/// Returns the report as text.
pub fn conformance_text(report: &ConformanceReport, style: &Style, telling: Telling) -> String {
    let mut sheet = Sheet::new(style, telling.columns);
    if let Some(error) = &report.harness_error {
        let head =
            "HARNESS ERROR: a request that ananke sends breaks the protocol; no verdict counts";
        sheet.line(2, format_args!("{}", paint(style, Tone::Bad, head)));
        sheet.block("  ", error, HARNESS);
        sheet.gap();
    }
    if telling.quiet {
        broken(&mut sheet, report, Verdict::Fail, telling.verbose);
        if words::n_stale(report) > 0 {
            stale(&mut sheet, report);
            sheet.gap();
        }
    } else {
        head(&mut sheet, report);
        if telling.verbose > 1 {
            exchanges(&mut sheet, report);
        }
        scenarios(&mut sheet, report);
        rules(&mut sheet, report, telling.verbose);
        clients(&mut sheet, report);
        baseline(&mut sheet, report);
        for note in &report.notes {
            let note = cut(note, LONGEST, style.ellipsis());
            sheet.line(6, format_args!("note: {note}"));
        }
        sheet.line(2, format_args!("{}", words::counts(report)));
    }
    verdict(&mut sheet, report);
    sheet.finish()
}

fn head(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    let style = sheet.style;
    let subject = cut(&report.subject, LONGEST, style.ellipsis());
    let title = paint(style, Tone::Strong, "Conformance of").to_string();
    sheet.line(2, format_args!("{title} {subject}"));
    let profile = cut(&report.profile, LONGEST, style.ellipsis());
    let requests = count(report.exchanges.len(), "request");
    let time = words::time(report.duration_ms, style);
    sheet.line(2, format_args!("profile {profile}, {requests}{time}"));
    sheet.gap();
}

fn exchanges(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    if report.exchanges.is_empty() {
        return;
    }
    title(sheet, "Requests");
    let style = sheet.style;
    for (number, exchange) in report.exchanges.iter().enumerate() {
        let status = exchange.status.map(|status| format!("{status}, "));
        let status = status.unwrap_or_default();
        let events = count(exchange.n_events, "event");
        let time = words::time(exchange.duration_ms, style);
        let what = format!("{} {} {}", exchange.scenario, style.dot(), exchange.step);
        let what = cut(&what, LONGEST, style.ellipsis());
        let ending = cut(&exchange.ending, LONGEST, style.ellipsis());
        sheet.line(
            4,
            format_args!("  {number} {what}: {status}{events}, {ending}{time}"),
        );
    }
    sheet.gap();
}

fn scenarios(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    if report.scenarios.is_empty() {
        return;
    }
    title(sheet, "Scenarios");
    let rows = report.scenarios.iter();
    let rows = rows.map(|scenario| (scenario.verdict, &*scenario.name, scenario.detail.clone()));
    table(sheet, &rows.collect::<Vec<_>>());
}

fn clients(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    if report.clients.is_empty() {
        return;
    }
    title(sheet, "Which client breaks?");
    let dot = sheet.style.dot();
    let rows = report.clients.iter().map(|client| {
        let detail = match (&client.breaks, client.verdict) {
            (Some(finding), _) => words::finding(finding, dot),
            (None, Verdict::Pass) => "reads everything".to_owned(),
            (None, Verdict::Inconclusive) => "no stream was seen".to_owned(),
            (None, _) => String::new(),
        };
        (client.verdict, &*client.client, detail)
    });
    table(sheet, &rows.collect::<Vec<_>>());
}

/// Writes rows of a verdict, a name and details, aligned.
fn table(sheet: &mut Sheet<'_>, rows: &[(Verdict, &str, String)]) {
    let style = sheet.style;
    let names = rows
        .iter()
        .map(|(_, name, _)| cut(name, 60, style.ellipsis()));
    let names: Vec<String> = names.collect();
    let width = names.iter().map(|name| name.width()).max();
    let width = width.unwrap_or_default();
    for ((verdict, _, detail), name) in rows.iter().zip(&names) {
        let blanks = " ".repeat(width.saturating_sub(name.width()));
        let detail = cut(detail, LONGEST, style.ellipsis());
        let line = format!("  {} {name}{blanks}  {detail}", mark(*verdict, style));
        sheet.line(MARKED + width + 2, format_args!("{}", line.trim_end()));
    }
    sheet.gap();
}

fn baseline(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    let Some(found) = &report.baseline else {
        return;
    };
    title(sheet, "Baseline");
    match found.n_matched {
        1 => sheet.line(4, format_args!("  1 entry fails as it says")),
        n => sheet.line(4, format_args!("  {n} entries fail as they say")),
    }
    stale(sheet, report);
    for known in &found.unseen {
        let (place, entry) = (&known.place, words::entry(known));
        let line = format!("{place}: {entry} could not be judged this time");
        row(sheet, Verdict::Inconclusive, &line);
    }
    sheet.gap();
}

/// Writes the entries of the baseline that pass now.
fn stale(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    for known in report.baseline.iter().flat_map(|found| &found.stale) {
        let (place, entry) = (&known.place, words::entry(known));
        let line = format!("{place}: {entry} passes now; remove the entry");
        row(sheet, Verdict::Fail, &line);
    }
}

fn row(sheet: &mut Sheet<'_>, verdict: Verdict, line: &str) {
    let line = cut(line, LONGEST, sheet.style.ellipsis());
    let mark = mark(verdict, sheet.style);
    sheet.line(MARKED, format_args!("  {mark} {line}"));
}

fn verdict(sheet: &mut Sheet<'_>, report: &ConformanceReport) {
    let (tone, word) = match Overall::of(report) {
        Overall::Passed => (Tone::Good, "PASSED"),
        Overall::Failed => (Tone::Bad, "FAILED"),
        Overall::Inconclusive => (Tone::Odd, "INCONCLUSIVE"),
        Overall::Unclear => (Tone::Odd, "INCONCLUSIVE (--strict)"),
        Overall::HarnessError => (Tone::Bad, "NO VERDICT"),
    };
    let word = paint(sheet.style, tone, word).to_string();
    sheet.line(2, format_args!("{word}: {}", words::sentence(report)));
}

/// Writes the title of a part.
pub(super) fn title(sheet: &mut Sheet<'_>, words: &str) {
    let words = paint(sheet.style, Tone::Strong, words).to_string();
    sheet.line(2, format_args!("{words}"));
}

/// Where what comes after a mark begins.
pub(super) const MARKED: usize = 9;

/// Returns the mark before a row; all are equally wide.
pub(super) fn mark(verdict: Verdict, style: &Style) -> String {
    let (tone, mark) = match verdict {
        Verdict::Pass => (Tone::Good, "[pass]"),
        Verdict::Warn => (Tone::Odd, "[warn]"),
        Verdict::Fail => (Tone::Bad, "[fail]"),
        Verdict::Inconclusive => (Tone::Faint, "[  ? ]"),
        Verdict::Off => (Tone::Faint, "[off ]"),
    };
    paint(style, tone, mark).to_string()
}
