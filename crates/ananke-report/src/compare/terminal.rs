//! The comparison for a terminal.

use super::comparison::{
    CallChange, Change, Comparison, Details, EventChange, Missing, PieceKind, SideTotals,
    TestComparison, TextChange, ValueChange, Verdict,
};
use super::words;
use crate::count::{count, results_of};
use crate::duration::duration;
use crate::escape::{cut, escape};
use crate::excerpt::PLAIN;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Below a test.
const INDENT: &str = "    ";

/// Longer lines are cut; the JSON document has it all.
const LONGEST: usize = 400;

/// Lines of a text beyond this many are left out.
const MOST_LINES: usize = 20;

/// Notable times beyond this many are shown with `-v` only.
const MOST_TIMES: usize = 5;

/// Returns the comparison as text. With `verbose` changed tests and all times are shown in full; with `quiet` only what
/// makes a regression, and new tests that do not pass.
pub fn comparison_text(
    comparison: &Comparison,
    style: &Style,
    verbose: bool,
    quiet: bool,
) -> String {
    let mut page = Page::default();
    if !quiet {
        side(&mut page, "A", &comparison.a, style);
        side(&mut page, "B", &comparison.b, style);
        for note in &comparison.notes {
            let note = cut(note, LONGEST, style.ellipsis());
            page.line(format_args!(
                "{} {note}",
                paint(style, Tone::Odd, style.warn())
            ));
        }
        page.gap();
    }
    for group in words::groups(comparison) {
        let tests = group.tests(comparison);
        if tests.is_empty() || (quiet && !group.is_grave()) {
            continue;
        }
        let title = format!("{} ({}): {}", group.title, tests.len(), group.meaning);
        page.line(format_args!("{}", paint(style, Tone::Strong, title)));
        for test in tests {
            let with_details = match group.change {
                Change::Broken | Change::Fixed => true,
                Change::Changed => verbose,
                Change::Gone | Change::New | Change::Same => false,
            };
            self::test(&mut page, test, with_details, style);
        }
        page.gap();
    }
    if !quiet {
        times(&mut page, comparison, verbose, style);
        if !comparison.tests.is_empty() {
            page.line(format_args!("{}", words::counts(&comparison.counts)));
        }
        let (a, b) = (comparison.a.flaky, comparison.b.flaky);
        if a + b > 0 {
            page.line(format_args!("flaky: {a} {} {b}", style.arrow()));
        }
    }
    verdict(&mut page, comparison, style);
    page.finish()
}

fn side(page: &mut Page, name: &str, totals: &SideTotals, style: &Style) {
    let label = cut(&totals.label, LONGEST, style.ellipsis());
    let tests = results_of(totals.total, totals.tests);
    let time = duration(totals.duration_us, style);
    let name = paint(style, Tone::Strong, name);
    page.line(format_args!(
        "{name} {label}: {tests}, {} passed, {time}",
        totals.passed
    ));
}

fn test(page: &mut Page, test: &TestComparison, with_details: bool, style: &Style) {
    let (tone, mark) = match test.change {
        Change::Broken => (Tone::Bad, style.cross()),
        Change::Gone => (Tone::Bad, "-"),
        Change::Fixed => (Tone::Good, style.tick()),
        Change::New if words::is_failing_now(test) => (Tone::Bad, style.cross()),
        Change::New => (Tone::Good, "+"),
        Change::Changed => (Tone::Odd, "~"),
        Change::Same => (Tone::Good, "="),
    };
    let mark = paint(style, tone, mark);
    let id = words::id(test);
    let id = escape(&id);
    let name = match words::name(test) {
        "" => String::new(),
        name => format!(" {}", cut(name, 200, style.ellipsis())),
    };
    let outcome = words::outcome(test, style.arrow());
    page.line(format_args!(
        "  {mark} [{id}]{name} {}",
        paint(style, tone, outcome)
    ));
    lines(page, test, with_details, style);
}

