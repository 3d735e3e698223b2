//! One test, several targets: `targets` of a test or a case, and `--target` more than once.

use insta::assert_snapshot;

use crate::Input;
use crate::testing::{Suite, problems};

const CONFIG: &str = "version: 1\ntargets:\n  web: {type: agui, endpoint: 'http://w'}\n  phone: {type: agui, endpoint: 'http://p', timeout_ms: 7}\nagents:\n  helper: {type: agui, endpoint: 'http://h'}\n";
const TEST: &str = "version: 1\nname: t\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n";
const CASE: &str =
    "{\"id\": \"T1\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n";

/// Returns each test with its ids and its target, and what is wrong.
fn shown(suite: &Suite, inputs: &[Input]) -> String {
    let loaded = suite.load_inputs("", inputs);
    let tests = loaded.plan.tests.iter().map(|test| {
        let target = test.target.name.as_deref().unwrap_or("-");
        let (id, short, source) = (&test.id.0, test.short_id(), test.source_id());
        format!("{id} | {short} | {source} | {} | {target}", test.name.text)
    });
    let mut lines: Vec<String> = tests.collect();
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

fn with(test: &str, target: Option<&'static str>) -> String {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/a.test.yaml", &format!("{TEST}{test}")),
    ]);
    suite.target = target;
    shown(&suite, &[])
}

