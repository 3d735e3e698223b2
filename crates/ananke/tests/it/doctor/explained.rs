//! What it says must fit the cause: certificates, proxies, envelopes, flags.

use std::io::Write as _;
use std::net::TcpListener;

use ananke_testkit::{RawServer, ScriptedAgent, TestContext, http_response};
use insta::assert_snapshot;
use serde_json::Value;

use super::{project, target};
use crate::transport::tls_server;

/// The lines that are not fine, with their hints.
fn complaints(cx: &TestContext, env: &[(&str, &str)]) -> String {
    let mut command = cx.command(&["doctor"]);
    for (name, value) in env {
        command = command.env(name, value);
    }
    let shown = cx.show(&command.run());
    let (_, from) = shown.split_once("--- stdout\n").expect("it has a stdout");
    let (stdout, _) = from.split_once("--- stderr").expect("it has a stderr");
    let lines = stdout.lines();
    let complaints = lines.filter(|line| line.starts_with(['✗', '!', ' ']));
    complaints.collect::<Vec<_>>().join("\n")
}

/// An address where nothing listens.
fn dead_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    address.to_string()
}

fn answers(status: &'static str, body: &'static str) -> RawServer {
    RawServer::start(move |_, _, socket| {
        let answer = http_response(status, "application/json", body);
        socket.write_all(answer.as_bytes()).ok();
    })
}

