//! Single values of a folder's files. `${…}` means nothing there, so what is resolved later is kept from being read as a
//! reference.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Text;
use serde_json::Value;

use crate::parse::Found;
use crate::yaml::{Entry, Kind, Node, ScalarKind};

/// Reports that `node` is not what was expected.
pub(super) fn mismatch(node: &Node, what: &str, expected: &str, found: &mut Found) {
    if !matches!(node.kind, Kind::Broken) {
        let seen = node.described();
        let message = format!("{what} is {seen}, expected {expected}");
        found.push(Diagnostic::error(&node.place, message));
    }
}

/// Returns a text that is not empty, as it is written.
pub(super) fn text(node: &Node, what: &str, found: &mut Found) -> Option<Text> {
    let scalar = node.scalar();
    let Some(scalar) = scalar.filter(|scalar| scalar.kind == ScalarKind::Str) else {
        mismatch(node, what, "text", found);
        return None;
    };
    if scalar.text.trim().is_empty() {
        found.push(Diagnostic::error(&node.place, format!("{what} is empty")));
        return None;
    }
    Some(Text {
        text: scalar.text.clone(),
        place: node.place.clone(),
    })
}

/// Returns `true` or `false`.
pub(super) fn flag(node: &Node, what: &str, found: &mut Found) -> Option<bool> {
    match node.scalar().map(|scalar| scalar.kind) {
        Some(ScalarKind::Bool(value)) => Some(value),
        _ => {
            mismatch(node, what, "`true` or `false`", found);
            None
        }
    }
}

/// Returns the items of a list.
pub(super) fn items<'n>(node: &'n Node, what: &str, found: &mut Found) -> &'n [Node] {
    match &node.kind {
        Kind::Seq(items) => items,
        Kind::Scalar(_) | Kind::Map(_) | Kind::Broken => {
            mismatch(node, what, "a list", found);
            &[]
        }
    }
}

/// Returns the entries of a map.
pub(super) fn entries<'n>(node: &'n Node, what: &str, found: &mut Found) -> &'n [Entry] {
    match &node.kind {
        Kind::Map(entries) => entries,
        Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => {
            mismatch(node, what, "a map", found);
            &[]
        }
    }
}

/// Warns of the keys of a map that are not among the known ones.
pub(super) fn warn_of_unknown(node: &Node, what: &str, known: &[&str], found: &mut Found) {
    let Kind::Map(entries) = &node.kind else {
        return;
    };
    for entry in entries {
        let key = entry.key.text.as_str();
        if known.contains(&key) {
            continue;
        }
        let message = format!("unknown key `{key}` in {what}: it has no effect");
        let diagnostic = Diagnostic::warning(&entry.key.place, message);
        found.push(suggested(diagnostic, key, known.iter().copied(), ""));
    }
}

/// Adds what was most likely meant; else what there is, if `there_is` says how to put it.
pub(super) fn suggested<'a>(
    diagnostic: Diagnostic,
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    there_is: &str,
) -> Diagnostic {
    if let Some(meant) = did_you_mean(word, known.clone()) {
        return diagnostic.hint(format!("did you mean `{meant}`?"));
    }
    let names: Vec<_> = known.take(20).collect();
    if there_is.is_empty() || names.is_empty() {
        return diagnostic;
    }
    let there_is = match (there_is, names.len()) {
        ("there are", 1) => "there is",
        _ => there_is,
    };
    diagnostic.hint(format!("{there_is} `{}`", names.join("`, `")))
}

/// Returns `text` so that a reader of references reads it as it is.
pub(super) fn literal(text: &str) -> String {
    text.replace("${", "$${")
}

/// Returns `value` so that a reader of references reads its texts as they are.
pub(super) fn literal_json(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(literal(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(literal_json).collect()),
        Value::Object(members) => {
            let members = members.into_iter();
            Value::Object(
                members
                    .map(|(key, item)| (key, literal_json(item)))
                    .collect(),
            )
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
