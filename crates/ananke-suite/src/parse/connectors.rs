//! `connectors` of a target: what differs when one of them is chosen.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::target::{TargetSpec, agui_overrides};
use super::values::{entries, text};
use crate::yaml::{Kind, Node};

/// Keys of a target that stay the same with every connector, and why.
const FIXED: [(&str, &str); 4] = [
    ("type", "every connector of a target speaks its protocol"),
    (
        "assert",
        "every connector of a target is held to its demands",
    ),
    ("connectors", "a connector has no connectors"),
    ("connector", "a connector has no connectors"),
];

/// Reads `connectors`. Those that could not be read are left out.
pub(super) fn connectors(node: &Node, found: &mut Found) -> Option<Vec<(Text, TargetSpec)>> {
    let mut connectors = Vec::new();
    for entry in entries(node, found)? {
        if entry.key.text.trim().is_empty() {
            let message = "the name of a connector is empty";
            found.push(Diagnostic::error(&entry.key.place, message));
        }
        refuse_fixed(&entry.value, found);
        if let Some(spec) = agui_overrides(&entry.value, found) {
            connectors.push((entry.key.clone(), spec));
        }
    }
    Some(connectors)
}

fn refuse_fixed(node: &Node, found: &mut Found) {
    let Kind::Map(entries) = &node.kind else {
        return;
    };
    for entry in entries {
        let key = entry.key.text.as_str();
        if let Some((_, why)) = FIXED.iter().find(|(fixed, _)| *fixed == key) {
            let message = format!("a connector cannot change `{key}`");
            let hint = "write a target of its own under `targets`";
            found.push(
                Diagnostic::error(&entry.key.place, message)
                    .label(*why)
                    .hint(hint),
            );
        }
    }
}

/// Reads the name of a connector. It decides which target there is before any hook runs, so it holds no references.
pub(super) fn connector(node: &Node, found: &mut Found) -> Option<Text> {
    let name = text(node, found)?;
    if name.text.contains("${") {
        let message = "a connector is named without references";
        found.push(Diagnostic::error(&name.place, message).label("expected a plain name"));
        return None;
    }
    Some(name)
}
