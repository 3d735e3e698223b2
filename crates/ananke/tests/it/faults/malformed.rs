//! Answers that are not HTTP.

use insta::assert_snapshot;

use super::{Fault, answers};

fn answered(bytes: &[u8]) -> String {
    Fault::at(&answers(bytes).url()).shown()
}

#[test]
fn a_bad_status_line() {
    assert_snapshot!(answered(b"HTTP/1.1 OK\r\n\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP status-code parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_status_that_is_no_status() {
    assert_snapshot!(answered(b"HTTP/1.1 99999 Wow\r\n\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP status-code parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn text_without_a_status_line() {
    assert_snapshot!(answered(b"<html>HTTP 0.9 had no headers</html>\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP version parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn binary_noise() {
    assert_snapshot!(answered(b"\x00\x01\x02\xff\xfe\xfd\x00\x00\x00\x00\r\n\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP version parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn another_protocol() {
    assert_snapshot!(answered(b"SSH-2.0-OpenSSH_9.9\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP version parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_tls_server_spoken_to_without_tls() {
    // The alert `unexpected_message`.
    assert_snapshot!(answered(b"\x15\x03\x03\x00\x02\x02\x0a"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP version parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn http2_where_http1_was_asked() {
    assert_snapshot!(answered(b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP version parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn two_lengths_that_differ() {
    assert_snapshot!(answered(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\ndata: x\n\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid content-length parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_length_that_is_no_number() {
    assert_snapshot!(answered(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: -5\r\n\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid content-length parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_nul_in_a_header() {
    assert_snapshot!(answered(b"HTTP/1.1 200 OK\r\nx: a\x00b\r\n\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: invalid HTTP header parsed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_switch_of_protocols_that_nobody_asked_for() {
    assert_snapshot!(answered(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 101 Switching Protocols
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn a_chunk_length_that_is_no_number() {
    assert_snapshot!(answered(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nzz\r\ndata\r\n"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: Invalid chunk size line: missing size digit
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (truncated), 0 events, text ""
    "#);
}

#[test]
fn a_chunk_length_beyond_all_numbers() {
    assert_snapshot!(answered(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffffff\r\n"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: invalid chunk size: overflow
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (truncated), 0 events, text ""
    "#);
}
