//! `require` and `forbid_calls` items.

use ananke_model::check::{CallFilter, Count, Require};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;

use super::Found;
use super::object::Object;
use super::pattern::{arg_patterns, value_pattern};
use super::tool_name::tool_name;
use super::values::{count, items, mismatch};
use crate::schema::{COUNT, FORBID_CALL, REQUIRE};
use crate::yaml::{Kind, Node, ScalarKind};

/// Reads the list under `require`.
pub(super) fn require_items(node: &Node, found: &mut Found) -> Option<Vec<(Place, Require)>> {
    listed(node, found, require)
}

/// Reads the list under `forbid_calls`.
pub(super) fn forbid_call_items(
    node: &Node,
    found: &mut Found,
) -> Option<Vec<(Place, CallFilter)>> {
    listed(node, found, forbid_call)
}

fn listed<T>(
    node: &Node,
    found: &mut Found,
    read: impl Fn(&Node, &mut Found) -> Option<T>,
) -> Option<Vec<(Place, T)>> {
    if let Kind::Map(_) = node.kind {
        let message = "expected a list, found a map";
        found
            .push(Diagnostic::error(&node.place, message).hint("begin each item with `- name: …`"));
        return None;
    }
    let items = items(node, found)?;
    let read = |item: &Node| match item.scalar() {
        Some(scalar) if scalar.kind == ScalarKind::Str => {
            let message = "expected a map, found text";
            let hint = format!("write `- name: {}`", scalar.text);
            found.push(Diagnostic::error(&item.place, message).hint(hint));
            None
        }
        _ => read(item, found).map(|value| (item.place.clone(), value)),
    };
    Some(items.iter().filter_map(read).collect())
}

fn require(node: &Node, found: &mut Found) -> Option<Require> {
    let object = Object::open(node, &REQUIRE, found)?;
    let filter = filter(&object, found);
    let count = object.get("count").and_then(|node| number_of(node, found));
    let after = object.get("after").and_then(|node| tool_name(node, found));
    Some(Require {
        filter: filter?,
        count: count.unwrap_or_default(),
        after,
    })
}

fn forbid_call(node: &Node, found: &mut Found) -> Option<CallFilter> {
    let object = Object::open(node, &FORBID_CALL, found)?;
    filter(&object, found)
}

fn filter(object: &Object<'_>, found: &mut Found) -> Option<CallFilter> {
    let name = object.get("name").and_then(|node| tool_name(node, found));
    let mut args = |key: &str| match object.get(key) {
        Some(node) => arg_patterns(node, found),
        None => Vec::new(),
    };
    let (args_match, args_not_match) = (args("args_match"), args("args_not_match"));
    let mut result = |key: &str| object.get(key).and_then(|node| value_pattern(node, found));
    let (result_match, result_not_match) = (result("result_match"), result("result_not_match"));
    Some(CallFilter {
        name: name?,
        args_match,
        args_not_match,
        result_match,
        result_not_match,
    })
}

/// Reads `count`: how many there must be.
pub(super) fn number_of(node: &Node, found: &mut Found) -> Option<Count> {
    if let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Int) {
        let hint = format!("write `count: {{exact: {}}}`", scalar.text);
        mismatch(node, "a map", found);
        if let Some(last) = found.pop() {
            found.push(last.hint(hint));
        }
        return None;
    }
    let object = Object::open(node, &COUNT, found)?;
    let n_before = found.len();
    let mut number = |key: &str| object.get(key).and_then(|node| count(node, found));
    let (exact, min, max) = (number("exact"), number("min"), number("max"));
    if found.len() > n_before {
        return None;
    }
    let message = match (exact, min, max) {
        (Some(exact), None, None) => {
            return Some(Count {
                min: exact,
                max: Some(exact),
            });
        }
        (Some(_), _, _) => "`exact` stands alone, without `min` and `max`".to_owned(),
        (None, None, None) => "`count` is empty".to_owned(),
        (None, Some(0), None) => "`min: 0` alone demands nothing".to_owned(),
        (None, Some(min), Some(max)) if min > max => {
            format!("`min` is larger than `max`: {min} > {max}")
        }
        (None, min, max) => {
            // What is required happens at least once, unless the limit itself says that it must not happen.
            let least = if max == Some(0) { 0 } else { 1 };
            return Some(Count {
                min: min.unwrap_or(least),
                max,
            });
        }
    };
    found.push(
        Diagnostic::error(object.place(), message).hint("write `{exact: 1}` or `{min: 1, max: 3}`"),
    );
    None
}
