//! A check that nothing was seen for is inconclusive, and says why. Only the content type is always decided: any answer has
//! a status.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::server::{End, Server};
use super::stand_in::StandIn;
use super::{StackOptions, judged};
use crate::sse_stack::catalogue;

fn stream_of(body: &'static str, end: End) -> Server {
    StandIn::closing().start_with(move |request, mut reply| {
        if request.path == "/remote/stream" && reply.status == 200 {
            reply.body = body.to_owned();
            reply.end = end.clone();
        }
        reply
    })
}

#[test]
fn a_stream_without_frames_leaves_most_open() {
    assert_snapshot!(judged(&stream_of(": welcome\n\n", End::Close), |_| {}), @"
    inconclusive wire.separator_blank_line: no frame was seen before the server closed the stream
    inconclusive wire.event_field_present: no frame was seen before the server closed the stream
    inconclusive wire.data_field_parses_as_json: no frame was seen before the server closed the stream
    inconclusive events.shape_conformance: no frame was seen before the server closed the stream
    inconclusive events.type_in_vocabulary: no frame was seen before the server closed the stream
    inconclusive ordering.start_before_steps: no frame was seen before the server closed the stream
    inconclusive ordering.finished_terminates: no frame was seen before the server closed the stream
    inconclusive ordering.monotonic_ids: no frame was seen before the server closed the stream
    inconclusive reconnect.since_gap_free: no frame was seen before the server closed the stream
    ");
}

#[test]
fn a_silent_stream_ends_at_the_timeout() {
    let found = judged(&stream_of("", End::Hold), |options| {
        options.timeout = std::time::Duration::from_secs(2);
    });
    assert_snapshot!(found, @"
    inconclusive wire.separator_blank_line: no frame was seen before the time was over
    inconclusive wire.event_field_present: no frame was seen before the time was over
    inconclusive wire.data_field_parses_as_json: no frame was seen before the time was over
    inconclusive events.shape_conformance: no frame was seen before the time was over
    inconclusive events.type_in_vocabulary: no frame was seen before the time was over
    inconclusive ordering.start_before_steps: no frame was seen before the time was over
    inconclusive ordering.finished_terminates: no frame was seen before the time was over
    inconclusive ordering.monotonic_ids: no frame was seen before the time was over
    inconclusive reconnect.since_gap_free: no frame was seen before the time was over
    ");
}

#[test]
fn every_check_but_one_can_be_inconclusive() {
    type Change = fn(&mut StackOptions);
    let nothing: Change = |_| {};
    let cases: [(&str, &'static str, Change); 7] = [
        ("no data", "event: ping\n\nevent: ping\ndata:\n\n", nothing),
        (
            "unknown types",
            "event: x\ndata: {\"type\":\"PING\"}\n\nid: a\ndata: {\"type\":\"PING\"}\n\n",
            nothing,
        ),
        (
            "joined late",
            "event: x\ndata: {\"type\":\"STEP_STARTED\",\"stepName\":\"a\",\"seq\":7}\n\n",
            nothing,
        ),
        (
            "cut at the end of the run",
            "event: x\ndata: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\ndata: {}\n\n",
            |options| options.max_frames = 1,
        ),
        (
            "trailing bytes, but reading stopped",
            "event: x\ndata: {\"type\":\"RAW\",\"event\":1}\n\ndata: {}\n\ndata: {\"ty",
            |options| options.max_frames = 1,
        ),
        ("not found", "", |options| {
            options.stream_path = "/other".to_owned();
        }),
        ("no tokens", "", |options| {
            options.insufficient_scope_bearer = None;
            options.cnf_bound_bearer = None;
            options.stream_path = format!("/remote/stream?token={}", super::stand_in::FULL);
            options.bearer = None;
        }),
    ];
    let mut out = String::new();
    for (name, body, change) in cases {
        let found = judged(&stream_of(body, End::Close), change);
        writeln!(out, "{name}\n  {}", found.trim_end().replace('\n', "\n  ")).unwrap();
    }
    assert_snapshot!(out, @"
    no data
      inconclusive wire.data_field_parses_as_json: no frame has data
      inconclusive events.shape_conformance: no event of a known type was seen
      inconclusive events.type_in_vocabulary: no event was seen
      inconclusive ordering.start_before_steps: no step was seen
      inconclusive ordering.finished_terminates: no end of a run was seen in 2 frames (the server closed the stream)
      inconclusive ordering.monotonic_ids: frames have neither `id:` nor `seq`
      inconclusive reconnect.since_gap_free: at least two frames with numbers are needed, and 0 came
    unknown types
      inconclusive events.shape_conformance: no event of a known type was seen
      fail events.type_in_vocabulary: event 0: `PING` (2 events) is not one of the 19 canonical types
      inconclusive ordering.start_before_steps: no step was seen
      inconclusive ordering.finished_terminates: no end of a run was seen in 2 frames (the server closed the stream)
      inconclusive ordering.monotonic_ids: `id:` holds no numbers, and payloads have no `seq`
      inconclusive reconnect.since_gap_free: at least two frames with numbers are needed, and 0 came
    joined late
      inconclusive ordering.start_before_steps: the stream was joined at number 7: the run may have started before
      inconclusive ordering.finished_terminates: no end of a run was seen in 1 frame (the server closed the stream)
      inconclusive ordering.monotonic_ids: only one frame has a number
      inconclusive reconnect.since_gap_free: at least two frames with numbers are needed, and 1 came
    cut at the end of the run
      inconclusive ordering.start_before_steps: no step was seen
      inconclusive ordering.finished_terminates: reading stopped right after the end of the run; `--max-frames` reads on
      inconclusive ordering.monotonic_ids: frames have neither `id:` nor `seq`
      inconclusive reconnect.since_gap_free: at least two frames with numbers are needed, and 0 came
    trailing bytes, but reading stopped
      inconclusive ordering.start_before_steps: no step was seen
      inconclusive ordering.finished_terminates: no end of a run was seen in 1 frame (enough frames were read)
      inconclusive ordering.monotonic_ids: frames have neither `id:` nor `seq`
      inconclusive reconnect.since_gap_free: at least two frames with numbers are needed, and 0 came
    not found
      fail headers.content_type: expected status 200 with `text/event-stream`, seen status 404; is the path right? it is given with `--stream-path`
      inconclusive headers.cache_control: there is no stream: status 404
      inconclusive headers.connection: there is no stream: status 404
      inconclusive wire.separator_blank_line: there is no stream: status 404
      inconclusive wire.event_field_present: there is no stream: status 404
      inconclusive wire.data_field_parses_as_json: there is no stream: status 404
      inconclusive events.shape_conformance: there is no stream: status 404
      inconclusive events.type_in_vocabulary: there is no stream: status 404
      inconclusive ordering.start_before_steps: there is no stream: status 404
      inconclusive ordering.finished_terminates: there is no stream: status 404
      inconclusive ordering.monotonic_ids: there is no stream: status 404
      inconclusive reconnect.since_gap_free: there is no stream: status 404
    no tokens
      inconclusive wire.separator_blank_line: no frame was seen before the server closed the stream
      inconclusive wire.event_field_present: no frame was seen before the server closed the stream
      inconclusive wire.data_field_parses_as_json: no frame was seen before the server closed the stream
      inconclusive events.shape_conformance: no frame was seen before the server closed the stream
      inconclusive events.type_in_vocabulary: no frame was seen before the server closed the stream
      inconclusive ordering.start_before_steps: no frame was seen before the server closed the stream
      inconclusive ordering.finished_terminates: no frame was seen before the server closed the stream
      inconclusive ordering.monotonic_ids: no frame was seen before the server closed the stream
      inconclusive reconnect.since_gap_free: no frame was seen before the server closed the stream
      inconclusive auth.401_on_missing_bearer: no token is given with `--bearer`: the server may be open on purpose
      inconclusive auth.403_on_insufficient_scope: no token that may only read is given with `--insufficient-scope-bearer`
      inconclusive auth.dpop_required_on_cnf: no bound token is given with `--cnf-bound-bearer`
    ");
    for facts in catalogue() {
        let can_be = out.contains(&format!("inconclusive {}: ", facts.id));
        assert_eq!(can_be, facts.id != "headers.content_type", "{}", facts.id);
    }
}
