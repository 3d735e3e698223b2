//! JSON Schemas of the JSON and the JSONL report, for those who read them. `report.schema.json` is the source.

use serde_json::{Value, json};

const DEFINITIONS: &str = include_str!("report.schema.json");

/// Returns the JSON Schema of the JSON report.
pub fn report_schema() -> Value {
    schema("document", "An ananke report (.json)")
}

/// Returns the JSON Schema of each line of the JSONL report.
pub fn report_line_schema() -> Value {
    schema("line", "A line of an ananke report (.jsonl)")
}

fn schema(definition: &str, title: &str) -> Value {
    let mut schema: Value = serde_json::from_str(DEFINITIONS).expect("the schema is JSON");
    schema["title"] = json!(title);
    schema["$ref"] = json!(format!("#/$defs/{definition}"));
    schema
}
