//! Folders as the target of tests: by id, by path, and by lying in them.

use ananke_model::plan::Protocol;
use insta::assert_snapshot;

use super::folder::{LOCAL, PACKAGE, PROMPTS};
use crate::environment_names;
use crate::testing::{CONFIG, Suite, problems};

const CASE: &str = r#"{"id": "a", "input": "Hi", "assert": {"type": "contains", "value": "help"}}"#;

fn suite(config: &str) -> Suite {
    Suite::new(&[
        ("ananke.config.yaml", config),
        ("app.yao", "{}"),
        ("connectors/local.conn.yao", LOCAL),
        ("connectors/other.conn.yao", &LOCAL.replace("tiny", "other")),
        ("assistants/desk/package.yao", PACKAGE),
        ("assistants/desk/prompts.yml", PROMPTS),
        (
            "assistants/desk/prompts/short.yml",
            "- {role: system, content: Be short.}",
        ),
        ("assistants/desk/tests/inputs.jsonl", CASE),
    ])
}

/// Returns who is asked by each test, and what is wrong.
fn asked(suite: &Suite) -> String {
    let loaded = suite.load();
    let mut lines = Vec::new();
    for test in &loaded.plan.tests {
        let target = &test.target;
        lines.push(match &target.protocol {
            Protocol::OpenAi(chat) => {
                let prompts = chat.prompts.iter().map(|prompt| &prompt.content.text);
                let prompts: Vec<_> = prompts.cloned().collect();
                let name = target.name.as_deref().unwrap_or("-");
                format!("{} asks {name}: {} {prompts:?}", test.id, chat.model.text)
            }
            other => format!("{} asks {:?}", test.id, other.address()),
        });
    }
    lines.extend((!loaded.diagnostics.is_empty()).then(|| problems(&loaded)));
    lines.join("\n")
}

#[test]
fn cases_ask_the_assistant_that_they_lie_in() {
    assert_snapshot!(asked(&suite(CONFIG)), @r#"assistants/desk/tests/inputs.jsonl#a asks desk: tiny ["You help."]"#);
    let mut chosen = suite(CONFIG);
    chosen.asking.connector = Some("other");
    assert_snapshot!(asked(&chosen), @r#"assistants/desk/tests/inputs.jsonl#a asks desk: other ["You help."]"#);
    let mut named = suite(CONFIG);
    named.write("tests/b.jsonl", CASE.as_bytes());
    named.asking.name = Some("desk");
    assert_snapshot!(asked(&named), @r#"
    assistants/desk/tests/inputs.jsonl#a asks desk: tiny ["You help."]
    tests/b.jsonl#a asks desk: tiny ["You help."]
    "#);
}

#[test]
fn a_bundle_keeps_what_the_folder_takes_from_the_environment() {
    let mut suite = suite(CONFIG);
    let connector = LOCAL.replace("tiny", "$ENV.MODEL");
    suite.write("connectors/local.conn.yao", connector.as_bytes());
    let prompts = "- {role: system, content: \"$ENV.PLACE, ${ENV.NOT} and $ENV.\"}";
    suite.write("assistants/desk/prompts.yml", prompts.as_bytes());
    let model = ("MODEL".to_owned(), "m".to_owned());
    suite.variables.environment.extend([model]);
    let loaded = suite.load();
    assert_eq!(problems(&loaded), "");
    let names: Vec<_> = environment_names(&loaded.plan).into_iter().collect();
    assert_eq!(names, ["MODEL", "PLACE"]);
}

#[test]
fn references_of_test_files_mean_nothing_in_prompts() {
    let suite = suite(CONFIG);
    let prompts = "- {role: system, content: \"${name} and $${x}\"}\n- role: system\n  content: @assets/a.md\n";
    suite.write("assistants/desk/prompts.yml", prompts.as_bytes());
    suite.write("assistants/desk/assets/a.md", b"`${open` $${y}");
    assert_snapshot!(asked(&suite), @r#"assistants/desk/tests/inputs.jsonl#a asks desk: tiny ["${name} and $${x}", "`${open` $${y}"]"#);
}

#[test]
fn an_assistant_is_found_by_nearly_its_id_and_by_one_with_dots() {
    let named = |name: &'static str, config: &str| {
        let mut suite = suite(config);
        suite.write("assistants/v1.2/bot/package.yao", PACKAGE.as_bytes());
        suite.write("assistants/v1.2/bot/prompts.yml", PROMPTS.as_bytes());
        suite.asking.name = Some(name);
        if config.is_empty() {
            std::fs::remove_file(suite.root().join("ananke.config.yaml")).unwrap();
        }
        asked(&suite)
    };
    assert_snapshot!(named("dsek", CONFIG), @"- error -n: no target is called `dsek` and none has that agent |  | did you mean `desk`?");
    assert_snapshot!(named("dsek", ""), @"- error -n: there is no config file that could know `dsek` |  | did you mean the assistant `desk`?");
    assert_snapshot!(named("v1.2.bot", CONFIG), @r#"assistants/desk/tests/inputs.jsonl#a asks v1.2.bot: tiny ["You help."]"#);
    assert_snapshot!(named("...bot", ""), @"- error -n: there is no config file that could know `...bot` |  | did you mean the assistant `v1.2.bot`?");
}

#[test]
fn the_config_can_name_a_folder() {
    let folder = "version: 1\ntarget: {type: assistant, folder: assistants/desk, preset: short}\n";
    assert_snapshot!(asked(&suite(folder)), @r#"assistants/desk/tests/inputs.jsonl#a asks -: tiny ["Be short."]"#);
    let id = "version: 1\ntarget: {type: assistant, id: desk, connector: other}\n";
    assert_snapshot!(asked(&suite(id)), @r#"assistants/desk/tests/inputs.jsonl#a asks -: other ["You help."]"#);
}

#[test]
fn a_folder_that_cannot_be_run_stops_the_load() {
    let hooks = suite(CONFIG);
    hooks.write("assistants/desk/src/index.ts", b"syntax error");
    assert_snapshot!(asked(&hooks), @"assistants/desk/src/index.ts:1:1 error this is not TypeScript");
    let broken = suite(CONFIG);
    broken.write("assistants/desk/package.yao", b"{\"name\": \"a\" \"b\": 1}");
    assert_snapshot!(asked(&broken), @"assistants/desk/package.yao:1:14 error expected `,` or `}`, found text |  | put a comma between the two");
    let wrong = "version: 1\ntarget: {type: assistant, folder: assistants/dsek}\n";
    assert_snapshot!(asked(&suite(wrong)), @r#"
    assistants/desk/tests/inputs.jsonl#a asks desk: tiny ["You help."]
    ananke.config.yaml:2:35 error there is no folder `assistants/dsek` |  | did you mean `assistants/desk`?
    "#);
    let wrong = "version: 1\ntarget: {type: assistant, id: dsek}\n";
    assert_snapshot!(asked(&suite(wrong)), @r#"
    assistants/desk/tests/inputs.jsonl#a asks desk: tiny ["You help."]
    ananke.config.yaml:2:31 error there is no assistant `dsek` |  | did you mean `desk`?
    "#);
}
