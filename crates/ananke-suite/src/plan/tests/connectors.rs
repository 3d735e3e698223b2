//! Connectors: which one is chosen, and what it changes.

use ananke_model::plan::Protocol;
use insta::assert_snapshot;

use super::targets::CHECKED;
use crate::testing::{CONFIG, Suite, problems, target_problems};

const CONNECTORS: &str = "  headers: {A: 1}\n  connectors:\n    fast: {endpoint: 'http://fast', headers: {B: 2}}\n    slow: {}\n";

fn case(keys: &str) -> String {
    format!(
        "{{\"id\": \"a\", \"input\": \"hi\", \"assert\": {{\"type\": \"contains\", \"value\": \"x\"}}{keys}}}\n"
    )
}

/// Returns what the test talks to, and what is wrong.
fn chosen(target: &str, file: (&str, &str), flag: Option<&'static str>) -> String {
    let mut suite = Suite::new(&[("ananke.config.yaml", &format!("{CONFIG}{target}")), file]);
    suite.asking.connector = flag;
    let loaded = suite.load();
    let mut lines: Vec<_> = loaded
        .plan
        .tests
        .iter()
        .map(|test| {
            let Protocol::Agui(agui) = &test.target.protocol else {
                panic!("an AG-UI target")
            };
            let headers = agui
                .headers
                .iter()
                .map(|(name, value)| format!("{name}={}", value.text));
            let headers: Vec<_> = headers.collect();
            let props = agui.forwarded_props.as_ref();
            let sent = props.map(|json| json.value["connector"].to_string());
            format!(
                "{:?} {} {headers:?} {sent:?}",
                test.target.connector, agui.endpoint.text
            )
        })
        .collect();
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

fn of_case(target: &str, keys: &str, flag: Option<&'static str>) -> String {
    chosen(target, ("tests/a.jsonl", &case(keys)), flag)
}

fn of_test(target: &str, keys: &str, flag: Option<&'static str>) -> String {
    chosen(target, ("t.test.yaml", &format!("{CHECKED}{keys}")), flag)
}

#[test]
fn the_flag_wins_over_the_case_over_the_target() {
    let option = ", \"options\": {\"connector\": \"fast\"}";
    let default = format!("{CONNECTORS}  connector: slow\n");
    assert_snapshot!(of_case(CONNECTORS, "", None), @r#"None http://localhost:8000/agent ["A=1"] Some("null")"#);
    assert_snapshot!(of_case(&default, "", None), @r#"Some("slow") http://localhost:8000/agent ["A=1"] Some("\"slow\"")"#);
    assert_snapshot!(of_case(&default, option, None), @r#"Some("fast") http://fast ["A=1", "B=2"] Some("\"fast\"")"#);
    assert_snapshot!(of_case(&default, option, Some("slow")), @r#"Some("slow") http://localhost:8000/agent ["A=1"] Some("\"slow\"")"#);
}

#[test]
fn yaml_tests_have_connectors_too() {
    assert_snapshot!(of_test(CONNECTORS, "", None), @r#"None http://localhost:8000/agent ["A=1"] None"#);
    assert_snapshot!(of_test(CONNECTORS, "", Some("fast")), @r#"Some("fast") http://fast ["A=1", "B=2"] Some("\"fast\"")"#);
    assert_snapshot!(of_test(CONNECTORS, "target: {connector: fast, headers: {B: 3}}\n", None), @r#"Some("fast") http://fast ["A=1", "B=3"] Some("\"fast\"")"#);
}

#[test]
fn unknown_connectors_are_refused() {
    assert_snapshot!(of_case(CONNECTORS, "", Some("fats")), @"- error -c: the target has no connector `fats` |  | did you mean `fast`?");
    assert_snapshot!(of_case(CONNECTORS, "", Some("gpt4")), @"- error -c: the target has no connector `gpt4` |  | it has `fast`, `slow`");
    assert_snapshot!(of_case("", "", Some("gpt4")), @r#"- error -c: the target has no connector `gpt4` |  | write `connectors: {"gpt4": {}}` in the target; what differs from the target stands in its map"#);
    assert_snapshot!(of_case(CONNECTORS, ", \"options\": {\"connector\": \"gpt4\"}", None), @"tests/a.jsonl:1:99 error the target has no connector `gpt4` |  | it has `fast`, `slow`");
    assert_snapshot!(target_problems("  connector: fast\n"), @r#"ananke.config.yaml:5:14 error the target has no connector `fast` |  | write `connectors: {"fast": {}}` in the target; what differs from the target stands in its map"#);
}

#[test]
fn mistakes_in_connectors_are_named() {
    assert_snapshot!(target_problems("  connectors: {a: {type: agui, assert: {}, connectors: {}, endpont: x}, b: 5, c: {endpoint: 'ftp://x'}}\n"), @r"
    ananke.config.yaml:5:20 error a connector cannot change `type` | every connector of a target speaks its protocol | write a target of its own under `targets`
    ananke.config.yaml:5:32 error a connector cannot change `assert` | every connector of a target is held to its demands | write a target of its own under `targets`
    ananke.config.yaml:5:44 error a connector cannot change `connectors` | a connector has no connectors | write a target of its own under `targets`
    ananke.config.yaml:5:60 error unknown key `endpont` in a target | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector` | did you mean `endpoint`?
    ananke.config.yaml:5:76 error expected a map, found the number `5` | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector`
    ananke.config.yaml:5:93 error the endpoint is not an http or https URL | it does not begin with `http://` or `https://`
    ");
    assert_snapshot!(target_problems("  connector: '${X}'\n  connectors: [a]\n"), @r"
    ananke.config.yaml:5:14 error a connector is named without references | expected a plain name
    ananke.config.yaml:6:15 error expected a map, found a list
    ");
}

#[test]
fn options_without_effect_are_told_once() {
    let two = format!(
        "{}{}",
        case(", \"options\": {\"mode\": \"chat\", \"metadata\": {\"a\": 1}}"),
        case(", \"options\": {\"mode\": \"chat\"}").replace("\"a\"", "\"b\"")
    );
    assert_snapshot!(chosen("", ("tests/a.jsonl", &two), None), @r#"
    None http://localhost:8000/agent [] Some("null")
    None http://localhost:8000/agent [] Some("null")
    tests/a.jsonl:1:86 warning the option `mode` has no effect | an `agui` target is sent `connector` and `metadata`
    "#);
}
