//! Requests as text over loopback, answers as text.

use std::sync::Arc;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::agent::{Agent, ScriptAgent};
use crate::engine::{Action, Reply};
use crate::input::RunInput;
use crate::script::Script;
use crate::spawn::RunningAgent;

/// Sends requests one after another, each on its own connection, and shows the answers.
pub(crate) fn talk(script: Value, requests: &[String]) -> String {
    let script: Script = serde_json::from_value(script).unwrap();
    talk_to(ScriptAgent::new(script), requests)
}

/// Sends requests to any agent.
pub(crate) fn talk_to(agent: impl Agent + 'static, requests: &[String]) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let agent = RunningAgent::start(Arc::new(agent)).await.unwrap();
        let mut shown = String::new();
        for request in requests {
            let answer =
                tokio::time::timeout(Duration::from_secs(10), exchange(agent.port(), request));
            shown.push_str(&answer.await.unwrap());
            shown.push('\n');
        }
        shown
    })
}

async fn exchange(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let end = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8(answer).unwrap().replace("\r\n", "\n");
    let mut shown: String = answer
        .lines()
        .filter(|line| !line.starts_with("date:"))
        .fold(String::new(), |all, line| all + line + "\n");
    if let Err(error) = end {
        shown.push('(');
        shown.push_str(&error.kind().to_string());
        shown.push_str(")\n");
    }
    shown
}

pub(crate) fn request(method: &str, path: &str, kind: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

pub(crate) fn post(path: &str, body: &Value) -> String {
    request(
        "POST",
        path,
        "application/json; charset=utf-8",
        &body.to_string(),
    )
}

fn run(run_id: &str) -> Value {
    json!({"threadId": "t1", "runId": run_id, "messages": []})
}

fn says_hi() -> Value {
    json!({"rules": [{"reply": [{"text": "Hi"}]}]})
}

#[test]
fn a_run_is_a_stream_of_events() {
    assert_snapshot!(talk(says_hi(), &[post("/some/agent", &run("r1"))]), @r#"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}


    4F
    data: {"type":"TEXT_MESSAGE_START","messageId":"msg-r1-1","role":"assistant"}


    4B
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-r1-1","delta":"Hi"}


    3A
    data: {"type":"TEXT_MESSAGE_END","messageId":"msg-r1-1"}


    3C
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}


    0
    "#);
}

#[test]
fn what_is_not_a_run_is_refused() {
    assert_snapshot!(talk(says_hi(), &[
        request("GET", "/", "application/json", ""),
        request("POST", "/", "text/plain", "{}"),
        request("POST", "/", "application/json", "{oops"),
        post("/", &json!({"threadId": "t1"})),
    ]), @r#"
    HTTP/1.1 405 Method Not Allowed
    content-type: application/json
    allow: POST
    content-length: 33
    connection: close

    {"error":"only POST is answered"}

    HTTP/1.1 415 Unsupported Media Type
    content-type: application/json
    content-length: 45
    connection: close

    {"error":"the body must be application/json"}

    HTTP/1.1 400 Bad Request
    content-type: application/json
    content-length: 73
    connection: close

    {"error":"the body is not JSON: key must be a string at line 1 column 2"}

    HTTP/1.1 422 Unprocessable Entity
    content-type: application/json
    content-length: 54
    connection: close

    {"error":"not a RunAgentInput: missing field `runId`"}
    "#);
}

#[test]
fn info_lists_the_agent() {
    assert_snapshot!(talk(says_hi(), &[
        request("GET", "/api/info", "text/plain", ""),
        post("/", &json!({"method": "info"})),
    ]), @r#"
    HTTP/1.1 200 OK
    content-type: application/json
    content-length: 72
    connection: close

    {"agents":{"default":{"name":"default","description":"scripted agent"}}}

    HTTP/1.1 200 OK
    content-type: application/json
    content-length: 72
    connection: close

    {"agents":{"default":{"name":"default","description":"scripted agent"}}}
    "#);
}

#[test]
fn connect_replays_the_runs_of_the_thread() {
    let rules = json!({"rules": [{"reply": [{"delay_ms": 1}, {"state": 1}]}]});
    assert_snapshot!(talk(rules, &[
        post("/", &json!({"method": "agent/connect", "body": run("c0")})),
        post("/", &json!({"method": "agent/run", "body": run("r1")})),
        post("/agent/shop/run", &run("r2")),
        post("/agent/shop/connect", &run("c1")),
    ]), @r#"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    0


    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}


    2E
    data: {"type":"STATE_SNAPSHOT","snapshot":1}


    3C
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}


    0


    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r2"}


    2E
    data: {"type":"STATE_SNAPSHOT","snapshot":1}


    3C
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}


    0


    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}


    2E
    data: {"type":"STATE_SNAPSHOT","snapshot":1}


    3C
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}


    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r2"}


    2E
    data: {"type":"STATE_SNAPSHOT","snapshot":1}


    3C
    data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}


    0
    "#);
}

