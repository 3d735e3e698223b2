//! A2A agents as the agents of tests.

use ananke_model::plan::{A2aTarget, Protocol, TargetAuth, TaskMessage, Tls, TurnAction};
use ananke_model::result::Reach;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{LIMITS, Peer, plan, respond, run, run_with, text};
use crate::dispatch::RunOptions;
use crate::testing::{options, run_live, shown};

const ONE: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: '.'}}\n";
const TWO: &str = "turns: [{user: Hello}, {user: Bye}]\nassert: {text: {must_match: '.'}}\n";

pub(super) fn agent(url: &str) -> A2aTarget {
    A2aTarget {
        card_url: Some(text(url)),
        card: None,
        endpoint: None,
        version: None,
        binding: None,
        tenant: None,
        extensions: Vec::new(),
        context_id: None,
        blocking: true,
        stream: None,
        poll_ms: 10,
        accepted_output_modes: Vec::new(),
        history_length: None,
        metadata: None,
        tool_calls: Vec::new(),
        auth: None,
        allow_other_origin: false,
        headers: Vec::new(),
        timeout_ms: 10_000,
        connect_timeout_ms: 10_000,
        tls: Tls::default(),
        limits: LIMITS,
    }
}

fn protocol(agent: A2aTarget) -> Protocol {
    Protocol::A2a(Box::new(agent))
}

pub(super) fn card() -> String {
    let card = json!({
        "name": "shop",
        "version": "1",
        "capabilities": {"streaming": false},
        "supportedInterfaces": [{"url": "/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    });
    respond("200 OK", "application/json", &card.to_string())
}

/// A message of the agent; whatever id was asked with.
pub(super) fn says(id: u64, text: &str) -> String {
    let message = json!({"messageId": "m1", "contextId": "c1", "role": "ROLE_AGENT", "parts": [{"text": text}]});
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"message": message}});
    respond("200 OK", "application/json", &answer.to_string())
}

/// A task that waits for the user.
fn asks(id: u64, text: &str) -> String {
    let message = json!({"messageId": "m1", "role": "ROLE_AGENT", "parts": [{"text": text}]});
    let status = json!({"state": "TASK_STATE_INPUT_REQUIRED", "message": message});
    let task = json!({"id": "t1", "contextId": "c1", "status": status});
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"task": task}});
    respond("200 OK", "application/json", &answer.to_string())
}

