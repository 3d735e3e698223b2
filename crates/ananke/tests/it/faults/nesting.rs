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
    assert_snapshot!(shown(&deep, "text: {must_not_match: x}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 1 cannot be read: STATE_SNAPSHOT: `snapshot` is nested deeper than 512 levels: {"type":"STATE_SNAPSHOT","snapshot":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
         captured in turn 1: 3 events, no tool call, no text
    --- json
    error
    turn 1: broken (bad_event), 3 events, text ""
    "#);
}

#[test]
fn depth_where_nobody_looks_does_no_harm() {
    let deep = format!(
        "{{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":{}}}",
        nested(100_000)
    );
    assert_snapshot!(shown(&deep, "text: {must_not_match: x}"), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 3 events, text ""
    "#);
}

#[test]
fn deep_arguments_are_told() {
    assert_snapshot!(with_args(&nested(100_000), "tools: {require: [{name: f, args_match: {a: x}}]}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.require f: expected at least 1 call of `f` with a matching /x/, got 0 of 1 call
         closest call: turn 1, event 1: f([[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…)
         a is missing; the arguments are no object
         demanded at hello.test.yaml:6:21 (test level)
    --- json
    failed
    turn 1: finished, 3 events, text ""
    call: f "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ … ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]" (200002 characters)
    "#);
}

#[test]
fn long_numbers_keep_their_digits() {
    let args = r#"{"id":12345678901234567890123,"price":0.10000000000000000001,"big":1e999}"#;
    assert_snapshot!(with_args(args, "tools: {require: [{name: f, args_match: {id: \"^12345678901234567890123$\", price: \"^0[.]10000000000000000001$\", big: \"^1e999$\"}}]}"), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 3 events, text ""
    call: f "{\"id\":12345678901234567890123,\"price\":0.10000000000000000001,\"big\":1e999}"
    "#);
}

#[test]
fn a_rounded_number_is_not_the_number() {
    let args = r#"{"id":9007199254740993}"#;
    assert_snapshot!(with_args(args, "tools: {require: [{name: f, args_match: {id: \"^9007199254740992$\"}}]}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.require f: expected at least 1 call of `f` with id matching /^9007199254740992$/, got 0 of 1 call
         closest call: turn 1, event 1: f({"id":9007199254740993})
         id: 9007199254740993 does not match /^9007199254740992$/
         demanded at hello.test.yaml:6:21 (test level)
    --- json
    failed
    turn 1: finished, 3 events, text ""
    call: f {"id":9007199254740993}
    "#);
}

#[test]
fn twenty_thousand_keys_are_searched() {
    let keys: Vec<String> = (0..20_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let args = format!("{{{}}}", keys.join(","));
    assert_snapshot!(with_args(&args, "tools: {require: [{name: f, args_match: {k19999: \"^19999$\"}}]}"), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 3 events, text ""
    call: f {"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5" … 97":19997,"k19998":19998,"k19999":19999} (277781 characters)
    "#);
    assert_snapshot!(with_args(&args, "tools: {require: [{name: f, args_match: {k20000: x}}]}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · tools.require f: expected at least 1 call of `f` with k20000 matching /x/, got 0 of 1 call
         closest call: turn 1, event 1: f({"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"k10":10,"k11":11,"k12":12,"k13":13,"k14":14,"k15":15,"k16":16,"k17":17,"k18":18,"k19":19,"k20":20,"k21":21,"k22":22,"k23":23,"k2…)
         k20000 is missing; the arguments are: k0, k1, k2, k3, k4, k5, k6, k7, k8, k9
         demanded at hello.test.yaml:6:21 (test level)
    --- json
    failed
    turn 1: finished, 3 events, text ""
    call: f {"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5" … 97":19997,"k19998":19998,"k19999":19999} (277781 characters)
    "#);
}

#[test]
fn a_state_of_twenty_thousand_keys_is_kept() {
    let snapshot: serde_json::Map<String, serde_json::Value> =
        (0..20_000).map(|n| (format!("k{n}"), json!(n))).collect();
    let event = json!({"type": "STATE_SNAPSHOT", "snapshot": snapshot});
    let output = shown(&event.to_string(), "text: {must_not_match: x}");
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

#[test]
fn a_state_of_a_million_values_is_refused() {
    let wide = format!(
        "{{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":[{}0]}}",
        "0,".repeat(1_000_000)
    );
    assert_snapshot!(shown(&wide, "text: {must_not_match: x}"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 1 cannot be read: STATE_SNAPSHOT: `snapshot` holds more than 1000000 values: {"type":"STATE_SNAPSHOT","snapshot":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
         captured in turn 1: 3 events, no tool call, no text
    --- json
    error
    turn 1: broken (bad_event), 3 events, text ""
    "#);
}