/// Returns everything that is said about a test below its row, for a file.
pub(super) fn test_lines(test: &TestComparison) -> String {
    let mut page = Page::default();
    lines(&mut page, test, true, &PLAIN);
    let text = page.finish();
    let lines = text.lines();
    let lines = lines.map(|line| line.strip_prefix(INDENT).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn lines(page: &mut Page, test: &TestComparison, with_details: bool, style: &Style) {
    if let Some(difference) = words::difference(test) {
        page.line(format_args!("{INDENT}{difference}"));
    }
    if let Some(first) = words::first_difference(test, style.arrow()) {
        let first = cut(&first, LONGEST, style.ellipsis());
        page.line(format_args!("{INDENT}{first}"));
    }
    for reason in words::reasons(test) {
        let reason = cut(&reason, LONGEST, style.ellipsis());
        page.line(format_args!("{INDENT}{} {reason}", style.branch()));
    }
    if with_details {
        details(page, &test.details, style);
    }
}

fn details(page: &mut Page, details: &Details, style: &Style) {
    value_changes(page, "checkpoints", &details.checkpoints, style);
    if !details.calls.is_empty() {
        page.line(format_args!("{INDENT}tool calls"));
    }
    for change in &details.calls {
        call(page, change, style);
    }
    for change in &details.texts {
        text(page, change, style);
    }
    let groups = [
        ("state", &details.states),
        ("conversation", &details.others),
    ];
    for (title, changes) in groups {
        value_changes(page, title, changes, style);
    }
    if let Some(change) = &details.first_event {
        event(page, change, style);
    }
}

fn value_changes(page: &mut Page, title: &str, changes: &[ValueChange], style: &Style) {
    if !changes.is_empty() {
        page.line(format_args!("{INDENT}{title}"));
    }
    for change in changes {
        let line = words::value_change(change, style.arrow());
        let line = cut(&line, LONGEST, style.ellipsis());
        page.line(format_args!("{INDENT}  ~ {line}"));
    }
}

fn call(page: &mut Page, change: &CallChange, style: &Style) {
    let (mark, word) = words::call_kind(change.kind);
    let line = match &change.args {
        Some(args) => format!("{} {args}", change.name),
        None => {
            let values = change.values.iter();
            let values = values.map(|value| words::value_change(value, style.arrow()));
            format!("{}: {}", change.name, values.collect::<Vec<_>>().join(", "))
        }
    };
    let line = cut(&line, LONGEST, style.ellipsis());
    let tone = match mark {
        "+" => Tone::Good,
        "-" => Tone::Bad,
        _ => Tone::Odd,
    };
    let mark = paint(style, tone, mark);
    page.line(format_args!(
        "{INDENT}  {mark} turn {}, {word}: {line}",
        change.turn
    ));
}

fn text(page: &mut Page, change: &TextChange, style: &Style) {
    page.line(format_args!("{INDENT}text of turn {}", change.turn));
    let mut lines = vec![String::new()];
    for piece in &change.pieces {
        for (index, part) in piece.text.split('\n').enumerate() {
            if index > 0 {
                lines.push(String::new());
            }
            let part = escape(part);
            let shown = match piece.kind {
                PieceKind::Same => part.into_owned(),
                PieceKind::Removed => paint(style, Tone::Bad, format!("[-{part}-]")).to_string(),
                PieceKind::Added => paint(style, Tone::Good, format!("{{+{part}+}}")).to_string(),
            };
            if let Some(line) = lines.last_mut() {
                line.push_str(&shown);
            }
        }
    }
    let bar = style.bar();
    for line in lines.iter().take(MOST_LINES) {
        page.line(format_args!("{INDENT}  {bar} {line}"));
    }
    if lines.len() > MOST_LINES {
        let more = count(lines.len() - MOST_LINES, "more line");
        page.line(format_args!("{INDENT}  {bar} {} {more}", style.ellipsis()));
    }
}

fn event(page: &mut Page, change: &EventChange, style: &Style) {
    page.line(format_args!(
        "{INDENT}first differing event, in turn {}",
        change.turn
    ));
    let sides = [
        ("A", change.event_a, &change.a),
        ("B", change.event_b, &change.b),
    ];
    for (name, number, payload) in sides {
        match (number, payload) {
            (Some(number), Some(payload)) => {
                let payload = cut(payload, LONGEST, style.ellipsis());
                let bar = style.bar();
                page.line(format_args!(
                    "{INDENT}  {name} event {number} {bar} {payload}"
                ));
            }
            _ => page.line(format_args!("{INDENT}  {name} no more events")),
        }
    }
}

fn times(page: &mut Page, comparison: &Comparison, verbose: bool, style: &Style) {
    let times = words::times(comparison);
    if times.is_empty() {
        return;
    }
    let most = if verbose { times.len() } else { MOST_TIMES };
    let title = "Slower or faster by more than 20 % and 50 ms";
    page.line(format_args!("{}", paint(style, Tone::Strong, title)));
    for (test, change) in times.iter().take(most) {
        let (a, b) = (duration(change.a_us, style), duration(change.b_us, style));
        let percent = words::percent(change.a_us, change.b_us);
        page.line(format_args!(
            "  [{}] {}: {a} {} {b} ({percent})",
            escape(&words::id(test)),
            change.what,
            style.arrow()
        ));
    }
    if times.len() > most {
        let more = times.len() - most;
        page.line(format_args!("  {} {more} more with -v", style.ellipsis()));
    }
    page.gap();
}

fn verdict(page: &mut Page, comparison: &Comparison, style: &Style) {
    let tone = match comparison.verdict {
        Verdict::Regression => Tone::Bad,
        _ if words::is_clean(comparison) => Tone::Good,
        _ => Tone::Odd,
    };
    let words = words::verdict(comparison);
    page.line(format_args!("{}", paint(style, tone, words)));
    let is_lost = comparison.verdict == Verdict::Regression
        && comparison.counts.broken == 0
        && comparison.missing == Missing::Regression;
    if is_lost {
        let hint = match comparison.b.incomplete {
            Some(_) => "B ended before its time; run it again, and to its end",
            None => "`--allow-missing` accepts tests that are gone on purpose",
        };
        page.line(format_args!("hint: {hint}"));
    }
}
