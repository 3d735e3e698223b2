//! Servers that speak streamable HTTP, in both eras, on a loopback port.

use std::io::Write as _;
use std::net::TcpListener;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::fake::{Do, call, error, legacy, modern, options, result, shown, text};
use super::loopback::{asked, endpoint};
use crate::mcp::options::McpTransport;
use crate::mcp::session::McpSession;

/// An answer: the lines that follow the status, and the body.
struct Answer {
    status: u16,
    head: &'static str,
    body: String,
}

/// An answer of JSON, or none.
fn json_answer(status: u16, done: Do) -> Answer {
    let body = match done {
        Do::Say(said) => said.concat(),
        Do::Leave => String::new(),
    };
    Answer {
        status: if body.is_empty() && status == 200 {
            202
        } else {
            status
        },
        head: "content-type: application/json",
        body,
    }
}

/// Starts a server that answers every message by itself.
fn start(mut server: impl FnMut(&Value) -> Answer + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/mcp", listener.local_addr().unwrap());
    // It ends with the test's process.
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let asked = asked(&connection);
            assert_eq!(asked.key, "secret");
            let Answer { status, head, body } = if asked.method == "POST" {
                server(&asked.message())
            } else {
                json_answer(405, Do::Leave)
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status} X\r\n{head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            connection.write_all((head + &body).as_bytes()).ok();
        }
    });
    address
}

async fn called(url: String) -> String {
    let mut options = options();
    options.transport = McpTransport::Http(endpoint(format!("{url}?key=hidden")));
    let mut session = McpSession::new(options);
    let turn = call(&mut session, "say", json!({})).await;
    session.close().await;
    let shown = shown(&turn).replace(&url, "http://server/mcp");
    format!("{} {shown}", turn.server["protocolVersion"])
}

fn answer(message: &Value) -> Do {
    Do::Say(vec![result(message, &text("over HTTP"))])
}

