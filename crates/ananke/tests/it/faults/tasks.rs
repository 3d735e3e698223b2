//! A2A agents that misbehave: cards that lie, answers that are no answers, streams that stop.

use std::io::Write as _;
use std::time::Duration;

use ananke_testkit::{RawServer, chunked, hold, http_response, ok_sse_headers};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::Fault;

fn card(url: &str) -> Value {
    json!({
        "name": "agent", "description": "an agent", "version": "1", "skills": [],
        "capabilities": {"streaming": true}, "defaultInputModes": ["text"], "defaultOutputModes": ["text"],
        "supportedInterfaces": [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    })
}

/// Serves a card that leads back to the server, and answers messages with what `answer` makes of the request's id.
fn agent(answer: impl Fn(&Value) -> String + Send + Sync + 'static) -> RawServer {
    RawServer::start(move |_, request, stream| {
        let host = request.header("host").unwrap_or_default();
        let text = if request.line.starts_with("GET") {
            let card = card(&format!("http://{host}/a2a"));
            http_response("200 OK", "application/json", &card.to_string())
        } else {
            answer(&request.json()["id"])
        };
        stream.write_all(text.as_bytes()).ok();
    })
}

fn streamed(id: &Value, results: &[Value]) -> String {
    let events = results.iter().map(|result| {
        let event = json!({"jsonrpc": "2.0", "id": id, "result": result});
        format!("data: {event}\n\n")
    });
    format!("{}{}", ok_sse_headers(), events.collect::<String>())
}

fn working() -> Value {
    json!({"task": {"id": "t", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}})
}

fn said(text: &str) -> Value {
    let artifact = json!({"artifactId": "a", "parts": [{"text": text}]});
    json!({"artifactUpdate": {"taskId": "t", "contextId": "c", "artifact": artifact}})
}

fn completed() -> Value {
    let status = json!({"state": "TASK_STATE_COMPLETED"});
    json!({"statusUpdate": {"taskId": "t", "contextId": "c", "status": status}})
}

#[test]
fn a_good_agent_passes() {
    let server = agent(|id| streamed(id, &[working(), said("Hello"), completed()]));
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 3 events, text "Hello"
    "#);
}

#[test]
fn a_card_that_cannot_be_reached() {
    assert_snapshot!(Fault::card_at("http://127.0.0.1:1").shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent card: cannot connect to http://[HOST]: Connection refused
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_card_that_is_not_there() {
    let server = RawServer::start(|_, _, stream| {
        let answer = http_response("404 Not Found", "text/plain", "nothing here");
        stream.write_all(answer.as_bytes()).ok();
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent card: HTTP 404 from http://[HOST]/.well-known/agent-card.json: nothing here
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn a_card_that_is_none() {
    let server = RawServer::start(|_, _, stream| {
        let answer = http_response("200 OK", "text/html", "<html>welcome</html>");
        stream.write_all(answer.as_bytes()).ok();
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent card: http://[HOST]/.well-known/agent-card.json is not a JSON object; it begins: <html>welcome</html>
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (bad_event), 0 events, text ""
    "#);
}

#[test]
fn a_card_that_leads_elsewhere_gets_nothing_there() {
    let other = agent(|id| streamed(id, &[working(), said("Hello"), completed()]));
    let url = other.url();
    let server = RawServer::start(move |_, _, stream| {
        let answer = http_response("200 OK", "application/json", &card(&url).to_string());
        stream.write_all(answer.as_bytes()).ok();
    });
    let fault = Fault::card_at(&server.url()).target("auth: {scheme: bearer, token: secret-token}");
    assert_snapshot!(fault.shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent card of http://[HOST] names `http://[HOST]/`: the same host, but another scheme or port; set `endpoint` to where the agent answers, or `allowOtherOrigin: true` if it is right
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
    assert_eq!(other.requests(), []);
}

#[test]
fn a_card_that_names_an_address_of_nobody() {
    let server = RawServer::start(move |_, _, stream| {
        let card = card("http://0.0.0.0:1/");
        let answer = http_response("200 OK", "application/json", &card.to_string());
        stream.write_all(answer.as_bytes()).ok();
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent card of http://[HOST] names `http://0.0.0.0:1/`, an address inside of the server's own machine; set `endpoint` to where the agent answers, or `allowOtherOrigin: true` if it is right
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_card_without_end() {
    let server = RawServer::start(|_, _, stream| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes()).ok();
        let piece = chunked(&" ".repeat(1 << 16));
        while stream.write_all(piece.as_bytes()).is_ok() {}
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent card: the answer is larger than 1048576 bytes
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    "#);
}

#[test]
fn a_card_that_never_comes() {
    let server = RawServer::start(|_, _, stream| hold(stream, Duration::from_secs(30)));
    assert_snapshot!(Fault::card_at(&server.url()).timeout_ms(300).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): the agent card: http://[HOST] did not answer in time
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn a_redirect_to_another_origin_is_not_followed() {
    let server = agent(|_| {
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://localhost:1/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            .to_owned()
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 307 Temporary Redirect: a redirect to another origin, `http://localhost:1/`, is not followed: headers may hold credentials; use that URL as endpoint if it is right
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_stream_that_ends_without_a_final_state() {
    let server = agent(|id| streamed(id, &[working(), said("Hello")]));
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before the task did, after 2 events; the last state is `working`
         captured in turn 1: 2 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (truncated), 2 events, text "Hello"
    "#);
}

#[test]
fn a_stream_that_is_empty() {
    let server = agent(|id| streamed(id, &[]));
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer is empty: the server sent no event at all
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (empty), 0 events, text ""
    "#);
}

#[test]
fn a_stream_that_stops_in_the_middle_and_stays_open() {
    let server = RawServer::start(|_, request, stream| {
        let text = streamed(&request.json()["id"], &[working(), said("Hel")]);
        stream.write_all(text.as_bytes()).ok();
        hold(stream, Duration::from_secs(30));
    });
    assert_snapshot!(Fault::tasks_at(&server.url()).timeout_ms(300).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 2 events came before, the last state is `working`
         captured in turn 1: 2 events, no tool call, text:
         │ Hel
    --- json
    timeout
    turn 1: broken (timeout), 2 events, text "Hel"
    "#);
}

#[test]
fn an_artifact_that_comes_twice_is_said_once() {
    let server = agent(|id| {
        streamed(
            id,
            &[
                working(),
                said("Hel"),
                said("Hello"),
                said("Hello"),
                completed(),
            ],
        )
    });
    assert_snapshot!(Fault::card_at(&server.url()).demands("text: {must_match: \"^Hello$\"}").shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    "#);
}

#[test]
fn an_error_of_json_rpc_comes_with_status_200() {
    let server = agent(|id| {
        let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "the model is gone"}});
        http_response("200 OK", "application/json", &error.to_string())
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent ended with an error: the model is gone (-32603)
         captured in turn 1: 1 event, no tool call, no text
    --- json
    error
    turn 1: run_error, 1 events, text ""
    "#);
}

#[test]
fn an_error_that_was_expected_passes() {
    let server = agent(|id| {
        let error = json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "the model is gone"}});
        http_response("200 OK", "application/json", &error.to_string())
    });
    assert_snapshot!(Fault::card_at(&server.url()).demands("error: model is gone").shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: run_error, 1 events, text ""
    "#);
}

#[test]
fn an_answer_to_another_request_is_no_answer() {
    let server = agent(|_| streamed(&json!("another"), &[working(), said("Hello"), completed()]));
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
      ⚠ 1 warning (a response has the id "another" although the request had 1)
    --- json
    passed
    turn 1: finished, 3 events, text "Hello"
    warning: a response has the id "another" although the request had 1
    "#);
}

#[test]
fn events_that_are_no_json() {
    let server = agent(|_| format!("{}data: {{oops\n\n", ok_sse_headers()));
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 0 cannot be read: it is not JSON: {oops
         captured in turn 1: 1 event, no tool call, no text
    --- json
    error
    turn 1: broken (bad_event), 1 events, text ""
    "#);
}

#[test]
fn a_task_that_failed() {
    let server = agent(|id| {
        let message =
            json!({"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "no seats left"}]});
        let status = json!({"state": "TASK_STATE_FAILED", "message": message});
        let failed = json!({"statusUpdate": {"taskId": "t", "contextId": "c", "status": status}});
        streamed(id, &[working(), failed])
    });
    assert_snapshot!(Fault::card_at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the agent ended with an error: no seats left (failed)
         captured in turn 1: 2 events, no tool call, text:
         │ no seats left
    --- json
    error
    turn 1: run_error, 2 events, text "no seats left"
    "#);
}

#[test]
fn a_secret_that_is_cut_in_the_middle_is_hidden_all_the_same() {
    const TOKEN: &str = "Sekretvaluewithfortycharacters0123456789";
    for n_before in [165, 175, 185] {
        let answer = format!("{}{TOKEN}{}", "x".repeat(n_before), "y".repeat(500));
        let answer = http_response("401 Unauthorized", "text/plain", &answer);
        let server = RawServer::start(move |_, _, stream| {
            stream.write_all(answer.as_bytes()).ok();
        });
        let auth = format!("auth: {{scheme: bearer, token: {TOKEN}}}");
        let fault = Fault::card_at(&server.url()).target(&auth);
        let shown = fault.shown();
        assert!(!shown.contains("Sekr"), "{shown}");
    }
}
