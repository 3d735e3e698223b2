//! Checks that are functions: every form, at every level, and every mistake.

use ananke_model::check::Check;
use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, demands, problems};

const SCRIPT: &str = "export function Assert() {}\nexport function Other() {}\n";

fn yaml(assert: &str) -> String {
    let test = format!(
        "version: 1\nname: a\nturns:\n  - user: hi\n    assert: {{script: scripts.test.Other}}\nassert: {assert}\n"
    );
    let config = format!("{CONFIG}  assert: {{script: scripts.test.Assert}}\n");
    let suite = Suite::new(&[
        ("ananke.config.yaml", &config),
        ("a.test.yaml", &test),
        ("scripts/test.ts", SCRIPT),
    ]);
    let loaded = suite.load();
    match loaded.diagnostics.is_empty() {
        true => demands(&loaded.plan),
        false => problems(&loaded),
    }
}

fn case(keys: &str) -> String {
    let case = format!("{{\"id\": \"a\", \"input\": \"hi\", {keys}}}\n");
    let suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/a.jsonl", &case),
        ("scripts/test.ts", SCRIPT),
    ]);
    let loaded = suite.load();
    if !loaded.diagnostics.is_empty() {
        return problems(&loaded);
    }
    let demands = loaded.plan.tests[0].block.demands.iter();
    let checks = demands.filter_map(|demand| match &demand.check {
        Check::Script(check) => Some(format!(
            "{:?} {:?} {:?} {:?} {} {:?}",
            check.call.function,
            check.value.as_ref().map(|json| json.value.to_string()),
            check.metadata.as_ref().map(|json| json.value.to_string()),
            check.timeout_ms,
            check.negate,
            check.message.as_ref().map(|text| &text.text),
        )),
        _ => None,
    });
    checks.collect::<Vec<_>>().join("\n")
}

