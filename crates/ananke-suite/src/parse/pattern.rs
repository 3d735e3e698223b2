//! Patterns. Their syntax is checked by `ananke-assert`; here only what every pattern must be.

use ananke_model::check::ArgPattern;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;

use super::Found;
use super::references::check_text;
use super::values::{entries, mismatch, scalar};
use crate::yaml::{Kind, Node, ScalarKind};

/// Reads a pattern for text: any scalar but `null`, in the form in which it was written.
pub(super) fn pattern(node: &Node, found: &mut Found) -> Option<Text> {
    if let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Null) {
        let diagnostic = Diagnostic::error(&node.place, "expected a pattern, found nothing");
        let hint = "put the word in quotes to search for it: `\"null\"`";
        found.push(match scalar.text.as_str() {
            "null" => diagnostic.hint(hint),
            _ => diagnostic,
        });
        return None;
    }
    value_pattern(node, found)
}

/// Reads a pattern for a value, which may be `null`: any scalar, in the form in which it was written.
pub(super) fn value_pattern(node: &Node, found: &mut Found) -> Option<Text> {
    let is_null = node
        .scalar()
        .is_some_and(|scalar| scalar.kind == ScalarKind::Null && scalar.text == "null");
    let text = if is_null {
        // An argument can be null, and is compared as this word. A value that was left out is a mistake.
        Text {
            text: "null".to_owned(),
            place: node.place.clone(),
        }
    } else {
        scalar(node, found)?
    };
    if text.text.is_empty() {
        let message = "the pattern is empty and would match anything";
        found.push(Diagnostic::error(&node.place, message));
        return None;
    }
    Some(text)
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
            check_text(&entry.key.text, &entry.key.place, found);
            Some(ArgPattern {
                path: entry.key.clone(),
                pattern: value_pattern(&entry.value, found)?,
            })
        })
        .collect()
}
