//! Messages keep their ids from one snapshot to the next, and from what the request holds.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{id_of, likeness, role_of};
use super::reused::thread_of;
use super::story::{Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static SNAPSHOT_STABLE: Rule = Rule {
    id: "semantics.snapshot-stable",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a message has the same id in every `MESSAGES_SNAPSHOT`, and the one that the request gave it",
    reason: "A client takes a message with a new id for a new message: it is drawn anew, moves to the end, and what refers to it breaks.",
    section: "Identifiers; Messages, reconciling snapshots",
    advice: "Store ids with the history instead of making them when a snapshot is written.",
    needs: "`MESSAGES_SNAPSHOT` after another one, or in answer to a request with messages",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&SNAPSHOT_STABLE];

/// Compares the snapshots of an answer with each other, and the first with the request.
pub(super) fn look(exchange: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let streamed = streamed_ids(story);
    let mut before = exchange.sent_messages();
    let mut place = "the request";
    for (at, snapshot) in story.snapshots() {
        if !before.is_empty() {
            found.saw(&SNAPSHOT_STABLE);
            let before: Vec<&Value> = before.iter().collect();
            report(at, &before, place, snapshot, &streamed, found);
        }
        before = snapshot;
        place = "the snapshot before";
    }
}

/// Compares the last snapshot of a run with the first one of the next run of its thread, where the request is silent.
pub(super) fn look_at_threads(exchanges: &[Exchange], found: &mut Findings) {
    let mut last_of: BTreeMap<&str, &[Value]> = BTreeMap::new();
    for (number, exchange) in exchanges.iter().enumerate() {
        let Some(thread_id) = thread_of(exchange).filter(|_| exchange.answer.is_stream()) else {
            continue;
        };
        found.enter(number);
        let story = Story::of(exchange);
        if let (Some(before), Some((at, snapshot))) =
            (last_of.get(thread_id), story.snapshots().next())
        {
            found.saw(&SNAPSHOT_STABLE);
            let mut known = streamed_ids(&story);
            known.extend(exchange.sent_messages().iter().filter_map(id_of));
            let place = "the last snapshot of the thread";
            let is_unsaid = |message: &&Value| id_of(message).is_some_and(|id| !known.contains(id));
            let unsaid: Vec<&Value> = before.iter().filter(is_unsaid).collect();
            report(at, &unsaid, place, snapshot, &known, found);
        }
        if let Some((_, snapshot)) = story.snapshots().last() {
            last_of.insert(thread_id, snapshot);
        }
    }
}

/// Reports messages that a snapshot has under another id. `others` are ids that belong to other messages for sure.
fn report(
    at: usize,
    before: &[&Value],
    place: &str,
    snapshot: &[Value],
    others: &BTreeSet<&str>,
    found: &mut Findings,
) {
    let now: BTreeSet<&str> = snapshot.iter().filter_map(id_of).collect();
    let then: BTreeSet<&str> = before.iter().filter_map(|message| id_of(message)).collect();
    let mut new: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for message in snapshot.iter().rev() {
        if let (Some(id), Some(likeness)) = (id_of(message), likeness(message))
            && !then.contains(id)
            && !others.contains(id)
        {
            new.entry(likeness).or_default().push(id);
        }
    }
    for message in before {
        let Some(id) = id_of(message).filter(|id| !now.contains(id)) else {
            continue;
        };
        let twins = likeness(message).and_then(|likeness| new.get_mut(&likeness));
        if let Some(twin) = twins.and_then(Vec::pop) {
            let role = role_of(message);
            let message = format!(
                "the `{role}` message that is `{id}` in {place} is `{twin}` in this snapshot"
            );
            found.at(&SNAPSHOT_STABLE, at, message);
        }
    }
}

fn streamed_ids<'a>(story: &Story<'a>) -> BTreeSet<&'a str> {
    let ids = story.steps().filter_map(|told| match told.step {
        Step::Text { id, .. } | Step::Reasoning { id } | Step::Activity { id } => Some(id),
        Step::Call { parent, .. } => parent,
        Step::Answer { message_id, .. } => Some(message_id),
        _ => None,
    });
    ids.collect()
}
