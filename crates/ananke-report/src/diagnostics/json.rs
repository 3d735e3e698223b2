//! Diagnostics as JSON, in the order in which they are rendered.

use ananke_model::diagnostic::{Diagnostic, Severity};
use ananke_model::place::Sources;
use serde::Serialize;
use serde_json::Value;

use super::render::{sorted, without_credentials};

/// One diagnostic as it is written.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    severity: Severity,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

/// Returns the diagnostics as an array, sorted by file and place, without the credentials of the lines that they are about.
pub fn diagnostics_json(diagnostics: &[Diagnostic], sources: &Sources) -> Value {
    let entries = sorted(diagnostics).into_iter().map(|diagnostic| {
        let diagnostic = without_credentials(diagnostic, sources);
        let place = diagnostic.place.as_ref();
        let entry = Entry {
            severity: diagnostic.severity,
            message: &diagnostic.message,
            file: place.map(|place| &*place.file),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            label: &diagnostic.label,
            hint: diagnostic.hint.as_deref(),
        };
        serde_json::to_value(entry).expect("strings and numbers are JSON")
    });
    Value::Array(entries.collect())
}
