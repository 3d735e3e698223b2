//! Patterns. Their syntax is checked by `ananke-assert`; here only what every pattern must be.

use ananke_model::check::ArgPattern;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::values::{entries, mismatch, scalar};
use crate::yaml::{Kind, Node, ScalarKind};

/// Reads a pattern: any scalar, in the form in which it was written.
pub(super) fn pattern(node: &Node, found: &mut Found) -> Option<Text> {
    let text = scalar(node, found)?;
    if text.text.is_empty() {
        let message = "the pattern is empty and would match anything";
        found.push(Diagnostic::error(&node.place, message));
        return None;
    }
    if let Some(inner) = ambiguous(&text.text) {
        let message = format!("`{}` is read as the pattern `{inner}`", text.text);
        found.push(
            Diagnostic::warning(&node.place, message)
                .label("slashes at both ends enclose a pattern")
                .hint("to match the slashes too, escape the first: `\\/…`"),
        );
    }
    Some(text)
}

/// Returns the pattern between the slashes of a text that looks like a path.
fn ambiguous(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('/')?.strip_suffix('/')?;
    let mut escaped = false;
    let holds_slash = inner.chars().any(|character| {
        let bare_slash = character == '/' && !escaped;
        escaped = character == '\\' && !escaped;
        bare_slash
    });
    holds_slash.then_some(inner)
}

/// Reads a pattern, or a list of patterns.
pub(super) fn patterns(node: &Node, found: &mut Found) -> Option<Vec<Text>> {
    match &node.kind {
        Kind::Scalar(scalar) if matches!(scalar.kind, ScalarKind::Bool(_)) => {
            found.push(
                Diagnostic::error(
                    &node.place,
                    format!("expected patterns, found {}", node.described()),
                )
                .hint("put a pattern in quotes; `false` drops what was inherited"),
            );
            None
        }
        Kind::Scalar(_) => pattern(node, found).map(|pattern| vec![pattern]),
        Kind::Seq(items) => Some(
            items
                .iter()
                .filter_map(|item| pattern(item, found))
                .collect(),
        ),
        Kind::Map(_) | Kind::Broken => {
            mismatch(node, "a pattern or a list of patterns", found);
            None
        }
    }
}

/// Reads a map of argument paths with patterns.
pub(super) fn arg_patterns(node: &Node, found: &mut Found) -> Vec<ArgPattern> {
    let entries = entries(node, found).unwrap_or_default();
    entries
        .iter()
        .filter_map(|entry| {
            Some(ArgPattern {
                path: entry.key.clone(),
                pattern: pattern(&entry.value, found)?,
            })
        })
        .collect()
}
