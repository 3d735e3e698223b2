//! Streams that end too early, and connections that do not end with their run.

use std::io::Write as _;
use std::time::Duration;

use ananke_testkit::{
    RawRequest, RawServer, RunOutput, ScriptedAgent, chunked, hello_run, hold, ok_sse_headers, sse,
};
use insta::assert_snapshot;
use serde_json::json;

use super::{Fault, answers, call, sends, started, text};

/// A run that stops after some words and one call.
fn half() -> String {
    sse(&[
        started(),
        text("Hello, I will"),
        call("c", "charge_card", r#"{"amount":100}"#),
    ])
}

#[test]
fn a_stream_without_its_last_event() {
    assert_snapshot!(Fault::at(&sends(half()).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 3 events
         captured in turn 1: 3 events, 1 tool call (charge_card), text:
         │ Hello, I will
    --- json
    error
    turn 1: broken (truncated), 3 events, text "Hello, I will"
    call: charge_card {"amount":100}
    "#);
}

#[test]
fn an_end_inside_an_event() {
    let body = half() + "data: {\"type\":\"RUN_FIN";
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 3 events
         captured in turn 1: 3 events, 1 tool call (charge_card), text:
         │ Hello, I will
      ⚠ 1 warning (the body ended inside an event: its last blank line is missing)
    --- json
    error
    turn 1: broken (truncated), 3 events, text "Hello, I will"
    call: charge_card {"amount":100}
    warning: the body ended inside an event: its last blank line is missing
    "#);
}

#[test]
fn an_end_inside_a_character() {
    let body = [
        half().as_bytes(),
        b"data: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"\xf0\x9f\x98",
    ]
    .concat();
    assert_snapshot!(Fault::at(&sends(body).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 3 events
         captured in turn 1: 3 events, 1 tool call (charge_card), text:
         │ Hello, I will
      ⚠ 1 warning (the body ended inside an event: its last blank line is missing)
    --- json
    error
    turn 1: broken (truncated), 3 events, text "Hello, I will"
    call: charge_card {"amount":100}
    warning: the body ended inside an event: its last blank line is missing
    "#);
}

#[test]
fn an_end_inside_a_chunk() {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let server = answers(format!("{head}{}40\r\ndata: ", chunked(&half())));
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: end of file before message length reached
         captured in turn 1: 3 events, 1 tool call (charge_card), text:
         │ Hello, I will
      ⚠ 1 warning (the body ended inside an event: its last blank line is missing)
    --- json
    error
    turn 1: broken (truncated), 3 events, text "Hello, I will"
    call: charge_card {"amount":100}
    warning: the body ended inside an event: its last blank line is missing
    "#);
}

#[test]
fn an_end_without_the_last_chunk() {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let server = answers(format!("{head}{}", chunked(&half())));
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: unexpected EOF during chunk size line
         captured in turn 1: 3 events, 1 tool call (charge_card), text:
         │ Hello, I will
    --- json
    error
    turn 1: broken (truncated), 3 events, text "Hello, I will"
    call: charge_card {"amount":100}
    "#);
}

#[test]
fn an_end_before_the_announced_length() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n";
    assert_snapshot!(Fault::at(&answers(format!("{head}{}", half())).url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: end of file before message length reached
         captured in turn 1: 3 events, 1 tool call (charge_card), text:
         │ Hello, I will
    --- json
    error
    turn 1: broken (truncated), 3 events, text "Hello, I will"
    call: charge_card {"amount":100}
    "#);
}

#[test]
fn a_reset_in_the_middle() {
    // A reset may overtake what was sent before it, so the events are asked for one by one.
    let agent = ScriptedAgent::start(json!({"rules": [{"reply": [
        {"text": "Hello"}, {"delay_ms": 100}, "reset"
    ]}]}));
    assert_snapshot!(Fault::at(agent.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the stream ended before RUN_FINISHED: Connection reset by peer
         captured in turn 1: 4 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (truncated), 4 events, text "Hello"
    "#);
}

#[test]
fn a_whole_run_whose_body_is_cut_afterwards_is_fine() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n";
    let server = answers(format!("{head}{}", hello_run()));
    let output = Fault::at(&server.url()).shown();
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

fn after_the_run(rest: &'static str) -> (RunOutput, String) {
    let server = RawServer::start(move |_, _, stream| {
        let body = format!("{}{}", ok_sse_headers(), hello_run());
        stream.write_all(body.as_bytes()).ok();
        hold(stream, Duration::from_millis(50));
        stream.write_all(rest.as_bytes()).ok();
        hold(stream, Duration::from_secs(30));
    });
    let fault = Fault::at(&server.url());
    fault.write();
    let output = fault.run(&["run"], &[]);
    let shown = fault.cx.show(&output);
    (output, shown)
}

#[test]
fn a_connection_that_stays_open_ends_with_its_run() {
    let (output, shown) = after_the_run("");
    assert_eq!(output.code, Some(0), "{shown}");
    assert!(
        output.elapsed < Duration::from_millis(2000),
        "{:?}",
        output.elapsed
    );
}

#[test]
fn an_error_shortly_after_the_end_counts() {
    let (output, shown) =
        after_the_run("data: {\"type\":\"RUN_ERROR\",\"message\":\"too late?\"}\n\n");
    assert_eq!(output.code, Some(1), "{shown}");
    assert!(
        shown.contains("the agent ended with an error: too late?"),
        "{shown}"
    );
}

#[test]
fn noise_without_end_after_the_run_is_cut_off() {
    let server = RawServer::start(move |_, _, stream| {
        let mut sent = stream.write_all(format!("{}{}", ok_sse_headers(), hello_run()).as_bytes());
        while sent.is_ok() {
            sent = stream.write_all(": still here\n\n".repeat(1000).as_bytes());
        }
    });
    let fault = Fault::at(&server.url());
    fault.write();
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(
        output.elapsed < Duration::from_secs(2),
        "{:?}",
        output.elapsed
    );
}

/// Answers the first request of a connection with a whole run, then closes it, at once or when the next request comes.
fn keeps_alive(close_after_answer: bool) -> RawServer {
    RawServer::start(move |_, _, stream| {
        let body = hello_run();
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(answer.as_bytes()).ok();
        if !close_after_answer {
            // The next request is read and met with silence and a close, as by a server that just gave up waiting for it.
            RawRequest::read(stream);
        }
    })
}

#[test]
fn a_connection_closed_between_turns_is_replaced() {
    let server = keeps_alive(true);
    let output = Fault::at(&server.url()).turns(3).shown();
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}

#[test]
fn a_connection_that_closes_as_the_next_request_comes_is_replaced_once() {
    let server = keeps_alive(false);
    let fault = Fault::at(&server.url()).turns(2);
    fault.write();
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(0), "{output}");
    assert_eq!(server.n_connections(), 2);
}

#[test]
fn a_request_that_is_sent_twice_is_told() {
    let server = keeps_alive(false);
    let report = Fault::at(&server.url()).turns(2).report();
    let turns = &report["results"][0]["turns"];
    assert_eq!(turns[0]["warnings"], json!([]));
    let warning = "the request was sent twice: the server closed the kept-alive connection before it answered";
    assert_eq!(turns[1]["warnings"], json!([warning]));
}

#[test]
fn a_fresh_connection_that_swallows_the_request_is_not_tried_again() {
    let server = RawServer::start(|_, _, _| ());
    let fault = Fault::at(&server.url());
    fault.write();
    assert_eq!(fault.run(&["run"], &[]).code, Some(3));
    assert_eq!(server.n_connections(), 1);
}
