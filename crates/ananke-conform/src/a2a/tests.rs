//! The driver and the rules of A2A: the embedded agent, and servers that misbehave.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_model::conformance::{ScenarioPlan, ScenarioSetup};
use ananke_serve::shop::{Shop, ShopBehavior};
use ananke_serve::spawn::RunningAgent;
use ananke_testkit::{RawServer, hold, http_response};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::drive;
use crate::case::Case;
use crate::rpc::testing::{show, target};
use crate::rule::Profile;

fn run(url: &str, profile: Option<Profile>, plan: &ScenarioPlan) -> (Case, Profile) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut target = target(url);
    target.headers = vec![("authorization".to_owned(), "Bearer secret".to_owned())];
    let driven = runtime.block_on(drive(&target, profile, plan, &|_| ()));
    driven.unwrap()
}

#[test]
fn the_embedded_agent_breaks_nothing_in_both_versions() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let shop = Shop {
        behavior: ShopBehavior::Healthy,
    };
    let agent = runtime
        .block_on(RunningAgent::start(Arc::new(shop)))
        .unwrap();
    let (case, profile) = run(&agent.url, None, &ScenarioPlan::default());
    assert_eq!(profile, Profile::A2a);
    let shown = show(&case, profile);
    assert_snapshot!(shown, @"
    card Yes: the agent has a card
    hello Yes: a task that ended
    stream Yes: a task that ended
    continue No: no prompts are given: `scenarios: {continue: {prompts: [what makes it ask, the answer]}}`
    probes Yes: unusual requests were sent
    ");
    let (case, profile) = run(&agent.url, Some(Profile::A2aOld), &ScenarioPlan::default());
    assert_eq!(show(&case, profile), shown);
}

/// An agent whose card is `card` and whose answers are all `answer`.
fn agent(card: Value, answer: Value) -> RawServer {
    RawServer::start(move |_, request, stream| {
        let body = if request.line.contains("agent-card.json") {
            card.to_string()
        } else {
            answer.to_string()
        };
        let response = http_response("200 OK", "application/json", &body);
        stream.write_all(response.as_bytes()).ok();
    })
}

