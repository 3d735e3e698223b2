//! Requests as text over loopback, answers as text; and requests scanned.

use std::time::Duration;

use insta::assert_snapshot;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::request::{Scan, raw_string, scan};
use super::server::serve_instant;

/// Sends `text` on one connection and returns everything until the server closes it.
fn talk(text: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let client = async {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            let read = stream.read_to_end(&mut answer);
            tokio::time::timeout(Duration::from_secs(10), read)
                .await
                .unwrap()
                .unwrap();
            shutdown.cancel();
            String::from_utf8(answer).unwrap().replace("\r\n", "\n")
        };
        let (served, answer) = tokio::join!(serve_instant(listener, shutdown.clone()), client);
        served.unwrap();
        answer
    })
}

fn post(path: &str, connection: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nConnection: {connection}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn two_runs_on_one_connection() {
    let first = post(
        "/",
        "keep-alive",
        r#"{"threadId": "t\"1", "runId":"r1","messages":[]}"#,
    );
    let second = post("/", "close", "{}");
    assert_snapshot!(talk(&(first + &second)), @r#"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    content-length: 370

    data: {"type":"RUN_STARTED","threadId":"t\"1","runId":"r1","protocolVersion":"1.0"}

    data: {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}

    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi"}

    data: {"type":"TEXT_MESSAGE_END","messageId":"m1"}

    data: {"type":"RUN_FINISHED","threadId":"t\"1","runId":"r1","outcome":{"type":"success"}}

    HTTP/1.1 200 OK
    content-type: text/event-stream
    content-length: 376

    data: {"type":"RUN_STARTED","threadId":"thread","runId":"run","protocolVersion":"1.0"}

    data: {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}

    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi"}

    data: {"type":"TEXT_MESSAGE_END","messageId":"m1"}

    data: {"type":"RUN_FINISHED","threadId":"thread","runId":"run","outcome":{"type":"success"}}
    "#);
}

#[test]
fn a_drip_is_a_run_of_that_many_events() {
    assert_snapshot!(talk(&post("/drip?events=5&every_ms=1", "close", r#"{"threadId":"t","runId":"r"}"#)), @r#"
    HTTP/1.1 200 OK
    content-type: text/event-stream
    transfer-encoding: chunked

    51
    data: {"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}


    49
    data: {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}


    45
    data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi"}


    34
    data: {"type":"TEXT_MESSAGE_END","messageId":"m1"}


    57
    data: {"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success"}}


    0
    "#);
}

#[test]
fn a_stream_is_a_long_message() {
    let answer = talk("GET /stream?mib=2 HTTP/1.1\r\nconnection: close\r\n\r\n");
    let n_deltas = answer.matches("TEXT_MESSAGE_CONTENT").count();
    let delta = answer
        .lines()
        .find(|line| line.contains("CONTENT"))
        .unwrap();
    assert_snapshot!(format!("{n_deltas} deltas of {} bytes", delta.len() + 2), @"18724 deltas of 112 bytes");
    assert!(answer.ends_with("\n\n0\n\n"), "{:?}", answer.lines().last());
    assert!(answer.contains("RUN_FINISHED"));
}

#[test]
fn what_is_not_understood_is_refused() {
    assert_snapshot!(talk("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"), @"
    HTTP/1.1 400 Bad Request
    content-length: 0
    connection: close
    ");
    assert_snapshot!(talk("POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n"), @"
    HTTP/1.1 400 Bad Request
    content-length: 0
    connection: close
    ");
    assert_snapshot!(talk("nonsense\r\n\r\n"), @"
    HTTP/1.1 400 Bad Request
    content-length: 0
    connection: close
    ");
}

#[test]
fn a_request_is_whole_only_with_its_body() {
    let whole = post("/", "close", "{}");
    for end in 0..whole.len() {
        assert_eq!(scan(&whole.as_bytes()[..end]), Scan::Partial);
    }
    assert!(matches!(
        scan(whole.as_bytes()),
        Scan::Whole {
            body: b"{}",
            is_last: true,
            ..
        }
    ));
}

#[test]
fn ids_are_found_with_their_escapes() {
    let find = |body: &'static str| {
        raw_string(body.as_bytes(), b"\"runId\"").map(|id| std::str::from_utf8(id).unwrap())
    };
    assert_eq!(find(r#"{"runId":"a"}"#), Some("a"));
    assert_eq!(find(r#"{"runId" : "a\\\"b","x":1}"#), Some(r#"a\\\"b"#));
    assert_eq!(find(r#"{"runId":7}"#), None);
    assert_eq!(find(r#"{"runId":"open"#), None);
}
