//! What is known of a mapped tool: the schema of its input, what its function is called with, and samples.

use std::path::Path;

use ananke_model::assistant::ToolArgument;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use serde_json::{Map, Value};

use super::document::Around;
use super::values::{items, mismatch};
use crate::jsonl::objects;
use crate::yaml::{Kind, Node, json};

/// How many samples a model is shown.
const MAX_SAMPLES: usize = 3;
/// Says what the function of a tool is called with. It is no part of the schema that the model gets.
const PROCESS_ARGUMENTS: &str = "x-process-args";

/// What is known of a tool.
#[derive(Debug, Default)]
pub(super) struct Scheme {
    pub(super) description: String,
    pub(super) input: Value,
    pub(super) samples: Vec<Value>,
    pub(super) arguments: Option<Vec<ToolArgument>>,
}

/// Reads the files about a tool: `.in.yao`, which must be there, `.out.yao` and `.jsonl`. `None` is reported.
pub(super) fn scheme(tool: &Text, folder: &Path, around: &mut Around<'_>) -> Option<Scheme> {
    // The name becomes the name of a file; one that would lead elsewhere is none.
    if tool.text.contains(['/', '\\']) || tool.text.starts_with('.') {
        let message = format!("`{}` is not the name of a tool", tool.text);
        around.refuse(Diagnostic::error(&tool.place, message));
        return None;
    }
    let file = |ending: &str| folder.join(format!("{}{ending}", tool.text));
    let input = file(".in.yao");
    let scheme = if input.is_file() {
        around.object(&input).and_then(|node| read(&node, around))
    } else {
        let message = format!("the tool `{}` has no schema", tool.text);
        let hint = format!(
            "write `{}`: a JSON Schema of its input",
            around.shown(&input)
        );
        around.refuse(Diagnostic::error(&tool.place, message).hint(hint));
        None
    };
    let output = file(".out.yao");
    if output.is_file()
        && let Some(node) = around.object(&output)
    {
        schema(&node, around);
    }
    let samples = samples(&file(".jsonl"), around);
    Some(Scheme { samples, ..scheme? })
}

fn read(node: &Node, around: &mut Around<'_>) -> Option<Scheme> {
    let inner = schema(node, around)?;
    let mut input = match json(inner, around.found)? {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    let own = [node, inner].into_iter();
    let described = own.clone().find_map(|node| {
        let text = node.get("description")?.scalar()?;
        (!text.text.trim().is_empty()).then(|| text.text.clone())
    });
    let arguments = own.filter_map(|node| node.get(PROCESS_ARGUMENTS)).next();
    input.shift_remove(PROCESS_ARGUMENTS);
    if !input.contains_key("type") {
        input.insert("type".to_owned(), "object".into());
    }
    Some(Scheme {
        description: described.unwrap_or_default(),
        arguments: arguments.map(|node| process_arguments(node, around)),
        input: Value::Object(input),
        samples: Vec::new(),
    })
}

/// Returns a schema, which may be wrapped in `{name, description, inputSchema}`. `None` is reported.
fn schema<'n>(node: &'n Node, around: &mut Around<'_>) -> Option<&'n Node> {
    let wrapped = ["inputSchema", "outputSchema"];
    let schema = wrapped.iter().find_map(|key| node.get(key));
    match schema {
        Some(schema) if !matches!(schema.kind, Kind::Map(_)) => {
            mismatch(schema, "the schema", "a map", around.found);
            None
        }
        schema => Some(schema.unwrap_or(node)),
    }
}

/// Reads a list of `:arguments`, `$args.member`, `$member` and constants.
fn process_arguments(node: &Node, around: &mut Around<'_>) -> Vec<ToolArgument> {
    let what = format!("`{PROCESS_ARGUMENTS}`");
    let values = items(node, &what, around.found).iter();
    let values: Vec<Value> = values.filter_map(|item| json(item, around.found)).collect();
    let argument = |value: Value| match value.as_str() {
        Some(":arguments" | "$args") => ToolArgument::All,
        Some(text) => match text.strip_prefix('$') {
            Some(path) => {
                let path = path.strip_prefix("args.").unwrap_or(path);
                ToolArgument::Member(path.split('.').map(str::to_owned).collect())
            }
            None => ToolArgument::Constant(value),
        },
        None => ToolArgument::Constant(value),
    };
    values.into_iter().map(argument).collect()
}

fn samples(path: &Path, around: &mut Around<'_>) -> Vec<Value> {
    if !path.is_file() {
        return Vec::new();
    }
    let Some((name, text)) = around.text(path) else {
        return Vec::new();
    };
    let mut samples = Vec::new();
    for sample in objects(&name, &text, around.found) {
        if sample.get("input").is_none() {
            let message = "`input` is missing in a sample";
            around.refuse(Diagnostic::error(&sample.place, message));
        } else if samples.len() < MAX_SAMPLES {
            samples.extend(json(&sample, around.found));
        }
    }
    samples
}