#[test]
fn http_step_answers_instead() {
    let rules = json!({"rules": [{"reply": [{"http": {"status": 429, "headers": {"retry-after": "1"}, "body": "slow down"}}]}]});
    assert_snapshot!(talk(rules, &[post("/", &run("r1"))]), @"
    HTTP/1.1 429 Too Many Requests
    retry-after: 1
    content-length: 9
    connection: close

    slow down
    ");
    let rules =
        json!({"rules": [{"reply": [{"http": {"status": 200, "headers": {"bad name": "1"}}}]}]});
    assert_snapshot!(talk(rules, &[post("/", &run("r1"))]), @r#"
    HTTP/1.1 500 Internal Server Error
    content-type: application/json
    content-length: 75
    connection: close

    {"error":"the script's `http` step is not valid: invalid HTTP header name"}
    "#);
}

#[test]
fn truncation_ends_the_body_cleanly() {
    let rules = json!({"rules": [{"reply": ["truncate"]}]});
    assert_snapshot!(talk(rules, &[post("/", &run("r1"))]), @r#"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}


    0
    "#);
}

#[test]
fn a_reset_comes_after_what_was_sent() {
    let rules = json!({"rules": [{"reply": ["reset"]}]});
    assert_snapshot!(talk(rules, &[post("/", &run("r1"))]), @r#"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    3B
    data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}


    (connection reset)
    "#);
}

/// An agent that always does the same.
#[derive(Debug)]
struct Plays(Vec<Action>);

impl Agent for Plays {
    fn reply(&self, _input: &RunInput) -> Reply {
        Reply::Stream(self.0.clone())
    }
}

/// Sends a request to an agent that does `actions`; returns the answer and how long it took.
fn played(actions: Vec<Action>) -> (String, Duration) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let agent = RunningAgent::start(Arc::new(Plays(actions))).await.unwrap();
        let since = Instant::now();
        let request = post("/", &run("r1"));
        let answer = exchange(agent.port(), &request);
        let answer = tokio::time::timeout(Duration::from_secs(10), answer).await;
        (answer.unwrap(), since.elapsed())
    })
}

#[test]
fn many_short_waits_take_as_long_as_they_say() {
    let delta = [
        Action::Wait(Duration::from_micros(25)),
        Action::Send("data: {}\n\n".into()),
    ];
    let (_, took) = played(delta.iter().cycle().take(2 * 2000).cloned().collect());
    // One timer for each would take two seconds at least.
    assert!(took >= Duration::from_millis(49), "{took:?}");
    assert!(took < Duration::from_millis(1000), "{took:?}");
}

#[test]
fn a_connection_can_close_in_the_middle() {
    let (answer, _) = played(vec![Action::Send("data: {}\n\n".into()), Action::Close]);
    assert_snapshot!(answer, @"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    cache-control: no-cache
    connection: close
    transfer-encoding: chunked

    A
    data: {}
    ");
}

#[test]
fn pages_reach_a_local_agent_by_local_names_only() {
    let status = |host: &str, more: &str| {
        let request = post("/", &run("r1")).replace("host: x", &format!("host: {host}{more}"));
        let answer = talk(says_hi(), &[request]);
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    let page = "\r\norigin: http://evil.example";
    let same = "\r\nsec-fetch-site: same-origin";
    for host in [
        "localhost:8000",
        "LOCALHOST",
        "127.0.0.1:8000",
        "[::1]:8000",
        "[::1]",
    ] {
        assert_eq!(status(host, page), "200", "{host}");
    }
    for host in [
        "evil.example:8000",
        "localhost.evil.example",
        "10.0.0.1",
        "[fe80::1]",
        "",
    ] {
        assert_eq!(status(host, page), "421", "{host}");
        assert_eq!(status(host, same), "421", "{host}");
        assert_eq!(status(host, ""), "200", "no browser, {host}");
    }
}

#[test]
fn dropping_the_agent_cuts_a_stalled_stream() {
    let script: Script = serde_json::from_value(json!({"rules": [{"reply": ["stall"]}]})).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let agent = RunningAgent::start(Arc::new(ScriptAgent::new(script)))
            .await
            .unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", agent.port()))
            .await
            .unwrap();
        stream
            .write_all(post("/", &run("r1")).as_bytes())
            .await
            .unwrap();
        let mut first = [0];
        stream.read_exact(&mut first).await.unwrap();
        drop(agent);
        let mut rest = Vec::new();
        let end =
            tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await;
        assert!(end.is_ok(), "the stream is still open");
        assert!(String::from_utf8(rest).unwrap().contains("RUN_STARTED"));
    });
}

#[test]
fn half_a_request_does_not_keep_the_server_alive() {
    let script: Script = serde_json::from_value(says_hi()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let agent = RunningAgent::start(Arc::new(ScriptAgent::new(script)))
            .await
            .unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", agent.port()))
            .await
            .unwrap();
        stream
            .write_all(b"POST / HTTP/1.1\r\ncontent-le")
            .await
            .unwrap();
        let stopped = tokio::time::timeout(Duration::from_secs(10), agent.stop()).await;
        assert!(stopped.is_ok(), "the server still waits");
    });
}
