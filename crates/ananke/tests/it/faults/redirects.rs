//! Redirects: followed to the same origin with the whole POST, refused everywhere else.

use std::io::Write as _;

use ananke_testkit::{RawServer, ScriptedAgent, hello_run, ok_sse_headers};
use insta::assert_snapshot;

use super::{Fault, answers};

fn redirect(status: &str, location: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nlocation: {location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
}

fn redirected(status: &str, location: &str) -> String {
    let server = answers(redirect(status, location));
    Fault::at(&server.url()).shown()
}

/// Answers the first path with a redirect, the second with a run.
fn moved(status: &'static str) -> RawServer {
    RawServer::start(move |_, request, stream| {
        let answer = if request.line.contains("/agent/") {
            format!("{}{}", ok_sse_headers(), hello_run())
        } else {
            redirect(status, "/agent/")
        };
        stream.write_all(answer.as_bytes()).ok();
    })
}

#[test]
fn a_307_to_the_same_origin_is_followed_with_body_and_headers() {
    let server = moved("307 Temporary Redirect");
    let fault = Fault::at(&server.url()).target("headers: {Authorization: secret}");
    fault.write();
    assert_eq!(fault.run(&["run"], &[]).code, Some(0));
    let requests = server.requests();
    let lines: Vec<&str> = requests
        .iter()
        .map(|request| request.line.as_str())
        .collect();
    assert_eq!(lines, ["POST / HTTP/1.1", "POST /agent/ HTTP/1.1"]);
    assert_eq!(requests[0].body, requests[1].body);
    assert_eq!(requests[1].header("authorization"), Some("secret"));
    assert_eq!(requests[1].json()["messages"][0]["content"], "hi");
}

#[test]
fn a_302_to_the_same_origin_is_refused() {
    let server = moved("302 Found");
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 302 Found: the redirect to `/agent/` would turn the POST into a GET; use that URL as endpoint
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.line == "POST / HTTP/1.1")
    );
}

#[test]
fn another_origin_is_refused_and_never_sees_a_request() {
    for status in [
        "307 Temporary Redirect",
        "308 Permanent Redirect",
        "302 Found",
    ] {
        let other = ScriptedAgent::says("Hello");
        let server = answers(redirect(status, other.url()));
        let fault = Fault::at(&server.url()).target("headers: {Authorization: secret}");
        fault.write();
        let output = fault.run(&["run"], &[]);
        assert_eq!(output.code, Some(1));
        assert!(
            fault
                .cx
                .show(&output)
                .contains("a redirect to another origin, `http://[HOST]/`, is not followed"),
            "{output}"
        );
        assert_eq!(other.requests(), Vec::<serde_json::Value>::new());
    }
}

#[test]
fn another_origin_is_named() {
    assert_snapshot!(redirected("301 Moved Permanently", "https://login.example/start?next=%2F"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 301 Moved Permanently: a redirect to another origin, `https://login.example/start?next=%2F`, is not followed: headers may hold credentials; use that URL as endpoint if it is right
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn another_port_is_another_origin() {
    assert_snapshot!(redirected("307 Temporary Redirect", "//127.0.0.1:9/"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 307 Temporary Redirect: a redirect to another origin, `//[HOST]/`, is not followed: headers may hold credentials; use that URL as endpoint if it is right
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_file_is_never_read() {
    assert_snapshot!(redirected("307 Temporary Redirect", "file:///etc/passwd"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 307 Temporary Redirect: a redirect to `file:///etc/passwd`, which is neither http nor https, is not followed
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_loop_ends() {
    assert_snapshot!(redirected("307 Temporary Redirect", "/again"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: more than 5 redirects, the last to http://[HOST]/again
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn an_empty_location_is_refused() {
    assert_snapshot!(redirected("307 Temporary Redirect", ""), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 307 Temporary Redirect: a redirect with an empty Location
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_redirect_without_a_location_is_refused() {
    let server = answers("HTTP/1.1 307 Temporary Redirect\r\ncontent-length: 0\r\n\r\n");
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 307 Temporary Redirect: a redirect without a Location
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_location_that_is_no_url_is_refused() {
    assert_snapshot!(redirected("307 Temporary Redirect", "http://[::1"), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 307 Temporary Redirect: a redirect to `http://[::1`, which is no URL
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (redirect), 0 events, text ""
    "#);
}

#[test]
fn a_location_cannot_write_to_the_terminal() {
    assert_snapshot!(redirected("307 Temporary Redirect", "http://\x1b[31mred\x1b[0m/"), @r#"
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
fn not_modified_is_an_error_like_any_other() {
    let server = answers("HTTP/1.1 304 Not Modified\r\n\r\n");
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: HTTP 304 Not Modified
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (http_status), 0 events, text ""
    "#);
}
