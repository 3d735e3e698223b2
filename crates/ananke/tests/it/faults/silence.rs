//! Servers that say nothing, or almost nothing: `timeout_ms` is wall-clock time.

use std::io::Write as _;
use std::time::Duration;

use ananke_testkit::{RawServer, drip, hold, ok_sse_headers, sse};
use insta::assert_snapshot;

use super::{Fault, started, text};

const LONG: Duration = Duration::from_secs(30);

/// Sends `bytes`, then keeps the connection open.
fn stalls_after(bytes: &str) -> String {
    let bytes = bytes.to_owned();
    let server = RawServer::start(move |_, _, stream| {
        stream.write_all(bytes.as_bytes()).ok();
        hold(stream, LONG);
    });
    Fault::at(&server.url()).timeout_ms(300).shown()
}

/// Sends `head`, then `piece` every 20 ms.
fn drips(head: &str, piece: &'static str) -> String {
    let head = head.to_owned();
    let server = RawServer::start(move |_, _, stream| {
        stream.write_all(head.as_bytes()).ok();
        let pieces = std::iter::repeat_n(piece.as_bytes(), 1000);
        drip(stream, pieces, Duration::from_millis(20));
    });
    Fault::at(&server.url()).timeout_ms(300).shown()
}

#[test]
fn no_answer_at_all() {
    assert_snapshot!(stalls_after(""), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no response came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn a_connection_that_nobody_reads() {
    let server = RawServer::start_unread(|_, stream| hold(stream, LONG));
    assert_snapshot!(Fault::at(&server.url()).timeout_ms(300).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no response came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn a_connection_that_nobody_accepts() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    assert_snapshot!(Fault::at(&url).timeout_ms(300).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no response came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn headers_and_nothing_more() {
    assert_snapshot!(stalls_after(ok_sse_headers()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no event came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn half_of_the_headers() {
    assert_snapshot!(stalls_after("HTTP/1.1 200 OK\r\ncontent-type: text/ev"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no response came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn silence_after_some_words() {
    let body = sse(&[started(), text("Hello")]);
    assert_snapshot!(stalls_after(&format!("{}{body}", ok_sse_headers())), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): 2 events came before
         captured in turn 1: 2 events, no tool call, text:
         │ Hello
    --- json
    timeout
    turn 1: broken (timeout), 2 events, text "Hello"
    "#);
}

#[test]
fn headers_that_drip() {
    assert_snapshot!(drips("HTTP/1.1 200 OK\r\n", "x: y\r\n"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no response came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn comments_that_drip() {
    assert_snapshot!(drips(ok_sse_headers(), ": ping\n\n"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no event came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn an_event_that_drips() {
    assert_snapshot!(drips(ok_sse_headers(), "data: x\n"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] (timeout_ms): no event came before
         captured in turn 1: 0 events, no tool call, no text
    --- json
    timeout
    turn 1: broken (timeout), 0 events, text ""
    "#);
}

#[test]
fn the_limit_of_the_test_ends_a_turn_too() {
    let server = RawServer::start(|_, _, stream| hold(stream, LONG));
    let fault = Fault::at(&server.url());
    fault.write();
    let output = fault.run(&["run", "--timeout", "300ms"], &[]);
    assert!(
        output.elapsed < Duration::from_millis(2300),
        "{:?}",
        output.elapsed
    );
    assert_snapshot!(fault.cx.show(&output), @"
    exit code: 3
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: http://[HOST]/
    ℹ Input: the project (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [hello.test.yaml] hello TIMEOUT ([TIME])
      └─ turn 1: timeout after [TIME] for the whole test (--timeout)
         captured in turn 1: 0 events, no tool call, no text

    Failures:
      ✗ [hello.test.yaml] turn 1: timeout after [TIME] for the whole test (--timeout)

    Rerun: ananke run --timeout [TIME] hello.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1 (1 timeout)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}
