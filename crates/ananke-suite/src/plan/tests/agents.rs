//! Agents that help to test: what an id means, and who is asked.

use ananke_model::variables::Variables;
use insta::assert_snapshot;

use super::agent_targets::shown;
use crate::testing::{Suite, line, problems};
use crate::{Asking, Input, LoadRequest, environment_names, load};

const CONFIG: &str = "version: 1\ntargets:\n  shop: {type: agui, endpoint: 'http://shop', agentId: clerk}\n  bank: {type: agui, endpoint: 'http://bank', agentId: teller}\n  till: {type: agui, endpoint: 'http://till', agentId: teller}\nagents:\n  judge: {type: scripted, script: {rules: [{reply: [{text: ok}]}]}}\n  clerk: {type: command, cmd: [never]}\n  user: {type: openai, host: 'http://h', model: m, connector: fast, key: '${ENV.KEY}'}\nconnectors:\n  fast: {type: openai, host: 'http://fast', model: quick}\n";
const CASE: &str = "{\"id\": \"a\", \"target\": \"shop\", \"input\": \"hi\", \"assert\": {\"type\": \"agent\", \"use\": \"agents:ID\", \"value\": \"polite\", \"options\": {OPTIONS}}}\n";

fn suite(case: &str) -> Suite {
    let mut suite = Suite::new(&[
        ("ananke.config.yaml", CONFIG),
        ("tests/a.jsonl", case),
        (
            "connectors/local.conn.yao",
            "{\"type\": \"openai\", \"options\": {\"host\": \"http://local\", \"model\": \"m\", \"key\": \"k\"}}",
        ),
        (
            "assistants/shop/refund/package.yao",
            "{\"name\": \"Refund\", \"connector\": \"local\"}",
        ),
        (
            "assistants/shop/refund/prompts.yml",
            "- {role: system, content: Be kind.}\n",
        ),
        (
            "assistants/judge/package.yao",
            "{\"name\": \"Hidden\", \"connector\": \"local\"}",
        ),
    ]);
    suite
        .variables
        .environment
        .insert("KEY".to_owned(), "k".to_owned());
    suite
}

fn case(id: &str, options: &str) -> String {
    CASE.replace("ID", id).replace("OPTIONS", options)
}

