//! Do the rules for servers before 1.0 find what the last client before 1.0 refuses, and nothing else? No client is needed:
//! that our table of it is true is tested next door, with the same streams.

use std::collections::BTreeMap;

use ananke_conform::clients::Client;
use ananke_conform::{Asked, Case, Exchange, Findings, Profile, rules};
use ananke_model::conformance::{Layer, Level};

use super::answer;
use super::samples::samples;

/// A rule of which the client knows nothing: a run without an end looks finished to it.
const ONLY_A_RULE: &str = "sequence.terminal";

/// Streams that the client refuses for what the rules of bytes tell: `http.line-ends`, `http.body-closed` and
/// `http.done-marker`.
const ONLY_BYTES: [&str; 6] = [
    "breaks when it begins",
    "breaks when it ends",
    "bytes: CRLF, but the first event LF",
    "bytes: a word",
    "bytes: lines end with CR",
    "bytes: lines end with CRLF",
];

#[test]
fn rules_for_servers_before_1_find_what_the_last_client_before_1_refuses() {
    let mut wrong = BTreeMap::new();
    let mut only_bytes = Vec::new();
    for sample in samples() {
        let answer = answer(&sample);
        let refused = Client::Older.breaks_at(&answer);
        let broken = broken(Exchange {
            scenario: "file".to_owned(),
            step: "run".to_owned(),
            asked: Asked::Run,
            request: None,
            answer,
        });
        match (refused, broken.as_slice()) {
            (Some(_), [_, ..]) | (None, []) => {}
            (Some(_), []) if ONLY_BYTES.contains(&sample.id.as_str()) => only_bytes.push(sample.id),
            (refused, broken) => {
                wrong.insert(sample.id, format!("client: {refused:?}, rules: {broken:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} streams: {wrong:#?}", wrong.len());
    only_bytes.sort();
    assert_eq!(only_bytes, ONLY_BYTES, "an exception is no longer one");
}

/// Returns what is broken and binding in the layers that a client looks at.
fn broken(exchange: Exchange) -> Vec<String> {
    let case = Case {
        exchanges: vec![exchange],
        ..Case::default()
    };
    let mut found = Findings::new(Profile::Old);
    rules::look(&case, &mut found);
    let is_binding = |id: &str| {
        let rule = rules::all().find(|rule| rule.id == id);
        rule.is_some_and(|rule| rule.old == Some(Level::Must))
    };
    found
        .in_order()
        .into_iter()
        .filter(|found| matches!(found.layer, Layer::Shape | Layer::Sequence))
        .filter(|found| found.rule != ONLY_A_RULE && is_binding(found.rule))
        .map(|found| format!("{}: {}", found.rule, found.message))
        .collect()
}
