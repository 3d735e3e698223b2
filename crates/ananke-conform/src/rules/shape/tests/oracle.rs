//! The protocol's own schema agrees, when it lies beside the project: a document is valid if and only if nothing is found.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value;

use super::examples;
use super::mutants::{mutants, twice_wrong};
use crate::fixture::Fixture;
use crate::rule::Profile;
use crate::rules::shape::{check_capabilities, check_event, check_input};

#[test]
fn the_schema_agrees_on_events() {
    let Some(schema) = schema("Event") else {
        return;
    };
    let check = |event: &Value| format_all(check_event(event, Profile::V1));
    let mut documents = official_events();
    documents.extend(fixture_events());
    for example in examples::events() {
        documents.extend(mutants(&example));
        documents.extend(twice_wrong(&example, 50));
        documents.push(example);
    }
    assert!(documents.len() > 10_000, "only {}", documents.len());
    assert_agree(&schema, check, &documents);
}

#[test]
fn the_schema_agrees_on_requests() {
    let Some(schema) = schema("RunAgentInput") else {
        return;
    };
    let mut documents = mutants(&examples::input());
    documents.extend(twice_wrong(&examples::input(), 1000));
    documents.push(examples::input());
    assert_agree(&schema, |input| check_input(input, Profile::V1), &documents);
}

#[test]
fn the_schema_agrees_on_capabilities() {
    let Some(schema) = schema("AgentCapabilities") else {
        return;
    };
    let mut documents = mutants(&examples::capabilities());
    documents.extend(twice_wrong(&examples::capabilities(), 1000));
    documents.push(examples::capabilities());
    assert_agree(&schema, check_capabilities, &documents);
}

fn assert_agree(schema: &Validator, check: impl Fn(&Value) -> Vec<String>, documents: &[Value]) {
    assert!(documents.len() > 2000, "only {} documents", documents.len());
    let mut disagreements = Vec::new();
    let mut n_valid = 0;
    for document in documents {
        let is_valid = schema.is_valid(document);
        n_valid += usize::from(is_valid);
        let found = check(document);
        if is_valid != found.is_empty() {
            disagreements.push(format!(
                "valid: {is_valid}, found: {found:?}, in {document}"
            ));
        }
    }
    assert!(n_valid > 100, "only {n_valid} valid documents");
    let n_more = disagreements.len();
    disagreements.truncate(10);
    assert!(
        n_more == 0,
        "{n_more} disagreements:\n{}",
        disagreements.join("\n")
    );
}

fn format_all(found: Vec<(&'static str, String)>) -> Vec<String> {
    let found = found.into_iter();
    found
        .map(|(rule, message)| format!("{rule} {message}"))
        .collect()
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/suites/agui-1.0")
}

fn schema(definition: &str) -> Option<Validator> {
    let Ok(text) = std::fs::read_to_string(suite().join("schema.json")) else {
        // Not `println!`, which is kept from the user when a test passes; `cargo xtask test` counts these lines.
        let line = b"skipped: official AG-UI schema: it is not beside the project\n";
        std::io::Write::write_all(&mut std::io::stderr(), line).ok();
        return None;
    };
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    schema["$ref"] = format!("#/$defs/{definition}").into();
    Some(jsonschema::validator_for(&schema).unwrap())
}

fn official_events() -> Vec<Value> {
    let mut events = Vec::new();
    for file in std::fs::read_dir(suite().join("streams")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let case: Value = serde_json::from_str(&text).unwrap();
        events.extend(case["stream"].as_array().unwrap().iter().cloned());
    }
    events
}

fn fixture_events() -> Vec<Value> {
    let cases = Fixture::all()
        .into_iter()
        .map(|(_, fixture)| fixture.case());
    let exchanges = cases.flat_map(|case| case.exchanges);
    let events = exchanges.flat_map(|exchange| exchange.answer.events);
    events.filter_map(|event| event.value.ok()).collect()
}
