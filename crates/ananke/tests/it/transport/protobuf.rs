//! Events as protobuf frames, from the frames that the official encoder made.

use std::io::Write as _;

use ananke_testkit::RawServer;
use insta::assert_snapshot;

use crate::faults::{Fault, answers};

/// Frames of the official encoder, each with its length before it.
const FRAMES: &[u8] =
    include_bytes!("../../../../ananke-protocol/testdata/protobuf/every-event.pb");
const STARTED: usize = 0;
const FINISHED: usize = 2;
const CALL_STARTED: usize = 18;
const RESULT: usize = 24;
const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/vnd.ag-ui.event+proto\r\nconnection: close\r\n\r\n";

/// Returns these frames one after another.
fn frames(numbers: &[usize]) -> Vec<u8> {
    let mut all = Vec::new();
    let mut rest = FRAMES;
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let (frame, after) = rest.split_at(4 + u32::from_be_bytes(*length) as usize);
        all.push(frame);
        rest = after;
    }
    numbers
        .iter()
        .flat_map(|number| all[*number])
        .copied()
        .collect()
}

fn fault(server: &RawServer) -> Fault {
    Fault::at(&server.url())
        .target("encoding: protobuf")
        .demands("tools: {require: [{name: f, result_match: \"^$\"}]}")
}

fn answered(body: &[u8]) -> String {
    fault(&answers([HEAD.as_bytes(), body].concat())).shown()
}

#[test]
fn frames_are_events() {
    assert_snapshot!(answered(&frames(&[STARTED, CALL_STARTED, RESULT, FINISHED])), @r#"
    exit code: 0
    --- stdout
    ✓ [hello.test.yaml] hello ([TIME])
    --- json
    passed
    turn 1: finished, 4 events, text ""
    call: f "" -> ""
    finding: V18 RUN_FINISHED while tool call 'c' is open
    "#);
}

#[test]
fn frames_may_be_cut_anywhere_on_the_way() {
    let body = frames(&[STARTED, CALL_STARTED, RESULT, FINISHED]);
    let server = RawServer::start(move |_, _, stream| {
        stream.write_all(HEAD.as_bytes()).ok();
        for byte in &body {
            stream.write_all(&[*byte]).ok();
        }
    });
    let shown = fault(&server).shown();
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
}

#[test]
fn frames_that_nobody_asked_for_are_read_too() {
    let server = answers(
        [
            HEAD.as_bytes(),
            &frames(&[STARTED, CALL_STARTED, RESULT, FINISHED]),
        ]
        .concat(),
    );
    let shown = Fault::at(&server.url())
        .demands("tools: {require: [{name: f}]}")
        .shown();
    assert!(shown.starts_with("exit code: 0\n"), "{shown}");
}

#[test]
fn an_end_inside_a_frame_is_a_truncated_run() {
    let body = frames(&[STARTED, CALL_STARTED, FINISHED]);
    assert_snapshot!(answered(&body[..body.len() - 2]), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: truncated: the stream ended before RUN_FINISHED, after 2 events
         captured in turn 1: 2 events, 1 tool call (f), no text
      ⚠ 1 warning (the body ended inside a protobuf frame)
    --- json
    error
    turn 1: broken (truncated), 2 events, text ""
    call: f ""
    warning: the body ended inside a protobuf frame
    "#);
}

#[test]
fn a_frame_that_is_no_event_is_an_error() {
    let bad = b"\0\0\0\x04\xff\xff\xff\xff";
    assert_snapshot!(answered(&[&frames(&[STARTED, CALL_STARTED]), bad.as_slice()].concat()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: event 2 cannot be read: the data ends inside a field (in Event, byte 4 of the frame)
         captured in turn 1: 2 events, 1 tool call (f), no text
    --- json
    error
    turn 1: broken (bad_event), 2 events, text ""
    call: f ""
    "#);
}

#[test]
fn a_frame_of_4_gib_is_refused_by_its_length() {
    let huge = b"\xff\xff\xff\xffxxxx";
    assert_snapshot!(answered(&[&frames(&[STARTED, CALL_STARTED]), huge.as_slice()].concat()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: one frame has 4294967295 bytes, more than the limit of 16777216 (limits.event_bytes)
         captured in turn 1: 2 events, 1 tool call (f), no text
    --- json
    error
    turn 1: broken (limit), 2 events, text ""
    call: f ""
    "#);
}

#[test]
fn text_that_calls_itself_protobuf_is_an_error() {
    assert_snapshot!(answered(ananke_testkit::hello_run().as_bytes()), @r#"
    exit code: 1
    --- stdout
    ✗ [hello.test.yaml] hello ERROR ([TIME])
      └─ turn 1: one frame has 1684108385 bytes, more than the limit of 16777216 (limits.event_bytes)
         captured in turn 1: 0 events, no tool call, no text
    --- json
    error
    turn 1: broken (limit), 0 events, text ""
    "#);
}
