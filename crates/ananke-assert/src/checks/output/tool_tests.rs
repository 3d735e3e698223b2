//! `tool_called` and `tool_result`, as text.

use insta::assert_snapshot;

use super::tests::{judged, outcomes};

const CALLS: &str = r#"
    shop__search({"query":"mugs","page":{"size":10,"from":0}}) -> {"status":"ok","hits":[1,2]}
    reset_all({}) -> "done"
    pay.charge({"amount":5})
"#;

#[test]
fn tools_are_named_whole_or_behind_their_server() {
    let called = |name: &str| {
        outcomes(
            CALLS,
            &[&format!(r#"{{"type":"tool_called","name":{name}}}"#)],
        )
    };
    for name in [
        r#""shop__search""#,
        r#""search""#,
        r#""charge""#,
        r#""pay.charge""#,
        r#"["refund","charge"]"#,
    ] {
        assert_eq!(called(name), "Passed", "{name}");
    }
    for name in [
        r#""set""#,
        r#""reset""#,
        r#""all""#,
        r#""earch""#,
        r#""hop__search""#,
    ] {
        assert_eq!(called(name), "Failed", "{name}");
    }
}

#[test]
fn tools_that_were_not_called_are_explained() {
    assert_snapshot!(judged(r#"{"type":"tool_called","name":"reset_al"}"#, CALLS), @"
    Failed tool_called reset_al
    expected a call of `reset_al`
    actual no call
    - tool 'reset_al' was not called, called: [shop__search reset_all pay.charge]
    - did you mean `reset_all`?
    ");
    assert_snapshot!(judged(r#"{"type":"tool_called","name":["a","b"]}"#, "say hi"), @"
    Failed tool_called a or b
    expected a call of `a` or `b`
    actual no call
    - no tools were called
    ");
    assert_snapshot!(judged(r#"{"type":"tool_called","name":"search","negate":true}"#, CALLS), @r#"
    Failed tool_called search (negated) (event 1)
    expected no call of `search`
    actual event 1: shop__search({"query":"mugs","page":{"size":10,"from":0}})
    - tool 'search' should not be called
    "#);
}

#[test]
fn arguments_are_a_deep_subset() {
    let with = |arguments: &str| {
        judged(
            &format!(r#"{{"type":"tool_called","name":"search","arguments":{arguments}}}"#),
            CALLS,
        )
    };
    assert_snapshot!(with(r#"{"page":{"size":10.0}}"#), @r#"
    Passed tool_called search (event 1)
    expected a call of `search` with {"page":{"size":10.0}}
    actual event 1: shop__search({"query":"mugs","page":{"size":10,"from":0}})
    "#);
    assert_snapshot!(with(r#"{"query":"mugs","page":{"size":20},"lang":"en"}"#), @r#"
    Failed tool_called search (event 1)
    expected a call of `search` with {"query":"mugs","page":{"size":20},"lang":"en"}
    actual 1 call without them
    - tool 'search' was not called with these arguments
    - closest call: event 1: shop__search({"query":"mugs","page":{"size":10,"from":0}})
    - at $.page.size: expected 20, got 10
    - $.lang is missing
    "#);
    assert_snapshot!(judged(r#"{"type":"tool_called","name":"a","arguments":{"x":1}}"#, "a(not json)"), @r#"
    Failed tool_called a (event 1)
    expected a call of `a` with {"x":1}
    actual 1 call without them
    - tool 'a' was not called with these arguments
    - closest call: event 1: a(not json)
    - the arguments are not JSON: expected ident at line 1 column 2
    "#);
}

#[test]
fn results_hold_what_is_demanded() {
    let of = |result: &str, negate: &str| {
        format!(r#"{{"type":"tool_result","tool":"search","result":{result},"negate":{negate}}}"#)
    };
    let checks = [
        of(r#"{"status":"ok"}"#, "false"),
        of(r#"{"status":"regex:^o"}"#, "false"),
        of(r#"{"hits":[1,2]}"#, "false"),
        of(r#""regex:\"hits\"""#, "false"),
        of(r#"{"hits":[1]}"#, "false"),
        of(r#"{"status":"failed"}"#, "true"),
    ];
    let checks: Vec<&str> = checks.iter().map(String::as_str).collect();
    assert_eq!(
        outcomes(CALLS, &checks),
        "Passed Passed Passed Passed Failed Passed"
    );
    let any = [
        r#"{"type":"tool_result","tool":"search"}"#,
        r#"{"type":"tool_result","tool":"charge"}"#,
        r#"{"type":"tool_result","tool":"reset_all","result":"done"}"#,
        r#"{"type":"tool_result","tool":"reset_all","result":"regex: ^do"}"#,
    ];
    assert_eq!(outcomes(CALLS, &any), "Passed Failed Passed Passed");
}

#[test]
fn results_that_do_not_fit_name_the_call() {
    assert_snapshot!(judged(r#"{"type":"tool_result","tool":"search","result":{"status":"regex:^fail","hits":[1],"x":0}}"#, CALLS), @r#"
    Failed tool_result search (event 1)
    expected a result of `search` holding {"status":"regex:^fail","hits":[1],"x":0}
    actual no such result in 1 call
    - tool 'search' gave no such result
    - closest call: event 1: shop__search({"query":"mugs","page":{"size":10,"from":0}})
    - at $.status: "ok" does not match /^fail/
    - at $.hits: expected 1 item, got 2
    - $.x is missing
    "#);
    assert_snapshot!(judged(r#"{"type":"tool_result","tool":"charge"}"#, CALLS), @r#"
    Failed tool_result charge (event 3)
    expected a result of `charge`
    actual no result in 1 call
    - tool 'charge' gave no result
    - closest call: event 3: pay.charge({"amount":5})
    - there is no result
    "#);
    assert_snapshot!(judged(r#"{"type":"tool_result","tool":"refund"}"#, CALLS), @"
    Failed tool_result refund
    expected a result of `refund`
    actual no call
    - tool 'refund' was not called, called: [shop__search reset_all pay.charge]
    ");
}

#[test]
fn any_call_with_the_result_will_do() {
    let calls = r#"
        a({"n":1}) -> {"ok":false}
        a({"n":2}) -> {"ok":true}
    "#;
    assert_snapshot!(judged(r#"{"type":"tool_result","tool":"a","result":{"ok":true}}"#, calls), @r#"
    Passed tool_result a (event 2)
    expected a result of `a` holding {"ok":true}
    actual event 2: a({"n":2})
    "#);
}

#[test]
fn every_call_is_looked_at() {
    let calls = |last: &str| format!("{}{last}", "a({\"n\":1}) -> {\"n\":1}\n".repeat(1001));
    let calls = calls("a({\"n\":2}) -> {\"n\":2}");
    let checks = [
        r#"{"type":"tool_called","name":"a","arguments":{"n":2},"negate":true}"#,
        r#"{"type":"tool_called","name":"a","arguments":{"n":2}}"#,
        r#"{"type":"tool_result","tool":"a","result":{"n":2},"negate":true}"#,
        r#"{"type":"tool_result","tool":"a","result":{"n":2}}"#,
    ];
    assert_eq!(outcomes(&calls, &checks), "Failed Passed Failed Passed");
    let names: String = (0..1002)
        .map(|number| format!("t{number}({{}})\n"))
        .collect();
    let said = judged(r#"{"type":"tool_called","name":"x"}"#, &names);
    assert!(said.contains("and 992 more"), "{said}");
}

#[test]
fn what_cannot_be_read_satisfies_no_prohibition() {
    assert_snapshot!(judged(r#"{"type":"tool_called","name":"delete","arguments":{"all":true},"negate":true}"#, r#"delete({"all": true)"#), @r#"
    Failed tool_called delete (negated) (event 1)
    expected no call of `delete` with {"all":true}
    actual event 1: delete({"all": true)
    - tool 'delete' may have been called with these arguments
    - the arguments are not JSON: EOF while parsing an object at line 1 column 12
    - what cannot be decided fails, negated or not
    "#);
    assert_snapshot!(judged(r#"{"type":"tool_result","tool":"a","result":{"all":true},"negate":true}"#, r#"a({}) -> {"all": true"#), @r#"
    Failed tool_result a (negated) (event 1)
    expected no result of `a` holding {"all":true}
    actual event 1: a({})
    - tool 'a' may have given such a result
    - the result begins like JSON and is not: {"all": true
    - what cannot be decided fails, negated or not
    "#);
    let checks = [
        r#"{"type":"tool_called","name":"a","arguments":{"all":true},"negate":true}"#,
        r#"{"type":"tool_called","name":"a","arguments":{},"negate":true}"#,
        r#"{"type":"tool_result","tool":"a","result":{"all":true},"negate":true}"#,
    ];
    assert_eq!(outcomes("a() -> all true", &checks), "Passed Failed Passed");
}

#[test]
fn a_result_that_is_nothing_but_an_error_is_a_failure() {
    let calls = r#"
        a({}) -> {"error":"out of stock"}
        b({}) -> {"error":{"code":5}}
        c({}) -> {"error":null}
        d({}) -> {"error":"partly","items":[1]}
    "#;
    assert_snapshot!(judged(r#"{"type":"tool_result","tool":"a"}"#, calls), @r#"
    Failed tool_result a (event 1)
    expected a result of `a`
    actual no result in 1 call
    - tool 'a' gave no result
    - closest call: event 1: a({})
    - the tool failed: out of stock
    "#);
    let checks = [
        r#"{"type":"tool_result","tool":"b"}"#,
        r#"{"type":"tool_result","tool":"b","result":{}}"#,
        r#"{"type":"tool_result","tool":"c"}"#,
        r#"{"type":"tool_result","tool":"d"}"#,
        r#"{"type":"tool_result","tool":"a","result":{"error":"regex:stock"}}"#,
        r#"{"type":"tool_result","tool":"b","result":{"error":{"code":5}}}"#,
    ];
    assert_eq!(
        outcomes(calls, &checks),
        "Failed Failed Passed Passed Passed Passed"
    );
}
