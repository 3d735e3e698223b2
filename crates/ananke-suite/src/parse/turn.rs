//! Turns: `type` decides which keys there are.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Place;
use ananke_model::plan::{Resume, ResumeStatus, TurnAction};

use super::Found;
use super::assert::{AssertAt, AssertSpec, assert};
use super::object::{Object, word_list};
use super::values::{boolean, choice, items, json, millis, mismatch, text};
use super::version::later;
use crate::schema::{RESUME_STATUS, Shape, TURN_CONNECT, TURN_RESUME, TURN_TYPES, TURN_USER};
use crate::yaml::{Kind, Node, ScalarKind};

/// A turn as written.
#[derive(Clone, Debug)]
pub(crate) struct TurnSpec {
    pub(crate) action: TurnAction,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) assert: Option<AssertSpec>,
    pub(crate) place: Place,
}

/// Reads the list under `turns`.
pub(super) fn turns(node: &Node, found: &mut Found) -> Vec<TurnSpec> {
    let Some(items) = items(node, found) else {
        return Vec::new();
    };
    if items.is_empty() {
        found.push(
            Diagnostic::error(&node.place, "a test needs at least one turn")
                .hint("write `- user: \"Hello\"`"),
        );
    }
    let first_type = items.first().and_then(|first| first.get("type"));
    if let Some(node) = first_type
        && node.scalar().is_some_and(|kind| kind.text == "agui:resume")
    {
        let message = "there is nothing to resume in the first turn";
        found.push(
            Diagnostic::error(&node.place, message)
                .label("it answers an interrupt of the turn before")
                .hint("begin with the turn that makes the agent ask, such as `- user: \"Hello\"`"),
        );
    }
    items.iter().filter_map(|item| turn(item, found)).collect()
}

fn turn(node: &Node, found: &mut Found) -> Option<TurnSpec> {
    if let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) {
        let hint = format!("write `- user: {}`", scalar.text);
        let message = "expected a map, found text";
        found.push(Diagnostic::error(&node.place, message).hint(hint));
        return None;
    }
    let shape = match (&node.kind, node.get("type")) {
        (Kind::Map(_), Some(kind)) => turn_shape(kind, found)?,
        _ => &TURN_USER,
    };
    let object = Object::open(node, shape, found)?;
    // The type was read above.
    object.get("type");
    let action = action(&object, shape, found);
    let timeout_ms = object
        .get("timeout_ms")
        .and_then(|node| millis(node, found));
    let assert = object
        .get("assert")
        .and_then(|node| assert(node, AssertAt::Turn, found));
    Some(TurnSpec {
        action: action?,
        timeout_ms,
        assert,
        place: node.place.clone(),
    })
}

fn turn_shape(node: &Node, found: &mut Found) -> Option<&'static Shape> {
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, &word_list(TURN_TYPES), found);
        return None;
    };
    let needed = match scalar.text.as_str() {
        "user" => return Some(&TURN_USER),
        "agui:connect" => return Some(&TURN_CONNECT),
        "agui:resume" => return Some(&TURN_RESUME),
        "a2a:send" => Some("1.1"),
        "mcp:call" => Some("1.2"),
        _ => None,
    };
    if let Some(version) = needed {
        let what = format!("`{}` turns come", scalar.text);
        found.push(later(&node.place, &what, version));
        return None;
    }
    let message = format!("unknown turn type `{}`", scalar.text);
    let diagnostic = Diagnostic::error(&node.place, message)
        .label(format!("expected {}", word_list(TURN_TYPES)));
    // Without its prefix a type is too far from the word it means.
    let word = match scalar.text.as_str() {
        "connect" => Some("agui:connect"),
        "resume" => Some("agui:resume"),
        other => did_you_mean(other, TURN_TYPES.iter().copied()),
    };
    found.push(match word {
        Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
        None => diagnostic,
    });
    None
}

fn action(object: &Object<'_>, shape: &'static Shape, found: &mut Found) -> Option<TurnAction> {
    if std::ptr::eq(shape, &raw const TURN_CONNECT) {
        let allow_empty = object
            .get("allow_empty")
            .and_then(|node| boolean(node, found));
        return Some(TurnAction::Connect {
            allow_empty: allow_empty.unwrap_or(false),
        });
    }
    if std::ptr::eq(shape, &raw const TURN_RESUME) {
        let status = object
            .get("status")
            .and_then(|node| choice(node, RESUME_STATUS, found));
        return Some(TurnAction::Resume(Resume {
            status: match status {
                Some("cancelled") => ResumeStatus::Cancelled,
                _ => ResumeStatus::Resolved,
            },
            payload: object.get("payload").and_then(|node| json(node, found)),
        }));
    }
    let text = text(object.get("user")?, found)?;
    Some(TurnAction::User { text })
}
