//! The streams that clients are tried with: legal ones, and what becomes of them when one thing is wrong. The same every
//! time.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::mutate::mutated;
use super::random;
use super::reorder::reordered;
use super::wire::{body, odd_bodies};

/// Legal streams by name. Most of them use only what both clients know.
const LEGAL: &str = include_str!("streams.json");
/// How many streams are made by chance.
const N_RANDOM: usize = 900;

/// A stream.
#[derive(Debug)]
pub(super) struct Sample {
    /// What it is, such as `calls: 3 is missing`.
    pub(super) id: String,
    /// The bytes that a server sends.
    pub(super) body: String,
    /// Whether the connection breaks behind them.
    pub(super) breaks: bool,
}

/// Returns all of them; no two have the same bytes.
pub(super) fn samples() -> Vec<Sample> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |id: String, body: String| {
        if seen.insert(body.clone()) {
            all.push(Sample {
                id,
                body,
                breaks: false,
            });
        }
    };
    let legal: Map<String, Value> = serde_json::from_str(LEGAL).expect("it is JSON");
    let mut tried = BTreeSet::new();
    for (name, events) in &legal {
        let events = events.as_array().expect("streams are lists");
        add(name.clone(), body(events));
        for (what, events) in reordered(events) {
            add(format!("{name}: {what}"), body(&events));
        }
        for (number, event) in events.iter().enumerate() {
            // The same event in another stream tells nothing new.
            if !tried.insert(event.to_string()) {
                continue;
            }
            for (what, event) in mutated(event) {
                let mut events = events.clone();
                events[number] = event;
                add(format!("{name}: {number}{what}"), body(&events));
            }
        }
    }
    let calls = legal["calls"].as_array().expect("streams are lists");
    for (what, body) in odd_bodies(calls) {
        add(format!("bytes: {what}"), body);
    }
    for number in 0..N_RANDOM {
        add(format!("random {number}"), body(&random::stream(number)));
    }
    for (name, n_events) in [("begins", 1), ("ends", calls.len())] {
        all.push(Sample {
            id: format!("breaks when it {name}"),
            body: body(&calls[..n_events]),
            breaks: true,
        });
    }
    all
}
