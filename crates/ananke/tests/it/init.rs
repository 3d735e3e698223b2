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
    error: --endpoint: `localhost:8000`: it does not begin with `http://` or `https://`
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
}

#[test]
fn an_endpoint_that_validate_would_refuse_is_refused() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["init", "--endpoint", "http://h/\"x\""]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: --endpoint: `http://h/"x"`: it holds a character that no URL can hold
    hint: write it like http://localhost:8000/agent
    "#);
    for endpoint in [
        "",
        "http://h/a\nb",
        "http://h/a b",
        "http://h:99999/",
        "http://h/${ENV.\"X\"}",
        "http://h/${open",
        "${ENV.NOT_SET:-nowhere}",
    ] {
        assert_eq!(
            cx.run(&["init", "--endpoint", endpoint]).code,
            Some(2),
            "{endpoint:?}"
        );
    }
    assert!(cx.files(".").is_empty(), "{:?}", cx.files("."));
    for (folder, endpoint) in [("a", "${ENV.URL}"), ("b", "${ENV.URL:-http://h/}")] {
        let output = cx.run(&["init", folder, "--endpoint", endpoint]);
        assert_eq!(output.code, Some(0), "{output}");
    }
}

#[test]
fn nothing_is_written_when_something_is_in_the_way() {
    for (path, is_folder) in [
        ("tests", false),
        (".ananke", false),
        (".ananke/schema", false),
        (".gitignore", true),
        ("ananke.config.yaml", true),
    ] {
        let cx = TestContext::new(ANANKE);
        cx.write(if is_folder { "x" } else { path }, "");
        if is_folder {
            std::fs::create_dir(cx.dir().join(path)).expect("the folder is new");
        }
        let before = cx.files(".");
        let output = cx.run(&["init"]);
        assert_eq!(output.code, Some(2), "{path}: {output}");
        assert!(output.stderr.contains(path), "{path}: {output}");
        assert_eq!(cx.files("."), before, "{path}");
    }
    let cx = TestContext::new(ANANKE);
    cx.write("tests", "");
    assert_snapshot!(cx.ananke(&["init"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `tests` is not a folder
    hint: nothing was written; move it away, or name another folder: `ananke init FOLDER`
    ");
}

#[test]
#[cfg(unix)]
fn a_link_out_of_the_project_is_not_written_through() {
    let cx = TestContext::new(ANANKE);
    cx.write("shared/ignore", "node_modules\n");
    cx.write("app/own", "node_modules\n");
    let link = |to: &str| {
        let path = cx.dir().join("app/.gitignore");
        std::fs::remove_file(&path).ok();
        std::os::unix::fs::symlink(to, path).expect("the link is new");
    };
    link("../shared/ignore");
    assert_snapshot!(cx.ananke(&["init", "app"]), @"
    exit code: 0
    --- stdout
    The project is set up:
      wrote  app/ananke.config.yaml
      wrote  app/tests/first.test.yaml
      wrote  app/.ananke/schema/config.json
      wrote  app/.ananke/schema/test.json
      left   app/.gitignore

    Next:
      cd app
      ananke doctor     check that the agent answers
      ananke run -vv    run the first test and show the conversation
    --- stderr
    warning: `app/.gitignore` is a link out of the project and stays as it is: add the line `.ananke/runs/` where it belongs
    ");
    assert_eq!(cx.read("shared/ignore"), "node_modules\n");
    link("../shared/nowhere");
    assert_eq!(cx.run(&["init", "app"]).code, Some(0));
    assert!(!cx.exists("shared/nowhere"));
    link("own");
    assert_eq!(cx.run(&["init", "app"]).code, Some(0));
    assert_eq!(cx.read("app/own"), "node_modules\n.ananke/runs/\n");
}

#[test]
fn quiet_says_nothing_but_warnings() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["init", "-q"]), @"
    exit code: 0
    --- stdout
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["init", "-q", "inner"]), @"
    exit code: 0
    --- stdout
    --- stderr
    warning: this project is inside that of `[TMP]/ananke.config.yaml`: a run from there has to name its folders, such as `ananke run tests`
    ");
    assert_eq!(cx.run(&["init", "inner"]).stderr, "");
}