#[test]
fn an_authority_shown_as_the_servers_own_certificate() {
    let server = tls_server(include_bytes!("../testdata/tls/ca-as-server.pem"));
    let url = format!("https://{}/", server.address());
    let cx = target(&url, ", tls: {ca: ca.pem}");
    cx.write("ca.pem", include_str!("../testdata/tls/ca-as-server.pem"));
    assert_snapshot!(complaints(&cx, &[]), @"
    ✗ tls: the server shows the certificate of an authority (CA:TRUE) as its own (invalid peer certificate: CaUsedAsEndEntity)
      hint: make a certificate with CA:FALSE, signed by that authority or by itself (`openssl req -x509 … -addext basicConstraints=critical,CA:FALSE`), and name the signer's PEM file in `tls.ca`; for a test, `tls: {insecure: true}` accepts this one
    ");
    let self_signed = include_str!("../testdata/tls/self-signed.pem");
    let server = tls_server(self_signed.as_bytes());
    let url = format!("https://{}/", server.address());
    let cx = target(&url, ", tls: {ca: ca.pem}");
    cx.write("ca.pem", self_signed);
    assert_eq!(complaints(&cx, &[]), "", "as the hint says");
}

#[test]
fn certificates_for_others_and_of_old() {
    let server = tls_server(include_bytes!("../testdata/tls/other-name.pem"));
    let url = format!("https://{}/", server.address());
    let cx = target(&url, ", tls: {ca: ca.pem}");
    cx.write("ca.pem", include_str!("../testdata/tls/ca.pem"));
    assert_snapshot!(complaints(&cx, &[]), @r#"
    ✗ tls: the certificate is for another host (invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("agent.example"))
      hint: use a host of the certificate in the address, or add this one to its subjectAltName
    "#);
    let server = tls_server(include_bytes!("../testdata/tls/expired.pem"));
    let url = format!("https://{}/", server.address());
    let cx = target(&url, ", tls: {ca: ca.pem}");
    cx.write("ca.pem", include_str!("../testdata/tls/ca.pem"));
    let shown = complaints(&cx, &[]);
    assert!(
        shown.starts_with("✗ tls: the certificate has expired ("),
        "{shown}"
    );
}

#[test]
fn a_dead_proxy_is_named() {
    let proxy = format!("http://joe:s3cret@{}", dead_address());
    let far = target("http://agent.invalid/", "");
    let shown = complaints(&far, &[("HTTP_PROXY", &proxy)]);
    assert!(!shown.contains("s3cret"), "{shown}");
    assert_snapshot!(shown, @"
    ✗ http: no HTTP answer through the proxy http://[HOST] (HTTP_PROXY): Connection refused (os error 111)
      hint: is the proxy right, and up? `NO_PROXY=agent.invalid` goes around it
    ");
    let agent = ScriptedAgent::says("Hello");
    let env = [("HTTP_PROXY", proxy.as_str()), ("NO_PROXY", "127.0.0.0/8")];
    assert_eq!(complaints(&target(agent.url(), ""), &env), "");
}

#[test]
fn a_plain_agent_that_hangs_up_on_an_envelope() {
    let agent = RawServer::start(|_, request, socket| {
        if request.line.starts_with("GET") {
            let answer = http_response("204 No Content", "text/plain", "");
            socket.write_all(answer.as_bytes()).ok();
        }
    });
    let cx = target(&agent.url(), ", envelope: copilotkit, agentId: a");
    assert_snapshot!(complaints(&cx, &[]), @"
    ✗ run: http://[HOST] closed the connection without an answer
      hint: look at the agent's own log: did it crash?
    ✗ envelope: `copilotkit`, but nothing here says that it is a CopilotKit runtime
      hint: leave out `envelope` for a plain AG-UI endpoint, or correct the path of `endpoint`
    ");
    assert_snapshot!(complaints(&target(&agent.url(), ""), &[]), @"
    ✗ run: http://[HOST] closed the connection without an answer
      hint: look at the agent's own log: did it crash?
    ");
}

#[test]
fn a_server_that_misses_an_envelope() {
    let runtime = answers("400 Bad Request", r#"{"error": "Missing method field"}"#);
    assert_snapshot!(complaints(&target(&runtime.url(), ""), &[]), @r#"
    ✗ run: HTTP 400 Bad Request: {"error": "Missing method field"}
    ! envelope: plain, but the server asks for a `method`, as a CopilotKit runtime does
      hint: write `envelope: copilotkit` and the `agentId` in the target
    "#);
    let old = answers(
        "422 Unprocessable Entity",
        r#"{"detail": "extra field protocolVersion"}"#,
    );
    assert_snapshot!(complaints(&target(&old.url(), ""), &[]), @r#"
    ✗ run: HTTP 422 Unprocessable Entity: {"detail": "extra field protocolVersion"}
    ! envelope: plain; the server does not know `protocolVersion`
      hint: the agent is of an older AG-UI: write `era: "0.x"` in the target
    "#);
}

#[test]
fn a_redirect_to_another_origin_gets_one_advice() {
    let server = RawServer::start(|_, _, socket| {
        let head = "HTTP/1.1 308 Permanent Redirect\r\nlocation: https://other.example/agent\r\n";
        write!(
            socket,
            "{head}content-length: 0\r\nconnection: close\r\n\r\n"
        )
        .ok();
    });
    assert_snapshot!(complaints(&target(&server.url(), ""), &[]), @"✗ run: HTTP 308 Permanent Redirect: a redirect to another origin, `https://other.example/agent`, is not followed: headers may hold credentials; use that URL as endpoint if it is right");
}

#[test]
fn mistakes_of_flags_are_not_those_of_the_config() {
    let cx = project("targets: {good: {type: agui, endpoint: \"http://127.0.0.1:1/\"}}");
    assert_snapshot!(cx.ananke(&["doctor", "--target", "god"]), @"
    exit code: 2
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder
    ✗ target: --target: unknown target `god`
      hint: did you mean `good`?
    --- stderr
    error: --target: unknown target `god`
    hint: did you mean `good`?

    error: 1 error
    ");
    assert_snapshot!(cx.ananke(&["doctor", "--env-file", "nowhere.env"]), @"
    exit code: 2
    --- stdout
    ✓ ananke: [VERSION] [PLATFORM]
    ✓ config: ananke.config.yaml, in this folder
    ✗ env-file: --env-file: cannot read `nowhere.env`: No such file or directory (os error 2)
      hint: `--env-file` names a text file with lines such as `NAME=VALUE`
    --- stderr
    error: cannot read `nowhere.env`: No such file or directory (os error 2)
    hint: `--env-file` names a text file with lines such as `NAME=VALUE`

    error: 1 error
    ");
    cx.write("bad.env", "A=1\nB\nC\n");
    assert_snapshot!(complaints(&cx, &[("ANANKE_ENV_FILE", "bad.env")]), @"
    ✗ env-file: --env-file bad.env:2: expected NAME=VALUE, and 1 more
      hint: begin a comment with `#`
    ");
}

#[test]
fn json_names_the_target_as_the_config_does() {
    let cx = project("targets: {a: {type: agui, endpoint: \"http://127.0.0.1:1/\"}}");
    let output = cx.run(&["doctor", "--json"]);
    let document: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    let findings = document["findings"].as_array().expect("it is a list");
    let targets: Vec<_> = findings.iter().map(|finding| &finding["target"]).collect();
    assert_eq!(targets.first(), Some(&&Value::Null));
    assert_eq!(targets.last(), Some(&&Value::from("a")));
}
