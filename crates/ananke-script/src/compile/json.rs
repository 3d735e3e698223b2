//! A JSON file as a module: its value is the default export.

use ananke_model::diagnostic::Diagnostic;
use oxc::span::Span;

use super::source::{Lines, utf16_to_bytes};

/// Returns the code of a module whose default export is the value.
pub(super) fn module(lines: &Lines<'_>) -> Result<String, Vec<Diagnostic>> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&lines.text) {
        return Err(vec![mistake(lines, &error)]);
    }
    // As an expression, a key `__proto__` would be no key.
    let text = serde_json::Value::String(lines.text.clone().into_owned());
    Ok(format!("export default JSON.parse({text});\n"))
}

fn mistake(lines: &Lines<'_>, error: &serde_json::Error) -> Diagnostic {
    let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
    let start = lines.offset(line.saturating_sub(1), 0);
    let rest = lines.text.get(start..).unwrap_or_default();
    // The column is counted in bytes and may be the one after the end.
    let at = rest.floor_char_boundary(error.column().saturating_sub(1));
    let length = utf16_to_bytes(rest.get(at..).unwrap_or_default(), 1);
    let at = u32::try_from(start + at).unwrap_or(u32::MAX);
    let span = Span::new(at, at.saturating_add(u32::try_from(length).unwrap_or(0)));
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    Diagnostic::error(
        &lines.place(span),
        format!("the file is no JSON: {message}"),
    )
    .label("expected JSON")
    .hint("JSON has no comments, no trailing commas, and only double quotes")
}