#[test]
fn blocks_have_scripts_at_every_level() {
    assert_snapshot!(yaml("{script: [scripts.test.Other, {use: scripts.test.Assert, value: 3, negate: true}]}"), @"
    turn 1:
      script scripts/test.ts#Assert <- target ananke.config.yaml:5
      script scripts/test.ts#Other <- test a.test.yaml:6
      script scripts/test.ts#Assert <- test a.test.yaml:6
      script scripts/test.ts#Other <- turn a.test.yaml:5
    test:
      script scripts/test.ts#Assert <- target ananke.config.yaml:5
      script scripts/test.ts#Other <- test a.test.yaml:6
      script scripts/test.ts#Assert <- test a.test.yaml:6
    ");
    assert_snapshot!(yaml("{script: false, checks: [{type: script, use: 'scripts:test.Other'}]}"), @"
    turn 1:
      script scripts/test.ts#Other <- test a.test.yaml:6
      script scripts/test.ts#Other <- turn a.test.yaml:5
    test:
      script scripts/test.ts#Other <- test a.test.yaml:6
    ");
    assert_snapshot!(yaml("{inherit: limits, text: {must_match: x}}"), @"
    turn 1:
      text.must_match x <- test a.test.yaml:6
      script scripts/test.ts#Other <- turn a.test.yaml:5
    test:
      text.must_match x <- test a.test.yaml:6
    ");
}

#[test]
fn cases_have_scripts_in_both_dialects() {
    assert_snapshot!(case(r#""assert": {"type": "script", "script": "scripts.test.Assert", "value": {"a": 1}, "message": "no", "timeout": "2s"}"#), @r#"Some("Assert") Some("{\"a\":1}") None Some(2000) false Some("no")"#);
    assert_snapshot!(case(r#""expected": 1, "assert": [{"type": "script", "use": "scripts:test.Other", "negate": true, "options": {"metadata": {"min": 1}, "timeout": "5s"}}]"#), @r#"Some("Other") None Some("{\"min\":1}") Some(5000) true None"#);
    assert_snapshot!(case(r#""expected": 1, "assert": {"script": "scripts.test.Assert"}"#), @r#"Some("Assert") None None None false None"#);
}

#[test]
fn checkpoints_have_scripts() {
    let case = r#"{"id": "a", "simulator": {"use": "user"}, "checkpoints": [{"id": "c", "assert": {"type": "script", "script": "scripts.test.Assert"}}]}"#;
    let config =
        format!("{CONFIG}agents: {{user: {{type: script, script: scripts.test.Other}}}}\n");
    let suite = Suite::new(&[
        ("ananke.config.yaml", &config),
        ("tests/a.jsonl", case),
        ("scripts/test.ts", SCRIPT),
    ]);
    let loaded = suite.load();
    assert_eq!(problems(&loaded), "");
    assert_snapshot!(demands(&loaded.plan), @"
    checkpoint c:
      script scripts/test.ts#Assert <- turn tests/a.jsonl:1
    test:
    ");
}

#[test]
fn mistakes_in_checks_are_told() {
    let check = |keys: &str| case(&format!("\"assert\": {{\"type\": \"script\"{keys}}}"));
    assert_snapshot!(check(""), @"tests/a.jsonl:1:38 error `script` is missing in a `script` check |  | write `script: scripts.test.Assert`");
    assert_snapshot!(check(r#", "script": "scripts.test.Assert", "use": "scripts:test.Assert""#), @"tests/a.jsonl:1:97 error `script` and `use` say the same twice |  | leave one of them out");
    assert_snapshot!(check(r#", "use": "agents:judge""#), @"tests/a.jsonl:1:64 error `agents:judge` names an agent, not a script |  | write `type: agent` if an agent is to judge, or name a script: `scripts:tests.validate`");
    assert_snapshot!(check(r#", "script": 3, "negate": "yes", "options": {"connector": "a", "metadata": 1}"#), @r#"
    tests/a.jsonl:1:67 error expected text, found the number `3` |  | put it in quotes: "3"
    tests/a.jsonl:1:80 error expected `true` or `false`, found text
    tests/a.jsonl:1:99 error unknown key `connector` in the `options` of a `script` check | expected `metadata` or `timeout` | a script has no connector
    tests/a.jsonl:1:129 error expected a map, found the number `1`
    "#);
    assert_snapshot!(check(r#", "script": "scripts.test.Assert", "timeout": "1s", "options": {"timeout": "1s"}, "path": "a", "metadata": {}"#), @"
    tests/a.jsonl:1:101 error `timeout` stands in `options` already |  | leave one of them out
    tests/a.jsonl:1:137 error unknown key `path` in a `script` check | expected `type`, `script`, `use`, `value`, `options`, `timeout`, `negate` or `message` | a script sees the whole output
    tests/a.jsonl:1:150 error unknown key `metadata` in a `script` check | expected `type`, `script`, `use`, `value`, `options`, `timeout`, `negate` or `message` | write `metadata` under `options`
    ");
    assert_snapshot!(case(r#""assert": {"type": "agent", "use": "scripts:test.Assert", "value": "polite"}"#), @"tests/a.jsonl:1:63 error `scripts:test.Assert` names a script, not an agent | expected an agent | write `agents:` and the id of an agent; a script judges in a check of `type: script`");
    assert_snapshot!(case(r#""assert": {"script": "scripts.test.Assert", "value": 1}"#), @"tests/a.jsonl:1:38 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: script`");
    assert_snapshot!(case(r#""assert": {"use": "scripts:test.Assert"}"#), @"tests/a.jsonl:1:38 error `type` is missing in a check | expected `equals`, `contains`, `not_contains`, `regex`, `json_path`, `type`, `tool_called`, `tool_result`, `agent` or `script` | write `type: script`");
    assert_snapshot!(case(r#""assert": "script""#), @"tests/a.jsonl:1:38 error a `script` check needs more than its type |  | write `{type: script, script: scripts.test.Assert}`");
    assert_snapshot!(yaml("{script: []}"), @"a.test.yaml:6:18 error the list is empty and demands nothing");
    assert_snapshot!(yaml("{script: [[a], {script: scripts.test.Assert}, 3]}"), @r#"
    a.test.yaml:6:19 error expected the name of a function, or a map, found a list
    a.test.yaml:6:24 error `use` is missing in `script` |  | write `use: scripts.test.Assert`
    a.test.yaml:6:25 error unknown key `script` in `script` | expected `use`, `value`, `metadata`, `timeout`, `negate` or `message` | the function is written under `use`
    a.test.yaml:6:55 error expected text, found the number `3` |  | put it in quotes: "3"
    "#);
}

#[test]
fn a_mistake_in_the_config_is_told_whether_a_test_uses_it_or_not() {
    let config = format!("{CONFIG}assertions: {{mine: {{script: scripts.test.Asert}}}}\n");
    let test = "version: 1\nname: a\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n";
    let suite = Suite::new(&[
        ("ananke.config.yaml", &config),
        ("a.test.yaml", test),
        ("scripts/test.ts", SCRIPT),
    ]);
    assert_snapshot!(problems(&suite.load()), @"ananke.config.yaml:5:29 error `scripts/test.ts` has no function `Asert` |  | did you mean `Assert`?");
}
