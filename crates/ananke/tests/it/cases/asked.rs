//! Who asks which agent: flags, `--ctx`, cases, and what the agent is sent.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::project::Project;

const CASES: &str = concat!(
    "{\"id\": \"T001\", \"input\": \"Hello\", \"assert\": {\"type\": \"contains\", \"value\": \"ok\"}}\n",
    "{\"id\": \"T002\", \"input\": \"Hello\", \"user\": \"admin\", \"team\": \"ops\", \"metadata\": {\"ticket\": 7}, \"assert\": {\"type\": \"contains\", \"value\": \"ok\"}}\n",
);

/// Runs the cases; returns user and team of every request.
fn asked(project: &Project, args: &[&str]) -> Vec<String> {
    let n_before = project.agent.requests().len();
    let output = project.output(&[&["tests/a.jsonl", "--no-output"], args].concat());
    assert_eq!(output.code, Some(0), "{output}");
    let requests = project.agent.requests().into_iter().skip(n_before);
    let said = |request: Value| {
        let props = &request["forwardedProps"];
        format!(
            "{} {} {}",
            props["user_id"], props["team_id"], props["locale"]
        )
        .replace('"', "")
    };
    requests.map(said).collect()
}

#[test]
fn ctx_wins_over_flags_and_flags_over_cases_and_cases_over_defaults() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASES);
    let default = "test-user test-team en-us";
    assert_eq!(asked(&project, &[]), [default, "admin ops en-us"]);
    let flags = ["-u", "root", "-t", "prod"];
    assert_eq!(
        asked(&project, &flags),
        ["root prod en-us", "root prod en-us"]
    );
    project.cx.write(
        "ctx.json",
        "{\"authorized\": {\"user_id\": \"u-1\"}, \"locale\": \"zh-cn\"}\n",
    );
    let ctx = ["-u", "root", "-t", "prod", "--ctx", "ctx.json"];
    assert_eq!(asked(&project, &ctx), ["u-1 prod zh-cn", "u-1 prod zh-cn"]);
    let output = project
        .cx
        .command(&["run", "tests/a.jsonl", "--no-output", "--json"]);
    let output = output.env("ANANKE_USER", "twin").run();
    let report: Value = serde_json::from_str(&output.stdout).expect("a report");
    assert_eq!(report["environment"]["user_id"], "twin");
}

#[test]
fn every_field_of_a_ctx_file_reaches_the_agent() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASES);
    let ctx = json!({
        "authorized": {
            "sub": "s-1", "client_id": "app", "scope": "read", "session_id": "x", "user_id": "u", "team_id": "t",
            "tenant_id": "acme", "remember_me": true,
            "constraints": {"owner_only": true, "creator_only": false, "editor_only": false, "team_only": true, "extra": {"region": "eu"}},
        },
        "metadata": {"request_id": "r-1", "ticket": 1},
        "client": {"type": "web", "user_agent": "Agent/1", "ip": "10.0.0.1"},
        "locale": "de-de",
        "referer": "https://example.com/",
        "accept": "cui-web",
    });
    project.cx.write("ctx.json", &ctx.to_string());
    asked(&project, &["--ctx", "ctx.json"]);
    let props = project.agent.requests().pop().expect("a request")["forwardedProps"].clone();
    assert_snapshot!(format!("{props:#}"), @r#"
    {
      "user_id": "u",
      "team_id": "t",
      "locale": "de-de",
      "referer": "https://example.com/",
      "accept": "cui-web",
      "client": {
        "type": "web",
        "ip": "10.0.0.1",
        "user_agent": "Agent/1"
      },
      "authorized": {
        "sub": "s-1",
        "client_id": "app",
        "session_id": "x",
        "tenant_id": "acme",
        "scope": "read",
        "remember_me": true,
        "constraints": {
          "owner_only": true,
          "creator_only": false,
          "editor_only": false,
          "team_only": true,
          "extra": {
            "region": "eu"
          }
        }
      },
      "metadata": {
        "request_id": "r-1",
        "ticket": 7
      }
    }
    "#);
}