#[tokio::test]
async fn ids_go_from_turn_to_turn_and_the_card_is_fetched_once() {
    let peer = Peer::start(&[card(), asks(1, "For whom?"), says(2, "Done"), says(1, "Hi")]);
    let options = RunOptions {
        parallel: 1,
        ..options()
    };
    let target = protocol(agent(&peer.host()));
    let results = run_with(target, &[("a", TWO), ("b", ONE)], options).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 2 turns, 1 checks
    the b test: PASSED · 1 turns, 1 checks
    ");
    let sent: Vec<Value> = peer
        .bodies()
        .iter()
        .map(|body| {
            let message = &body["params"]["message"];
            json!([message["parts"], message["contextId"], message["taskId"]])
        })
        .collect();
    assert_snapshot!(Value::from(sent), @r#"[[null,null,null],[[{"text":"Hello"}],null,null],[[{"text":"Bye"}],"c1","t1"],[[{"text":"Hello"}],null,null]]"#);
    let task = results[0].turns[0].turn.task.as_ref().unwrap();
    assert_snapshot!(format!("{:?}", task.state), @r#"Some("input-required")"#);
}

#[tokio::test]
async fn many_tests_at_once_fetch_one_card() {
    let peer = Peer::start(&[card(), says(1, "Hi")]);
    let tests: Vec<String> = (0..20).map(|n| format!("t{n:02}")).collect();
    let tests: Vec<(&str, &str)> = tests.iter().map(|id| (id.as_str(), ONE)).collect();
    let results = run(protocol(agent(&peer.host())), &tests).await;
    assert!(
        results.iter().all(|result| !result.status.is_failure()),
        "{}",
        shown(&results)
    );
    assert_eq!(peer.bodies().len(), 21);
}

#[tokio::test]
async fn a_message_of_its_own_making_is_sent_as_it_is() {
    let peer = Peer::start(&[card(), says(1, "Hi")]);
    let (_project, mut plan) = plan(protocol(agent(&peer.host())), &[("a", ONE)]);
    plan.tests[0].turns[0].action = TurnAction::Send(Box::new(TaskMessage {
        parts: super::json(
            json!([{"text": "For ${SHOP}"}, {"data": {"n": 1}}, {"raw": "aGk=", "mediaType": "text/plain"}]),
        ),
        metadata: Some(super::json(json!({"a": "${SHOP}"}))),
        task_id: Some(text("t7")),
        new_task: false,
        context_id: Some(text("c7")),
    }));
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 1 turns, 1 checks
        the agent answered in the context `c1` although `c7` was sent
    ");
    let turn = &results[0].turns[0].turn;
    assert_snapshot!(format!("{} {:?}", turn.kind, turn.user), @r#"a2a:send Some("For Corner")"#);
    let mut message = peer.bodies()[1]["params"]["message"].clone();
    message["messageId"] = "-".into();
    assert_snapshot!(message, @r#"{"messageId":"-","role":"ROLE_USER","parts":[{"text":"For Corner"},{"data":{"n":1}},{"raw":"aGk=","mediaType":"text/plain"}],"contextId":"c7","taskId":"t7","metadata":{"a":"Corner"}}"#);
}

#[tokio::test]
async fn an_agent_that_repeats_its_token_shows_it_nowhere() {
    let token = r#"{"access_token": "tok-fetched-1", "expires_in": 600}"#;
    let peer = Peer::start(&[
        respond("200 OK", "application/json", token),
        card(),
        says(1, "your token is tok-fetched-1"),
    ]);
    let target = A2aTarget {
        auth: Some(TargetAuth::ClientCredentials {
            token_url: Some(text(&format!("{}/token", peer.host()))),
            client_id: text("me"),
            client_secret: text("s3cret-of-mine"),
            scopes: Vec::new(),
        }),
        ..agent(&peer.host())
    };
    let results = run(protocol(target), &[("a", ONE)]).await;
    assert_snapshot!(results[0].turns[0].turn.text, @"your token is [redacted access_token]");
    let all = json!(results).to_string();
    assert!(
        !all.contains("tok-fetched-1") && !all.contains("s3cret"),
        "{all}"
    );
}

#[tokio::test]
async fn a_literal_token_is_shown_nowhere() {
    let peer = Peer::start(&[card(), says(1, "Bearer sk-literal-1")]);
    let target = A2aTarget {
        auth: Some(TargetAuth::Bearer(text("sk-literal-1"))),
        ..agent(&peer.host())
    };
    let results = run(protocol(target), &[("a", ONE)]).await;
    assert_snapshot!(results[0].turns[0].turn.text, @"Bearer [redacted key]");
    assert_eq!(
        peer.head_line("authorization"),
        "authorization: Bearer sk-literal-1"
    );
    assert!(!json!(results).to_string().contains("sk-literal-1"));
}

#[tokio::test]
async fn an_agent_whose_card_cannot_be_fetched_was_not_reached() {
    let (_project, plan) = plan(protocol(agent("http://127.0.0.1:9")), &[("a", ONE)]);
    let (results, _) = run_live(&plan, options()).await;
    assert_eq!(results[0].reach, Reach::Unreached);
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: the agent card: cannot connect to http://127.0.0.1:9: Connection refused (os error 111) · 1 turns, 0 checks");
}

#[tokio::test]
async fn settings_that_cannot_be_used_say_why() {
    let target = A2aTarget {
        auth: Some(TargetAuth::Mtls {
            cert: text("client.pem"),
            key: text("client.key"),
        }),
        ..agent("https://127.0.0.1:9")
    };
    let results = run(protocol(target), &[("a", ONE)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR auth.cert: `client.pem`: No such file or directory (os error 2) · 0 turns, 0 checks");
    let results = run(protocol(agent("ftp://shop")), &[("a", ONE)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR agentCardUrl: `ftp://shop` has the scheme `ftp`; http and https are supported · 0 turns, 0 checks");
    let target = A2aTarget {
        auth: Some(TargetAuth::Bearer(text("${NONE:-}"))),
        ..agent("http://127.0.0.1:9")
    };
    let results = run(protocol(target), &[("a", ONE)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR auth: `token` is empty once its references have their values · 0 turns, 0 checks");
}

#[tokio::test]
async fn an_agent_that_is_busy_is_asked_again() {
    let busy = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\nconnection: close\r\n\r\n";
    let peer = Peer::start(&[card(), busy.to_owned(), says(2, "Hi")]);
    let options = RunOptions {
        backoff: Some(std::time::Duration::from_secs(5)),
        ..options()
    };
    let results = run_with(protocol(agent(&peer.host())), &[("a", ONE)], options).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 1 turns, 1 checks
        the agent refused the request once because it was busy; it was sent again after waiting 500ms in all
    ");
}
