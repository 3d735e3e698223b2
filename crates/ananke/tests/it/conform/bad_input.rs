//! Servers that are not there, not HTTP, not AG-UI, or without an end.

use std::io::Write as _;
use std::time::{Duration, Instant};

use ananke_testkit::{RawServer, TestContext, chunked, hold, http_response, ok_sse_headers};
use insta::assert_snapshot;

use crate::ANANKE;

#[test]
fn a_server_that_is_not_there_ends_with_3() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["conform", "http://127.0.0.1:1/agent"]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: `http://[HOST]/agent` cannot be reached: Connection refused (os error 111)
    hint: is the server running, and is this its address?
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://no-such-host.invalid/agent"]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: `http://no-such-host.invalid/agent` cannot be reached: failed to lookup address information: Name or service not known
    hint: is the server running, and is this its address?
    ");
    assert_snapshot!(cx.ananke(&["conform", "--base-url", "http://127.0.0.1:1"]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: `http://[HOST]/remote/stream` cannot be reached: Connection refused (os error 111)
    hint: is the server running, and is this its address?
    ");
}

#[test]
fn tls_that_fails_ends_with_3() {
    let cx = TestContext::new(ANANKE);
    // Plain HTTP where TLS is expected.
    let server = RawServer::start_unread(|_, stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").ok();
    });
    let url = server.url().replace("http://", "https://");
    let output = cx.run(&["conform", &url]);
    assert_eq!(output.code, Some(3), "{output}");
}

#[test]
fn what_is_no_agent_fails() {
    let cx = TestContext::new(ANANKE);
    for (status, kind, body) in [
        ("404 Not Found", "text/html", "<h1>Not Found</h1>"),
        (
            "401 Unauthorized",
            "application/json",
            r#"{"error":"unauthorized"}"#,
        ),
        ("200 OK", "text/html", "<h1>Welcome</h1>"),
    ] {
        let answer = http_response(status, kind, body);
        let server = RawServer::start(move |_, _, stream| {
            stream.write_all(answer.as_bytes()).ok();
        });
        let output = cx.run(&["conform", &server.url()]);
        assert_eq!(output.code, Some(1), "{output}");
    }
}

