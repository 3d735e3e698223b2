//! Answers that are HTTP and no event stream: error statuses, other content types, too many headers.

use std::io::Write as _;
use std::time::Duration;

use ananke_testkit::{RawServer, drip, hello_run, hold, http_response, ok_sse_headers, sse};
use insta::assert_snapshot;

use super::{Fault, answers, finished, sends, started, text};

fn status(status: &str, content_type: &str, body: &str) -> String {
    let server = answers(http_response(status, content_type, body));
    Fault::at(&server.url()).shown()
}

#[test]
fn a_client_error_is_shown_with_its_body() {
    assert_snapshot!(status("422 Unprocessable Entity", "application/json", r#"{"detail":"messages: field required"}"#), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 422 Unprocessable Entity: {"detail":"messages: field required"}
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn a_server_error_is_shown_with_its_body() {
    assert_snapshot!(status("500 Internal Server Error", "text/plain", "Traceback (most recent call last):\n  File \"app.py\", line 1\nKeyError: 'x'\n"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 500 Internal Server Error: Traceback (most recent call last):\n  File "app.py", line 1\nKeyError: 'x'
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn an_error_without_a_body_is_shown_alone() {
    assert_snapshot!(status("404 Not Found", "text/plain", ""), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 404 Not Found
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn too_many_requests_are_not_tried_again() {
    let server = answers(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\ncontent-length: 9\r\n\r\nslow down",
    );
    let fault = Fault::at(&server.url());
    assert_snapshot!(fault.shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 429 Too Many Requests: slow down
         │ the agent asked to wait [TIME]: --backoff [TIME] waits and sends again
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
    assert_eq!(server.n_connections(), 2, "one for each of the two runs");
}

#[test]
fn at_most_4_kib_of_an_error_body_are_kept() {
    // The characters take three bytes each.
    let server = answers(http_response(
        "500 Oops",
        "text/plain",
        &"€".repeat(1 << 20),
    ));
    let report = Fault::at(&server.url()).report();
    let error = report["results"][0]["error"].as_str().unwrap();
    assert!(error.starts_with("turn 1: HTTP 500"), "{error:.100}");
    assert!(error.ends_with("€…"));
    assert!((4000..4200).contains(&error.len()), "{}", error.len());
}

#[test]
fn an_error_body_without_end_is_bounded() {
    let server = RawServer::start(|_, _, stream| {
        let head = "HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\n\r\n";
        let mut sent = stream.write_all(head.as_bytes());
        while sent.is_ok() {
            sent = stream.write_all(&[b'x'; 1 << 14]);
        }
    });
    let output = Fault::at(&server.url()).shown();
    assert!(output.starts_with("exit code: 1\n"), "{output}");
    assert!(output.contains("HTTP 500"), "{output}");
}

#[test]
fn an_error_body_that_stalls_does_not_hide_the_status() {
    let server = RawServer::start(|_, _, stream| {
        stream
            .write_all(b"HTTP/1.1 500 Oops\r\ncontent-length: 100\r\n\r\nhalf of it")
            .unwrap();
        hold(stream, Duration::from_secs(30));
    });
    assert_snapshot!(Fault::at(&server.url()).timeout_ms(300).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 500 Internal Server Error: half of it
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}

#[test]
fn no_content_is_no_run() {
    let server = answers("HTTP/1.1 204 No Content\r\n\r\n");
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: expected `text/event-stream`, got no content-type
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (content_type), 0 events, text ""
    "#);
}

#[test]
fn a_login_page_is_told_by_its_type_and_first_line() {
    let page = "\n<!doctype html>\n<html><title>Sign in</title></html>\n";
    assert_snapshot!(status("200 OK", "text/html; charset=utf-8", page), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: expected `text/event-stream`, got `text/html`; it begins: <!doctype html>
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (content_type), 0 events, text ""
    "#);
}

#[test]
fn json_is_not_an_event_stream() {
    assert_snapshot!(status("200 OK", "application/json", r#"{"reply":"Hello"}"#), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: expected `text/event-stream`, got `application/json`; it begins: {"reply":"Hello"}
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (content_type), 0 events, text ""
    "#);
}

#[test]
fn a_body_without_a_type_is_not_an_event_stream() {
    let server = answers("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nHello");
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: expected `text/event-stream`, got no content-type; it begins: Hello
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (content_type), 0 events, text ""
    "#);
}

#[test]
fn the_type_may_be_written_in_capitals_with_parameters() {
    let body = hello_run();
    let output = status("200 OK", "Text/Event-Stream ; charset=UTF-8", &body);
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

#[test]
fn an_empty_stream_is_no_run() {
    assert_snapshot!(Fault::at(&sends("").url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream is empty: the agent sent no event at all
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (empty), 0 events, text ""
    "#);
}

#[test]
fn a_stream_of_comments_alone_is_no_run() {
    assert_snapshot!(Fault::at(&sends(": ping\n\n: ping\n\n").url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream is empty: the agent sent no event at all
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (empty), 0 events, text ""
    "#);
}

#[test]
fn a_run_that_says_nothing_is_judged() {
    let body = sse(&[started(), finished()]);
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello FAILED ([TIME])
      └─ test · text.must_match /Hello/: expected text matching /Hello/, got no text at all
         demanded at hello.test.yaml:6:22 (test level)
    --- json
    failed
    turn 1: finished, 2 events, text ""
    "#);
}

#[test]
fn headers_beyond_256_kib_are_refused() {
    let huge = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-huge: {}\r\n\r\n",
        "x".repeat(300 << 10)
    );
    assert_snapshot!(Fault::at(&answers(huge).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the response headers are larger than 262144 bytes
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    "#);
}

#[test]
fn headers_without_end_are_refused() {
    let server = RawServer::start(|_, _, stream| {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while sent.is_ok() {
            sent = stream.write_all("x-more: yes\r\n".repeat(1000).as_bytes());
        }
    });
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: message head is too large
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn a_thousand_headers_are_refused() {
    let head = "x-more: yes\r\n".repeat(1000);
    let server = answers(format!("HTTP/1.1 200 OK\r\n{head}\r\n"));
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the answer of http://[HOST] cannot be read as HTTP: message head is too large
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}

#[test]
fn one_interim_answer_is_passed_over() {
    let body = sse(&[started(), text("Hello"), finished()]);
    let server = answers(format!(
        "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n{}{body}",
        ok_sse_headers()
    ));
    let output = Fault::at(&server.url()).shown();
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

#[test]
fn interim_answers_without_end_cost_the_timeout() {
    let server = RawServer::start(|_, _, stream| {
        let pieces = std::iter::repeat_n(b"HTTP/1.1 100 Continue\r\n\r\n".as_slice(), 10_000);
        drip(stream, pieces, Duration::from_millis(1));
    });
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
