//! `version`: only what this ananke can read is read, and a file says which version it needs.

use ananke_model::diagnostic::Diagnostic;

use super::Found;
use super::values::mismatch;
use crate::yaml::{Node, ScalarKind};

/// The newest minor version that this ananke reads.
const NEWEST: u32 = 2;

/// The version that a file says, if it can be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'n> {
    written: &'n str,
    minor: u32,
}

/// Reads the version of a file, written as text or as a number. `None` if it cannot be read, which is then reported.
pub(super) fn version<'n>(node: &'n Node, found: &mut Found) -> Option<Version<'n>> {
    let written = match node.scalar() {
        Some(scalar)
            if matches!(
                scalar.kind,
                ScalarKind::Str | ScalarKind::Int | ScalarKind::Float
            ) =>
        {
            scalar.text.as_str()
        }
        _ => {
            mismatch(node, "a version such as `\"1.0\"`", found);
            return None;
        }
    };
    let (major, minor) = written.split_once('.').unwrap_or((written, "0"));
    let message = match (major.parse::<u32>(), minor.parse::<u32>()) {
        (Ok(1), Ok(minor)) if minor <= NEWEST => return Some(Version { written, minor }),
        (Ok(1), Ok(minor)) => format!("the file needs schema version 1.{minor}"),
        (Ok(_), Ok(_)) => format!("unknown schema version `{written}`"),
        _ => format!("`{written}` is not a version"),
    };
    found.push(
        Diagnostic::error(&node.place, message)
            .label("this ananke supports versions 1.0, 1.1 and 1.2")
            .hint("write `version: \"1.0\"`, or use an ananke that supports the file's version"),
    );
    None
}

impl Version<'_> {
    /// Refuses a target, or a turn, whose `type` needs a later version.
    pub(super) fn check_type(self, node: &Node, found: &mut Found) {
        let Some(kind) = node.get("type") else { return };
        let Some(word) = kind.scalar().map(|scalar| scalar.text.as_str()) else {
            return;
        };
        let needed = match word {
            "a2a" | "a2a:send" => 1,
            "mcp" | "mcp:call" | "mcp:list" | "mcp:read" | "mcp:prompt" => 2,
            _ => return,
        };
        if self.minor < needed {
            let message = format!("`type: {word}` needs version \"1.{needed}\"");
            found.push(
                Diagnostic::error(&kind.place, message)
                    .label(format!("the file has version {}", self.written))
                    .hint(format!(
                        "write `version: \"1.{needed}\"` at the top of the file"
                    )),
            );
        }
    }
}
