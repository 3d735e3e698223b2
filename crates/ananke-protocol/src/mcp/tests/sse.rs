//! A server that speaks HTTP with events, on a loopback port.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::fake::{Do, call, legacy, options, result, shown, text};
use super::loopback::{asked, endpoint};
use crate::mcp::options::McpTransport;
use crate::mcp::session::McpSession;

/// Starts a server whose stream begins with `head`; returns its address, and who it was asked by.
fn start(head: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/sse", listener.local_addr().unwrap());
    let keys = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&keys);
    // It ends with the test's process.
    std::thread::spawn(move || {
        let mut stream: Option<TcpStream> = None;
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let asked = asked(&connection);
            seen.lock()
                .unwrap()
                .push(format!("{} {}", asked.method, asked.key));
            if asked.method == "GET" {
                connection.write_all(head.as_bytes()).unwrap();
                stream = Some(connection);
                continue;
            }
            connection
                .write_all(
                    b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
                )
                .unwrap();
            let message: Value = asked.message();
            let done = legacy(&message, |message| {
                Do::Say(vec![result(message, &text("over SSE"))])
            });
            let (Do::Say(said), Some(stream)) = (done, stream.as_mut()) else {
                return;
            };
            for line in said {
                write!(stream, "event: message\ndata: {line}\n\n").unwrap();
            }
        }
    });
    (address, keys)
}

async fn called(url: String) -> String {
    let mut options = options();
    options.transport = McpTransport::Sse(endpoint(url));
    let mut session = McpSession::new(options);
    let turn = call(&mut session, "say", json!({})).await;
    session.close().await;
    shown(&turn)
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\ndata: /messages?session=1\n\n";

#[tokio::test]
async fn messages_go_to_the_endpoint_and_come_back_over_the_stream() {
    let (url, keys) = start(OK);
    assert_snapshot!(called(url).await, @r#"
    mcp:call finished
    text: "over SSE"
    call: say({}) = over SSE
    "#);
    let keys = keys.lock().unwrap();
    assert!(keys.iter().all(|key| key.ends_with(" secret")), "{keys:?}");
}

#[tokio::test]
async fn another_origin_is_not_spoken_to() {
    let (url, keys) = start(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: endpoint\ndata: http://elsewhere.example/messages\n\n",
    );
    assert_snapshot!(called(url).await, @"
    mcp:call broken, BadEvent: the event `endpoint` names another origin: `http://elsewhere.example/messages`; messages go only to where the stream is
    call: say({}) without an end
    ");
    assert_eq!(keys.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_no_event_stream_is_said() {
    let (url, _) = start("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 0\r\n\r\n");
    let address = url.replace("/sse", "");
    let told = |shown: String| shown.replace(&address, "http://server");
    assert_snapshot!(told(called(url).await), @"
    mcp:call broken, ContentType: http://server/sse answers with `text/html`, not with `text/event-stream`
    call: say({}) without an end
    ");
    let (url, _) = start("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
    let address = url.replace("/sse", "");
    let told = |shown: String| shown.replace(&address, "http://server");
    assert_snapshot!(told(called(url).await), @"
    mcp:call broken, HttpStatus: HTTP 401 Unauthorized from http://server/sse; is `auth` right?
    call: say({}) without an end
    ");
    let (url, _) = start(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\ncontent-length: 4\r\n\r\n: a\n",
    );
    assert_snapshot!(called(url).await, @"
    mcp:call broken, Truncated: the event stream ended before the event `endpoint`; is this the URL of an SSE server?
    call: say({}) without an end
    ");
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let told = called(format!("http://{free}/sse")).await;
    assert_snapshot!(told.replace(&free.to_string(), "server"), @"
    mcp:call broken, Unreachable: http://server/sse: Connection refused (os error 111)
    call: say({}) without an end
    ");
}
