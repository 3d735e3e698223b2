//! The official AG-UI 1.0 streams, when they lie beside the project: what their client refuses breaks a rule of shape or
//! order, and what it takes breaks no rule of order.

use std::path::Path;

use serde_json::Value;

use super::exchange;
use crate::rule::{Findings, Profile};
use crate::rules::{sequence, shape};

/// What the client strips with a warning, or takes without a word, is a fault of a server all the same.
fn is_forgiven(rule: &str) -> bool {
    matches!(
        rule,
        // Unknown types and members are dropped; retired types are translated.
        "shape.type" | "shape.retired" | "shape.unknown-member"
        // The client does not ask for a version, compares no ids and takes a stream that just stops.
        | "sequence.version" | "sequence.version-grammar" | "sequence.run-id" | "sequence.run-id-reused"
        | "sequence.thread-id" | "sequence.finish-ids" | "sequence.terminal"
    )
}

/// Streams whose client is told to be lenient in a way that no type or member names: an unknown member of a union or an
/// unknown operation is dropped from where it stands.
const LENIENT: [&str; 3] = [
    "unknown-outcome-stripped",
    "unknown-part-in-message-list",
    "state-delta-unknown-op-dropped",
];

#[test]
fn official_streams_agree() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/suites/agui-1.0/streams");
    let Ok(files) = std::fs::read_dir(folder) else {
        // Not `println!`, which is kept from the user when a test passes; `cargo xtask test` counts these lines.
        let line = b"skipped: official AG-UI streams: they are not beside the project\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).ok();
        return;
    };
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in &files {
        let case: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let name = case["name"].as_str().unwrap();
        let mut exchange = exchange(case["stream"].as_array().unwrap());
        exchange.request = case.get("input").cloned();
        let mut found = Findings::new(Profile::V1);
        shape::look(&exchange, &mut found);
        let n_shape = found.in_order().len();
        sequence::look(&exchange, &mut found);
        let fatal: Vec<String> = found
            .in_order()
            .into_iter()
            .filter(|found| !is_forgiven(found.rule))
            .map(|found| format!("{}: {}", found.rule, found.message))
            .collect();
        let is_refused = case["expect"]["outcome"] == "failed";
        if LENIENT.contains(&name) {
            assert!(
                n_shape > 0,
                "{name}: the shape is wrong, though clients forgive it"
            );
            assert!(
                fatal.iter().all(|found| !found.starts_with("sequence.")),
                "{name}: {fatal:#?}"
            );
        } else {
            assert_eq!(is_refused, !fatal.is_empty(), "{name}: {fatal:#?}");
        }
    }
    assert!(files.len() > 10, "only {} streams were found", files.len());
}
