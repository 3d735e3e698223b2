//! The document of a run that never began.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Sources;
use serde_json::Value;

use super::format::{Document, Environment, LoadError, SCHEMA, Totals};
use crate::diagnostics::{diagnostics_json, totals, without_credentials};

/// Returns a report without results that says what kept the run from starting.
pub fn json_load_error(diagnostics: &[Diagnostic], sources: &Sources, exit_code: u8) -> Value {
    let mut errors = diagnostics.iter().filter(|one| one.is_error());
    let message = match (errors.next(), errors.next()) {
        (Some(only), None) => without_credentials(only, sources).message,
        _ => totals(diagnostics),
    };
    let document = Document {
        schema: SCHEMA,
        script: None,
        error: Some(LoadError { message, exit_code }),
        diagnostics: Some(diagnostics_json(diagnostics, sources)),
        summary: Totals {
            interrupted: exit_code >= 128,
            runs_per_case: 1,
            ..Totals::default()
        },
        environment: Environment(None),
        results: &[],
        metadata: None,
    };
    serde_json::to_value(document).expect("all keys are strings")
}
