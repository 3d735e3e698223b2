//! Single values: texts, numbers, words, lists, JSON.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::{Json, Text};

use super::Found;
use super::object::word_list;
use super::references::{check_json, check_text};
use crate::yaml::{self, Entry, Kind, Node, ScalarKind};

/// The longest time that can be asked for, some 24 days; sums of such times never overflow.
pub(super) const MAX_MILLIS: u64 = i32::MAX.cast_unsigned() as u64;
/// The largest size or count that can be asked for: what JSON readers everywhere keep exactly.
const MAX_WHOLE: u64 = 1 << 53;

/// Reports that `node` is not what was expected.
pub(super) fn mismatch(node: &Node, expected: &str, found: &mut Found) {
    if !matches!(node.kind, Kind::Broken) {
        let message = format!("expected {expected}, found {}", node.described());
        found.push(Diagnostic::error(&node.place, message));
    }
}

/// Reads text that is not empty.
pub(super) fn text(node: &Node, found: &mut Found) -> Option<Text> {
    let scalar = match node.scalar() {
        Some(scalar) if scalar.kind == ScalarKind::Str => scalar,
        Some(scalar) if scalar.kind != ScalarKind::Null => {
            let message = format!("expected text, found {}", node.described());
            let hint = format!("put it in quotes: \"{}\"", scalar.text);
            found.push(Diagnostic::error(&node.place, message).hint(hint));
            return None;
        }
        _ => {
            mismatch(node, "text", found);
            return None;
        }
    };
    if scalar.text.trim().is_empty() {
        found.push(Diagnostic::error(&node.place, "the text is empty"));
        return None;
    }
    Some(written(node, &scalar.text, found))
}

/// Reads any scalar but `null`, in the form in which it was written.
pub(super) fn scalar(node: &Node, found: &mut Found) -> Option<Text> {
    match node.scalar() {
        Some(scalar) if scalar.kind != ScalarKind::Null => Some(written(node, &scalar.text, found)),
        _ => {
            mismatch(node, "text or a number", found);
            None
        }
    }
}

fn written(node: &Node, text: &str, found: &mut Found) -> Text {
    check_text(text, &node.place, found);
    Text {
        text: text.to_owned(),
        place: node.place.clone(),
    }
}

/// Reads a time in milliseconds, at least 1.
pub(super) fn millis(node: &Node, found: &mut Found) -> Option<u64> {
    whole(node, 1, MAX_MILLIS, found)
}

/// Reads a size in bytes, at least 1.
pub(super) fn bytes(node: &Node, found: &mut Found) -> Option<usize> {
    whole(node, 1, MAX_WHOLE, found).and_then(|size| usize::try_from(size).ok())
}

/// Reads a number of things, at least 1.
pub(super) fn positive(node: &Node, found: &mut Found) -> Option<usize> {
    whole(node, 1, MAX_WHOLE, found).and_then(|count| usize::try_from(count).ok())
}

/// Reads a whole number, 0 included.
pub(super) fn count(node: &Node, found: &mut Found) -> Option<u64> {
    whole(node, 0, MAX_WHOLE, found)
}

/// Reads a whole number from `min` to `max`.
pub(super) fn whole(node: &Node, min: u64, max: u64, found: &mut Found) -> Option<u64> {
    let Some(scalar) = node
        .scalar()
        .filter(|scalar| scalar.kind == ScalarKind::Int)
    else {
        mismatch(node, "a whole number", found);
        return None;
    };
    let value = yaml::integer(&scalar.text).and_then(|value| u64::try_from(value).ok());
    let value = value.filter(|value| (min..=max).contains(value));
    if value.is_none() {
        let message = format!("`{}` is out of range", scalar.text);
        let label = format!("expected a whole number from {min} to {max}");
        found.push(Diagnostic::error(&node.place, message).label(label));
    }
    value
}

/// Reads `true` or `false`.
pub(super) fn boolean(node: &Node, found: &mut Found) -> Option<bool> {
    match node.scalar().map(|scalar| scalar.kind) {
        Some(ScalarKind::Bool(value)) => Some(value),
        _ => {
            mismatch(node, "`true` or `false`", found);
            None
        }
    }
}

/// Reads one of `words`.
pub(super) fn choice(
    node: &Node,
    words: &'static [&'static str],
    found: &mut Found,
) -> Option<&'static str> {
    let Some(scalar) = node.scalar().filter(|s| s.kind != ScalarKind::Null) else {
        mismatch(node, &word_list(words), found);
        return None;
    };
    let chosen = words.iter().find(|word| **word == scalar.text).copied();
    if chosen.is_none() {
        let message = format!("unknown word `{}`", scalar.text);
        let mut diagnostic =
            Diagnostic::error(&node.place, message).label(format!("expected {}", word_list(words)));
        if let Some(word) = did_you_mean(&scalar.text, words.iter().copied()) {
            diagnostic = diagnostic.hint(format!("did you mean `{word}`?"));
        }
        found.push(diagnostic);
    }
    chosen
}

/// Reads any value as JSON.
pub(super) fn json(node: &Node, found: &mut Found) -> Option<Json> {
    let value = yaml::json(node, found)?;
    check_json(node, found);
    Some(Json {
        value,
        place: node.place.clone(),
    })
}

/// Returns the items of a list.
pub(super) fn items<'n>(node: &'n Node, found: &mut Found) -> Option<&'n [Node]> {
    match &node.kind {
        Kind::Seq(items) => Some(items),
        Kind::Scalar(_) | Kind::Map(_) | Kind::Broken => {
            mismatch(node, "a list", found);
            None
        }
    }
}

/// Returns the entries of a map whose keys the user chooses.
pub(super) fn entries<'n>(node: &'n Node, found: &mut Found) -> Option<&'n [Entry]> {
    match &node.kind {
        Kind::Map(entries) => Some(entries),
        Kind::Scalar(_) | Kind::Seq(_) | Kind::Broken => {
            mismatch(node, "a map", found);
            None
        }
    }
}

/// Reads a text, or a list of texts.
pub(super) fn texts(node: &Node, found: &mut Found) -> Option<Vec<Text>> {
    listed(node, found, text)
}

/// Reads what `read` reads, or a list of it.
pub(super) fn listed(
    node: &Node,
    found: &mut Found,
    read: impl Fn(&Node, &mut Found) -> Option<Text>,
) -> Option<Vec<Text>> {
    match &node.kind {
        Kind::Scalar(_) => read(node, found).map(|text| vec![text]),
        Kind::Seq(items) => Some(items.iter().filter_map(|item| read(item, found)).collect()),
        Kind::Map(_) | Kind::Broken => {
            mismatch(node, "text or a list of texts", found);
            None
        }
    }
}

/// Reads a map of names with scalars.
pub(super) fn scalars(node: &Node, found: &mut Found) -> Vec<(Text, Text)> {
    let entries = entries(node, found).unwrap_or_default();
    entries
        .iter()
        .filter_map(|entry| Some((entry.key.clone(), scalar(&entry.value, found)?)))
        .collect()
}
