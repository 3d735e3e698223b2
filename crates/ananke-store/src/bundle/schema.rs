//! The JSON Schema of a bundle's records.

use serde_json::Value;

/// Returns the JSON Schema of one line of a bundle, draft 2020-12.
pub fn bundle_schema() -> Value {
    serde_json::from_str(include_str!("bundle.v1.schema.json"))
        .expect("a test reads the schema that is built in")
}
