//! Questions to helpers of every kind.

use std::time::Duration;

use ananke_model::plan::{OpenAiTarget, Protocol, Target};
use ananke_model::script::Scripts;
use ananke_model::variables::Variables;
use ananke_protocol::http::Proxies;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{AskError, AskOptions, ask_agent};
use crate::redact::Secrets;
use crate::speakers::tests::{Peer, chat, respond, script, shell, streamed, system, target};
use crate::testing::{Project, agent};

/// Asks an agent for its verdict within so many milliseconds.
async fn asked_within(target: &Target, limit_ms: u64, cancel: &CancellationToken) -> String {
    let message = json!({"output": "Hi", "criteria": "is polite"});
    let Value::Object(metadata) = json!({"test_mode": "validator", "criteria": "is polite"}) else {
        unreachable!()
    };
    let root = std::env::temp_dir();
    let (variables, proxies) = (Variables::default(), Proxies::default());
    let redactor = Secrets::default().redactor();
    let scripts = Scripts::default();
    let answer = ask_agent(
        target,
        AskOptions {
            message: &message,
            metadata: &metadata,
            timeout: Duration::from_millis(limit_ms),
            variables: &variables,
            proxies: &proxies,
            root: &root,
            identity: None,
            redactor: &redactor,
            unix_ms: 0,
            cancel,
            scripts: &scripts,
        },
    );
    match answer.await {
        Ok(answer) => answer.text,
        Err(AskError { kind, message }) => format!("{kind:?}: {message}"),
    }
}

async fn asked(protocol: Protocol) -> String {
    asked_within(&target(protocol), 20_000, &CancellationToken::new()).await
}

/// Returns a target that speaks AG-UI.
fn agui(url: &str) -> Target {
    let project = Project::new(url, &[("a", "turns: [{user: a}]\n")]);
    project.plan().tests.remove(0).target
}

#[tokio::test]
async fn every_kind_of_agent_gets_the_message_and_the_metadata() {
    let rules = json!({"rules": [
        {"when": {"user_contains": "metadata"}, "reply": [{"text": "wrong"}]},
        {"reply": [{"echo": "last_message"}, {"echo": "forwarded_props"}]},
    ]});
    let running = agent(rules.clone()).await;
    let by_agui = asked_within(&agui(&running.url), 20_000, &CancellationToken::new()).await;
    let by_script = asked(Protocol::Scripted(Box::new(script(rules)))).await;
    for text in [by_agui, by_script] {
        let (message, props) = text.split_once('\n').unwrap();
        let message: Value = serde_json::from_str(message).unwrap();
        assert_eq!(
            message["content"],
            r#"{"output":"Hi","criteria":"is polite"}"#
        );
        assert_eq!(
            props,
            r#"{"metadata":{"test_mode":"validator","criteria":"is polite"}}"#
        );
    }
    let peer = Peer::start(&[streamed(&[r#"{"content":"{\"passed\": true}"}"#])]);
    let judge = OpenAiTarget {
        prompts: vec![system("Judge by: {{criteria}} ({{test_mode}})", false)],
        ..chat(&peer)
    };
    assert_snapshot!(asked(Protocol::OpenAi(Box::new(judge))).await, @r#"{"passed": true}"#);
    assert_snapshot!(peer.bodies()[0]["messages"], @r#"[{"role":"system","content":"Judge by: is polite (validator)"},{"role":"user","content":"{\"output\":\"Hi\",\"criteria\":\"is polite\"}"}]"#);
    let echo = "python3 -c 'import json,sys; given = json.load(sys.stdin); print(json.dumps({\"input\": given[\"input\"], \"told\": given[\"options\"]}))'";
    assert_snapshot!(asked(Protocol::Command(Box::new(shell(echo)))).await, @r#"{"input":"{\"output\":\"Hi\",\"criteria\":\"is polite\"}","told":{"metadata":{"test_mode":"validator","criteria":"is polite"}}}"#);
}

#[tokio::test]
async fn a_helper_of_the_program_kind_may_answer_with_a_message() {
    let simulator = shell("echo '{\"message\": \"I want tea\"}'");
    assert_snapshot!(asked(Protocol::Command(Box::new(simulator))).await, @r#"{"message":"I want tea"}"#);
}

#[tokio::test]
async fn why_there_is_no_answer_is_told_without_secrets() {
    let nobody = agui("http://127.0.0.1:9/");
    let text = asked_within(&nobody, 20_000, &CancellationToken::new()).await;
    assert!(text.starts_with("Unreachable: "), "{text}");
    let error =
        script(json!({"rules": [{"reply": [{"error": {"message": "quota", "code": "Q1"}}]}]}));
    assert_snapshot!(asked(Protocol::Scripted(Box::new(error))).await, @"Failed: the agent ended with an error: quota (Q1)");
    let peer = Peer::start(&[respond("418 Teapot", "text/plain", "you sent sk-secret-1")]);
    let text = asked(Protocol::OpenAi(Box::new(chat(&peer)))).await;
    assert!(text.starts_with("Failed: HTTP 418"), "{text}");
    assert!(!text.contains("sk-secret-1"), "{text}");
    assert_snapshot!(asked(Protocol::Command(Box::new(shell("exit 3")))).await, @"Failed: `sh` failed: exit status: 3");
    let mut without_key = chat(&peer);
    without_key.key = Some(crate::speakers::tests::text("${ENV.NONE}"));
    assert_snapshot!(asked(Protocol::OpenAi(Box::new(without_key))).await, @"Failed: no value for ${ENV.NONE} (ananke.config.yaml:1): no hook has printed a variable");
}

#[tokio::test]
async fn a_question_takes_no_longer_than_it_may() {
    let slow = || target(Protocol::Command(Box::new(shell("sleep 60"))));
    let cancel = CancellationToken::new();
    assert_snapshot!(asked_within(&slow(), 200, &cancel).await, @"Timeout: timeout after 200ms (--timeout): `sh` had not ended, and was killed");
    let stalls = script(json!({"rules": [{"reply": ["stall"]}]}));
    let stalls = target(Protocol::Scripted(Box::new(stalls)));
    let text = asked_within(&stalls, 200, &cancel).await;
    assert!(text.starts_with("Timeout: timeout after 200ms"), "{text}");
    cancel.cancel();
    assert_snapshot!(asked_within(&slow(), 20_000, &cancel).await, @"Failed: interrupted");
}

#[tokio::test]
async fn a_busy_helper_is_asked_again_if_its_target_says_so() {
    let busy = json!({"rules": [
        {"times": 1, "reply": [{"http": {"status": 429, "body": "slow down"}}]},
        {"reply": [{"text": "Hi"}]},
    ]});
    let cancel = CancellationToken::new();
    let mut helper = target(Protocol::Scripted(Box::new(script(busy.clone()))));
    assert_snapshot!(asked_within(&helper, 20_000, &cancel).await, @"Failed: HTTP 429 Too Many Requests: slow down; --backoff 30s waits and sends again");
    helper.backoff_ms = Some(2000);
    assert_snapshot!(asked_within(&helper, 20_000, &cancel).await, @"Hi");
}
