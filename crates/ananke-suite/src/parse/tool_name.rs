//! Names of tools, which are compared as a whole.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::values::{listed, text};
use crate::yaml::Node;

/// Reads the name of a tool.
pub(super) fn tool_name(node: &Node, found: &mut Found) -> Option<Text> {
    let name = text(node, found)?;
    let trimmed = name.text.trim();
    if trimmed.len() == name.text.len() {
        return Some(name);
    }
    let message = format!(
        "the tool name {:?} begins or ends with white space",
        name.text
    );
    let hint = format!("write `{trimmed}`");
    found.push(
        Diagnostic::error(&node.place, message)
            .label("names are compared as a whole")
            .hint(hint),
    );
    None
}

/// Reads the name of a tool, or a list of them.
pub(super) fn tool_names(node: &Node, found: &mut Found) -> Option<Vec<Text>> {
    listed(node, found, tool_name)
}