#[test]
fn a_test_is_planned_once_for_each_of_its_targets() {
    assert_snapshot!(with("targets: [web, phone, helper]\n", None), @"
    tests/a.test.yaml@web | tests/a.test.yaml@web | tests/a.test.yaml | t | web
    tests/a.test.yaml@phone | tests/a.test.yaml@phone | tests/a.test.yaml | t | phone
    tests/a.test.yaml@helper | tests/a.test.yaml@helper | tests/a.test.yaml | t | helper
    ");
    assert_snapshot!(with("targets: [phone]\n", None), @"tests/a.test.yaml | tests/a.test.yaml | tests/a.test.yaml | t | phone");
    assert_snapshot!(with("", Some("web,phone")), @"
    tests/a.test.yaml@web | tests/a.test.yaml@web | tests/a.test.yaml | t | web
    tests/a.test.yaml@phone | tests/a.test.yaml@phone | tests/a.test.yaml | t | phone
    ");
    assert_snapshot!(with("targets: [web, phone]\n", Some("helper")), @"tests/a.test.yaml | tests/a.test.yaml | tests/a.test.yaml | t | helper");
    assert_snapshot!(with("targets: [web, phone]\n", Some("helper,web")), @"
    tests/a.test.yaml@helper | tests/a.test.yaml@helper | tests/a.test.yaml | t | helper
    tests/a.test.yaml@web | tests/a.test.yaml@web | tests/a.test.yaml | t | web
    ");
    assert_snapshot!(with("target: web\n", Some("helper,phone")), @"tests/a.test.yaml | tests/a.test.yaml | tests/a.test.yaml | t | web");
    assert_snapshot!(with("target: {timeout_ms: 5}\n", Some("web,phone")), @"
    tests/a.test.yaml@web | tests/a.test.yaml@web | tests/a.test.yaml | t | web
    tests/a.test.yaml@phone | tests/a.test.yaml@phone | tests/a.test.yaml | t | phone
    ");
}

#[test]
fn cases_and_messages_have_several_targets_too() {
    let own = CASE.replace("\"input\"", "\"targets\": [\"web\", \"phone\"], \"input\"");
    let cases = own + &CASE.replace("T1", "T2");
    let mut suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/a.jsonl", &cases)]);
    assert_snapshot!(shown(&suite, &[]), @"
    tests/a.jsonl#T1@web | T1@web | tests/a.jsonl | T1@web | web
    tests/a.jsonl#T1@phone | T1@phone | tests/a.jsonl | T1@phone | phone
    - error the config has several targets and none was picked |  | pick one with `--target`, or with `target: <name>` in the test: `web`, `phone`
    ");
    suite.target = Some("helper,web");
    assert_snapshot!(shown(&suite, &[]), @"
    tests/a.jsonl#T1@helper | T1@helper | tests/a.jsonl | T1@helper | helper
    tests/a.jsonl#T1@web | T1@web | tests/a.jsonl | T1@web | web
    tests/a.jsonl#T2@helper | T2@helper | tests/a.jsonl | T2@helper | helper
    tests/a.jsonl#T2@web | T2@web | tests/a.jsonl | T2@web | web
    ");
    let message = [Input::Message("how are you".to_owned())];
    assert_snapshot!(shown(&suite, &message), @"
    message#1@helper | message#1@helper | message#1@helper | message#1@helper | helper
    message#1@web | message#1@web | message#1@web | message#1@web | web
    ");
}

#[test]
fn lists_that_name_no_target_are_refused() {
    assert_snapshot!(with("targets: [web, phoen]\n", None), @"
    tests/a.test.yaml | tests/a.test.yaml | tests/a.test.yaml | t | web
    tests/a.test.yaml:5:16 error unknown target `phoen` |  | did you mean `phone`?
    ");
    assert_snapshot!(with("targets: [web, web]\n", None), @"tests/a.test.yaml:5:16 error `targets` names `web` twice | the first is at tests/a.test.yaml:5 | name each target once");
    assert_snapshot!(with("targets: []\n", None), @"tests/a.test.yaml:5:10 error `targets` is empty: the test would not be run |  | name the config's targets that it is run against, or leave `targets` out");
    assert_snapshot!(with("targets: web\n", None), @"tests/a.test.yaml:5:10 error expected a list, found text");
    assert_snapshot!(with("targets: {web: {}}\n", None), @"tests/a.test.yaml:5:10 error expected a list, found a map");
    assert_snapshot!(with("targets: [web, 1]\n", None), @r#"tests/a.test.yaml:5:16 error expected text, found the number `1` |  | put it in quotes: "1""#);
    assert_snapshot!(with("target: web\ntargets: [phone]\n", None), @"tests/a.test.yaml:6:1 error `target` and `targets` contradict each other |  | leave one of them out: `targets` names all that the test is run against");
    assert_snapshot!(with("", Some("web,phoen")), @"- error --target: unknown target `phoen` |  | did you mean `phone`?");
    assert_snapshot!(with("", Some("web,web")), @"- error --target: `web` is named twice |  | name each target once");
    assert_snapshot!(with("", Some("web,")), @"- error --target: unknown target `` |  | the config has `web`, `phone`");
    let alone = Suite::new(&[("a.test.yaml", &format!("{TEST}targets: [web, phone]\n"))]);
    assert_snapshot!(shown(&alone, &[]), @"
    a.test.yaml:5:11 error there is no config file that could know the target `web` |  | write it under `targets` in `ananke.config.yaml`
    a.test.yaml:5:16 error there is no config file that could know the target `phone` |  | write it under `targets` in `ananke.config.yaml`
    ");
    let alone = Suite::new(&[("a.test.yaml", &format!("{TEST}target: web\n"))]);
    assert_snapshot!(shown(&alone, &[]), @"a.test.yaml:5:9 error there is no config file that could know the target `web` |  | write it under `targets` in `ananke.config.yaml`");
}

#[test]
fn an_agent_is_named_beside_one_target_only() {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        (
            "tests/a.test.yaml",
            &format!("{TEST}targets: [web, phone]\n"),
        ),
    ]);
    suite.asking.name = Some("web");
    assert_snapshot!(shown(&suite, &[]), @"tests/a.test.yaml | tests/a.test.yaml | tests/a.test.yaml | t | web");
    suite.target = Some("web");
    assert_snapshot!(shown(&suite, &[]), @"tests/a.test.yaml | tests/a.test.yaml | tests/a.test.yaml | t | web");
    suite.target = Some("web,phone");
    assert_snapshot!(shown(&suite, &[]), @"- error `--target` names several targets, and `-n` one agent |  | leave one of them out");
}

#[test]
fn snapshots_are_those_of_one_target() {
    let test = "version: 1\nname: t\ntargets: [web, phone]\nturns: [{user: a}]\nassert: {snapshot: cart}\n";
    let suite = Suite::new(&[("ananke.config.yaml", CONFIG), ("tests/a.test.yaml", test)]);
    let loaded = suite.load();
    let demands = loaded
        .plan
        .tests
        .iter()
        .flat_map(|test| &test.block.demands);
    let paths = demands.filter_map(|demand| match &demand.check {
        ananke_model::check::Check::Snapshot(snapshot) => Some(snapshot.path.as_str()),
        _ => None,
    });
    assert_snapshot!(paths.collect::<Vec<_>>().join("\n"), @"
    tests/__snapshots__/a@web.cart.snap
    tests/__snapshots__/a@phone.cart.snap
    ");
}
