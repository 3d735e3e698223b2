//! The profile `sse-stack` from the command line: the report on stdout, one line on stderr, the exit code.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::Duration;

use ananke_testkit::{RawRequest, RawServer, TestContext, hold, http_response};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;

const TOKEN: &str = "full-access-token";

/// An observer stream with a backlog of four events, which is never closed.
fn observer(types: [&'static str; 4]) -> RawServer {
    RawServer::start(move |_, request, stream| answer(stream, request, types))
}

fn answer(stream: &mut TcpStream, request: &RawRequest, types: [&'static str; 4]) {
    let auth = request.header("authorization").unwrap_or_default();
    let path = request.line.split(' ').nth(1).unwrap_or_default();
    if path.starts_with("/remote/inject") || auth != format!("Bearer {TOKEN}") {
        let refused = http_response(
            "401 Unauthorized",
            "application/json",
            r#"{"error":"unauthorized"}"#,
        );
        stream.write_all(refused.as_bytes()).ok();
        return;
    }
    let since = path.split_once("since=").and_then(|(_, n)| n.parse().ok());
    let since: i64 = since.unwrap_or(-1);
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\nconnection: keep-alive\r\n\r\n").ok();
    for (seq, kind) in (0_i64..).zip(types).filter(|(seq, _)| *seq > since) {
        let data = json!({"type": kind, "id": format!("evt_{seq}"), "seq": seq, "ts": 1_700_000_000_000_i64 + seq,
            "data": {"threadId": "t", "runId": "r", "stepName": "s", "messageId": "m", "delta": "x"}});
        write!(stream, "event: {kind}\ndata: {data}\n\n").ok();
    }
    hold(stream, Duration::from_secs(5));
}

fn conform(cx: &TestContext, server: &RawServer, more: &[&str]) -> ananke_testkit::RunOutput {
    let url = server.url();
    let mut args = vec![
        "conform",
        "--base-url",
        url.trim_end_matches('/'),
        "--bearer",
        TOKEN,
        "--max-frames",
        "4",
        "--timeout-ms",
        "2000",
    ];
    args.extend(more);
    cx.run(&args)
}

#[test]
fn canonical_names_pass() {
    let cx = TestContext::new(ANANKE);
    let server = observer([
        "RUN_STARTED",
        "STEP_STARTED",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]);
    let output = conform(&cx, &server, &[]);
    assert_eq!(output.code, Some(0), "{output}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["ok"], true);
    assert_eq!(report["checks"].as_array().unwrap().len(), 15);
    assert_eq!(output.stderr.lines().count(), 1, "{output}");
    let strict = conform(&cx, &server, &["--strict"]);
    assert_eq!(
        strict.code,
        Some(5),
        "two checks need tokens of their own: {strict}"
    );
}

#[test]
fn other_names_fail_and_are_told_their_twins() {
    let cx = TestContext::new(ANANKE);
    let server = observer(["run.start", "run.step", "assistant.delta", "run.finished"]);
    let output = conform(
        &cx,
        &server,
        &["-o", "r.md", "-o", "r.sarif", "-o", "r.xml"],
    );
    assert_eq!(output.code, Some(1), "{output}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let failed: Vec<&Value> = report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|check| check["ok"] == false)
        .collect();
    assert_eq!(failed.len(), 1, "{output}");
    assert_eq!(failed[0]["id"], "events.type_in_vocabulary");
    assert!(
        failed[0]["detail"]
            .as_str()
            .unwrap()
            .contains("RUN_STARTED"),
        "{output}"
    );
    for file in ["r.md", "r.sarif", "r.xml"] {
        assert!(
            cx.read(file).contains("events.type_in_vocabulary"),
            "{file}"
        );
    }
    assert_snapshot!(output.stderr.replace(&server.url(), "http://[HOST]/"), @"sse-stack: FAIL http://[HOST]/remote/stream: 11 passed, 1 failed (events.type_in_vocabulary), 3 inconclusive");
}
