//! What is known of a mapped tool: the schema of its input, and samples.

use std::path::Path;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::document::Around;
use super::values::mismatch;
use crate::jsonl::objects;
use crate::yaml::Kind;

/// Checks the files about a tool: `.in.yao`, which must be there, `.out.yao` and `.jsonl`.
pub(super) fn check_scheme(tool: &Text, folder: &Path, around: &mut Around<'_>) {
    // The name becomes the name of a file; one that would lead elsewhere is none.
    if tool.text.contains(['/', '\\']) || tool.text.starts_with('.') {
        let message = format!("`{}` is not the name of a tool", tool.text);
        around.refuse(Diagnostic::error(&tool.place, message));
        return;
    }
    let file = |ending: &str| folder.join(format!("{}{ending}", tool.text));
    let input = file(".in.yao");
    if input.is_file() {
        check_schema(&input, around);
    } else {
        let message = format!("the tool `{}` has no schema", tool.text);
        let hint = format!(
            "write `{}`: a JSON Schema of its input",
            around.shown(&input)
        );
        around.refuse(Diagnostic::error(&tool.place, message).hint(hint));
    }
    let output = file(".out.yao");
    if output.is_file() {
        check_schema(&output, around);
    }
    let samples = file(".jsonl");
    if samples.is_file()
        && let Some((name, text)) = around.text(&samples)
    {
        for sample in objects(&name, &text, around.found) {
            if sample.get("input").is_none() {
                let message = "`input` is missing in a sample";
                around.refuse(Diagnostic::error(&sample.place, message));
            }
        }
    }
}

/// Checks a schema, which may be wrapped in `{name, description, inputSchema}`.
fn check_schema(path: &Path, around: &mut Around<'_>) {
    let Some(node) = around.object(path) else {
        return;
    };
    let wrapped = ["inputSchema", "outputSchema"];
    let schema = wrapped.iter().find_map(|key| node.get(key));
    if let Some(schema) = schema
        && !matches!(schema.kind, Kind::Map(_))
    {
        mismatch(schema, "the schema", "a map", around.found);
    }
}