#[test]
fn a_card_that_lies_gets_no_token_and_is_told() {
    let elsewhere = agent(json!({}), json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    let card = json!({
        "name": "Liar", "description": "", "version": "1", "capabilities": {},
        "defaultInputModes": [], "defaultOutputModes": [], "skills": [],
        "supportedInterfaces": [
            {"url": elsewhere.url(), "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
        ],
    });
    let server = agent(card, json!({}));
    let (case, profile) = run(&server.url(), None, &ScenarioPlan::default());
    let shown = show(&case, profile).replace(&elsewhere.url(), "ELSEWHERE");
    assert_snapshot!(shown, @"
    card Yes: the agent has a card
    hello No: expected a task or a message, saw a result
    stream No: the card does not say `capabilities.streaming: true`
    continue No: no prompts are given: `scenarios: {continue: {prompts: [what makes it ask, the answer]}}`
    probes Yes: unusual requests were sent
    a2a.id-echo MUST: unknown task: expected the id 2, saw 1
    a2a.id-echo MUST: unknown method: expected the id 3, saw 1
    a2a.id-echo MUST: bad parameters: expected the id 5, saw 1
    a2a.id-echo MUST: unknown version: expected the id 6, saw 1
    a2a.result-kind MUST: send: expected a task or a message, but it is empty
    a2a.unknown-task MUST: unknown task: expected the error -32001, saw a result
    a2a.unknown-method MUST: unknown method: expected the error -32601, saw a result
    a2a.bad-json MUST: bad JSON: expected the error -32700, saw a result
    a2a.bad-params MUST: bad parameters: expected the error -32602, saw a result
    a2a.unknown-version MUST: unknown version: expected the error -32009, saw a result
    the agent is at `ELSEWHERE`, which is another origin: your headers and tokens were not sent there
    ");
    let has_token = |server: &RawServer| {
        let requests = server.requests();
        requests
            .iter()
            .any(|request| request.header("authorization").is_some())
    };
    assert!(has_token(&server));
    assert!(!has_token(&elsewhere));
}

#[test]
fn without_a_card_the_address_itself_is_asked() {
    let server = RawServer::start(|_, request, stream| {
        let response = match request.line.starts_with("GET") {
            true => http_response("404 Not Found", "text/html", "<h1>?</h1>"),
            false => http_response("500 Internal Server Error", "text/plain", "oops"),
        };
        stream.write_all(response.as_bytes()).ok();
    });
    let (case, profile) = run(&server.url(), None, &ScenarioPlan::default());
    assert_snapshot!(show(&case, profile), @"
    card No: there is no card
    hello No: expected a task or a message, saw status 500 and no JSON-RPC response
    stream No: expected a task or a message, saw status 500 and no JSON-RPC response
    continue No: no prompts are given: `scenarios: {continue: {prompts: [what makes it ask, the answer]}}`
    probes Yes: unusual requests were sent
    a2a.card-found MUST: card: expected status 200 and the card, saw status 404
    a2a.content-type MUST: send: expected `application/json`, saw `text/plain` with status 500
    a2a.content-type MUST: stream: expected `application/json`, saw `text/plain` with status 500
    a2a.content-type MUST: unknown task: expected `application/json`, saw `text/plain` with status 500
    a2a.content-type MUST: unknown method: expected `application/json`, saw `text/plain` with status 500
    a2a.content-type MUST: bad JSON: expected `application/json`, saw `text/plain` with status 500
    a2a.content-type MUST: bad parameters: expected `application/json`, saw `text/plain` with status 500
    a2a.content-type MUST: unknown version: expected `application/json`, saw `text/plain` with status 500
    a2a.envelope MUST: send: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.envelope MUST: stream: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.envelope MUST: unknown task: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.envelope MUST: unknown method: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.envelope MUST: bad JSON: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.envelope MUST: bad parameters: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.envelope MUST: unknown version: expected a response of JSON-RPC, saw no JSON: expected value at line 1 column 1
    a2a.answered MUST: send: expected a response, saw status 500 and no JSON-RPC response
    a2a.answered MUST: stream: expected a response, saw status 500 and no JSON-RPC response
    a2a.unknown-task MUST: unknown task: expected the error -32001, saw status 500 and no JSON-RPC response
    a2a.unknown-method MUST: unknown method: expected the error -32601, saw status 500 and no JSON-RPC response
    a2a.bad-json MUST: bad JSON: expected the error -32700, saw status 500 and no JSON-RPC response
    a2a.bad-params MUST: bad parameters: expected the error -32602, saw status 500 and no JSON-RPC response
    a2a.unknown-version MUST: unknown version: expected the error -32009, saw status 500 and no JSON-RPC response
    ");
}

#[test]
fn a_silent_agent_takes_little_time() {
    let server = RawServer::start(|_, request, stream| {
        if request.line.starts_with("GET") {
            let response = http_response("404 Not Found", "text/plain", "");
            stream.write_all(response.as_bytes()).ok();
        } else {
            hold(stream, Duration::from_secs(30));
        }
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut target = target(&server.url());
    target.timeout = Duration::from_millis(300);
    let started = Instant::now();
    let driven = runtime.block_on(drive(&target, None, &ScenarioPlan::default(), &|_| ()));
    assert!(started.elapsed() < Duration::from_secs(3));
    let (case, profile) = driven.unwrap();
    assert_snapshot!(show(&case, profile), @"
    card No: there is no card
    hello No: expected a task or a message, saw no answer: nothing came in 300 ms
    stream No: expected a task or a message, saw no answer: nothing came in 300 ms
    continue No: not tried, because 2 requests got no answer, or none that ended
    probes No: not tried, because 2 requests got no answer, or none that ended
    a2a.card-found MUST: card: expected status 200 and the card, saw status 404
    a2a.answered MUST: send: expected a response, saw no answer: nothing came in 300 ms
    a2a.answered MUST: stream: expected a response, saw no answer: nothing came in 300 ms
    ");
}

#[test]
fn scenarios_can_be_left_out() {
    let off = ScenarioSetup {
        is_off: true,
        ..ScenarioSetup::default()
    };
    let given =
        ["hello", "stream", "continue", "probes"].map(|name| (name.to_owned(), off.clone()));
    let plan = ScenarioPlan {
        given: given.into_iter().collect(),
    };
    let server = agent(json!([]), json!({}));
    let (case, profile) = run(&server.url(), Some(Profile::A2aOld), &plan);
    assert_snapshot!(show(&case, profile), @"
    card No: there is no card
    hello Off: switched off
    stream Off: switched off
    continue Off: switched off
    probes Off: switched off
    a2a.card-json MUST: card: expected an object, saw a list
    ");
    assert_eq!(server.n_connections(), 1);
}
