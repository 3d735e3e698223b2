//! Connectors: files, roles, and the environment.

use ananke_model::place::{Place, Text};
use ananke_model::plan::KeyHeader;
use insta::assert_snapshot;
use serde_json::Map;

use super::folder::{Folder, each};
use crate::assistants::Connector;

fn files(contents: &[&str]) -> String {
    each("connectors/local.conn.yao", contents)
}

#[test]
fn a_file_of_a_connector_is_checked() {
    assert_snapshot!(files(&[
        r#"{"type": "anthropic", "options": {"model": "m"}}"#,
        r#"{"type": "opnai", "options": {"model": "m"}}"#,
        r#"{"options": {"model": "m"}}"#,
        r#"{"type": "openai"}"#,
        r#"{"type": "openai", "options": []}"#,
        r#"{"type": "openai", "options": {"host": "http://h"}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "kee": "x"}, "lable": "x"}"#,
        r#"{"type": "openai", "options": {"model": 5, "host": "", "proxy": "http://h"}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "auth_mode": "apikey"}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "extra_body": {"messages": []}}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "extra_body": 1, "capabilities": {"streaming": "no"}}}"#,
        "{\n  \"type\": \"openai\",\n  \"options\": {\"model\": \"m\" \"host\": \"h\"}\n}",
    ]), @r#"
    connectors/local.conn.yao:1:10 error the connector `local` is of type `anthropic`, which is not spoken | expected `openai`: any endpoint that speaks OpenAI's chat format
    --
    connectors/local.conn.yao:1:10 error the connector `local` is of type `opnai`, which is not spoken | expected `openai`: any endpoint that speaks OpenAI's chat format | did you mean `openai`?
    --
    connectors/local.conn.yao:1:1 error `type` is missing in the connector `local` |  | write `"type": "openai"`
    --
    connectors/local.conn.yao:1:1 error `options` is missing in the connector `local` |  | write `"options": {"model": "…", "host": "…", "key": "$ENV.NAME"}`
    --
    connectors/local.conn.yao:1:31 error `options` is a list, expected a map
    --
    connectors/local.conn.yao:1:31 error `model` is missing in the connector `local` |  | write `"model": "…"`
    --
    connectors/local.conn.yao:1:79 warning unknown key `lable` in a connector: it has no effect |  | did you mean `label`?
    connectors/local.conn.yao:1:66 warning unknown key `kee` in `options` of a connector: it has no effect |  | did you mean `key`?
    --
    connectors/local.conn.yao:1:65 error `proxy` is the older name of `host`: both are there |  | leave one of them out
    connectors/local.conn.yao:1:41 error `model` is the number `5`, expected text
    --
    connectors/local.conn.yao:1:79 error unknown `auth_mode` `apikey` |  | did you mean `api-key`?
    --
    connectors/local.conn.yao:1:81 error `extra_body` cannot set `messages`
    --
    connectors/local.conn.yao:1:113 error `streaming` is text, expected `true` or `false`
    connectors/local.conn.yao:1:80 error `extra_body` is the number `1`, expected a map
    --
    connectors/local.conn.yao:3:28 error expected `,` or `}`, found text |  | put a comma between the two
    "#);
}

#[test]
fn a_key_is_never_empty() {
    assert_snapshot!(files(&[
        r#"{"type": "openai", "options": {"model": "m"}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "key": ""}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "key": "$ENV.NO_KEY"}}"#,
        r#"{"type": "openai", "options": {"model": "m", "host": "http://h", "key": "Bearer $ENV.NO_KEY"}}"#,
                r#"{"type": "openai", "options": {"model": "m", "key": "sk-written"}}"#,
        r#"{"type": "openai", "options": {"model": "m", "proxy": "https://api.openai.com/v1"}}"#,
    ]), @r#"
    connectors/local.conn.yao:1:31 error the connector `local` has no key | `api.openai.com` answers nobody without one | write `"key": "$ENV.NAME"`, or another `host`
    --
    connectors/local.conn.yao:1:73 error `key` is empty
    --
    connectors/local.conn.yao:1:73 error `key` has no value | the environment has no `NO_KEY` | set `NO_KEY`
    --
    connectors/local.conn.yao:1:73 error `$ENV.` stands for a value only where nothing else stands beside it |  | put all of it into the environment: `"$ENV.NAME"`
    --
    fine
    --
    connectors/local.conn.yao:1:31 error the connector `local` has no key | `api.openai.com` answers nobody without one | write `"key": "$ENV.NAME"`, or another `host`
    "#);
    let connector = r#"{"type": "openai", "options": {"model": "m", "key": "$ENV.KEY"}}"#;
    let folder = Folder::new(&[("connectors/local.conn.yao", connector)]);
    assert_snapshot!(folder.environment("KEY", " ").problems(), @"connectors/local.conn.yao:1:53 error `key` has no value | `KEY` is empty | set `KEY`");
}

#[test]
fn older_spellings_are_understood() {
    let connector = r#"{"type": "openai", "auth_mode": "x-api-key", "options": {"model": "m", "proxy": "https://api.openai.com/v1", "key": "k", "max_tokens": 10}}"#;
    assert_snapshot!(Folder::new(&[("connectors/local.conn.yao", connector)]).shown(), @r#"
    host https://api.openai.com/v1 model m
    key Some("k") in XApiKey
    parameters {"max_completion_tokens":10}
    assistants/desk/prompts.yml:2:12 system: "You help."
    ASSISTANT_DESCRIPTION = ""
    ASSISTANT_ID = "desk"
    ASSISTANT_NAME = "Helper"
    ASSISTANT_TYPE = "assistant"
    "#);
}

#[test]
fn a_connector_that_is_not_there_is_an_error() {
    let package = |connector: &str| format!(r#"{{"name": "a", "connector": "{connector}"}}"#);
    let folder = |connector: &str| {
        Folder::new(&[
            ("assistants/desk/package.yao", &package(connector)),
            ("agent/agent.yml", "system: {default: local, light: local}"),
        ])
    };
    assert_snapshot!(folder("locl").problems(), @"assistants/desk/package.yao:1:28 error there is no connector `locl` |  | did you mean `local`?");
    assert_snapshot!(folder("other.one").problems(), @"assistants/desk/package.yao:1:28 error there is no connector `other.one` |  | there is `local`");
    assert_snapshot!(folder("use::lihgt").problems(), @"assistants/desk/package.yao:1:28 error there is no role `lihgt` in the app's `agent/agent.yml` |  | did you mean `light`?");
    assert_snapshot!(folder("$ENV.WHICH").problems(), @"assistants/desk/package.yao:1:28 error `connector` has no value | the environment has no `WHICH` | set `WHICH`");
    assert_snapshot!(folder("local").connector("lokal").problems(), @"- error -c: there is no connector `lokal` |  | did you mean `local`?");
    let alone = Folder::new(&[
        ("connectors/local.conn.yao", ""),
        ("agent/agent.yml", "# nothing\n"),
    ]);
    assert_snapshot!(alone.problems(), @"assistants/desk/package.yao:1:33 error there is no connector `local` |  | write `connectors/local.conn.yao` in the app, or `connectors` in the config");
    alone.write("assistants/desk/package.yao", r#"{"name": "a"}"#);
    assert_snapshot!(alone.problems(), @r#"assistants/desk/package.yao:1:1 error the assistant names no connector, and the app has no default |  | write `"connector": "…"`, or `system: {default: …}` in the app's `agent/agent.yml`"#);
    alone.write("assistants/desk/package.yao", &package("use::light"));
    assert_snapshot!(alone.problems(), @"assistants/desk/package.yao:1:28 error there is no role `light` in the app's `agent/agent.yml` |  | write `system: {light: <connector>}` there");
    alone.write("agent/agent.yml", "system: [local]\n");
    assert_snapshot!(alone.problems(), @"agent/agent.yml:1:9 error `system` is a list, expected a map");
}

#[test]
fn connectors_of_the_config_come_first() {
    let text = |text: &str| Text {
        text: text.to_owned(),
        place: Place::file("ananke.config.yaml"),
    };
    let configured = Connector {
        id: "local".to_owned(),
        host: text("http://configured"),
        model: text("configured"),
        key: None,
        key_header: KeyHeader::Bearer,
        headers: Vec::new(),
        parameters: Map::new(),
        stream: true,
    };
    let folder = Folder::new(&[]).configured(configured);
    assert_snapshot!(folder.shown().lines().next().unwrap(), @"host http://configured model configured");
}
