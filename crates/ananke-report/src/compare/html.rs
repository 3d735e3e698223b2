//! The comparison as one offline page without a script. Everything that a run brought goes through `escaped`.

use super::comparison::{
    CallChange, Change, Comparison, Details, EventChange, PieceKind, SideTotals, TestComparison,
    TextChange, ValueChange, Verdict,
};
use super::words;
use crate::duration::duration;
use crate::excerpt::PLAIN;
use crate::html::{escaped, policy};
use crate::page::Page;

const STYLE: &str = concat!(
    include_str!("../html/assets/style/theme.css"),
    include_str!("assets/compare.css"),
);

/// Returns the comparison as a page.
pub fn comparison_html(comparison: &Comparison) -> String {
    let title = escaped(&words::verdict(comparison));
    let tone = match comparison.verdict {
        Verdict::Regression => "s-f",
        _ if words::is_clean(comparison) => "s-p",
        _ => "s-t",
    };
    let mut page = Page::default();
    page.line(format_args!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · ananke compare</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1 class=\"{tone}\">{title}</h1>",
        escaped(&policy(STYLE, ""))
    ));
    push(&mut page, "p", "sum", &words::counts(&comparison.counts));
    sides(&mut page, comparison);
    for note in &comparison.notes {
        push(&mut page, "p", "note foreign", note);
    }
    for group in words::groups(comparison) {
        let tests = group.tests(comparison);
        if tests.is_empty() {
            continue;
        }
        let (title, n_tests, meaning) = (group.title, tests.len(), group.meaning);
        page.line(format_args!(
            "<h2>{title} ({n_tests})<small>{meaning}</small></h2>"
        ));
        for test in tests {
            self::test(&mut page, test);
        }
    }
    times(&mut page, comparison);
    page.lines("</main>\n</body>\n</html>\n");
    page.finish()
}

/// Appends an element that holds text only.
fn push(page: &mut Page, tag: &str, class: &str, text: &str) {
    page.line(format_args!(
        "<{tag} class=\"{class}\">{}</{tag}>",
        escaped(text)
    ));
}

fn sides(page: &mut Page, comparison: &Comparison) {
    page.lines(
        "<div class=\"box\"><table>\n<thead><tr><th></th><th>A</th><th>B</th></tr></thead>\n<tbody>\n",
    );
    let (a, b) = (&comparison.a, &comparison.b);
    let mut row = |name: &str, value: &dyn Fn(&SideTotals) -> String| {
        let (a, b) = (escaped(&value(a)), escaped(&value(b)));
        page.line(format_args!(
            "<tr><th>{name}</th><td class=\"foreign\">{a}</td><td class=\"foreign\">{b}</td></tr>"
        ));
    };
    row("Run", &|side| side.label.clone());
    row("Tests", &words::n_tests);
    row("Passed", &|side| side.passed.to_string());
    row("Skipped", &|side| side.skipped.to_string());
    row("Flaky", &|side| side.flaky.to_string());
    row("Time of all tests", &|side| {
        duration(side.duration_us, &PLAIN)
    });
    page.lines("</tbody>\n</table></div>\n");
}

fn test(page: &mut Page, test: &TestComparison) {
    let tone = match test.change {
        Change::Broken | Change::Gone => "s-f",
        Change::New if words::is_failing_now(test) => "s-f",
        Change::Fixed | Change::New | Change::Same => "s-p",
        Change::Changed => "s-t",
    };
    let is_open = test.change == Change::Broken
        || (test.change == Change::New && words::is_failing_now(test));
    let open = if is_open { " open" } else { "" };
    page.line(format_args!(
        "<details{open}>\n<summary><span class=\"badge {tone}\">{}</span> <code class=\"foreign\">{}</code> \
         <span class=\"name foreign\">{}</span></summary>\n<div class=\"body\">",
        escaped(&words::outcome(test, "→")),
        escaped(&words::id(test)),
        escaped(words::name(test))
    ));
    if let Some(difference) = words::difference(test) {
        push(page, "p", "soft", &difference);
    }
    if let Some(first) = words::first_difference(test, "→") {
        push(page, "p", "foreign", &first);
    }
    for reason in words::reasons(test) {
        push(page, "p", "reason foreign", &reason);
    }
    details(page, &test.details);
    page.lines("</div>\n</details>\n");
}

fn details(page: &mut Page, details: &Details) {
    value_changes(page, "Checkpoints", &details.checkpoints);
    if !details.calls.is_empty() {
        let lines: Vec<String> = details.calls.iter().map(call).collect();
        block(page, "Tool calls", &lines.join("\n"));
    }
    for change in &details.texts {
        text(page, change);
    }
    for (title, changes) in [
        ("State", &details.states),
        ("Conversation", &details.others),
    ] {
        value_changes(page, title, changes);
    }
    if let Some(change) = &details.first_event {
        event(page, change);
    }
}

fn value_changes(page: &mut Page, title: &str, changes: &[ValueChange]) {
    if !changes.is_empty() {
        let lines = changes.iter();
        let lines = lines.map(|change| words::value_change(change, "→"));
        block(page, title, &lines.collect::<Vec<_>>().join("\n"));
    }
}

fn block(page: &mut Page, title: &str, text: &str) {
    push(page, "h3", "", title);
    push(page, "pre", "foreign", text);
}

fn call(change: &CallChange) -> String {
    let (mark, word) = words::call_kind(change.kind);
    let what = match &change.args {
        Some(args) => format!(" {args}"),
        None => {
            let values = change.values.iter();
            let values = values.map(|value| words::value_change(value, "→"));
            format!(": {}", values.collect::<Vec<_>>().join(", "))
        }
    };
    format!("{mark} turn {}, {word}: {}{what}", change.turn, change.name)
}

fn text(page: &mut Page, change: &TextChange) {
    push(page, "h3", "", &format!("Text of turn {}", change.turn));
    page.lines("<pre class=\"foreign\">");
    for piece in &change.pieces {
        let text = escaped(&piece.text);
        match piece.kind {
            PieceKind::Same => page.lines(&text),
            PieceKind::Removed => page.lines(&format!("<del>{text}</del>")),
            PieceKind::Added => page.lines(&format!("<ins>{text}</ins>")),
        }
    }
    page.lines("</pre>\n");
}

fn event(page: &mut Page, change: &EventChange) {
    let sides = [
        ("A", change.event_a, &change.a),
        ("B", change.event_b, &change.b),
    ];
    let lines = sides.map(|(name, number, payload)| match (number, payload) {
        (Some(number), Some(payload)) => format!("{name} event {number}: {payload}"),
        _ => format!("{name} no more events"),
    });
    let title = format!("First differing event, in turn {}", change.turn);
    block(page, &title, &lines.join("\n"));
}

fn times(page: &mut Page, comparison: &Comparison) {
    let times = words::times(comparison);
    if times.is_empty() {
        return;
    }
    page.lines("<h2>Slower or faster<small>by more than 20 % and 50 ms</small></h2>\n");
    page.lines("<div class=\"box\"><table>\n<thead><tr><th>Test</th><th>What</th><th>A</th><th>B</th><th></th></tr></thead>\n<tbody>\n");
    for (test, change) in times {
        page.line(format_args!(
            "<tr><td class=\"foreign\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&words::id(test)),
            escaped(&change.what),
            duration(change.a_us, &PLAIN),
            duration(change.b_us, &PLAIN),
            words::percent(change.a_us, change.b_us)
        ));
    }
    page.lines("</tbody>\n</table></div>\n");
}
