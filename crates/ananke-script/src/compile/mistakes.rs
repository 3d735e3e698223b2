//! What the compiler complains about, in our words and with our places.

use ananke_model::diagnostic::Diagnostic;
use oxc::diagnostics::OxcDiagnostic;
use oxc::span::Span;

use super::source::{Language, Lines};

/// How many mistakes of a file are told at most.
const MAX_MISTAKES: usize = 50;

/// Turns complaints into diagnostics, in the order of the file.
pub(super) fn mistakes(lines: &Lines<'_>, found: Vec<OxcDiagnostic>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = found
        .into_iter()
        .take(MAX_MISTAKES)
        .map(|one| mistake(lines, &one))
        .collect();
    all.sort_by_key(|one| one.place.as_ref().map(|place| (place.start, place.end)));
    all.dedup();
    all
}

fn mistake(lines: &Lines<'_>, found: &OxcDiagnostic) -> Diagnostic {
    let labels = found.labels.as_slice();
    // What was declared twice is a mistake at its second place; else the first label is the one that counts.
    let label = labels
        .iter()
        .find(|label| label.primary())
        .or_else(|| {
            labels
                .iter()
                .find(|label| !is_about_another_place(label.label()))
        })
        .or_else(|| labels.first());
    let span = label.map_or(Span::new(0, 0), |label| {
        let start = label.offset();
        Span::new(start, start.saturating_add(label.len()))
    });
    let (message, hint) = words(found);
    let hint = match is_type_in_javascript(lines, span) {
        true => Some("types can be written in `.ts` files only".to_owned()),
        false => hint,
    };
    let at = label.and_then(|label| label.label()).map(fragment);
    let label = at.unwrap_or_else(|| expectation(&message).to_owned());
    let mistake = Diagnostic::error(&lines.place(span), message).label(label);
    match hint {
        Some(hint) => mistake.hint(hint),
        None => mistake,
    }
}

/// Returns what is said beside the carets where the compiler says nothing.
fn expectation(message: &str) -> &'static str {
    let begins = |word| message.starts_with(word);
    match () {
        () if begins("unterminated") => "it never ends",
        () if begins("missing") || begins("expected") => "expected it here",
        () => "not allowed here",
    }
}

fn is_type_in_javascript(lines: &Lines<'_>, span: Span) -> bool {
    let rest = lines.text.get(span.end as usize..).unwrap_or_default();
    let at = lines.text.get(span.start as usize..).unwrap_or_default();
    Language::of(&lines.shown) == Language::JavaScript
        && (rest.trim_start().starts_with(':') || at.starts_with(':'))
}

fn is_about_another_place(label: Option<&str>) -> bool {
    label.is_some_and(|label| {
        label.contains("already been declared") || label.contains("pened here")
    })
}

/// Returns the message and the hint. Where the compiler speaks of itself, we speak instead.
fn words(found: &OxcDiagnostic) -> (String, Option<String>) {
    let message = &*found.message;
    if message.starts_with("Namespaces exporting non-const") {
        let hint = "export a `const` or a function, or use an object";
        return (
            "a namespace can export no variable that changes".to_owned(),
            Some(hint.to_owned()),
        );
    }
    let hint = found
        .help
        .as_deref()
        .map(str::trim)
        .filter(|help| !help.is_empty());
    let message = message.replace("`EOF`", "the end of the file");
    (fragment(&message), hint.map(fragment))
}

/// Turns a sentence into a fragment: no capital at the beginning, no full stop at the end, one line.
fn fragment(sentence: &str) -> String {
    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = sentence.strip_suffix('.').unwrap_or(&sentence);
    let mut chars = sentence.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second))
            if first.is_ascii_uppercase() && !second.is_ascii_uppercase() =>
        {
            format!("{}{}", first.to_ascii_lowercase(), chars.as_str())
        }
        _ => sentence.to_owned(),
    }
}
