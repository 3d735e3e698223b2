//! `snapshot`: a name, or a map with a name and what is compared.

use ananke_model::check::SnapshotPart;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::object::Object;
use super::values::{choice, mismatch, text};
use crate::schema::{SNAPSHOT, SNAPSHOT_PARTS};
use crate::yaml::{Kind, Node};

/// The name of a file has room for this and the name of the test file.
const MAX_CHARS: usize = 100;

/// `snapshot` as written.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotSpec {
    /// What the user calls it.
    pub(crate) name: Text,
    /// What is compared.
    pub(crate) of: Vec<SnapshotPart>,
}

impl SnapshotSpec {
    /// Returns the name as a part of the name of a file.
    pub(crate) fn slug(&self) -> String {
        self.name.text.trim().replace(' ', "-")
    }
}

/// Reads `snapshot`.
pub(super) fn snapshot(node: &Node, found: &mut Found) -> Option<SnapshotSpec> {
    let default = || vec![SnapshotPart::Text, SnapshotPart::Tools];
    if let Kind::Scalar(_) = &node.kind {
        return Some(SnapshotSpec {
            name: name(node, found)?,
            of: default(),
        });
    }
    let object = Object::open(node, &SNAPSHOT, found)?;
    let name = object.get("name").and_then(|node| name(node, found));
    let of = match object.get("of") {
        Some(node) => parts(node, found),
        None => default(),
    };
    Some(SnapshotSpec { name: name?, of })
}

fn name(node: &Node, found: &mut Found) -> Option<Text> {
    let name = text(node, found)?;
    let wrong = |message: &str, label: &str| {
        Diagnostic::error(&name.place, format!("`{}` {message}", name.text)).label(label)
    };
    let is_allowed = |c: char| c.is_alphanumeric() || "-_. ".contains(c);
    let problem = if name.text.contains("${") {
        wrong(
            "holds a reference, which the name of a snapshot cannot",
            "the file is looked for before variables have values",
        )
    } else if !name.text.chars().all(is_allowed) {
        wrong(
            "is no name for a snapshot",
            "expected letters, digits, `-`, `_`, `.` and spaces",
        )
    } else if !name.text.trim().starts_with(char::is_alphanumeric) {
        wrong(
            "is no name for a snapshot",
            "expected a letter or a digit at the beginning",
        )
    } else if name.text.chars().count() > MAX_CHARS {
        wrong(
            "is too long for the name of a file",
            "expected at most 100 characters",
        )
    } else {
        return Some(name);
    };
    found.push(problem);
    None
}

fn parts(node: &Node, found: &mut Found) -> Vec<SnapshotPart> {
    let nodes = match &node.kind {
        Kind::Seq(items) if items.is_empty() => {
            found.push(
                Diagnostic::error(&node.place, "the list is empty")
                    .label("a snapshot of nothing would always pass"),
            );
            return Vec::new();
        }
        Kind::Seq(items) => items.as_slice(),
        Kind::Scalar(_) => std::slice::from_ref(node),
        Kind::Map(_) | Kind::Broken => {
            mismatch(
                node,
                "`text`, `tools`, `state`, `artifacts` or a list of them",
                found,
            );
            return Vec::new();
        }
    };
    let mut parts = Vec::new();
    for node in nodes {
        let part = match choice(node, SNAPSHOT_PARTS, found) {
            Some("text") => SnapshotPart::Text,
            Some("tools") => SnapshotPart::Tools,
            Some("artifacts") => SnapshotPart::Artifacts,
            Some(_) => SnapshotPart::State,
            None => continue,
        };
        if parts.contains(&part) {
            found.push(Diagnostic::error(&node.place, "this is in the list twice"));
        } else {
            parts.push(part);
        }
    }
    parts
}