#[test]
fn a_page_is_told_once() {
    let cx = TestContext::new(ANANKE);
    let answer = http_response("404 Not Found", "text/html", "<h1>Not Found</h1>");
    let server = RawServer::start(move |_, _, stream| {
        stream.write_all(answer.as_bytes()).ok();
    });
    assert_snapshot!(cx.ananke(&["conform", &server.url()]), @"
    exit code: 1
    --- stdout
    Conformance of http://[HOST]/
    profile ag-ui@1.0, 1 request, [TIME]

    Scenarios
      [fail] hello           the agent said nothing; the run was refused: status 404
      [  ? ] multi-turn      not tried, because the first run was refused: status 404
      [  ? ] backend-tool    not tried, because the first run was refused: status 404
      [  ? ] parallel-tools  not tried, because the first run was refused: status 404
      [  ? ] failing-tool    not tried, because the first run was refused: status 404
      [  ? ] frontend-tool   not tried, because the first run was refused: status 404
      [  ? ] interrupt       not tried, because the first run was refused: status 404
      [  ? ] state           not tried, because the first run was refused: status 404
      [  ? ] abort           not tried, because the first run was refused: status 404
      [  ? ] error           not tried, because the first run was refused: status 404
      [  ? ] probes          not tried, because the first run was refused: status 404

    Broken rules (1)
      [fail] http.status · MUST · a run that is asked for as the protocol says is answered with status 200
        └─ hello · run: expected status 200, saw 404; is the path right?; the body says: <h1>Not Found</h1>
        why: A client reads events only from an answer with status 200; any other status means that the run was refused. (HTTP binding, response)
        fix: Check the path, the method and the headers that the server wants. If it wants a token, pass it as a header.
        see: ananke conform --explain http.status

    118 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [  ? ] @ag-ui/client 0.0.59  no stream was seen
      [  ? ] @ag-ui/client 1.0.0   no stream was seen

    119 rules: 1 failed, 118 inconclusive
    FAILED: 1 rule is broken
    --- stderr
    ");
}

#[test]
fn an_endless_stream_ends_at_the_limit() {
    let cx = TestContext::new(ANANKE);
    let server = RawServer::start(|_, _, stream| {
        stream.write_all(ok_sse_headers().as_bytes()).ok();
        let event = chunked("data: {\"type\":\"RAW\",\"event\":1}\n\n");
        while stream.write_all(event.as_bytes()).is_ok() {}
    });
    let output = cx.run(&[
        "conform",
        &server.url(),
        "--max-frames",
        "50",
        "--scenario",
        "hello",
    ]);
    // The stream does not begin with RUN_STARTED.
    assert_eq!(output.code, Some(1), "{output}");
}

#[test]
fn a_silent_server_takes_no_longer_than_the_limit() {
    let cx = TestContext::new(ANANKE);
    let server = RawServer::start(|_, _, stream| hold(stream, Duration::from_secs(20)));
    let started = Instant::now();
    let output = cx.run(&["conform", &server.url(), "--timeout-ms", "300"]);
    assert!(started.elapsed() < Duration::from_secs(10), "{output}");
    assert_ne!(output.code, Some(0), "{output}");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["conform"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is nothing to judge: name a server or a file
    hint: ananke conform http://localhost:8000/agent, or ananke conform --file capture.sse
    ");
    assert_snapshot!(cx.ananke(&["conform", "ftp://host/"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `ftp://host/` has the scheme `ftp`; http and https are supported
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "--rule", "semantics.pending-call=off"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no rule `semantics.pending-call`
    hint: did you mean `semantics.pending-calls`?
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "--rule", "x=loud"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: invalid value 'x=loud' for '--rule <ID=SEVERITY>': `loud` is not a severity: off, warn or error

    For more information, try '--help'.
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "--scenario", "helo"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no scenario `helo`
    hint: known are hello, multi-turn, backend-tool, parallel-tools, failing-tool, frontend-tool, interrupt, state, abort, error, probes
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "-o", "report.pdf"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `-o report.pdf`: the extension names no format; known are json, xml (JUnit), sarif, md
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "--stream-path", "/x"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `--stream-path` belongs to `--profile sse-stack`
    ");
    assert_snapshot!(cx.ananke(&["conform", "--profile", "sse-stack"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `--profile sse-stack` needs `--base-url`
    hint: ananke conform --profile sse-stack --base-url http://localhost:3113
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "--file", "x.sse"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: --file (ANANKE_CONFORM_FILE) and a URL are both given: what is to be judged?
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://h/", "--request", "x.json"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `--request` (ANANKE_CONFORM_REQUEST) belongs to `--file`: to a server, requests are sent
    ");
    assert_snapshot!(cx.ananke(&["conform", "--base-url", "http://h", "--scenario", "hello"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `--scenario` means nothing to `--profile sse-stack`
    ");
}

#[test]
fn with_json_every_error_is_one_document() {
    let cx = TestContext::new(ANANKE);
    cx.write("conform.yaml", "version: \"1.0\"\nscenarios: {helo: off}\n");
    let words: [&[&str]; 4] = [
        &["conform", "--json"],
        &["conform", "--json", "http://127.0.0.1:1/"],
        &[
            "conform",
            "--json",
            "http://127.0.0.1:1/",
            "--setup",
            "conform.yaml",
        ],
        &["conform", "--json", "--explain", "no.such-rule"],
    ];
    for words in words {
        let output = cx.run(words);
        let document: serde_json::Value = serde_json::from_str(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output}"));
        assert_eq!(document["schema"], "ananke.conform/1");
        assert_eq!(document["ok"], false);
        let code = document["error"]["exit_code"].as_i64();
        assert_eq!(code, output.code.map(i64::from), "{output}");
    }
}
