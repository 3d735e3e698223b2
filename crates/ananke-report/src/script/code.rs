//! The lines of a script around a failure, with carets under the call.

use ananke_model::script::ScriptFailure;

use crate::diagnostics::{Line, frame};
use crate::escape::escape;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::script::at;
use crate::style::Style;

/// Returns the lines around a failure without credentials.
pub(crate) fn excerpt(failure: &ScriptFailure) -> impl Iterator<Item = (u32, String)> {
    let mut previous = "";
    failure.excerpt.iter().map(move |(number, text)| {
        let line = Line::at(text, 1, previous);
        previous = text;
        (*number, line.without_credentials())
    })
}

/// Writes where a failure happened, and the lines around it.
pub(crate) fn code(page: &mut Page, failure: &ScriptFailure, indent: &str, style: &Style) {
    let Some(place) = failure.frames.first() else {
        return;
    };
    let faint = |text: &str| paint(style, Tone::Faint, text).to_string();
    let last = failure.excerpt.iter().map(|(number, _)| *number).max();
    let width = last.unwrap_or_default().to_string().len();
    let arrow = faint("-->");
    let shown = at(place, false);
    page.line(format_args!("{indent}{arrow} {}", escape(&shown)));
    if failure.excerpt.is_empty() {
        return;
    }
    let (bar, blank) = (faint("|"), " ".repeat(width));
    let narrow = Style {
        width: style.width.saturating_sub(indent.len()),
        ..style.clone()
    };
    let mut previous = "";
    page.line(format_args!("{indent}{blank} {bar}"));
    for (number, text) in &failure.excerpt {
        let is_place = *number == place.line;
        let column = if is_place { place.column } else { 1 };
        let shown = frame(&Line::at(text, column, previous), &narrow);
        previous = text;
        let number = faint(&format!("{number:>width$}"));
        let line = format!("{indent}{number} {bar} {}", shown.line);
        page.line(format_args!("{}", line.trim_end()));
        if is_place {
            let carets = paint(style, Tone::Bad, "^".repeat(shown.n_carets)).to_string();
            let before = " ".repeat(shown.caret_column);
            page.line(format_args!("{indent}{blank} {bar} {before}{carets}"));
        }
    }
}
