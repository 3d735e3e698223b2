//! `version`: only what this ananke can read is read.

use ananke_model::diagnostic::Diagnostic;

use super::Found;
use super::values::mismatch;
use crate::yaml::{Node, ScalarKind};

/// Checks the version of a file, written as text or as a number.
pub(super) fn version(node: &Node, found: &mut Found) {
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
