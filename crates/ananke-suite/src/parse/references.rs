//! References that are malformed, whatever values there are. Undefined ones are found when tests are planned.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use ananke_model::variables::{Piece, pieces};

use super::Found;
use crate::yaml::{Kind, Node, ScalarKind};

/// Reports malformed references in `text`.
pub(super) fn check_text(text: &str, place: &Place, found: &mut Found) {
    if !text.contains("${") {
        return;
    }
    for piece in pieces(text) {
        if let Piece::Malformed(inner) = piece {
            let is_closed = text.contains(&format!("${{{inner}}}"));
            let end = if is_closed { "}" } else { "" };
            let shown: String = inner.chars().take(40).collect();
            found.push(
                Diagnostic::error(place, format!("`${{{shown}{end}` is not a reference"))
                    .label("expected `${NAME}`, `${ENV.NAME}` or `${NAME:-default}`")
                    .hint("write `$${` for a literal `${`"),
            );
        }
    }
}

/// Reports malformed references in all strings of a value that is handed on as JSON.
pub(super) fn check_json(node: &Node, found: &mut Found) {
    match &node.kind {
        Kind::Scalar(scalar) if scalar.kind == ScalarKind::Str => {
            check_text(&scalar.text, &node.place, found);
        }
        Kind::Seq(items) => items.iter().for_each(|item| check_json(item, found)),
        Kind::Map(entries) => entries
            .iter()
            .for_each(|entry| check_json(&entry.value, found)),
        Kind::Scalar(_) | Kind::Broken => {}
    }
}
