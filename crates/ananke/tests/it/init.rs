//! `ananke init`: a project that works, and nothing that was there is touched.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;

use crate::ANANKE;

#[test]
fn a_new_project_is_valid_and_runs() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Good day");
    assert_snapshot!(cx.ananke(&["init", "--endpoint", agent.url()]), @"
    exit code: 0
    --- stdout
    The project is set up:
      wrote  ananke.config.yaml
      wrote  tests/first.test.yaml
      wrote  .ananke/schema/config.json
      wrote  .ananke/schema/test.json
      wrote  .gitignore (the line .ananke/runs/)

    Next:
      ananke doctor     check that the agent answers
      ananke run -vv    run the first test and show the conversation
    --- stderr
    ");
    assert_snapshot!(cx.read("ananke.config.yaml").replace(agent.url(), "[URL]"), @r#"
    # yaml-language-server: $schema=.ananke/schema/config.json
    #
    # The agent under test, and what all tests share. Every key: `ananke schema config`.

    version: "1.0"

    target:
      type: agui
      # Where requests are sent. ${ENV.NAME} takes a value from the environment or from `--env-file`.
      endpoint: "[URL]"

      # headers:
      #   Authorization: "Bearer ${ENV.AGENT_TOKEN}"

      # For a CopilotKit runtime: `copilotkit` or `copilotkit-rest`, and the agent's id.
      # envelope: copilotkit
      # agentId: my-agent

      # What every test demands of this agent.
      # assert:
      #   text:
      #     must_not_match: "(?i)internal server error"

    # The app under test, started before the first test and stopped after the last.
    # server:
    #   cmd: [npm, start]
    #   url: "http://localhost:8000/health"
    "#);
    assert_snapshot!(cx.read("tests/first.test.yaml"), @r#"
    # yaml-language-server: $schema=../.ananke/schema/test.json
    #
    # One file is one test: a conversation, and what must hold. Every key: `ananke schema test`.

    version: "1.0"
    name: the agent says hello

    turns:
      - user: "Hello!"
        assert:
          text:
            # A regular expression: here, that there is any answer at all.
            must_match: '\S'
          # tools:
          #   require:
          #     - name: search
          #   forbid: [delete_account]
          # timing:
          #   max_duration_ms: 10000
    "#);
    assert_eq!(cx.read(".gitignore"), ".ananke/runs/\n");
    for kind in ["config", "test"] {
        let schema = cx.read(&format!(".ananke/schema/{kind}.json"));
        assert_eq!(schema, cx.run(&["schema", kind]).stdout);
    }
    let validated = cx.run(&["validate"]);
    assert_eq!((validated.code, validated.stderr.as_str()), (Some(0), ""));
    assert_eq!(cx.run(&["run"]).code, Some(0));
}

#[test]
fn the_commented_parts_are_valid_too() {
    let cx = TestContext::new(ANANKE);
    assert_eq!(cx.run(&["init"]).code, Some(0));
    for file in ["ananke.config.yaml", "tests/first.test.yaml"] {
        let lines: Vec<String> = cx.read(file).lines().map(uncommented).collect();
        cx.write(file, &lines.join("\n"));
    }
    let validated = cx.command(&["validate"]).env("AGENT_TOKEN", "secret").run();
    let shown = cx.read("ananke.config.yaml");
    assert_eq!(validated.code, Some(0), "{validated}\n{shown}");
    assert!(
        shown.contains("\nserver:\n") && shown.contains("\n  headers:\n"),
        "{shown}"
    );
}

/// Uncomments a line that is YAML; sentences end with a full stop.
fn uncommented(line: &str) -> String {
    let start = line.trim_start();
    match start.strip_prefix("# ") {
        Some(code)
            if !line.ends_with(['.', '`'])
                && !code.contains("$schema")
                && !code.contains("ananke ") =>
        {
            format!("{}{code}", " ".repeat(line.len() - start.len()))
        }
        _ => line.to_owned(),
    }
}

#[test]
fn what_is_there_stays() {
    let cx = TestContext::new(ANANKE);
    cx.write("ananke.config.yaml", "mine\n");
    cx.write(".gitignore", "node_modules");
    cx.write(".ananke/schema/test.json", "{}\n");
    assert_snapshot!(cx.ananke(&["init"]), @"
    exit code: 0
    --- stdout
    The project is set up:
      kept   ananke.config.yaml
      wrote  tests/first.test.yaml
      wrote  .ananke/schema/config.json
      kept   .ananke/schema/test.json (of another version; renew it: ananke schema test > .ananke/schema/test.json)
      wrote  .gitignore (the line .ananke/runs/)

    Next:
      ananke doctor     check that the agent answers
      ananke run -vv    run the first test and show the conversation
    --- stderr
    ");
    assert_eq!(cx.read("ananke.config.yaml"), "mine\n");
    assert_eq!(cx.read(".gitignore"), "node_modules\n.ananke/runs/\n");
    assert_snapshot!(cx.ananke(&["init"]), @"
    exit code: 0
    --- stdout
    Everything is there already; nothing was changed:
      kept   ananke.config.yaml
      kept   tests/first.test.yaml
      kept   .ananke/schema/config.json
      kept   .ananke/schema/test.json (of another version; renew it: ananke schema test > .ananke/schema/test.json)
      kept   .gitignore
    --- stderr
    ");
    assert_eq!(cx.read(".gitignore"), "node_modules\n.ananke/runs/\n");
}

#[test]
fn a_folder_is_made_and_other_spellings_are_respected() {
    let cx = TestContext::new(ANANKE);
    cx.write("app/ananke.config.yml", "mine\n");
    cx.write("app/.gitignore", "/.ananke\r\n");
    assert_snapshot!(cx.ananke(&["init", "app"]), @"
    exit code: 0
    --- stdout
    The project is set up:
      kept   app/ananke.config.yml
      wrote  app/tests/first.test.yaml
      wrote  app/.ananke/schema/config.json
      wrote  app/.ananke/schema/test.json
      kept   app/.gitignore

    Next:
      cd app
      ananke doctor     check that the agent answers
      ananke run -vv    run the first test and show the conversation
    --- stderr
    ");
    assert!(!cx.exists("app/ananke.config.yaml"));
    assert_eq!(cx.read("app/.gitignore"), "/.ananke\r\n");
    assert_eq!(cx.run(&["init", "new/app"]).code, Some(0));
    assert!(cx.exists("new/app/tests/first.test.yaml"));
}

#[test]
fn what_cannot_be_is_told() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["init", "--endpoint", "localhost:8000"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --endpoint: `localhost:8000` has the scheme `localhost`; http and https are supported
    hint: write it like http://localhost:8000/agent
    ");
    assert!(!cx.exists("ananke.config.yaml"));
    cx.write("file", "");
    assert_snapshot!(cx.ananke(&["init", "file"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `file` is not a folder
    ");
    let odd = ["init", "--endpoint", "http://h/${ENV.\"X\"}"];
    assert_eq!(cx.run(&odd).code, Some(0));
    assert!(
        cx.read("ananke.config.yaml")
            .contains(r#""http://h/${ENV.\"X\"}""#)
    );
}
