//! What the request holds is not streamed again.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};

use super::held::{calls_of, id_of, role_of};
use super::story::{Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static RESTREAMED_MESSAGE: Rule = Rule {
    id: "semantics.restreamed-message",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "messages that the request holds are not streamed again",
    reason: "Streaming appends: a client that holds the message has its text twice from then on, and sends it so.",
    section: "Messages, replaying history",
    advice: "Stream only what is new; history is sent as a MESSAGES_SNAPSHOT, if at all.",
    needs: "whole answer to a request that holds messages of the agent",
};

static RESTREAMED_CALL: Rule = Rule {
    id: "semantics.restreamed-call",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "calls that the request or an earlier run holds are not streamed again",
    reason: "Streaming appends: the arguments of the call become `{…}{…}` in the client and can never be parsed again.",
    section: "Messages, replaying history",
    advice: "After a resume or the answer of a frontend tool, send only the TOOL_CALL_RESULT and what follows.",
    needs: "whole answer to a request that holds tool calls, or calls in two runs of an answer",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&RESTREAMED_MESSAGE, &RESTREAMED_CALL];

/// Looks at what begins in an answer.
pub(super) fn look(_: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let held = &story.held;
    if story.has_ended() && held.has_agents_message() {
        found.saw(&RESTREAMED_MESSAGE);
    }
    if story.has_ended() && held.has_calls() {
        found.saw(&RESTREAMED_CALL);
    }
    look_at_runs(story, found);
    let mut told_of: BTreeSet<&str> = BTreeSet::new();
    let mut told_of_calls: BTreeSet<&str> = BTreeSet::new();
    for told in story.steps() {
        let (id, role) = match told.step {
            Step::Call { id, .. } => {
                if held.call(id).is_some() && told_of_calls.insert(id) {
                    let message = format!(
                        "the request holds the call `{id}`, and it is streamed again: its arguments are appended to \
                         those that the client has"
                    );
                    found.at(&RESTREAMED_CALL, told.event, message);
                }
                continue;
            }
            Step::Text { id, role, .. } => (id, role.unwrap_or("assistant")),
            Step::Reasoning { id } => (id, "reasoning"),
            Step::Answer { message_id, .. } => (message_id, "tool"),
            _ => continue,
        };
        // An id that the request holds for another role is reused: a rule of its own.
        let is_held = held.message(id).is_some_and(|held| role_of(held) == role);
        if is_held && told_of.insert(id) {
            let message =
                format!("the request holds the `{role}` message `{id}`, and it is streamed again");
            found.at(&RESTREAMED_MESSAGE, told.event, message);
        }
    }
}

/// Looks at the calls of the runs of one answer: each run has calls of its own.
fn look_at_runs(story: &Story<'_>, found: &mut Findings) {
    let mut runs_of: BTreeMap<(Option<&str>, &str), usize> = BTreeMap::new();
    for (number, run) in story.runs.iter().enumerate() {
        let mut told_of: BTreeSet<&str> = BTreeSet::new();
        for told in &run.steps {
            let id = match told.step {
                Step::Call { id, .. } => id,
                Step::Snapshot(messages) => {
                    // What a client has dropped may come anew.
                    let kept = messages.iter().flat_map(calls_of).filter_map(id_of);
                    let kept: BTreeSet<&str> = kept.collect();
                    runs_of.retain(|(_, id), _| kept.contains(id));
                    continue;
                }
                _ => continue,
            };
            if runs_of.values().next().is_some_and(|first| *first < number) {
                found.saw(&RESTREAMED_CALL);
            }
            let first = *runs_of.entry((run.thread, id)).or_insert(number);
            // What the request holds has been told of.
            if first != number && story.held.call(id).is_none() && told_of.insert(id) {
                let message = format!(
                    "the run `{}` made the call `{id}`, and it is streamed again: its arguments are appended to those \
                     that the client has",
                    story.runs[first].id.unwrap_or_default()
                );
                found.at(&RESTREAMED_CALL, told.event, message);
            }
        }
    }
}
