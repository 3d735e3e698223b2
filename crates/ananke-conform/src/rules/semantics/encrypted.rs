//! Encrypted values belong to something that the client has.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};

use super::held::{calls_of, id_of};
use super::story::{Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static ENCRYPTED_ENTITY: Rule = Rule {
    id: "semantics.encrypted-entity",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "`REASONING_ENCRYPTED_VALUE` names a message or call that the client has by then",
    reason: "The value is kept with the message or call that it names and sent back with it; without one it is lost.",
    section: "Events, reasoning",
    advice: "Send the value after the beginning of its message or call, with `subtype` `message` or `tool-call` and that id.",
    needs: "`REASONING_ENCRYPTED_VALUE`",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&ENCRYPTED_ENTITY];

/// Looks at encrypted values.
pub(super) fn look(_: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let mut messages: BTreeSet<&str> = BTreeSet::new();
    let mut calls: BTreeSet<&str> = BTreeSet::new();
    let mut spans: BTreeSet<&str> = BTreeSet::new();
    for told in story.steps() {
        match told.step {
            Step::Text { id, .. } | Step::Reasoning { id } | Step::Activity { id } => {
                messages.insert(id);
            }
            Step::Answer { message_id, .. } => {
                messages.insert(message_id);
            }
            Step::Span { id } => {
                spans.insert(id);
            }
            Step::Call { id, parent, .. } => {
                calls.insert(id);
                // A message comes into being with its first call.
                messages.insert(parent.unwrap_or(id));
            }
            Step::Snapshot(snapshot) => {
                messages.extend(snapshot.iter().filter_map(id_of));
                calls.extend(snapshot.iter().flat_map(calls_of).filter_map(id_of));
            }
            Step::Encrypted { subtype, entity } => {
                let (is_known, what) = match subtype {
                    "message" => {
                        let is_held = story.held.message(entity).is_some();
                        (is_held || messages.contains(entity), "message")
                    }
                    "tool-call" => {
                        let is_held = story.held.call(entity).is_some();
                        (is_held || calls.contains(entity), "tool call")
                    }
                    _ => continue,
                };
                if is_known {
                    found.saw(&ENCRYPTED_ENTITY);
                } else if story.knows_request {
                    let but = if spans.contains(entity) {
                        "it is the id of a reasoning span, which is no message"
                    } else {
                        "neither this answer so far nor the request has one"
                    };
                    let message = format!("the value belongs to the {what} `{entity}`, but {but}");
                    found.at(&ENCRYPTED_ENTITY, told.event, message);
                }
            }
            Step::TextPiece { .. }
            | Step::TextEnd { .. }
            | Step::CallPiece { .. }
            | Step::CallEnd { .. } => {}
        }
    }
}
