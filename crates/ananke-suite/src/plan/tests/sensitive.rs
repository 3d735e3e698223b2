//! What may hold secrets is told to whoever hides them, whether or not a test uses it.

use insta::assert_snapshot;

use super::targets::CHECKED;
use crate::testing::Suite;

const UNUSED: &str = r#"version: "1.0"
connectors:
  spare: {type: openai, host: "http://c?key=k1", model: m, key: k2, headers: {X-A: k3}}
targets:
  used: {type: agui, endpoint: "http://used"}
  spare: {type: agui, endpoint: "http://a", headers: {Authorization: k4}, connectors: {fast: {endpoint: "http://f", headers: {X-B: k5}}}}
  chat: {type: openai, host: "http://b", model: m, key: k6, headers: {X-C: k7}}
agents:
  helper: {type: command, cmd: [run, "http://u:k8@h"], env: {API_KEY: k9}}
  folder: {type: assistant, id: shop}
  mine: {type: openai, connector: light, key: k12, model: m}
"#;

fn sensitive(files: &[(&str, &str)]) -> String {
    let mut suite = Suite::new(files);
    suite.target = Some("used");
    let loaded = suite.load();
    let problems = loaded.diagnostics.iter().map(|one| one.message.clone());
    let found = loaded.plan.sensitive.iter();
    let found = found.map(|one| format!("{:?} {}", one.holder, one.text.text));
    problems.chain(found).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_that_was_read_counts() {
    let found = sensitive(&[
        ("ananke.config.yaml", UNUSED),
        (
            "a.test.yaml",
            &format!("target: {{headers: {{X-D: k10}}}}\n{CHECKED}"),
        ),
        ("app.yao", "{}"),
        (
            "assistants/shop/package.yao",
            r#"{"name": "Shop", "connector": "light"}"#,
        ),
        (
            "assistants/shop/prompts.yml",
            "- role: system\n  content: Hi\n",
        ),
        (
            "connectors/light.conn.yao",
            r#"{"type": "openai", "options": {"model": "m", "host": "http://l", "key": "k11"}}"#,
        ),
    ]);
    assert_snapshot!(found, @r#"
    Url http://used
    Url http://a
    Header("Authorization") k4
    Url http://f
    Header("X-B") k5
    Url http://b
    Key k6
    Header("X-C") k7
    Url run
    Url http://u:k8@h
    Environment("API_KEY") k9
    Key k12
    Url http://c?key=k1
    Key k2
    Header("X-A") k3
    Header("X-D") k10
    Url http://l
    Key k11
    Url http://l
    Key k11
    "#);
}

#[test]
fn what_clients_say_of_themselves_counts() {
    let config = r#"version: "1.2"
targets:
  used: {type: agui, endpoint: "http://used"}
  key: {type: a2a, agentCardUrl: "http://a", auth: {scheme: apiKey, in: query, name: key, value: k1}}
  token: {type: mcp, endpoint: "http://b", auth: {scheme: bearer, token: k2}}
  basic: {type: a2a, endpoint: "http://c", auth: {scheme: basic, user: u, password: k3}}
  client: {type: a2a, endpoint: "http://d", auth: {scheme: oauth2, clientId: c, clientSecret: k4, tokenUrl: "http://t?k=k5"}}
  program: {type: mcp, command: [run, --token, k6], env: {API_KEY: k7}}
"#;
    let found = sensitive(&[("ananke.config.yaml", config), ("a.test.yaml", CHECKED)]);
    assert_snapshot!(found, @r#"
    Url http://used
    Url http://a
    Key k1
    Url http://b
    Key k2
    Url http://c
    Key k3
    Url http://d
    Key k4
    Url http://t?k=k5
    Url run
    Url --token
    Url k6
    Environment("API_KEY") k7
    "#);
}
