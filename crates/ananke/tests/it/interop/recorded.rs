//! What the suites of this folder record of real servers: the schema of the protocol and our rules of shape agree on every
//! event and request, and `ananke conform --file` finds what `suites/conform/<server>.known.yaml` says, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ananke_conform::rules::shape::{check_event, check_input};
use ananke_conform::{Case, Profile, Settings, judge, offline};
use ananke_store::Bundle;
use insta::assert_snapshot;
use jsonschema::Validator;
use serde_json::Value;

use super::server::Server;
use super::{bundled, has_node, has_python};

/// Runs a suite and reads what it recorded.
fn recorded(suite: &str, server: &Server, args: &[&str]) -> Case {
    let folder = tempfile::tempdir().expect("there is room for a bundle");
    let dir = folder.path().display().to_string();
    let url = format!("URL={}", server.url());
    let mut words = vec!["run", "--quiet", "--bundle-dir", &dir, "--var", &url];
    words.extend(args);
    let output = bundled(suite, &words);
    let runs: Vec<PathBuf> = ananke_store::list(folder.path());
    let [run] = runs.as_slice() else {
        panic!("one bundle is expected, not {runs:?}: {output}");
    };
    let bundle = Bundle::read(run).unwrap_or_else(|error| panic!("{error}"));
    offline::from_bundle(suite, &bundle).unwrap_or_else(|error| panic!("{error}"))
}

/// Judges, and names each rule that is broken.
fn broken(case: &Case, profile: Profile) -> String {
    let settings = Settings {
        profile,
        severities: BTreeMap::new(),
        baseline: None,
        strict: false,
    };
    let report = judge(case, &settings);
    let checks = report
        .checks
        .iter()
        .filter(|check| !check.findings.is_empty());
    let names: BTreeSet<&str> = checks.map(|check| check.rule.id.as_str()).collect();
    names.into_iter().collect::<Vec<_>>().join("\n")
}

/// Compares our shapes with the schema, if that is here.
fn compare(case: &Case) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/suites/agui-1.0/schema.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        std::io::stderr()
            .write_all(b"skipped: no external suites\n")
            .ok();
        return;
    };
    let validator = |name: &str| {
        let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
        schema["$ref"] = format!("#/$defs/{name}").into();
        jsonschema::validator_for(&schema).expect("the schema is one")
    };
    let (event, input): (Validator, Validator) = (validator("Event"), validator("RunAgentInput"));
    let mut n_events = 0;
    for exchange in &case.exchanges {
        for seen in &exchange.answer.events {
            let value = seen.value.as_ref().expect("it is JSON");
            let found = check_event(value, Profile::V1);
            assert_eq!(
                event.is_valid(value),
                found.is_empty(),
                "{value}: {found:?}"
            );
            n_events += 1;
        }
        let request = exchange
            .request
            .as_ref()
            .expect("a bundle has its requests");
        let found = check_input(request, Profile::V1);
        assert!(
            input.is_valid(request) && found.is_empty(),
            "{request}: {found:?}"
        );
    }
    assert!(n_events > 20, "{n_events} events are not worth comparing");
}

#[test]
fn of_pydantic_ai() {
    if !has_python("recordings of pydantic-ai") {
        return;
    }
    let server = Server::pydantic();
    let case = recorded("pydantic", &server, &[]);
    compare(&case);
    assert_snapshot!(broken(&case, Profile::V1), @"semantics.timestamp-all");
}

#[test]
fn of_langgraph() {
    if !has_python("recordings of ag-ui-langgraph") {
        return;
    }
    let server = Server::langgraph();
    let case = recorded("langgraph", &server, &["both", "--target", "default"]);
    compare(&case);
    assert_snapshot!(broken(&case, Profile::V1), @"
    semantics.history
    semantics.snapshot-ids
    sequence.version
    ");
    let case = recorded("langgraph", &server, &["outcome", "--target", "outcome"]);
    compare(&case);
    assert_snapshot!(broken(&case, Profile::V1), @"
    semantics.custom-prefix
    semantics.history
    semantics.interrupt-names-call
    semantics.restreamed-call
    semantics.snapshot-ids
    sequence.version
    ");
}

#[test]
fn of_the_encoder() {
    if !has_node("recordings of @ag-ui/encoder") {
        return;
    }
    let server = Server::encoder();
    let by_sse = recorded("encoder", &server, &["both-encodings", "--target", "sse"]);
    compare(&by_sse);
    assert_snapshot!(broken(&by_sse, Profile::V1), @"");
    let by_protobuf = recorded(
        "encoder",
        &server,
        &["both-encodings", "--target", "protobuf"],
    );
    compare(&by_protobuf);
    assert_eq!(
        broken(&by_protobuf, Profile::V1),
        broken(&by_sse, Profile::V1)
    );
    let case = recorded("encoder", &server, &["sse-only", "--target", "sse"]);
    assert_snapshot!(broken(&case, Profile::Old), @"");
}
