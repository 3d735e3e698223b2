//! Renders diagnostics for a person.

use std::collections::BTreeSet;

use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::place::{Place, Sources};

use super::frame::{Frame, Line, frame};
use super::mask;
use crate::count::{count, counts};
use crate::escape::escape;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Returns all diagnostics, sorted by file and place, and one line that counts them; nothing if there are none.
pub fn render_diagnostics(diagnostics: &[Diagnostic], sources: &Sources, style: &Style) -> String {
    let mut page = Page::default();
    for diagnostic in sorted(diagnostics) {
        render(&mut page, diagnostic, sources, style);
        page.gap();
    }
    if !diagnostics.is_empty() {
        let worst = if diagnostics.iter().any(Diagnostic::is_error) {
            Severity::Error
        } else {
            Severity::Warning
        };
        let head = head(worst, style);
        page.line(format_args!("{head}: {}", totals(diagnostics)));
    }
    page.finish()
}

/// Returns how many diagnostics there are: `3 errors, 1 warning in 2 files`.
pub(crate) fn totals(diagnostics: &[Diagnostic]) -> String {
    let n_errors = diagnostics.iter().filter(|one| one.is_error()).count();
    let files: BTreeSet<&str> = diagnostics
        .iter()
        .filter_map(|one| Some(&*one.place.as_ref()?.file))
        .collect();
    let n_warnings = diagnostics.len() - n_errors;
    let all = counts(&[(n_errors, "error"), (n_warnings, "warning")]);
    match files.len() {
        0 => all,
        n_files => format!("{all} in {}", count(n_files, "file")),
    }
}

/// Returns the diagnostics in the order in which they are told: those without a place first.
pub(super) fn sorted(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|one| {
        one.place
            .as_ref()
            .map(|place| (place.file.clone(), place.line, place.column, place.start))
    });
    sorted
}

/// Returns a diagnostic without the credentials of the line that it is about.
pub(crate) fn without_credentials(diagnostic: &Diagnostic, sources: &Sources) -> Diagnostic {
    let line = line(diagnostic, sources);
    let hidden = |text: &str| match &line {
        Some(line) => line.hidden_in(text),
        None => mask::without(text, "", &[]),
    };
    Diagnostic {
        message: hidden(&diagnostic.message),
        label: hidden(&diagnostic.label),
        hint: diagnostic.hint.as_deref().map(hidden),
        ..diagnostic.clone()
    }
}

fn line<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Option<Line<'s>> {
    let place = diagnostic.place.as_ref()?;
    Line::of(sources.text(&place.file)?, place)
}

fn render(page: &mut Page, diagnostic: &Diagnostic, sources: &Sources, style: &Style) {
    let diagnostic = &without_credentials(diagnostic, sources);
    let head = head(diagnostic.severity, style);
    page.line(format_args!("{head}: {}", escape(&diagnostic.message)));
    if let Some(place) = &diagnostic.place {
        let frame = line(diagnostic, sources).map(|line| frame(&line, style));
        render_place(page, place, frame.as_ref(), diagnostic, style);
    } else if !diagnostic.label.is_empty() {
        page.line(format_args!("  = {}", escape(&diagnostic.label)));
    }
    if let Some(hint) = &diagnostic.hint {
        let word = paint(style, Tone::Strong, "hint").to_string();
        page.line(format_args!("{word}: {}", escape(hint)));
    }
}

fn render_place(
    page: &mut Page,
    place: &Place,
    frame: Option<&Frame>,
    diagnostic: &Diagnostic,
    style: &Style,
) {
    let faint = |text: &str| paint(style, Tone::Faint, text).to_string();
    let number = place.line.to_string();
    let gutter = " ".repeat(number.len());
    // One less than the gutter, as in the style guide, but never flush left.
    let lead = " ".repeat(number.len().saturating_sub(1).max(1));
    let file = escape(&place.file);
    let arrow = faint("-->");
    page.line(format_args!(
        "{lead}{arrow} {file}:{}:{}",
        place.line, place.column
    ));
    let label = escape(&diagnostic.label);
    let Some(frame) = frame else {
        if !label.is_empty() {
            page.line(format_args!("{gutter} = {label}"));
        }
        return;
    };
    let bar = faint("|");
    page.line(format_args!("{gutter} {bar}"));
    let line = format!("{} {bar} {}", faint(&number), frame.line);
    page.line(format_args!("{}", line.trim_end()));
    let tone = tone(diagnostic.severity);
    let carets = paint(style, tone, "^".repeat(frame.n_carets)).to_string();
    let before = " ".repeat(frame.caret_column);
    let line = format!("{gutter} {bar} {before}{carets} {label}");
    page.line(format_args!("{}", line.trim_end()));
}

fn head(severity: Severity, style: &Style) -> String {
    let word = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    paint(style, tone(severity), word).to_string()
}

fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Odd,
    }
}
