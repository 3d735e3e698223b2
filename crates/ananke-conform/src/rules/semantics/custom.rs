//! Extensions: custom events carry a prefix, and raw ones come beside the protocol's own, not instead of them.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};

use super::run::{Outcome, Run, runs};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static PREFIX: Rule = Rule {
    id: "semantics.custom-prefix",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Should),
    title: "the `name` of a CUSTOM event has a prefix",
    reason: "Names without a prefix are reserved for the protocol, which may one day give them another meaning.",
    section: "Special events: CUSTOM",
    advice: "Put the name of your product in front, with a `.`, `:`, `/` or `-` between: `acme.predict_state`.",
    needs: "CUSTOM event",
};

static RAW: Rule = Rule {
    id: "semantics.raw-alone",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "RAW events come beside the protocol's own events, not instead of them",
    reason: "RAW carries no meaning of the protocol, so a client that does not know the framework sees an empty run.",
    section: "Special events: RAW",
    advice: "Translate what the framework says into text, tool and state events, and send RAW in addition or not at all.",
    needs: "finished run with RAW events",
};

pub(super) const RULES: &[&Rule] = &[&PREFIX, &RAW];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    look_at_names(exchange, found);
    for run in runs(&exchange.answer) {
        look_at_raw(run, found);
    }
}

/// Tells each name once.
fn look_at_names(exchange: &Exchange, found: &mut Findings) {
    let mut told = BTreeSet::new();
    for (number, event) in exchange.answer.of_kind("CUSTOM") {
        let Some(name) = event.text("name") else {
            continue;
        };
        found.saw(&PREFIX);
        if !has_prefix(name) && told.insert(name) {
            let message = format!(
                "the name {name:?} has no prefix: expected something before a `.`, `:`, `/` or `-`, as in `acme.progress`"
            );
            found.at(&PREFIX, number, message);
        }
    }
}

/// Tells whether something stands before and after a separator.
fn has_prefix(name: &str) -> bool {
    let parts = name.split_once(['.', ':', '/', '-']);
    parts.is_some_and(|(prefix, rest)| !prefix.is_empty() && !rest.is_empty())
}

/// A run that succeeds with nothing to show although the framework had much to say. One that failed, stopped or waits has
/// said so in the protocol's own words.
fn look_at_raw(run: Run<'_>, found: &mut Findings) {
    let raw = run
        .events
        .iter()
        .filter(|event| event.kind() == Some("RAW"));
    let n_raw = raw.count();
    let Some(end) = run
        .end()
        .filter(|end| n_raw > 0 && end.outcome == Outcome::Success)
    else {
        return;
    };
    found.saw(&RAW);
    let has_own = run.events.iter().any(|event| {
        let kind = event.kind().unwrap_or_default();
        let is_result = kind == "RUN_FINISHED" && event.get("result").is_some();
        is_result
            || !matches!(
                kind,
                "RUN_STARTED" | "RUN_FINISHED" | "RAW" | "STEP_STARTED" | "STEP_FINISHED"
            )
    });
    if !has_own {
        let message = format!(
            "the run finished as success with {n_raw} RAW events and no text, tool, state or other event of the protocol"
        );
        found.at(&RAW, end.at, message);
    }
}
