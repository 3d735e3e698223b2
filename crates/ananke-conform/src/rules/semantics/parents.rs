//! The message that a call belongs to is the one that made it.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};

use super::held::role_of;
use super::story::{Step, Story};
use crate::rule::{Findings, Rule};

static CALL_PARENT: Rule = Rule {
    id: "semantics.call-parent",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "a call of a later message does not belong to an earlier one",
    reason: "A history in which a call stands before the results that led to it says that all calls were made at once.",
    section: "Events, tool calls",
    advice: "Set `parentMessageId` to the message that the model made together with the call.",
    needs: "call with a parent after the result of another call",
};

static PARENT_ROLE: Rule = Rule {
    id: "semantics.parent-role",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "the message that a call belongs to is one of the agent, not of the user",
    reason: "Only assistant messages hold calls: a client has nowhere to put the call, or makes a second message with the same id.",
    section: "Events, tool calls",
    advice: "Set `parentMessageId` to the assistant message that makes the call, or leave it out.",
    needs: "call with a parent in answer to a known request",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&CALL_PARENT, &PARENT_ROLE];

/// Looks at calls that come after the result of another one. A call of the same message may do so, as a server may run
/// calls while the model still makes more; but not after the next message has begun.
pub(super) fn look(story: &Story<'_>, found: &mut Findings) {
    for run in &story.runs {
        let mut parents: BTreeMap<&str, &str> = BTreeMap::new();
        // Parents one of whose calls was answered, and the message that the same owner began after that.
        let mut done: BTreeMap<&str, Option<&str>> = BTreeMap::new();
        let mut waiting: BTreeMap<Option<&str>, Vec<&str>> = BTreeMap::new();
        for told in &run.steps {
            match told.step {
                Step::Call {
                    id,
                    parent: Some(parent),
                    ..
                } => {
                    look_at_role(told.event, id, parent, story, found);
                    if !done.is_empty() {
                        found.saw(&CALL_PARENT);
                    }
                    if let Some(Some(next)) = done.get(parent) {
                        let message = format!(
                            "`{id}` belongs to `{parent}`, one of whose calls was answered before `{next}` began"
                        );
                        found.at(&CALL_PARENT, told.event, message);
                    }
                    parents.insert(id, parent);
                }
                Step::Answer { call_id, .. } => {
                    if let Some(parent) = parents.get(call_id)
                        && !done.contains_key(parent)
                    {
                        done.insert(parent, None);
                        waiting.entry(told.owner).or_default().push(parent);
                    }
                }
                Step::Text { id, .. } => {
                    // A message that is opened again is not the next one.
                    let parents = waiting.remove(&told.owner).unwrap_or_default();
                    for parent in parents {
                        if parent == id {
                            waiting.entry(told.owner).or_default().push(parent);
                        } else {
                            done.insert(parent, Some(id));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn look_at_role(event: usize, id: &str, parent: &str, story: &Story<'_>, found: &mut Findings) {
    if !story.knows_request {
        return;
    }
    found.saw(&PARENT_ROLE);
    let role = story.held.message(parent).map(role_of);
    if let Some(role @ ("user" | "system" | "developer")) = role {
        let message =
            format!("`{id}` belongs to `{parent}`, which is a `{role}` message of the request");
        found.at(&PARENT_ROLE, event, message);
    }
}
