//! Values that are too deep, too wide or too long for careless readers.

use ananke_testkit::sse;
use insta::assert_snapshot;
use serde_json::json;

use super::{Fault, call, finished, sends, started};

fn nested(depth: usize) -> String {
    format!("{}{}", "[".repeat(depth), "]".repeat(depth))
}

fn shown(data: &str, demand: &str) -> String {
    let body = format!(
        "{}data: {data}\n\n{}",
        sse(&[started()]),
        sse(&[finished()])
    );
    Fault::at(&sends(body).url()).demands(demand).shown()
}

/// One call of `f` with these arguments.
fn with_args(args: &str, demand: &str) -> String {
    shown(&call("c", "f", args).to_string(), demand)
}

#[test]
fn a_deep_state_is_refused_with_its_limit() {
    let deep = format!(
        "{{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{}}}",
        nested(100_000)
    );
    assert_snapshot!(shown(&deep, "text: {must_not_match: x}"), @"");
}

#[test]
fn depth_where_nobody_looks_does_no_harm() {
    let deep = format!(
        "{{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":{}}}",
        nested(100_000)
    );
    assert_snapshot!(shown(&deep, "text: {must_not_match: x}"), @"");
}

#[test]
fn deep_arguments_are_told() {
    assert_snapshot!(with_args(&nested(100_000), "tools: {require: [{name: f, args_match: {a: x}}]}"), @"");
}

#[test]
fn long_numbers_keep_their_digits() {
    let args = r#"{"id":12345678901234567890123,"price":0.10000000000000000001,"big":1e999}"#;
    assert_snapshot!(with_args(args, "tools: {require: [{name: f, args_match: {id: \"^12345678901234567890123$\", price: \"^0[.]10000000000000000001$\", big: \"^1e999$\"}}]}"), @"");
}

#[test]
fn a_rounded_number_is_not_the_number() {
    let args = r#"{"id":9007199254740993}"#;
    assert_snapshot!(with_args(args, "tools: {require: [{name: f, args_match: {id: \"^9007199254740992$\"}}]}"), @"");
}

#[test]
fn twenty_thousand_keys_are_searched() {
    let keys: Vec<String> = (0..20_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let args = format!("{{{}}}", keys.join(","));
    assert_snapshot!(with_args(&args, "tools: {require: [{name: f, args_match: {k19999: \"^19999$\"}}]}"), @"");
    assert_snapshot!(with_args(&args, "tools: {require: [{name: f, args_match: {k20000: x}}]}"), @"");
}

#[test]
fn a_state_of_twenty_thousand_keys_is_kept() {
    let snapshot: serde_json::Map<String, serde_json::Value> =
        (0..20_000).map(|n| (format!("k{n}"), json!(n))).collect();
    let event = json!({"type": "STATE_SNAPSHOT", "snapshot": snapshot});
    let output = shown(&event.to_string(), "text: {must_not_match: x}");
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}
