//! `-n`, `--target` and the folder of an assistant: which agent is asked.

use insta::assert_snapshot;

use crate::Input;
use crate::testing::{Suite, problems};

const TARGETS: &str = "version: 1\ntargets:\n  local: {type: agui, endpoint: 'http://l', agentId: helper}\n  stage: {type: agui, endpoint: 'http://s', agentId: shop.refund}\n  prod: {type: agui, endpoint: 'http://p', agentId: helper}\n";
const CASE: &str =
    "{\"id\": \"a\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n";

/// Returns the target of each test, and what is wrong.
fn picked(suite: &Suite, cwd: &str, inputs: &[Input]) -> String {
    let loaded = suite.load_inputs(cwd, inputs);
    let targets = loaded.plan.tests.iter().map(|test| &test.target.name);
    let mut lines: Vec<_> = targets.map(|name| format!("{name:?}")).collect();
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

fn suite(config: &str, case: &str) -> Suite {
    Suite::new(&[("ananke.config.yaml", config), ("tests/a.jsonl", case)])
}

fn named(config: &str, name: Option<&'static str>, target: Option<&'static str>) -> String {
    let mut suite = suite(config, CASE);
    suite.asking.name = name;
    suite.target = target;
    picked(&suite, "", &[])
}

#[test]
fn a_target_is_named_by_itself_or_by_its_agent() {
    assert_snapshot!(named(TARGETS, Some("stage"), None), @r#"Some("stage")"#);
    assert_snapshot!(named(TARGETS, Some("shop.refund"), None), @r#"Some("stage")"#);
    assert_snapshot!(named(TARGETS, Some("shop.refund"), Some("stage")), @r#"Some("stage")"#);
    let one = "version: 1\ntarget: {type: agui, endpoint: 'http://l', agentId: helper}\n";
    assert_snapshot!(named(one, Some("helper"), None), @"None");
    let own = CASE.replace("\"input\"", "\"target\": \"local\", \"input\"");
    let mut suite = suite(TARGETS, &own);
    suite.asking.name = Some("stage");
    assert_snapshot!(picked(&suite, "", &[]), @r#"Some("local")"#);
}

#[test]
fn names_that_mean_no_target_are_refused() {
    assert_snapshot!(named(TARGETS, Some("stag"), None), @"- error -n: no target is called `stag` and none has that agent |  | did you mean `stage`?");
    assert_snapshot!(named(TARGETS, Some("zebra"), None), @"- error -n: no target is called `zebra` and none has that agent |  | the config knows `local`, `stage`, `prod`, `helper`, `shop.refund`");
    assert_snapshot!(named(TARGETS, Some("helper"), None), @"- error -n: several targets have the agent `helper` |  | name the target: `local`, `prod`");
    assert_snapshot!(named(TARGETS, Some("local"), Some("stage")), @"- error `--target` and `-n` name different targets |  | leave one of them out");
    assert_snapshot!(named("version: 1\ntarget: {type: agui, endpoint: 'http://l'}\n", Some("x"), None), @"- error -n: no target is called `x` and none has that agent |  | the config has one `target` without a name; write `agentId: x` in it, or write it under `targets`");
    let mut alone = Suite::new(&[("tests/a.jsonl", CASE)]);
    alone.asking.name = Some("x");
    assert_snapshot!(picked(&alone, "", &[]), @"- error -n: there is no config file that could know `x` |  | write it under `agents` in `ananke.config.yaml`, or go to the app whose assistant it is");
}

/// A project with an assistant, and cases inside and outside of it.
fn assistants(id: &str) -> Suite {
    Suite::new(&[
        ("ananke.config.yaml", TARGETS),
        (&format!("assistants/{id}/package.yao"), "{}"),
        (&format!("assistants/{id}/tests/a.jsonl"), CASE),
        ("tests/b.jsonl", CASE),
    ])
}

fn flag(input: &str) -> [Input; 1] {
    [Input::Flag(input.to_owned())]
}

#[test]
fn the_folder_of_an_assistant_picks_its_target() {
    let suite = assistants("shop/refund");
    assert_snapshot!(picked(&suite, "", &flag("assistants")), @r#"Some("stage")"#);
    assert_snapshot!(picked(&suite, "assistants/shop/refund/tests", &flag("hello")), @r#"Some("stage")"#);
    assert_snapshot!(picked(&suite, "", &flag("tests")), @"- error the config has several targets and none was picked |  | pick one with `--target`, or with `target: <name>` in the test: `local`, `stage`, `prod`");
    let mut suite = assistants("shop/refund");
    suite.asking.name = Some("local");
    assert_snapshot!(picked(&suite, "", &flag("assistants")), @r#"Some("local")"#);
}

#[test]
fn an_assistant_without_a_target_is_its_folder() {
    let mut suite = assistants("shop/other");
    assert_snapshot!(picked(&suite, "", &flag("assistants")), @r#"
    assistants/shop/other/package.yao:1:1 error `name` is missing in `package.yao` |  | write `"name": "Refund"`
    assistants/shop/other/package.yao:1:1 error the assistant has neither prompts nor tools: nothing would be sent |  | write `prompts.yml` beside `package.yao`: a list of `role` and `content`
    assistants/shop/other/package.yao:1:1 error the assistant names no connector, and the app has no default |  | write `"connector": "…"`, or `system: {default: …}` in the app's `agent/agent.yml`
    "#);
    // YAML tests say what they want by themselves.
    suite.write(
        "assistants/shop/other/t.test.yaml",
        b"version: 1\nname: t\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n",
    );
    suite.target = Some("prod");
    assert_snapshot!(picked(&suite, "", &flag("assistants")), @r#"
    Some("prod")
    Some("prod")
    "#);
    suite.target = None;
    // What lies above the config belongs to another project.
    suite.write("package.yao", b"{}");
    suite.write(
        "inner/ananke.config.yaml",
        b"version: 1\ntarget: {type: agui, endpoint: 'http://l'}\n",
    );
    suite.write("inner/tests/a.jsonl", CASE.as_bytes());
    assert_snapshot!(picked(&suite, "inner", &[]), @"None");
}
