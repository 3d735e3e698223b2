//! TLS: certificates that are trusted, and words for those that are not.

use std::io::Write as _;
use std::time::Duration;

use ananke_testkit::{RawServer, hold};
use insta::assert_snapshot;

use super::tls_server::tls_server;
use crate::faults::Fault;

const SERVER: &[u8] = include_bytes!("../testdata/tls/server.pem");
const OTHER_NAME: &[u8] = include_bytes!("../testdata/tls/other-name.pem");
const EXPIRED: &[u8] = include_bytes!("../testdata/tls/expired.pem");
const AUTHORITY_AS_SERVER: &[u8] = include_bytes!("../testdata/tls/ca-as-server.pem");
const AUTHORITY: &str = include_str!("../testdata/tls/ca.pem");
const OTHER_AUTHORITY: &str = include_str!("../testdata/tls/other-ca.pem");

fn fault(server: &RawServer) -> Fault {
    let fault = Fault::at(&format!("https://{}/", server.address()));
    fault.cx.write("certs/ca.pem", AUTHORITY);
    fault.cx.write("certs/other.pem", OTHER_AUTHORITY);
    fault
        .cx
        .write("certs/both.pem", &format!("{OTHER_AUTHORITY}{AUTHORITY}"));
    fault.cx.write("certs/empty.pem", "");
    fault.cx.write("certs/text.pem", "not a certificate\n");
    fault
}

fn trusting(certificate: &[u8], tls: &str) -> String {
    let server = tls_server(certificate);
    fault(&server).target(&format!("tls: {tls}")).shown()
}

#[test]
fn an_authority_of_ours_is_trusted() {
    assert_snapshot!(trusting(SERVER, "{ca: certs/ca.pem}"), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 5 events, text "Hello"
    "#);
}

#[test]
fn a_file_may_hold_several_authorities() {
    let shown = trusting(SERVER, "{ca: certs/both.pem}");
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
}

#[test]
fn without_it_the_error_says_that_the_authority_is_unknown() {
    let server = tls_server(SERVER);
    assert_snapshot!(fault(&server).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://[HOST]: the certificate is signed by an authority that is not trusted (invalid peer certificate: UnknownIssuer); name the authority's PEM file in `tls.ca`; for a test, `tls: {insecure: true}` accepts any certificate
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn another_authority_does_not_help() {
    assert_snapshot!(trusting(SERVER, "{ca: certs/other.pem}"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://[HOST]: the certificate is signed by an authority that is not trusted (invalid peer certificate: UnknownIssuer); name the authority's PEM file in `tls.ca`; for a test, `tls: {insecure: true}` accepts any certificate
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_certificate_for_another_name_is_refused() {
    assert_snapshot!(trusting(OTHER_NAME, "{ca: certs/ca.pem}"), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://[HOST]: the certificate is for another host (invalid peer certificate: certificate not valid for name "127.0.0.1"; certificate is only valid for DnsName("agent.example")); use a host of the certificate in the address, or add this one to its subjectAltName
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn an_authority_shown_as_the_servers_own_certificate_is_explained() {
    let shown = trusting(AUTHORITY_AS_SERVER, "{ca: certs/ca.pem}");
    assert!(
        shown.contains("the server shows the certificate of an authority (CA:TRUE) as its own (invalid peer certificate: CaUsedAsEndEntity); make a certificate with CA:FALSE"),
        "{shown}"
    );
}

#[test]
fn a_certificate_whose_time_is_over_is_refused() {
    let shown = trusting(EXPIRED, "{ca: certs/ca.pem}");
    assert!(shown.starts_with("exit code: 3\n"), "{shown}");
    assert!(
        shown
            .contains("the certificate has expired (invalid peer certificate: certificate expired"),
        "{shown}"
    );
}

#[test]
fn insecure_accepts_everything() {
    for certificate in [SERVER, OTHER_NAME, EXPIRED, AUTHORITY_AS_SERVER] {
        let shown = trusting(certificate, "{insecure: true}");
        assert!(shown.starts_with("exit code: 0\n"), "{shown}");
    }
}

#[test]
fn a_file_of_authorities_that_is_not_there_is_named() {
    assert_snapshot!(trusting(SERVER, "{ca: certs/absent.pem}"), @"
    exit code: 2
    --- stdout
    --- json
    ?
    --- stderr
    error: there is no file `certs/absent.pem`
     --> ananke.config.yaml:6:13
      |
    6 |   tls: {ca: certs/absent.pem}
      |             ^^^^^^^^^^^^^^^^ expected a PEM file of certificate authorities
    hint: the path is relative to the folder of the config

    error: 1 error in 1 file
    ");
}

#[test]
fn a_file_of_authorities_without_any_is_named() {
    assert_snapshot!(trusting(SERVER, "{ca: certs/empty.pem}"), @"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ tls.ca: `certs/empty.pem`: it holds no certificate
    --- json
    error
    ");
    assert_snapshot!(trusting(SERVER, "{ca: certs/text.pem}"), @"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ tls.ca: `certs/text.pem`: it holds no certificate
    --- json
    error
    ");
}

#[test]
fn a_server_without_tls_is_told() {
    let server = RawServer::start_unread(|_, stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").ok();
        hold(stream, Duration::from_secs(30));
    });
    assert_snapshot!(fault(&server).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://[HOST]: the server does not seem to speak TLS (received corrupt message of type InvalidContentType); should the address begin with http instead of https?
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_handshake_without_an_answer_ends_at_the_limit_for_connecting() {
    let server = RawServer::start_unread(|_, stream| hold(stream, Duration::from_secs(30)));
    assert_snapshot!(fault(&server).target("connect_timeout_ms: 200").shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to https://[HOST]: timeout after [TIME] (connect_timeout_ms)
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}