#[tokio::test]
async fn both_eras_are_spoken() {
    let old = start(|message| {
        let status = if message["method"] == "server/discover" {
            400
        } else {
            200
        };
        json_answer(status, legacy(message, answer))
    });
    assert_snapshot!(called(old).await, @r#"
    "2025-11-25" mcp:call finished
    text: "over HTTP"
    call: say({}) = over HTTP
    "#);
    let new = start(|message| json_answer(200, modern(message, answer)));
    assert_snapshot!(called(new).await, @r#"
    "2026-07-28" mcp:call finished
    text: "over HTTP"
    call: say({}) = over HTTP
    "#);
}

#[tokio::test]
async fn a_refusal_names_its_status() {
    let locked = start(|_| json_answer(401, Do::Leave));
    assert_snapshot!(called(locked).await, @"null mcp:call broken, HttpStatus: HTTP 401 Unauthorized from http://server/mcp; is `auth` right?");
    let not_there = start(|_| json_answer(404, Do::Leave));
    assert_snapshot!(called(not_there).await, @"null mcp:call broken, HttpStatus: HTTP 404 Not Found from http://server/mcp");
    let broken = start(|message| {
        let status = if message["method"] == "tools/call" {
            500
        } else {
            200
        };
        json_answer(status, modern(message, |_| Do::Leave))
    });
    assert_snapshot!(called(broken).await, @r#"
    "2026-07-28" mcp:call broken, HttpStatus: HTTP 500 Internal Server Error from http://server/mcp
    call: say({}) without an end
    "#);
}

/// Answers a call with `answer`, and everything else as it should be.
fn calling(answer: impl Fn(&Value) -> Answer + Send + 'static) -> String {
    start(move |message| match message["method"].as_str() {
        Some("tools/call") => answer(message),
        _ => json_answer(200, modern(message, |_| Do::Leave)),
    })
}

#[tokio::test]
async fn an_answer_may_be_a_stream() {
    let url = calling(|message| {
        let token = &message["params"]["_meta"]["progressToken"];
        let progress = json!({"progressToken": token, "progress": 1});
        let progress =
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress});
        let odd = json!({"content": [{"type": "text", "text": "done", "depth": 3}], "extra": 1});
        let answer = result(message, &odd);
        Answer {
            status: 200,
            head: "content-type: text/event-stream; charset=utf-8",
            body: format!(
                "id: 1\ndata:\n\ndata: {progress}\n\ndata: junk\n\nevent: message\ndata: {answer}\n\n"
            ),
        }
    });
    assert_snapshot!(called(url).await, @r#"
    "2026-07-28" mcp:call finished
    text: "done"
    call: say({}) = done
    note: the server sent something that is no message: `junk`
    "#);
}

#[tokio::test]
async fn what_is_no_answer_is_said() {
    let with = |status, head, body: &'static str| {
        calling(move |_| Answer {
            status,
            head,
            body: body.to_owned(),
        })
    };
    let html = with(200, "content-type: text/html", "<p>Hi");
    assert_snapshot!(called(html).await, @r#"
    "2026-07-28" mcp:call broken, ContentType: the server answers with `text/html`, which is neither JSON nor an event stream
    call: say({}) without an end
    "#);
    let moved = with(307, "location: http://elsewhere.example/mcp?key=1", "");
    assert_snapshot!(called(moved).await, @r#"
    "2026-07-28" mcp:call broken, Redirect: HTTP 307 Temporary Redirect from http://server/mcp to `http://elsewhere.example/mcp`, which is not followed
    call: say({}) without an end
    "#);
    let busy = with(503, "content-type: text/plain", "come back later");
    assert_snapshot!(called(busy).await, @r#"
    "2026-07-28" mcp:call broken, HttpStatus: HTTP 503 Service Unavailable from http://server/mcp: come back later
    call: say({}) without an end
    "#);
    let junk = with(200, "content-type: application/json", "[]");
    assert_snapshot!(called(junk).await, @r#"
    "2026-07-28" mcp:call broken, BadEvent: the answer is no message: `[]`
    call: say({}) without an end
    note: the server sent something that is no message: `[]`
    "#);
    let cut = with(200, "content-type: text/event-stream", "data: {\"jsonrpc\"");
    assert_snapshot!(called(cut).await, @r#"
    "2026-07-28" mcp:call broken, Transport: the connection closed before the answer came
    call: say({}) without an end
    "#);
}

#[tokio::test]
async fn an_error_counts_whatever_its_status() {
    let url = calling(|message| {
        let said = error(message, -32602, "unknown tool");
        json_answer(400, Do::Say(vec![said]))
    });
    assert_snapshot!(called(url).await, @r#"
    "2026-07-28" mcp:call error -32602: unknown tool
    call: say({}) = None, error "unknown tool"
    "#);
    let url = calling(|_| {
        let said = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "no session"}});
        json_answer(400, Do::Say(vec![said.to_string()]))
    });
    assert_snapshot!(called(url).await, @r#"
    "2026-07-28" mcp:call broken, HttpStatus: HTTP 400 Bad Request from http://server/mcp: no session
    call: say({}) without an end
    "#);
}

#[tokio::test]
async fn answers_have_limits() {
    let large = calling(|message| {
        json_answer(
            200,
            Do::Say(vec![result(message, &text(&"x".repeat(2 << 20)))]),
        )
    });
    assert_snapshot!(called(large).await, @r#"
    "2026-07-28" mcp:call broken, Limit: the server sent a message of more than 1048576 bytes (limits.event_bytes)
    call: say({}) without an end
    "#);
    let stream = calling(|_| {
        let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "y".repeat(1000)}});
        Answer {
            status: 200,
            head: "content-type: text/event-stream",
            body: format!("data: {log}\n\n").repeat(5000),
        }
    });
    let told = called(stream).await;
    assert_snapshot!(told.lines().next().unwrap(), @r#""2026-07-28" mcp:call broken, Limit: the server sent more than 4194304 bytes (limits.turn_bytes)"#);
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let told = called(format!("http://{free}/mcp")).await;
    assert_snapshot!(told, @"null mcp:call broken, Unreachable: http://server/mcp: Connection refused (os error 111)");
}
