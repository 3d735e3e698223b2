//! What agents are that ananke runs itself: scripts and folders.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Text};

use super::Found;
use super::agent_reference::is_agent_id;
use super::script::inline_script;
use super::values::{mismatch, text};
use crate::yaml::{Kind, Node};

/// The script of an agent.
#[derive(Clone, Debug)]
pub(crate) enum ScriptSpec {
    /// The path of its file, from the folder of the config; of a target that is a function, its name.
    File(Text),
    /// The script itself.
    Inline(Json),
}

/// Reads `script`.
pub(super) fn scripted(node: &Node, found: &mut Found) -> Option<ScriptSpec> {
    match &node.kind {
        Kind::Map(_) => inline_script(node, found).map(|value| {
            ScriptSpec::Inline(Json {
                value,
                place: node.place.clone(),
            })
        }),
        Kind::Scalar(_) => path(node, "a script", found).map(ScriptSpec::File),
        Kind::Seq(_) | Kind::Broken => {
            mismatch(node, "the path of a script, or the script", found);
            None
        }
    }
}

/// Reads `script` of a target that is a function.
pub(super) fn function(node: &Node, found: &mut Found) -> Option<ScriptSpec> {
    if let Kind::Map(_) = node.kind {
        let message = "expected the name of a function, found a map";
        let hint =
            "write `scripts.helpers.Simulate`; an agent that follows rules has `type: scripted`";
        found.push(Diagnostic::error(&node.place, message).hint(hint));
        return None;
    }
    text(node, found).map(ScriptSpec::File)
}

/// Reads `folder`.
pub(super) fn assistant_folder(node: &Node, found: &mut Found) -> Option<Text> {
    path(node, "a folder", found)
}

/// Reads `id`.
pub(super) fn assistant_id(node: &Node, found: &mut Found) -> Option<Text> {
    text(node, found).filter(|id| is_agent_id(&id.text, &id.place, found))
}

/// Reads `preset`.
pub(super) fn preset(node: &Node, found: &mut Found) -> Option<Text> {
    path(node, "a preset", found)
}

/// Reads a path. What lies there is read before any hook runs, so it holds no references.
fn path(node: &Node, what: &str, found: &mut Found) -> Option<Text> {
    let path = text(node, found)?;
    if path.text.contains("${") {
        let message = format!("{what} is named without references");
        found.push(Diagnostic::error(&path.place, message).label("expected a plain path"));
        return None;
    }
    Some(path)
}
