//! The report as Markdown, small enough for the summary of a CI job.

use ananke_model::conformance::{ConformanceReport, RuleVerdict, Verdict};

use super::alike;
use super::prose::{prose, prose_cell};
use super::words::{self, Overall};
use crate::count::count;
use crate::excerpt::PLAIN;
use crate::markdown::{cell, code};
use crate::page::Page;

/// What is shown of all rules; a comment on GitHub cannot be larger than 65,536 characters.
const LONGEST: usize = 50_000;

/// Texts longer than this are cut.
const TEXT: usize = 400;

/// Lines of findings beyond these are counted only.
const MOST_FINDINGS: usize = 5;

/// Returns the report as Markdown.
pub fn conformance_markdown(report: &ConformanceReport) -> String {
    let mark = match Overall::of(report) {
        Overall::Passed => "✅",
        Overall::Failed => "❌",
        Overall::Inconclusive | Overall::Unclear => "❔",
        Overall::HarnessError => "💥",
    };
    let mut page = Page::default();
    let summary = words::summary(report);
    page.line(format_args!("## {mark} Conformance: {summary}\n"));
    if let Some(error) = &report.harness_error {
        let words = "No verdict counts: a request that ananke sends breaks the protocol.";
        page.line(format_args!("> **{words}** {}\n", prose(error, TEXT)));
    }
    let (subject, profile) = (code(&report.subject, TEXT), code(&report.profile, TEXT));
    let requests = count(report.exchanges.len(), "request");
    let time = words::time(report.duration_ms, &PLAIN);
    page.line(format_args!(
        "Judged: {subject}, profile {profile}, {requests}{time}\n"
    ));
    page.line(format_args!("{}\n", words::counts(report)));
    let scenarios = report.scenarios.iter();
    let scenarios = scenarios.map(|one| (one.verdict, &*one.name, one.detail.clone()));
    table(&mut page, "Scenario", &scenarios.collect::<Vec<_>>());
    rules(&mut page, report);
    let clients = report.clients.iter().map(|client| {
        let breaks = client.breaks.as_ref();
        let breaks = breaks.map(|finding| words::finding(finding, PLAIN.dot()));
        (client.verdict, &*client.client, breaks.unwrap_or_default())
    });
    table(
        &mut page,
        "Which client breaks?",
        &clients.collect::<Vec<_>>(),
    );
    baseline(&mut page, report);
    for note in &report.notes {
        page.line(format_args!("> note: {}\n", prose(note, TEXT)));
    }
    let mut text = page.finish();
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn table(page: &mut Page, title: &str, rows: &[(Verdict, &str, String)]) {
    if rows.is_empty() {
        return;
    }
    page.line(format_args!("| {title} | | |\n|---|---|---|"));
    for (verdict, name, detail) in rows {
        let detail = match detail.as_str() {
            "" => String::new(),
            detail => prose_cell(detail, TEXT),
        };
        let (name, verdict) = (cell(name, TEXT), shown(*verdict));
        page.line(format_args!("| {name} | {verdict} | {detail} |"));
    }
    page.gap();
}

/// Returns a verdict with its symbol.
fn shown(verdict: Verdict) -> String {
    let mark = match verdict {
        Verdict::Pass => "✅",
        Verdict::Warn => "⚠️",
        Verdict::Fail => "❌",
        Verdict::Inconclusive => "❔",
        Verdict::Off => "➖",
    };
    format!("{mark} {}", words::verdict(verdict))
}

fn rules(page: &mut Page, report: &ConformanceReport) {
    let mut left = LONGEST;
    let mut n_left_out = 0;
    let broken: Vec<&RuleVerdict> = words::with(report, Verdict::Fail).collect();
    let warned: Vec<&RuleVerdict> = words::with(report, Verdict::Warn).collect();
    let known: Vec<&RuleVerdict> = words::known(report).collect();
    let open: Vec<&RuleVerdict> = words::with(report, Verdict::Inconclusive).collect();
    let parts = [
        ("Broken rules", broken, true),
        ("Warnings", warned, false),
        ("Known failures", known, false),
        ("Not judged", open, false),
    ];
    for (title, checks, is_open) in parts {
        if checks.is_empty() {
            continue;
        }
        let title = format!("{title} ({})", checks.len());
        let mut entries = String::new();
        for check in checks {
            let entry = entry(check);
            match left.checked_sub(entry.len()) {
                Some(rest) => {
                    left = rest;
                    entries.push_str(&entry);
                }
                None => n_left_out += 1,
            }
        }
        if is_open {
            page.line(format_args!("### {title}\n\n{entries}"));
        } else {
            page.line(format_args!(
                "<details>\n<summary>{title}</summary>\n\n{entries}\n</details>\n"
            ));
        }
    }
    if n_left_out > 0 {
        let more = count(n_left_out, "more rule");
        page.line(format_args!(
            "**{more} left out**: a summary cannot be larger; `--json` has them all.\n"
        ));
    }
}

/// Returns a rule as an item of a list, with its findings below it.
fn entry(check: &RuleVerdict) -> String {
    let facts = &check.rule;
    let (id, level, title) = (&facts.id, words::level(facts.level), &facts.title);
    let mut page = Page::default();
    if check.verdict == Verdict::Inconclusive {
        let why = check.detail.as_deref().unwrap_or("nothing was seen");
        page.line(format_args!("- `{id}` ({level}): {}", prose(why, TEXT)));
        return page.finish();
    }
    page.line(format_args!("- **`{id}`** ({level}): {title}"));
    let groups = alike::alike(&check.findings);
    for group in groups.iter().take(MOST_FINDINGS) {
        let line = alike::line(group, PLAIN.dot());
        page.line(format_args!("  - {}", prose(&line, TEXT)));
    }
    let left_out = groups.iter().skip(MOST_FINDINGS).map(Vec::len);
    let n_more = left_out.sum::<usize>() + check.n_more;
    if n_more > 0 {
        page.line(format_args!("  - {}", count(n_more, "more finding")));
    }
    page.line(format_args!("  - *fix:* {}", facts.advice));
    page.finish()
}

fn baseline(page: &mut Page, report: &ConformanceReport) {
    let Some(found) = &report.baseline else {
        return;
    };
    page.line(format_args!("### Baseline\n"));
    page.line(format_args!(
        "- still failing as it says: {}",
        found.n_matched
    ));
    let parts = [
        (&found.stale, "❌", "passes now; remove the entry"),
        (&found.unseen, "❔", "could not be judged this time"),
    ];
    for (entries, mark, words) in parts {
        for known in entries {
            let entry = format!("{}: {}", known.place, words::entry(known));
            page.line(format_args!("- {mark} {} {words}", prose(&entry, TEXT)));
        }
    }
    page.gap();
}
