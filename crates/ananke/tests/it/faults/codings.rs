//! Compressed answers: read, bounded by what they unpack to, refused where they cannot be read.

use ananke_testkit::hello_run;
use insta::assert_snapshot;

use super::{Fault, answers};

const HELLO_GZIP: &[u8] = include_bytes!("../testdata/coding/hello.sse.gz");
const HELLO_BROTLI: &[u8] = include_bytes!("../testdata/coding/hello.sse.br");
const COMMENTS_DEFLATE: &[u8] = include_bytes!("../testdata/coding/comments-1mib.deflate");
const COMMENTS_BROTLI: &[u8] = include_bytes!("../testdata/coding/comments-512mib.br");

fn coded(coding: &str, body: &[u8]) -> String {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: {coding}\r\nconnection: close\r\n\r\n"
    );
    let server = answers([head.as_bytes(), body].concat());
    Fault::at(&server.url())
        .target("limits: {turn_bytes: 16777216}")
        .shown()
}

#[test]
fn gzip_is_read() {
    assert_snapshot!(coded("gzip", HELLO_GZIP), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    "#);
}

#[test]
fn brotli_is_read() {
    assert_snapshot!(coded("br", HELLO_BROTLI), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    "#);
}

#[test]
fn identity_is_no_coding() {
    let output = coded("identity", hello_run().as_bytes());
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

#[test]
fn a_gzip_bomb_stops_at_the_limit_of_the_turn() {
    // The block ends with a full flush, so it can be repeated: 640 times unpack to 640 MiB.
    const GZIP_HEADER: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
    let bomb = [GZIP_HEADER, &COMMENTS_DEFLATE.repeat(640)].concat();
    assert_snapshot!(coded("gzip", &bomb), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the turn's answer needs more than 16777216 bytes (limits.turn_bytes)
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    "#);
}

#[test]
fn a_brotli_bomb_stops_at_the_limit_of_the_turn() {
    assert_snapshot!(coded("br", COMMENTS_BROTLI), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the turn's answer needs more than 16777216 bytes (limits.turn_bytes)
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    "#);
}

#[test]
fn corrupt_gzip_is_an_error() {
    let mut body = HELLO_GZIP.to_vec();
    let middle = body.len() / 2;
    body[middle..].fill(0xff);
    assert_snapshot!(coded("gzip", &body), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: unexpected end of file
         captured in turn 1: 0 events, no tool call, no text
      ⚠ 1 warning (the body ended inside an event: its last blank line is missing)
    --- json
    error
    turn 1: broken (truncated), 0 events, text ""
    warning: the body ended inside an event: its last blank line is missing
    "#);
}

#[test]
fn gzip_that_is_cut_is_an_error() {
    assert_snapshot!(coded("gzip", &HELLO_GZIP[..HELLO_GZIP.len() / 2]), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: unexpected end of file
         captured in turn 1: 0 events, no tool call, no text
      ⚠ 1 warning (the body ended inside an event: its last blank line is missing)
    --- json
    error
    turn 1: broken (truncated), 0 events, text ""
    warning: the body ended inside an event: its last blank line is missing
    "#);
}

#[test]
fn text_that_calls_itself_gzip_is_an_error() {
    assert_snapshot!(coded("gzip", hello_run().as_bytes()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: Invalid gzip header
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (truncated), 0 events, text ""
    "#);
}

#[test]
fn an_unknown_coding_is_an_error() {
    assert_snapshot!(coded("zstd", b"\x28\xb5\x2f\xfd"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the body has the unknown content-encoding `zstd`
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn two_codings_at_once_are_an_error() {
    assert_snapshot!(coded("gzip, br", HELLO_GZIP), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the body has the unknown content-encoding `gzip, br`
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_compressed_error_body_is_shown_as_text() {
    let head = "HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
    let server = answers([head.as_bytes(), HELLO_GZIP].concat());
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 500 Internal Server Error: data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\ndata: {"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}\n\ndata: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}\n\ndata: {"type":"TEXT_MESSAGE_END","messageId":"m"}\n\ndata: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}
