//! Chat endpoints as the agents of tests.

use std::time::Duration;

use ananke_model::plan::{KeyHeader, OpenAiTarget, Protocol};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{Peer, chat, plan, respond, run, run_with, streamed, system, text};
use crate::dispatch::RunOptions;
use crate::testing::{options, run_live, shown};

const TWO_TURNS: &str = "turns: [{user: Hello}, {user: Bye}]\nassert: {text: {must_match: 'Hi'}}\n";
const ONE_TURN: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: 'Hi'}}\n";

fn says(text: &str) -> String {
    streamed(&[&json!({"content": text}).to_string()])
}

fn protocol(chat: OpenAiTarget) -> Protocol {
    Protocol::OpenAi(Box::new(chat))
}

#[tokio::test]
async fn prompts_come_first_and_the_conversation_follows() {
    let peer = Peer::start(&[says("Hi there"), says("See you")]);
    let target = OpenAiTarget {
        prompts: vec![system("You sell for ${SHOP}; asked: {{input}}.", false)],
        parameters: Some(super::json(json!({"temperature": 0}))),
        ..chat(&peer)
    };
    let results = run(protocol(target), &[("a", TWO_TURNS)]).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 2 turns, 1 checks");
    let bodies = peer.bodies();
    assert_snapshot!(bodies[0], @r#"{"model":"m-1","messages":[{"role":"system","content":"You sell for Corner; asked: Hello."},{"role":"user","content":"Hello"}],"stream":true,"stream_options":{"include_usage":true},"temperature":0}"#);
    assert_snapshot!(bodies[1]["messages"], @r#"[{"role":"system","content":"You sell for Corner; asked: Bye."},{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi there"},{"role":"user","content":"Bye"}]"#);
    assert_eq!(
        peer.head_line("authorization"),
        "authorization: Bearer sk-secret-1"
    );
    let turn = &results[0].turns[0].turn;
    assert_eq!(turn.requests[0], bodies[0]);
    assert_snapshot!(turn.usage[0], @r#"{"total_tokens":7}"#);
}

#[tokio::test]
async fn the_prompts_of_a_folder_know_who_asks_and_when() {
    let peer = Peer::start(&[says("Hi")]);
    let target = OpenAiTarget {
        prompts: vec![system(
            "$CTX.USER_ID of $CTX.TEAM_ID, $CTX.tier, $SYS.DATE, ${SHOP}",
            true,
        )],
        ..chat(&peer)
    };
    let (project, _) = plan(protocol(target.clone()), &[("a", ONE_TURN)]);
    let mut plan = project.case(json!([{"role": "user", "content": "Hello"}]), &[]);
    plan.tests[0].target = super::target(protocol(target));
    let case = std::sync::Arc::make_mut(plan.tests[0].case.as_mut().unwrap());
    case.identity.user_id = "u-1".to_owned();
    case.options
        .insert("metadata".to_owned(), json!({"tier": "gold"}));
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 1 turns, 1 checks");
    assert_snapshot!(peer.bodies()[0]["messages"][0]["content"], @r#""u-1 of test-team, gold, 2026-11-15, ${SHOP}""#);
}

#[tokio::test]
async fn keys_go_where_the_target_says() {
    let head = async |key_header: KeyHeader, line: &str| {
        let peer = Peer::start(&[says("Hi")]);
        let target = OpenAiTarget {
            key_header,
            ..chat(&peer)
        };
        run(protocol(target), &[("a", ONE_TURN)]).await;
        peer.head_line(line)
    };
    assert_eq!(
        head(KeyHeader::ApiKey, "api-key").await,
        "api-key: sk-secret-1"
    );
    assert_eq!(
        head(KeyHeader::XApiKey, "x-api-key").await,
        "x-api-key: sk-secret-1"
    );
    assert_eq!(head(KeyHeader::XApiKey, "authorization").await, "none");
}

#[tokio::test]
async fn what_keeps_an_endpoint_from_being_used_is_said() {
    let error = async |change: fn(&mut OpenAiTarget)| {
        let peer = Peer::start(&[says("Hi")]);
        let mut target = chat(&peer);
        change(&mut target);
        shown(&run(protocol(target), &[("a", ONE_TURN)]).await)
    };
    assert_snapshot!(error(|chat| chat.key = Some(text("${ENV.NONE:-}"))).await, @"the a test: ERROR `key` is empty: leave it out if the endpoint needs none · 0 turns, 0 checks");
    assert_snapshot!(error(|chat| chat.host = text("api.example")).await, @"the a test: ERROR host: `api.example` is not a URL: begin it with `https://` or `http://` · 0 turns, 0 checks");
    assert_snapshot!(error(|chat| chat.model = text("${MODEL}")).await, @"the a test: ERROR no value for ${MODEL} (ananke.config.yaml:1): known are SHOP · 0 turns, 0 checks");
}

fn refused(status: &str, message: &str) -> String {
    let body = json!({"error": {"message": message, "code": "c"}});
    respond(status, "application/json", &body.to_string())
}

#[tokio::test]
async fn refusals_are_the_tests_errors_without_the_key() {
    let peer = Peer::start(&[refused("401 Unauthorized", "wrong key sk-secret-1")]);
    let results = run(protocol(chat(&peer)), &[("a", ONE_TURN)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: HTTP 401 Unauthorized: wrong key [redacted] (c); is the key right? · 1 turns, 0 checks");
}

#[tokio::test]
async fn busy_endpoints_are_asked_again_if_that_is_wanted() {
    let answers = [refused("429 Too Many Requests", "slow down"), says("Hi")];
    let peer = Peer::start(&answers);
    let results = run(protocol(chat(&peer)), &[("a", ONE_TURN)]).await;
    assert_snapshot!(shown(&results), @"
    the a test: ERROR turn 1: HTTP 429 Too Many Requests: slow down (c) · 1 turns, 0 checks
        --backoff 30s waits and sends again
    ");
    let peer = Peer::start(&answers);
    let options = RunOptions {
        backoff: Some(Duration::from_secs(5)),
        ..options()
    };
    let results = run_with(protocol(chat(&peer)), &[("a", ONE_TURN)], options).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 1 turns, 1 checks
        the agent refused the request once because it was busy; it was sent again after waiting 500ms in all
    ");
    // One user message, not two.
    assert_eq!(
        peer.bodies()[1]["messages"].as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn attached_files_are_recorded_by_what_they_are() {
    let peer = Peer::start(&[says("Hi")]);
    let target = protocol(chat(&peer));
    let (project, _) = plan(target.clone(), &[("a", ONE_TURN)]);
    project.write("image.png", &"x".repeat(9000));
    let source = json!({"type": "data", "value": "", "mimeType": "image/png"});
    let content = json!([{"type": "text", "text": "Look"}, {"type": "image", "source": source}]);
    let mut plan = project.case(
        json!([{"role": "user", "content": content}]),
        &[("image.png", 0, 1)],
    );
    plan.tests[0].target = super::target(target);
    let (results, _) = run_live(&plan, options()).await;
    let url = |body: &Value| {
        let url = &body["messages"][0]["content"][1]["image_url"]["url"];
        url.as_str().unwrap().to_owned()
    };
    assert_eq!(
        url(&peer.bodies()[0]).len(),
        "data:image/png;base64,".len() + 12_000
    );
    let recorded = url(&results[0].turns[0].turn.requests[0]);
    assert!(
        recorded.starts_with("data:image/png;base64,[9000 bytes, sha256 "),
        "{recorded}"
    );
}