/// Returns the agents of the plan, and what is wrong.
fn planned(suite: &Suite) -> String {
    let loaded = suite.load();
    let agents = loaded.plan.agents.iter();
    let mut lines: Vec<_> = agents
        .map(|(key, target)| format!("{key}: {}", shown(target)))
        .collect();
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

fn judged_by(id: &str) -> String {
    planned(&suite(&case(id, "")))
}

#[test]
fn an_id_is_a_target_before_an_agent_before_a_folder() {
    assert_snapshot!(judged_by("shop"), @r#"shop: Some("shop") None agui http://shop"#);
    assert_snapshot!(judged_by("clerk"), @r#"clerk: Some("clerk") None agui http://shop"#);
    assert_snapshot!(judged_by("judge"), @r#"judge: Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} None 120000ms"#);
    assert_snapshot!(judged_by("shop.refund"), @r#"shop.refund: Some("shop.refund") None openai http://local m key Some("k") Bearer [] ["system: Be kind."] None stream true retries 2 120000ms"#);
    assert_snapshot!(judged_by("teller"), @"tests/a.jsonl:1:81 error several targets have the agent `teller` |  | name the target: `bank`, `till`");
    assert_snapshot!(judged_by("shop.refnd"), @"tests/a.jsonl:1:81 error there is no agent `shop.refnd` |  | did you mean `shop.refund`?");
    assert_snapshot!(judged_by("zebra"), @"tests/a.jsonl:1:81 error there is no agent `zebra` |  | write it under `agents` in the config, or name one of `shop`, `bank`, `till`, `clerk`, `teller`, `judge`, `user`, `shop.refund`");
}

#[test]
fn a_question_can_choose_a_connector() {
    let chosen = |id, connector: &str| {
        planned(&suite(&case(
            id,
            &format!("\"connector\": \"{connector}\""),
        )))
    };
    assert_snapshot!(chosen("user", "fast"), @r#"user?connector=fast: Some("user") Some("fast") openai http://fast quick key None Bearer [] [] None stream true retries 2 120000ms"#);
    assert_snapshot!(chosen("shop.refund", "fast"), @r#"shop.refund?connector=fast: Some("shop.refund") Some("fast") openai http://fast quick key None Bearer [] ["system: Be kind."] None stream true retries 2 120000ms"#);
    assert_snapshot!(chosen("shop.refund", "local"), @r#"shop.refund?connector=local: Some("shop.refund") Some("local") openai http://local m key Some("k") Bearer [] ["system: Be kind."] None stream true retries 2 120000ms"#);
    assert_snapshot!(chosen("user", "local"), @r#"user?connector=local: Some("user") Some("local") openai http://local m key Some("k") Bearer [] [] None stream true retries 2 120000ms"#);
    assert_snapshot!(chosen("user", "slow"), @"tests/a.jsonl:1:140 error there is no connector `slow` |  | there is `fast`, `local`");
}

#[test]
fn flags_and_commands_name_agents_too() {
    let mut suite = suite(&case("judge", ""));
    suite.asking.simulator = Some("user");
    suite.asking.helpers = &["shop.refund", "judge"];
    assert_snapshot!(planned(&suite), @r#"
    judge: Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} None 120000ms
    shop.refund: Some("shop.refund") None openai http://local m key Some("k") Bearer [] ["system: Be kind."] None stream true retries 2 120000ms
    user: Some("user") Some("fast") openai http://h m key Some("${ENV.KEY}") Bearer [] [] None stream true retries 2 120000ms
    "#);
    assert_eq!(environment_names(&suite.load().plan).len(), 1);
    suite.asking.simulator = Some("agents:user");
    suite.asking.helpers = &["nobody"];
    assert_snapshot!(planned(&suite), @r#"
    judge: Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} None 120000ms
    - error --simulator: `agents:` is not written here | only an agent can stand here | write `user`
    - error there is no agent `nobody` |  | write it under `agents` in the config, or name one of `shop`, `bank`, `till`, `clerk`, `teller`, `judge`, `user`, `shop.refund`
    "#);
    suite.asking.simulator = Some("usr");
    suite.asking.helpers = &["user"];
    suite.variables = Variables::default();
    assert_snapshot!(planned(&suite), @r#"
    judge: Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} None 120000ms
    user: Some("user") Some("fast") openai http://h m key Some("${ENV.KEY}") Bearer [] [] None stream true retries 2 120000ms
    - error --simulator: there is no agent `usr` |  | did you mean `user`?
    ananke.config.yaml:9:74 error `${ENV.KEY}` has no value | the environment has no `KEY` | set `KEY`, or write a default: `${ENV.KEY:-…}`
    "#);
}

#[test]
fn agents_can_be_tested_like_targets() {
    let mut suite = suite(
        "{\"id\": \"a\", \"input\": \"hi\", \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n",
    );
    let mut tested = |name: &'static str| {
        suite.asking.name = Some(name);
        let loaded = suite.load();
        let tests = loaded.plan.tests.iter();
        let mut lines: Vec<_> = tests.map(|test| shown(&test.target)).collect();
        lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
        lines.join("\n")
    };
    assert_snapshot!(tested("judge"), @r#"Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} Some("{\"user_id\":\"test-user\",\"team_id\":\"test-team\",\"locale\":\"en-us\",\"referer\":\"test\",\"accept\":\"standard\",\"client\":{\"type\":\"test\",\"ip\":\"127.0.0.1\"}}") 120000ms"#);
    assert_snapshot!(tested("clerk"), @r#"Some("shop") None agui http://shop"#);
    assert_snapshot!(tested("shop.refund"), @r#"Some("shop.refund") None openai http://local m key Some("k") Bearer [] ["system: Be kind."] None stream true retries 2 120000ms"#);
    assert_snapshot!(tested("nobody"), @"- error -n: no target is called `nobody` and none has that agent |  | the config knows `shop`, `bank`, `till`, `clerk`, `teller`, `judge`, `user`");
}

#[test]
fn who_asks_is_told_where_it_can_be_heard() {
    let case = "{\"id\": \"a\", \"input\": \"hi\", \"options\": {\"metadata\": {\"m\": 1}, \"mode\": \"x\"}, \"assert\": {\"type\": \"contains\", \"value\": \"x\"}}\n";
    let two = format!("{case}{}", case.replace("\"a\"", "\"b\""));
    let mut suite = suite(&two);
    suite.asking.user = Some("ada");
    let mut told = |name: &'static str| {
        suite.asking.name = Some(name);
        let loaded = suite.load();
        let first = loaded.plan.tests.first().map(|test| shown(&test.target));
        let mut lines: Vec<_> = first.into_iter().collect();
        lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
        lines.join("\n")
    };
    assert_snapshot!(told("user"), @r#"
    Some("user") Some("fast") openai http://h m key Some("${ENV.KEY}") Bearer [] [] None stream true retries 2 120000ms
    ananke.config.yaml:9:9 warning a chat endpoint is not told who asks | `-u`, `-t`, `--ctx`, and `user` and `team` of a case have no effect
    tests/a.jsonl:1:40 warning the option `metadata` has no effect | no prompt of the target holds `{{…}}` for it
    tests/a.jsonl:1:62 warning the option `mode` has no effect | `connector` decides the model, and `metadata` fills the prompts
    "#);
    assert_snapshot!(told("judge"), @r#"
    Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} Some("{\"user_id\":\"ada\",\"team_id\":\"test-team\",\"locale\":\"en-us\",\"referer\":\"test\",\"accept\":\"standard\",\"client\":{\"type\":\"test\",\"ip\":\"127.0.0.1\"},\"metadata\":{\"m\":1}}") 120000ms
    tests/a.jsonl:1:62 warning the option `mode` has no effect | a `scripted` target is sent `metadata`
    "#);
    assert_snapshot!(told("clerk.none"), @"- error -n: no target is called `clerk.none` and none has that agent |  | the config knows `shop`, `bank`, `till`, `clerk`, `teller`, `judge`, `user`");
    assert_snapshot!(told("shop.refund"), @r#"
    Some("shop.refund") None openai http://local m key Some("k") Bearer [] ["system: Be kind."] None stream true retries 2 120000ms
    tests/a.jsonl:1:62 warning the option `mode` has no effect | `connector` decides the model, and `metadata` fills the prompts
    "#);
}

#[test]
fn mistakes_in_agents_are_named() {
    let config = |keys: &str| crate::testing::config_problems(&format!("version: 1\n{keys}"));
    assert_snapshot!(config("agents: {a: {type: command, cmd: [a]}}\n"), @"- error the config has no `target` |  | write one, or name an agent with `-n`: `a`");
    assert_snapshot!(config("connectors: {}\n"), @"- error the config has no `target` |  | write one, or name an assistant with `-n`");
    assert_snapshot!(config("targets: {a: {type: agui, endpoint: 'http://h'}}\nagents: {a: {type: command, cmd: [a]}, 'agents:b': {type: command, cmd: [a]}, c: 5, d: {type: command}}\n"), @"
    ananke.config.yaml:3:10 error `a` is both a target and an agent | the target is at ananke.config.yaml:2 | give one of them another name
    ananke.config.yaml:3:40 error `agents:b` cannot be the id of an agent | expected a plain id such as `workers.test.judge`
    ananke.config.yaml:3:82 error expected a map, found the number `5` | expected `type`, `endpoint`, `agentId`, `threadId`, `headers`, `timeout_ms`, `connect_timeout_ms`, `assert`, `forwardedProps`, `state`, `context`, `tools`, `envelope`, `history`, `era`, `encoding`, `clock`, `tls`, `limits`, `concurrency`, `group`, `backoff_ms`, `identity`, `connectors` or `connector`
    ananke.config.yaml:3:88 error `cmd` is missing in a `command` target |  | write `cmd: [node, agent.js]`
    ");
    assert_snapshot!(config("targets: {a: {type: agui, endpoint: 'http://h'}}\nagents: {b: {type: assistant}, c: {type: assistant, id: x, folder: y}, d: {type: assistant, folder: nowhere}, e: {type: assistant, id: no.where}}\n"), @"
    ananke.config.yaml:3:13 error `folder` is missing in an `assistant` target |  | write `folder: assistants/shop/refund`, or `id: shop.refund`
    ananke.config.yaml:3:57 error an `assistant` target has `folder` or `id`, not both |  | leave one of them out
    ananke.config.yaml:3:101 error there is no folder `nowhere`
    ananke.config.yaml:3:136 error there is no assistant `no.where` | expected `assistants/no/where/package.yao`
    ");
}

#[test]
fn agents_are_found_without_tests() {
    let suite = suite("");
    let found = |ids: &[&str]| {
        let loaded = load(&LoadRequest {
            cwd: suite.root(),
            inputs: &[Input::Message("hello".to_owned())],
            config: None,
            targets: &[],
            variables: &suite.variables,
            allow_unchecked: false,
            update_snapshots: suite.update_snapshots,
            asking: Asking {
                helpers: ids,
                name: Some("shop"),
                ..Asking::default()
            },
            find_tests: crate::testing::find_tests,
            find_functions: crate::testing::find_functions,
            timeout_given: false,
            goes_on: false,
        });
        let agents = loaded.plan.agents.iter();
        let lines = agents.map(|(key, target)| format!("{key}: {}", shown(target)));
        let found = loaded.diagnostics.iter().map(line);
        lines.chain(found).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(found(&["judge", "shop.refund"]), @r#"
    judge: Some("judge") None scripted {"rules":[{"reply":[{"text":"ok"}]}]} None 120000ms
    shop.refund: Some("shop.refund") None openai http://local m key Some("k") Bearer [] ["system: Be kind."] None stream true retries 2 120000ms
    "#);
    assert_snapshot!(found(&["jugde"]), @"- error there is no agent `jugde` |  | did you mean `judge`?");
    suite.write("ananke.config.yaml", b"- no\n");
    assert_snapshot!(found(&["jugde"]), @"ananke.config.yaml:1:1 error expected a map, found a list | expected `version`, `target`, `targets`, `agents`, `connectors`, `assertions`, `server`, `bundle` or `scripts`");
}
