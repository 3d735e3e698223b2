//! `version`: only what this ananke can read is read.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::Found;
use super::values::mismatch;
use crate::yaml::{Node, ScalarKind};

/// What stands beside everything that a later version brings.
const SUPPORTED: &str = "this ananke supports version 1.0 only";

/// Returns the diagnostic for something that a later `version` of the format brings; `what` ends with `comes` or `come`.
pub(super) fn later(place: &Place, what: &str, version: &str) -> Diagnostic {
    let message = format!("{what} with version {version}, in a later release of ananke");
    Diagnostic::error(place, message).label(SUPPORTED)
}

/// Checks the version of a file, written as text or as a number. It is called after the rest of the file was read:
/// `n_before` is how many diagnostics there were before the file.
pub(super) fn version(node: &Node, n_before: usize, found: &mut Found) {
    let written = match node.scalar() {
        Some(scalar)
            if matches!(
                scalar.kind,
                ScalarKind::Str | ScalarKind::Int | ScalarKind::Float
            ) =>
        {
            scalar.text.as_str()
        }
        _ => return mismatch(node, "a version such as `\"1.0\"`", found),
    };
    let (major, minor) = written.split_once('.').unwrap_or((written, "0"));
    let message = match (major.parse::<u32>(), minor.parse::<u32>()) {
        (Ok(1), Ok(0)) => return,
        // What the file needs that version for was named, and to write another version would not help.
        (Ok(1), Ok(_)) if found.iter().skip(n_before).any(|d| d.label == SUPPORTED) => return,
        (Ok(1), Ok(minor)) => format!("the file needs schema version 1.{minor}"),
        (Ok(_), Ok(_)) => format!("unknown schema version `{written}`"),
        _ => format!("`{written}` is not a version"),
    };
    found.push(
        Diagnostic::error(&node.place, message)
            .label("this ananke supports version 1.0")
            .hint("write `version: \"1.0\"`, or use an ananke that supports the file's version"),
    );
}
