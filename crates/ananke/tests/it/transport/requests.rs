//! What a server sees of a request before its body.

use ananke_testkit::{RawRequest, RawServer};
use insta::assert_snapshot;

use crate::faults::{Fault, sends};

/// Runs one turn with these lines in the target and returns the request.
fn request(target: &[&str]) -> RawRequest {
    let server = sends(ananke_testkit::hello_run());
    let fault = target
        .iter()
        .fold(Fault::at(&server.url()), |fault, line| fault.target(line));
    fault.write();
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(0), "{output}");
    the_only(&server)
}

fn the_only(server: &RawServer) -> RawRequest {
    let mut requests = server.requests();
    assert_eq!(requests.len(), 1);
    requests.remove(0)
}

/// Shows the request line and the headers, with addresses, lengths and versions left out.
fn shown(request: &RawRequest) -> String {
    let mut lines = vec![request.line.clone()];
    lines.extend(request.headers.iter().map(|(name, value)| {
        let value = match name.as_str() {
            "host" => "[HOST]",
            "content-length" => "[LENGTH]",
            "user-agent" => value.split('/').next().unwrap_or_default(),
            _ => value,
        };
        format!("{name}: {value}")
    }));
    lines.join("\n")
}

#[test]
fn a_plain_request_asks_for_an_event_stream() {
    assert_snapshot!(shown(&request(&[])), @"
    POST / HTTP/1.1
    accept: text/event-stream
    content-type: application/json
    accept-encoding: identity
    user-agent: ananke
    host: [HOST]
    content-length: [LENGTH]
    ");
}

#[test]
fn configured_headers_are_added_and_win() {
    assert_snapshot!(shown(&request(&["headers: {X-Tenant: acme, Authorization: Bearer abc, accept: text/plain, User-Agent: mine/1, Content-Type: application/json; charset=utf-8}"])), @"
    POST / HTTP/1.1
    accept: text/plain
    content-type: application/json; charset=utf-8
    accept-encoding: identity
    x-tenant: acme
    authorization: Bearer abc
    user-agent: mine
    host: [HOST]
    content-length: [LENGTH]
    ");
}

#[test]
fn protobuf_is_asked_for_by_its_type() {
    let server = sends(ananke_testkit::hello_run());
    let fault = Fault::at(&server.url()).target("encoding: protobuf");
    fault.write();
    // A server that does not know it may answer with an event stream all the same.
    assert_eq!(fault.run(&["run"], &[]).code, Some(0));
    assert_snapshot!(the_only(&server).header("accept").unwrap(), @"application/vnd.ag-ui.event+proto");
}

#[test]
fn the_query_of_an_endpoint_is_kept() {
    let server = sends(ananke_testkit::hello_run());
    let fault = Fault::at(&format!("{}agents/a%20b?key=1&x=%2F", server.url()));
    fault.write();
    assert_eq!(fault.run(&["run"], &[]).code, Some(0));
    assert_eq!(
        the_only(&server).line,
        "POST /agents/a%20b?key=1&x=%2F HTTP/1.1"
    );
}

#[test]
fn user_and_password_of_an_endpoint_become_a_header_and_are_not_shown() {
    let server = sends(ananke_testkit::sse(&[]));
    let fault = Fault::at(&format!("http://joe:s3cret@{}/", server.address()));
    fault.write();
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(1));
    assert_eq!(
        the_only(&server).header("authorization"),
        Some("Basic am9lOnMzY3JldA==")
    );
}

/// Runs a test whose header takes its value from a hook that prints `json`.
fn with_hook(json: &str) -> (String, usize) {
    let server = sends(ananke_testkit::hello_run());
    let fault = Fault::at(&server.url()).target("headers: {X-Token: \"${TOKEN}\"}");
    fault.write();
    fault.cx.write("token.json", json);
    let test = fault.cx.read("hello.test.yaml");
    let hooks = "hooks:\n  - cmd: [cat, token.json]\n";
    fault.cx.write(
        "hello.test.yaml",
        &test.replace("turns:", &format!("{hooks}turns:")),
    );
    let output = fault.run(&["run"], &[]);
    (fault.cx.show(&output), server.n_connections())
}

#[test]
fn a_hook_cannot_inject_a_header() {
    for bad in [r"a\r\nX-Admin: 1", r"a\nb", r"a\u0000b"] {
        let (shown, n_connections) = with_hook(&format!("{{\"TOKEN\": \"{bad}\"}}"));
        assert!(shown.starts_with("exit code: 1\n"), "{shown}");
        assert!(
            shown.contains("the value of the header `X-Token` holds control characters"),
            "{shown}"
        );
        assert_eq!(n_connections, 0);
    }
}

#[test]
fn a_header_can_hold_what_a_hook_prints() {
    let (shown, n_connections) = with_hook(r#"{"TOKEN": "a b: ü"}"#);
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
    assert_eq!(n_connections, 1);
}
