//! Servers whose tools the model gets: started, asked, and gone with the test.

use insta::assert_snapshot;
use rustix::process::{Pid, test_kill_process};
use serde_json::json;

use super::{App, calls, says};
use crate::speakers::tests::mcp_server::script;

const PACKAGE: &str = r#"{"name": "Refund", "connector": "openai.local",
    "mcp": {"servers": [{"server_id": "shop"}]}}"#;

/// An app whose assistant uses the server that a shell runs.
fn app(answers: &[String], package: &str, call: &str) -> App {
    let app = App::new(answers, &[]);
    app.write("assistants/shop/refund/package.yao", package);
    let server = json!({"transport": "stdio", "command": "sh", "arguments": ["server.sh"], "env": {"API_TOKEN": "sk-server-1"}});
    app.write("mcps/shop.mcp.yao", &server.to_string());
    app.write("server.sh", &script(call));
    app
}

fn gone(app: &App) -> usize {
    let pids = std::fs::read_to_string(app.project.path("pids")).unwrap_or_default();
    for pid in pids.lines() {
        let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
        assert!(test_kill_process(pid).is_err(), "{pid:?} is still there");
    }
    pids.lines().count()
}

#[tokio::test]
async fn a_server_answers_the_calls_of_the_model() {
    let answers = [
        calls("shop__ask", &json!({"question": "7"})),
        says("It is on its way"),
    ];
    let call =
        r#"say "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"sent, $API_TOKEN\"}]}""#;
    let app = app(&answers, PACKAGE, call);
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "It is on its way"
    ask({"question":"7"}) = sent, [redacted API_TOKEN]
    "#);
    let tools = &app.peer.bodies()[0]["tools"];
    assert_snapshot!(tools, @r#"[{"type":"function","function":{"name":"shop__ask","description":"Asks.","parameters":{"type":"object","properties":{"question":{"type":"string"}},"required":["question"]}}}]"#);
    assert_snapshot!(app.sent(1), @r#"
    system: "Refunds for test-team, ."
    user: "Where is order 7?"
    assistant: null (calls)
    tool: "sent, sk-server-1"
    "#);
    assert_eq!(gone(&app), 1);
}

#[tokio::test]
async fn what_a_server_refuses_is_told_to_the_model() {
    let answers = [
        calls("shop__ask", &json!({"question": 7})),
        calls("shop__ask", &json!({"question": "7"})),
        says("I do not know"),
    ];
    let call =
        r#"say '"result":{"isError":true,"content":[{"type":"text","text":"no such order"}]}'"#;
    let app = app(&answers, PACKAGE, call);
    assert_snapshot!(app.shown().await, @r#"
    the a test: PASSED · 1 turns, 1 checks
    says "I do not know"
    ask({"question":7}) fails: Some("the arguments of `ask` are wrong: `question` is a number, expected a text")
    ask({"question":"7"}) fails: Some("no such order")
    "#);
    assert_eq!(gone(&app), 1);
}

#[tokio::test]
async fn a_server_that_cannot_be_used_fails_the_test() {
    let dies = app(&[says("Hi")], PACKAGE, "");
    dies.write("server.sh", "echo 'no module named shop' >&2; exit 3");
    assert_snapshot!(dies.shown().await, @r#"
    the a test: ERROR turn 1: the server `shop`: `sh` ended (exit status: 3) before it was connected; stderr: no module named shop · 1 turns, 0 checks
        the server `shop`: stderr: no module named shop
    says ""
    "#);
    let package = PACKAGE.replace(
        r#"{"server_id": "shop"}"#,
        r#"{"server_id": "shop", "tools": ["aks"]}"#,
    );
    let other = app(&[says("Hi")], &package, "");
    assert_snapshot!(other.shown().await, @r#"
    the a test: ERROR turn 1: the server `shop`: it has no tool `aks`: did you mean `ask`? · 1 turns, 0 checks
    says ""
    "#);
    assert_eq!(gone(&other), 1);
}
