//! What scripts may do and can reach, and agents that are scripts.

use ananke_model::plan::Protocol;
use insta::assert_snapshot;

use crate::testing::{CONFIG, Suite, problems};

const TEST: &str = "function TestA(t) {}\n";

fn suite(config: &str) -> Suite {
    Suite::new(&[
        ("ananke.config.yaml", config),
        ("a_test.ts", TEST),
        ("scripts/helpers.ts", "export function Simulate() {}\n"),
        (
            "assistants/ok/package.yao",
            "{\"name\": \"Ok\", \"connector\": \"local\"}",
        ),
        (
            "assistants/ok/prompts.yml",
            "- {role: system, content: Be kind.}\n",
        ),
        (
            "assistants/broken/package.yao",
            "{\"name\": \"No\", \"connector\": \"gone\"}",
        ),
        (
            "assistants/broken/prompts.yml",
            "- {role: system, content: Be kind.}\n",
        ),
        (
            "connectors/local.conn.yao",
            "{\"type\": \"openai\", \"options\": {\"host\": \"http://h\", \"model\": \"m\", \"key\": \"k\"}}",
        ),
    ])
}

fn reached(suite: &Suite) -> String {
    let loaded = suite.load_in("", &["a_test.ts"]);
    let agents = loaded.plan.scripts.agents.iter();
    let agents = agents.map(|(id, target)| match target {
        Ok(target) => {
            let kind = match &target.protocol {
                Protocol::Agui(_) => "agui",
                Protocol::OpenAi(_) => "openai",
                Protocol::Command(_) => "command",
                Protocol::Scripted(_) => "scripted",
                Protocol::Script(_) => "script",
                Protocol::A2a(_) => "a2a",
                Protocol::Mcp(_) => "mcp",
            };
            format!("{id}: {kind} {:?}", target.name)
        }
        Err(reason) => format!("{id}: {reason}"),
    });
    let lines: Vec<_> = agents.collect();
    format!("{}\n{}", lines.join("\n"), problems(&loaded))
        .trim()
        .to_owned()
}

#[test]
fn scripts_reach_everything_that_has_an_id() {
    let config = format!(
        "{CONFIG}  agentId: shop\nagents:\n  user: {{type: script, script: scripts.helpers.Simulate}}\n  judge: {{type: command, cmd: ['${{PROGRAM}}']}}\n"
    );
    assert_snapshot!(reached(&suite(&config)), @r#"
    broken: there is no connector `gone` (assistants/broken/package.yao:1)
    judge: `${PROGRAM}` has no value (ananke.config.yaml:8)
    ok: openai Some("ok")
    ok?connector=local: openai Some("ok")
    shop: agui Some("shop")
    target: agui Some("target")
    user: script Some("user")
    "#);
    let none = suite(CONFIG).load_in("", &["assistants"]);
    assert!(none.plan.scripts.agents.is_empty());
}

#[test]
fn a_config_with_nothing_but_grants_is_enough() {
    let config = "version: 1\nscripts:\n  net: ['localhost:${PORT:-80}']\n  fs: [data, /tmp/x]\n  env: TOKEN\n";
    let suite = suite(config);
    let loaded = suite.load_in("", &["a_test.ts"]);
    assert_eq!(problems(&loaded), "");
    let grants = &loaded.plan.scripts.grants;
    assert_eq!(grants.net[0].text, "localhost:${PORT:-80}");
    let data = suite.root().join("data");
    assert_eq!(grants.fs, [data.as_path(), "/tmp/x".as_ref()]);
    assert_eq!(grants.env, ["TOKEN"]);
    let hidden = loaded.plan.sensitive.iter();
    let hidden: Vec<_> = hidden.map(|one| one.text.text.as_str()).collect();
    assert!(hidden.contains(&"${ENV.TOKEN}"), "{hidden:?}");
}

#[test]
fn hosts_without_a_value_are_told() {
    let loaded = suite("version: 1\nscripts: {net: ['${HOST}']}\n").load_in("", &["a_test.ts"]);
    assert_snapshot!(problems(&loaded), @"ananke.config.yaml:2:17 error `${HOST}` has no value | what scripts may touch is known before any hook | give it with `--var HOST=…`, or write a default: `${HOST:-…}`");
}

#[test]
fn a_target_can_be_a_function() {
    let target = |script: &str| {
        let config =
            format!("version: 1\ntarget: {{type: script, script: {script}, timeout_ms: 500}}\n");
        let suite = suite(&config);
        let test = b"version: 1\nname: a\nturns: [{user: a}]\nassert: {text: {must_match: x}}\n";
        suite.write("a.test.yaml", test);
        let loaded = suite.load_in("", &["a.test.yaml"]);
        let tests = loaded.plan.tests.iter();
        let calls = tests.filter_map(|test| match &test.target.protocol {
            Protocol::Script(script) => {
                Some(format!("{:?} {}", script.call.function, script.timeout_ms))
            }
            _ => None,
        });
        calls
            .chain([problems(&loaded)])
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_snapshot!(target("scripts.helpers.Simulate"), @r#"Some("Simulate") 500"#);
    assert_snapshot!(target("scripts/helpers.ts"), @r#"Some("Simulate") 500"#);
    assert_snapshot!(target("scripts.helpers.Simulat"), @"ananke.config.yaml:2:32 error `scripts/helpers.ts` has no function `Simulat` |  | did you mean `Simulate`?");
    assert_snapshot!(target("{rules: []}"), @"ananke.config.yaml:2:32 error expected the name of a function, found a map |  | write `scripts.helpers.Simulate`; an agent that follows rules has `type: scripted`");
}
