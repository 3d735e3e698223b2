//! The comparison as Markdown, small enough for a comment on a pull request.

use super::comparison::{Change, Comparison, SideTotals, TestComparison, Verdict};
use super::terminal::test_lines;
use super::words;
use crate::count::count;
use crate::duration::duration;
use crate::excerpt::PLAIN;
use crate::markdown::{cell, code, fenced};
use crate::page::Page;

/// GitHub takes no comment of more than 65,536 characters.
const LONGEST: usize = 60_000;

/// Names longer than this are cut.
const NAME: usize = 200;

/// Notable times beyond this many are counted only.
const MOST_TIMES: usize = 20;

/// Returns the comparison as Markdown.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let mark = match comparison.verdict {
        Verdict::Regression => "❌",
        Verdict::NothingInCommon => "❔",
        _ if words::is_clean(comparison) => "✅",
        _ => "⚠️",
    };
    let mut page = Page::default();
    let verdict = words::verdict(comparison);
    page.line(format_args!("## {mark} Agent tests: {verdict}\n"));
    table(&mut page, comparison);
    page.line(format_args!("\n{}\n", words::counts(&comparison.counts)));
    for note in &comparison.notes {
        page.line(format_args!("> {}\n", code(note, 2 * NAME)));
    }
    let mut left = LONGEST;
    let mut n_left_out = 0;
    for group in words::groups(comparison) {
        let tests = group.tests(comparison);
        if tests.is_empty() {
            continue;
        }
        let title = format!("{} ({})", group.title, tests.len());
        let mut entries = String::new();
        for test in tests {
            let entry = entry(test);
            match left.checked_sub(entry.len()) {
                Some(rest) => {
                    left = rest;
                    entries.push_str(&entry);
                }
                None => n_left_out += 1,
            }
        }
        let meaning = group.meaning;
        if group.change == Change::Changed {
            page.line(format_args!(
                "<details>\n<summary>{title}: {meaning}</summary>\n\n{entries}</details>\n"
            ));
        } else {
            page.line(format_args!("### {title}\n\n{meaning}\n\n{entries}"));
        }
    }
    if n_left_out > 0 {
        let more = count(n_left_out, "more test");
        page.line(format_args!(
            "**{more} left out**: a comment cannot be larger; `--json` and `-o compare.html` have them all."
        ));
    }
    times(&mut page, comparison);
    let mut text = page.finish();
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn table(page: &mut Page, comparison: &Comparison) {
    let (a, b) = (&comparison.a, &comparison.b);
    page.lines("| | A | B |\n|---|---|---|\n");
    let mut row = |name: &str, value: &dyn Fn(&SideTotals) -> String| {
        page.line(format_args!("| {name} | {} | {} |", value(a), value(b)));
    };
    row("Run", &|side| cell(&side.label, NAME));
    row("Tests", &words::n_tests);
    row("Passed", &|side| side.passed.to_string());
    row("Skipped", &|side| side.skipped.to_string());
    row("Flaky", &|side| side.flaky.to_string());
    row("Time of all tests", &|side| {
        duration(side.duration_us, &PLAIN)
    });
}

fn times(page: &mut Page, comparison: &Comparison) {
    let times = words::times(comparison);
    if times.is_empty() {
        return;
    }
    page.line(format_args!(
        "<details>\n<summary>Slower or faster ({}): by more than 20 % and 50 ms</summary>\n\n\
         | Test | What | A | B | |\n|---|---|---|---|---|",
        times.len()
    ));
    for (test, change) in times.iter().take(MOST_TIMES) {
        let (a, b) = (duration(change.a_us, &PLAIN), duration(change.b_us, &PLAIN));
        let percent = words::percent(change.a_us, change.b_us);
        page.line(format_args!(
            "| {} | {} | {a} | {b} | {percent} |",
            cell(&words::id(test), NAME / 2),
            change.what
        ));
    }
    page.gap();
    if times.len() > MOST_TIMES {
        let more = times.len() - MOST_TIMES;
        page.line(format_args!(
            "{more} more in `--json` and `-o compare.html`\n"
        ));
    }
    page.lines("</details>\n");
}

fn entry(test: &TestComparison) -> String {
    let mut page = Page::default();
    let id = code(&words::id(test), NAME);
    let name = match words::name(test) {
        "" => String::new(),
        name => format!(" {}", code(name, NAME)),
    };
    let outcome = words::outcome(test, PLAIN.arrow());
    page.line(format_args!("- {id}{name}: {outcome}"));
    let lines = test_lines(test);
    if !lines.is_empty() {
        page.gap();
        // Indented, so that the block belongs to its test.
        for line in fenced(lines.trim_end()).lines() {
            page.line(format_args!("  {line}"));
        }
        page.gap();
    }
    page.finish()
}
