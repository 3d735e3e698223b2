//! Artifacts that come in pieces.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};

use super::super::asked::A2aAsked;
use super::super::wire::{self, Kind, is_new};
use crate::exchange::Exchange;
use crate::rpc::replies;
use crate::rule::{Findings, Rule};

static APPEND_KNOWN: Rule = Rule {
    id: "a2a.append-known",
    layer: Layer::Sequence,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "a piece is appended to an artifact that was begun",
    reason: "A client has nothing to append it to, and some drop the piece.",
    section: "Artifact update events",
    advice: "Send the first piece of an artifact without `append`.",
    needs: "appended piece of an artifact",
};

static AFTER_LAST_CHUNK: Rule = Rule {
    id: "a2a.after-last-chunk",
    layer: Layer::Sequence,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "nothing is appended after the last piece of an artifact",
    reason: "With `lastChunk` a client takes the artifact for complete and may use it.",
    section: "Artifact update events",
    advice: "Set `lastChunk` on the very last piece only.",
    needs: "last piece of an artifact",
};

pub(super) const RULES: &[&Rule] = &[&APPEND_KNOWN, &AFTER_LAST_CHUNK];

pub(super) fn look(exchange: &Exchange, asked: A2aAsked, found: &mut Findings) {
    if !asked.is_message() {
        return;
    }
    let is_new = is_new(found.profile);
    let mut begun: BTreeSet<&str> = BTreeSet::new();
    let mut complete: BTreeSet<&str> = BTreeSet::new();
    for reply in replies(&exchange.answer) {
        let Some(Ok((kind, content))) = reply.result().map(|result| wire::kind(result, is_new))
        else {
            continue;
        };
        if kind == Kind::Task {
            let held = content.get("artifacts").and_then(|list| list.as_array());
            let ids = held.into_iter().flatten();
            begun.extend(ids.filter_map(|artifact| artifact.get("artifactId")?.as_str()));
        }
        let id = content
            .get("artifact")
            .and_then(|artifact| artifact.get("artifactId")?.as_str());
        let Some(id) = id.filter(|_| kind == Kind::Artifact) else {
            continue;
        };
        let is = |name: &str| content.get(name).is_some_and(|value| value == true);
        if is("append") {
            // A stream that continues a task may go on with what an earlier one began.
            if asked != A2aAsked::Continue {
                found.saw(&APPEND_KNOWN);
            }
            if asked != A2aAsked::Continue && !begun.contains(id) {
                let message = format!("a piece is appended to `{id}`, which was not begun");
                found.told(&APPEND_KNOWN, reply.event, message);
            }
            if complete.contains(id) {
                let message = format!("a piece is appended to `{id}` after its last one");
                found.told(&AFTER_LAST_CHUNK, reply.event, message);
            }
        } else {
            complete.remove(id);
        }
        begun.insert(id);
        if is("lastChunk") {
            found.saw(&AFTER_LAST_CHUNK);
            complete.insert(id);
        }
    }
}
