//! Streams that never end, and events that never end.

use std::io::Write as _;

use ananke_testkit::{RawServer, ok_sse_headers, sse};
use insta::assert_snapshot;
use serde_json::json;

use super::{Fault, call, sends, started, text};

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
        let is_count = word.trim().parse::<u64>().is_ok_and(|n| n > 10);
        if is_count { "[N] " } else { word }
    });
    words.collect()
}

fn stops_at_the_timeout(piece: &str) -> String {
    without_counts(&Fault::at(&repeats(piece).url()).timeout_ms(400).shown())
}

#[test]
fn comments_without_end_stop_at_the_timeout() {
    assert_snapshot!(stops_at_the_timeout(": ping\n\n"), @"");
}

#[test]
fn blank_lines_without_end_stop_at_the_timeout() {
    assert_snapshot!(stops_at_the_timeout("\n"), @"");
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
    assert_snapshot!(without_counts(&fault.shown()), @"");
}

#[test]
fn the_largest_turn_fits_into_memory() {
    let server = repeats(&sse(&[text(&"x".repeat(60 << 10))]));
    let output = Fault::at(&server.url()).timeout_ms(60_000).shown();
    assert!(
        output.contains("the turn's answer is larger than 268435456 bytes (limits.turn_bytes)"),
        "{output}"
    );
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
    assert_snapshot!(Fault::at(&server.url()).shown(), @"");
}

#[test]
fn an_event_of_many_lines_stops_at_the_event_limit() {
    let server = repeats("data: x\n");
    let fault = Fault::at(&server.url()).target("limits: {event_bytes: 100000}");
    assert_snapshot!(fault.shown(), @"");
}

#[test]
fn an_event_of_5_mib_is_read() {
    let mut events = vec![started(), text("Hello"), text(&"x".repeat(5 << 20))];
    events.push(json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}));
    let output = Fault::at(&sends(sse(&events)).url()).shown();
    assert!(output.starts_with("exit code: 0\n"), "{output}");
}