#[test]
fn mistakes_in_who_asks_are_told_before_anything_is_sent() {
    let project = Project::ok();
    project.cx.write("tests/a.jsonl", CASES);
    project.cx.write(
        "wrong.json",
        "{\"authorised\": {\"user_id\": 7}, \"client\": {\"typ\": \"web\"}}\n",
    );
    let refused = |args: &[&str]| {
        project
            .cx
            .ananke(&[&["run", "tests/a.jsonl"], args].concat())
    };
    assert_snapshot!(refused(&["--ctx", "wrong.json"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: unknown key `authorised` in a context file
     --> wrong.json:1:2
      |
    1 | {"authorised": {"user_id": 7}, "client": {"typ": "web"}}
      |  ^^^^^^^^^^^^ expected `authorized`, `metadata`, `client`, `locale`, `referer`, `accept` or `chat_id`
    hint: did you mean `authorized`?

    error: unknown key `typ` in `client`
     --> wrong.json:1:43
      |
    1 | {"authorised": {"user_id": 7}, "client": {"typ": "web"}}
      |                                           ^^^^^ expected `type`, `user_agent` or `ip`
    hint: did you mean `type`?

    error: 2 errors in 1 file
    "#);
    assert_snapshot!(refused(&["--ctx", "gone.json"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --ctx: the context file `gone.json` is not there
    hint: did you mean `wrong.json`?

    error: 1 error
    ");
    assert_snapshot!(refused(&["-n", "nobody"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: -n: no target is called `nobody` and none has that agent
    hint: the config has one `target` without a name; write `agentId: nobody` in it, or write it under `targets`

    error: 1 error
    ");
    assert_snapshot!(refused(&["-c", "gpt4"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: -c: the target has no connector `gpt4`
    hint: write `connectors: {"gpt4": {}}` in the target; what differs from the target stands in its map

    error: 1 error
    "#);
    assert_eq!(project.asked(), Vec::<String>::new());
}

#[test]
fn an_agent_and_a_connector_are_chosen_by_name() {
    let project = Project::ok();
    let url = project.agent.url();
    project.cx.write(
        "ananke.config.yaml",
        &format!(
            "version: \"1.0\"\ntargets:\n  shop: {{type: agui, endpoint: \"http://127.0.0.1:1/\"}}\n  words:\n    type: agui\n    endpoint: \"{url}\"\n    agentId: keyword.agent\n    connectors:\n      openai.gpt4: {{}}\n      local:\n        forwardedProps: {{temperature: 0}}\n"
        ),
    );
    project
        .cx
        .write("tests/a.jsonl", CASES.lines().next().expect("a case"));
    asked(&project, &["-n", "words"]);
    asked(&project, &["-n", "keyword.agent", "-c", "local"]);
    let requests = project.agent.requests();
    let props: Vec<String> = requests
        .iter()
        .map(|request| {
            let props = &request["forwardedProps"];
            format!("{} {}", props["connector"], props["temperature"])
        })
        .collect();
    assert_eq!(props, ["null null", "\"local\" 0"]);
    let output = project.output(&[
        "tests/a.jsonl",
        "-n",
        "words",
        "-c",
        "openai.gpt4",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&output.stdout).expect("a report");
    assert_eq!(report["summary"]["connector"], "openai.gpt4");
    assert_snapshot!(project.cx.ananke(&["run", "tests/a.jsonl", "-n", "words", "-c", "openai.gpt5"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: -c: the target `words` has no connector `openai.gpt5`
    hint: did you mean `openai.gpt4`?

    error: 1 error
    ");
}

#[test]
fn the_folder_of_an_assistant_names_the_agent() {
    let project = Project::ok();
    let url = project.agent.url();
    project.cx.write(
        "ananke.config.yaml",
        &format!("version: \"1.0\"\ntargets:\n  shop.keyword: {{type: agui, endpoint: \"{url}\"}}\n  other: {{type: agui, endpoint: \"http://127.0.0.1:1/\"}}\n"),
    );
    let cases = CASES.lines().next().expect("a case");
    project
        .cx
        .write("assistants/shop/keyword/package.yao", "{}");
    project
        .cx
        .write("assistants/shop/keyword/tests/inputs.jsonl", cases);
    project.cx.write("assistants/shop/refund/package.yao", "{}");
    project
        .cx
        .write("assistants/shop/refund/tests/inputs.jsonl", cases);
    assert_eq!(
        project.output(&["assistants/shop/keyword", "-q"]).code,
        Some(0)
    );
    assert_snapshot!(project.cx.ananke(&["run", "assistants/shop/refund/tests/inputs.jsonl"]), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: `name` is missing in `package.yao`
     --> assistants/shop/refund/package.yao:1:1
      |
    1 | {}
      | ^^
    hint: write `"name": "Refund"`

    error: the assistant has neither prompts nor tools: nothing would be sent
     --> assistants/shop/refund/package.yao:1:1
      |
    1 | {}
      | ^^
    hint: write `prompts.yml` beside `package.yao`: a list of `role` and `content`

    error: the assistant names no connector, and the app has no default
     --> assistants/shop/refund/package.yao:1:1
      |
    1 | {}
      | ^^
    hint: write `"connector": "…"`, or `system: {default: …}` in the app's `agent/agent.yml`

    error: 3 errors in 1 file
    "#);
    let asked = project.output(&[
        "assistants/shop/refund/tests/inputs.jsonl",
        "-n",
        "shop.keyword",
        "-q",
    ]);
    assert_eq!(asked.code, Some(0));
}
