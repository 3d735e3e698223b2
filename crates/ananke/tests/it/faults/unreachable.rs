//! No agent at all: nothing listens, or the name is unknown.

use std::net::TcpListener;

use ananke_testkit::{RawServer, ScriptedAgent};
use insta::assert_snapshot;

use super::{Fault, answers};

/// Returns an address where nothing listens any more.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    format!("http://{}/", listener.local_addr().expect("it is bound"))
}

#[test]
fn an_agent_that_no_test_can_reach_is_trouble() {
    assert_snapshot!(Fault::at(&nobody()).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: cannot connect to http://[HOST]: Connection refused
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (unreachable), 0 events, text ""
    "#);
}

#[test]
fn a_name_that_nobody_knows_is_trouble() {
    let shown = Fault::at("http://does-not-exist.invalid/").shown();
    assert!(shown.starts_with("exit code: 3\n"), "{shown}");
    // The rest is the resolver's.
    let reason = "cannot connect to http://does-not-exist.invalid: failed to lookup address";
    assert!(shown.contains(reason), "{shown}");
}

#[test]
fn one_agent_that_answers_makes_the_other_a_failure() {
    let agent = ScriptedAgent::says("Hello");
    let fault = Fault::at(&nobody());
    fault.write();
    fault.cx.write(
        "other.test.yaml",
        &format!(
            "version: \"1.0\"\nname: other\ntarget: {{endpoint: \"{}\"}}\nturns:\n  - user: hi\nassert:\n  text: {{must_match: Hello}}\n",
            agent.url()
        ),
    );
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(1), "{output}");
    let output = fault.run(&["run", "other.test.yaml"], &[]);
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn an_error_status_is_an_answer_all_the_same() {
    let server = answers("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
    let fault = Fault::at(&server.url());
    fault.write();
    assert_eq!(fault.run(&["run"], &[]).code, Some(1));
}

#[test]
fn a_connection_closed_without_a_byte_is_trouble() {
    let server = RawServer::start(|_, _, _| ());
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 3
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: http://[HOST] closed the connection without an answer
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (transport), 0 events, text ""
    "#);
}
