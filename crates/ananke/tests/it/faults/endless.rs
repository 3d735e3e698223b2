//! Streams that never end, and events that never end.

use std::io::Write as _;

use ananke_testkit::{RawServer, ok_sse_headers, sse};
use insta::assert_snapshot;
use serde_json::json;

use super::{Fault, call, finished, sends, started, text};

/// Starts a server that sends the beginning of a run and then `piece` for ever, as fast as it is read.
fn repeats(piece: &str) -> RawServer {
    let piece = piece.repeat((64 << 10) / piece.len() + 1);
    RawServer::start(move |_, _, stream| {
        let head = format!("{}{}", ok_sse_headers(), sse(&[started(), text("Hello")]));
        let mut sent = stream.write_all(head.as_bytes());
        while sent.is_ok() {
            sent = stream.write_all(piece.as_bytes());
        }
    })
}

/// Shows the output with the number of events left out, which depends on the machine.
fn without_counts(output: &str) -> String {
    let words = output.split_inclusive(' ').map(|word| {
        let number = word.trim().trim_start_matches('(');
        let is_count = number.parse::<u64>().is_ok_and(|n| n > 10);
        if is_count {
            word.replace(number, "[N]")
        } else {
            word.to_owned()
        }
    });
    words.collect()
}

fn stops_at_the_timeout(piece: &str) -> String {
    without_counts(&Fault::at(&repeats(piece).url()).timeout_ms(400).shown())
}

#[test]
fn comments_without_end_stop_at_the_timeout() {
    assert_snapshot!(stops_at_the_timeout(": ping\n\n"), @r#"
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
fn blank_lines_without_end_stop_at_the_timeout() {
    assert_snapshot!(stops_at_the_timeout("\n"), @r#"
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
fn text_without_end_stops_at_the_timeout() {
    let output = stops_at_the_timeout(&sse(&[text("x")]));
    assert!(output.starts_with("exit code: 1\n"), "{output}");
    assert!(
        output.contains("timeout after [TIME] (timeout_ms): [N] events came before"),
        "{output}"
    );
}

#[test]
fn calls_without_end_stop_at_the_timeout() {
    let events: Vec<_> = (0..1000)
        .map(|n| call(&format!("c{n}"), "f", "{}"))
        .collect();
    let output = stops_at_the_timeout(&sse(&events));
    assert!(output.starts_with("exit code: 1\n"), "{output}");
    assert!(
        output.contains("timeout after [TIME] (timeout_ms): [N] events came before"),
        "{output}"
    );
}

#[test]
fn a_turn_stops_at_its_size_limit() {
    let server = repeats(&sse(&[text(&"x".repeat(1000))]));
    let fault = Fault::at(&server.url()).target("limits: {turn_bytes: 1048576}");
    assert_snapshot!(without_counts(&fault.shown()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the turn's answer needs more than [N] bytes (limits.turn_bytes)
         captured in turn 1: [N] events, no tool call, text:
         │ Helloxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
         │ … [N] more characters
    --- json
    error
    turn 1: broken (limit), [N] events, text "Helloxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx … xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" ([N] characters)
    "#);
}

/// Runs until the turn's default budget is spent; `Fault::run` looks at the memory.
fn spends_the_budget(piece: &str) {
    let server = repeats(piece);
    let fault = Fault::at(&server.url()).timeout_ms(60_000);
    fault.write();
    let output = fault.run(&["run"], &[]);
    assert_eq!(output.code, Some(1));
    let reason = "the turn's answer needs more than 268435456 bytes (limits.turn_bytes)";
    assert!(output.stdout.contains(reason), "{output}");
}

#[test]
fn the_longest_text_fits_into_memory() {
    spends_the_budget(&sse(&[text(&"x".repeat(60 << 10))]));
}

#[test]
fn the_longest_arguments_fit_into_memory() {
    spends_the_budget(&sse(&[call("c", "f", &"x".repeat(60 << 10))]));
}

#[test]
fn tiny_events_are_counted_with_what_they_cost() {
    let server = repeats(&sse(&[json!({"type": "RAW", "event": 1})]));
    let fault = Fault::at(&server.url()).target("limits: {turn_bytes: 1048576}");
    assert_snapshot!(without_counts(&fault.shown()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: the turn's answer needs more than [N] bytes (limits.turn_bytes)
         captured in turn 1: [N] events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (limit), [N] events, text "Hello"
    "#);
}

#[test]
fn a_line_of_100_mb_stops_at_the_event_limit() {
    let server = RawServer::start(|_, _, stream| {
        let head = format!(
            "{}{}data: ",
            ok_sse_headers(),
            sse(&[started(), text("Hello")])
        );
        let mut sent = stream.write_all(head.as_bytes());
        for _ in 0..100 {
            sent = sent.and_then(|()| stream.write_all(&[b'x'; 1 << 20]));
        }
    });
    assert_snapshot!(Fault::at(&server.url()).shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: one event is larger than 16777216 bytes (limits.event_bytes)
         captured in turn 1: 2 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (limit), 2 events, text "Hello"
    "#);
}

#[test]
fn an_event_of_many_lines_stops_at_the_event_limit() {
    let server = repeats("data: x\n");
    let fault = Fault::at(&server.url()).target("limits: {event_bytes: 100000}");
    assert_snapshot!(fault.shown(), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: one event is larger than 100000 bytes (limits.event_bytes)
         captured in turn 1: 2 events, no tool call, text:
         │ Hello
    --- json
    error
    turn 1: broken (limit), 2 events, text "Hello"
    "#);
}

#[test]
fn an_event_of_5_mib_is_read() {
    let long = "x".repeat(5 << 20);
    let server = sends(sse(&[started(), text("Hello"), text(&long), finished()]));
    let fault = Fault::at(&server.url());
    fault.write();
    assert_eq!(fault.run(&["run"], &[]).code, Some(0));
}
