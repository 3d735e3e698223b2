//! Turns: `type` decides which keys there are.

use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use ananke_model::place::Place;
use ananke_model::plan::{Resume, ResumeStatus, TurnAction};

use super::Found;
use super::assert::{AssertAt, AssertSpec, assert};
use super::object::{Object, word_list};
use super::turn_a2a::{SentFile, task_message};
use super::turn_kind::TurnKind;
use super::turn_mcp::server_ask;
use super::values::{boolean, choice, items, json, millis, mismatch, text};
use crate::schema::{RESUME_STATUS, TURN_TYPES};
use crate::yaml::{Kind, Node, ScalarKind};

/// A turn as written.
#[derive(Clone, Debug)]
pub(crate) struct TurnSpec {
    pub(crate) action: TurnAction,
    /// Files that belong into the message of an `a2a:send` turn.
    pub(crate) files: Vec<SentFile>,
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
    let kind = match (&node.kind, node.get("type")) {
        (Kind::Map(_), Some(kind)) => turn_kind(kind, found)?,
        _ => TurnKind::User,
    };
    let object = Object::open(node, kind.shape(), found)?;
    // The type was read above.
    object.get("type");
    let action = action(&object, kind, found);
    let timeout_ms = object
        .get("timeout_ms")
        .and_then(|node| millis(node, found));
    let assert = object
        .get("assert")
        .and_then(|node| assert(node, AssertAt::Turn, found));
    let (action, files) = action?;
    Some(TurnSpec {
        action,
        files,
        timeout_ms,
        assert,
        place: node.place.clone(),
    })
}

fn turn_kind(node: &Node, found: &mut Found) -> Option<TurnKind> {
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, &word_list(TURN_TYPES), found);
        return None;
    };
    let word = scalar.text.as_str();
    if let Some(kind) = TurnKind::ALL.into_iter().find(|kind| kind.word() == word) {
        return Some(kind);
    }
    let message = format!("unknown turn type `{word}`");
    let diagnostic = Diagnostic::error(&node.place, message)
        .label(format!("expected {}", word_list(TURN_TYPES)));
    let meant = TurnKind::without_prefix(word).map(TurnKind::word);
    let meant = meant.or_else(|| did_you_mean(word, TURN_TYPES.iter().copied()));
    found.push(match meant {
        Some(word) => diagnostic.hint(format!("did you mean `{word}`?")),
        None => diagnostic,
    });
    None
}

fn action(
    object: &Object<'_>,
    kind: TurnKind,
    found: &mut Found,
) -> Option<(TurnAction, Vec<SentFile>)> {
    let action = match kind {
        TurnKind::User => TurnAction::User {
            text: text(object.get("user")?, found)?,
        },
        TurnKind::Connect => {
            let allow_empty = object
                .get("allow_empty")
                .and_then(|node| boolean(node, found));
            TurnAction::Connect {
                allow_empty: allow_empty.unwrap_or(false),
            }
        }
        TurnKind::Resume => {
            let status = object
                .get("status")
                .and_then(|node| choice(node, RESUME_STATUS, found));
            TurnAction::Resume(Resume {
                status: match status {
                    Some("cancelled") => ResumeStatus::Cancelled,
                    _ => ResumeStatus::Resolved,
                },
                payload: object.get("payload").and_then(|node| json(node, found)),
            })
        }
        TurnKind::Send => {
            let (message, files) = task_message(object, found)?;
            return Some((TurnAction::Send(Box::new(message)), files));
        }
        TurnKind::Call | TurnKind::List | TurnKind::Read | TurnKind::Prompt => {
            TurnAction::Ask(Box::new(server_ask(object, kind, found)?))
        }
    };
    Some((action, Vec::new()))
}
