//! The comparison as one JSON document, version 1.

use serde::Serialize;

use super::comparison::Comparison;
use crate::json::inert;

/// What the documents of this version are called.
const SCHEMA: &str = "ananke.compare/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Returns the comparison as a JSON document.
pub fn comparison_json(comparison: &Comparison) -> String {
    let document = Document {
        schema: SCHEMA,
        comparison,
    };
    inert(serde_json::to_string_pretty(&document).expect("all keys are strings"))
}
