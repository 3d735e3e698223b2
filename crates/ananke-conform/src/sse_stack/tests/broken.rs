//! Every check has a server that fails it, and the checks that fail with it are listed.

use std::fmt::Write as _;

use insta::assert_snapshot;

use super::server::{End, Reply, Request, Server};
use super::stand_in::StandIn;
use super::{StackOptions, judged};
use crate::sse_stack::catalogue;

type Change = fn(&Request, Reply) -> Reply;

fn broken(change: Change) -> Server {
    StandIn::closing().start_with(change)
}

fn is_stream(request: &Request) -> bool {
    request.path == "/remote/stream"
}

/// Changes the text of every stream, that of the second request too.
fn rewritten(request: &Request, mut reply: Reply, change: impl Fn(&str) -> String) -> Reply {
    if is_stream(request) && reply.status == 200 {
        reply.body = change(&reply.body);
    }
    reply
}

const BROKEN: &[(&str, Change)] = &[
    ("headers.content_type", |_, reply| {
        reply.with_header("Content-Type", Some("text/plain; charset=utf-8"))
    }),
    ("headers.cache_control", |_, reply| {
        reply.with_header("Cache-Control", Some("no-store"))
    }),
    ("headers.connection", |_, reply| {
        reply.with_header("Connection", None)
    }),
    ("wire.separator_blank_line", |request, reply| {
        rewritten(request, reply, |body| body.trim_end().to_owned() + "\n")
    }),
    ("wire.event_field_present", |request, reply| {
        rewritten(request, reply, |body| {
            let lines = body.split_inclusive('\n');
            lines.filter(|line| !line.starts_with("event:")).collect()
        })
    }),
    ("wire.data_field_parses_as_json", |request, reply| {
        rewritten(request, reply, |body| format!("{body}data: [DONE]\n\n"))
    }),
    ("events.shape_conformance", |request, reply| {
        rewritten(request, reply, |body| {
            body.replace(r#""runId":"run-1""#, r#""runId":1"#)
        })
    }),
    ("events.type_in_vocabulary", |request, reply| {
        rewritten(request, reply, |body| {
            body.replace("TEXT_MESSAGE_END", "TextMessageEnd")
        })
    }),
    ("ordering.start_before_steps", |request, reply| {
        rewritten(request, reply, |body| {
            body.replace("RUN_STARTED", "TEMP")
                .replace("STEP_STARTED", "RUN_STARTED")
                .replace("TEMP", "STEP_STARTED")
        })
    }),
    ("ordering.finished_terminates", |request, reply| {
        rewritten(request, reply, |body| {
            body.replace("STATE_SNAPSHOT", "STEP_FINISHED")
        })
    }),
    ("ordering.monotonic_ids", |request, reply| {
        rewritten(request, reply, |body| {
            body.replace(r#""seq":4"#, r#""seq":3"#)
        })
    }),
    ("reconnect.since_gap_free", |request, reply| {
        rewritten(request, reply, |body| match request.query("since") {
            // The first event after a lost connection is lost as well.
            Some(_) => body.split_inclusive("\n\n").skip(1).collect(),
            None => body.to_owned(),
        })
    }),
    ("auth.401_on_missing_bearer", |request, mut reply| {
        if request.header("authorization").is_none() {
            reply.status = 403;
        }
        reply
    }),
    ("auth.403_on_insufficient_scope", |request, mut reply| {
        if !is_stream(request) {
            reply.status = 200;
        }
        reply
    }),
    ("auth.dpop_required_on_cnf", |_, mut reply| {
        reply.body = reply.body.replace("dpop_required", "unauthorized");
        reply
    }),
];

#[test]
fn every_check_has_a_server_that_fails_it() {
    let mut out = String::new();
    for (id, change) in BROKEN {
        let found = judged(&broken(*change), |_| {});
        assert!(found.contains(&format!("fail {id}: ")), "{id}:\n{found}");
        writeln!(out, "{id}\n  {}", found.trim_end().replace('\n', "\n  ")).unwrap();
    }
    assert_snapshot!(out, @"
    headers.content_type
      fail headers.content_type: expected `text/event-stream`, seen `text/plain; charset=utf-8`
    headers.cache_control
      fail headers.cache_control: expected `no-cache`, seen `no-store`
    headers.connection
      fail headers.connection: expected `keep-alive`, but there is no `Connection` over HTTP/1
    wire.separator_blank_line
      fail wire.separator_blank_line: the last lines, after 9 whole frames, are not ended by a blank line, and the server closed the stream
    wire.event_field_present
      fail wire.event_field_present: 10 frames came, and none has an `event:` field
    wire.data_field_parses_as_json
      fail wire.data_field_parses_as_json: event 10: the data is no JSON: expected value at line 1 column 2
    events.shape_conformance
      fail events.shape_conformance: event 0 (`RUN_STARTED`): `data.runId` should be a string, and is a number; event 8 (`RUN_FINISHED`): `data.runId` should be a string, and is a number
    events.type_in_vocabulary
      fail events.type_in_vocabulary: event 4: `TextMessageEnd` is not one of the 19 canonical types: it is spelled `TEXT_MESSAGE_END`
    ordering.start_before_steps
      fail ordering.start_before_steps: event 0 (`STEP_STARTED`): a step comes before `RUN_STARTED`, which is event 1
    ordering.finished_terminates
      fail ordering.finished_terminates: event 9: `STEP_FINISHED` comes after `RUN_FINISHED` (event 8), which is the end of the run
    ordering.monotonic_ids
      fail ordering.monotonic_ids: event 4 (`TEXT_MESSAGE_END`): `seq` 3 comes after 3 (event 3); expected a higher number
      inconclusive reconnect.since_gap_free: the numbers of the stream do not rise
    reconnect.since_gap_free
      fail reconnect.since_gap_free: event 0 (`TOOL_CALL_END`): a gap: after `?since=4` expected number 5, seen 6
    auth.401_on_missing_bearer
      fail auth.401_on_missing_bearer: expected status 401 without a token, seen 403
    auth.403_on_insufficient_scope
      fail auth.403_on_insufficient_scope: expected status 403 for a write to `/remote/inject` with a token that may only read, seen 200; the write was taken
    auth.dpop_required_on_cnf
      fail auth.dpop_required_on_cnf: expected `dpop_required` in the answer with status 401, but it is not there
    ");
    let ids: Vec<&str> = BROKEN.iter().map(|(id, _)| *id).collect();
    let all: Vec<String> = catalogue().map(|facts| facts.id).collect();
    assert_eq!(ids, all);
}

fn with_body(body: &'static str, end: End) -> String {
    with(body, end, |_| {})
}

fn with(body: &'static str, end: End, change: impl FnOnce(&mut StackOptions)) -> String {
    let server = StandIn::closing().start_with(move |request, mut reply| {
        if is_stream(request) && reply.status == 200 {
            reply.body = body.to_owned();
            reply.end = end.clone();
        }
        reply
    });
    let found = judged(&server, change);
    let lines = found
        .lines()
        .filter(|line| !line.starts_with("inconclusive"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn frames_without_blank_lines_between_them_are_told() {
    let body = "event: A\ndata: {\"type\":\"RAW\",\"event\":1}\nevent: B\ndata: {\"type\":\"RAW\",\"event\":2}\n\n";
    assert_snapshot!(with_body(body, End::Close), @"
    fail wire.separator_blank_line: event 0: two frames run together: the blank line between them is missing
    fail wire.data_field_parses_as_json: event 0: the data is no JSON: trailing characters at line 2 column 1
    ");
    let body = "data: {\"type\":\"RAW\"}\ndata: {\"type\":\"RAW\"}\n";
    let found = with(body, End::Hold, |options| {
        options.timeout = std::time::Duration::from_secs(2);
    });
    assert_snapshot!(found, @"fail wire.separator_blank_line: no blank line was seen between frames");
    // Lines of JSON are no event stream, whatever the header says.
    assert_snapshot!(with_body("{\"type\":\"RUN_STARTED\"}\n", End::Close), @"fail wire.separator_blank_line: the last lines, after 0 whole frames, are not ended by a blank line, and the server closed the stream");
}

#[test]
fn a_stream_that_breaks_off_is_told() {
    let body = "event: RUN_STARTED\ndata: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\ndata: {\"ty";
    assert_snapshot!(with_body(body, End::Cut), @"
    fail wire.separator_blank_line: the last lines, after 1 whole frame, are not ended by a blank line, and the stream broke off: unexpected EOF during chunk size line
    fail ordering.finished_terminates: the run never ended: neither `RUN_FINISHED` nor `RUN_ERROR` came before the stream broke off: unexpected EOF during chunk size line
    ");
}

#[test]
fn flat_events_are_held_to_ag_ui() {
    let body = concat!(
        "event: m\ndata: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"parentRunId\":null}\n\n",
        "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\"}\n\n",
        "data: {\"type\":\"TOOL_CALL_RESULT\",\"messageId\":\"m\",\"toolCallId\":7,\"content\":{}}\n\n",
        "data: {\"type\":\"CUSTOM\",\"name\":\"x\"}\n\n",
        "data: {\"type\":\"STATE_DELTA\",\"id\":1,\"seq\":-1,\"data\":{\"delta\":\"x\"}}\n\n",
        "data: 7\n\n",
        "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",\"timestamp\":\"now\"}\n\n",
    );
    assert_snapshot!(with_body(body, End::Close), @"
    fail events.shape_conformance: event 1 (`TEXT_MESSAGE_CONTENT`): `delta` is missing; event 2 (`TOOL_CALL_RESULT`): `toolCallId` should be a string, and is a number, `content` should be a string or a list, and is an object; event 4 (`STATE_DELTA`): `id` should be a string, and is a number, `seq` should be an integer from 0 on, and is a negative number, the envelope has no `ts`, `data.delta` should be a list, and is a string; event 6 (`RUN_FINISHED`): `timestamp` should be a number, and is a string
    fail events.type_in_vocabulary: event 5: the payload has no `type`; expected one of the 19 canonical types
    ");
    let v1 = with(body, End::Close, |options| {
        options.vocabulary = super::Vocabulary::V1;
    });
    assert_snapshot!(v1, @"
    fail events.shape_conformance: event 0 (`RUN_STARTED`): `parentRunId` should be a string, and is null; event 1 (`TEXT_MESSAGE_CONTENT`): `delta` is missing; event 2 (`TOOL_CALL_RESULT`): `toolCallId` should be a string, and is a number, `content` should be a string or a list, and is an object; event 3 (`CUSTOM`): `value` is missing; event 4 (`STATE_DELTA`): `id` should be a string, and is a number, `seq` should be an integer from 0 on, and is a negative number, the envelope has no `ts`, `data.delta` should be a list, and is a string; event 6 (`RUN_FINISHED`): `timestamp` should be a number, and is a string
    fail events.type_in_vocabulary: event 5: the payload has no `type`; expected one of the types of AG-UI 1.0
    ");
}

#[test]
fn a_second_request_may_go_wrong_in_many_ways() {
    let ways: [(&str, Change); 4] = [
        ("ignored", |request, reply| {
            rewritten(request, reply, |body| match request.query("since") {
                Some(_) => StandIn::closing().answer(&without_since(request)).body,
                None => body.to_owned(),
            })
        }),
        ("refused", |request, mut reply| {
            if request.query("since").is_some() {
                reply.status = 400;
            }
            reply
        }),
        ("short", |request, reply| {
            rewritten(request, reply, |body| match request.query("since") {
                Some(_) => body.split_inclusive("\n\n").take(2).collect(),
                None => body.to_owned(),
            })
        }),
        ("other", |request, reply| {
            rewritten(request, reply, |body| match request.query("since") {
                Some(_) => body.replace("TOOL_CALL_START", "TOOL_CALL_ARGS"),
                None => body.to_owned(),
            })
        }),
    ];
    let mut out = String::new();
    for (name, change) in ways {
        write!(out, "{name}: {}", judged(&broken(change), |_| {})).unwrap();
    }
    assert_snapshot!(out, @"
    ignored: fail reconnect.since_gap_free: event 0 (`RUN_STARTED`): `?since=4` sends number 0 again, which is not after 4
    refused: fail reconnect.since_gap_free: expected status 200 for `?since=4`, seen 400
    short: fail reconnect.since_gap_free: `?since=4` sent 2 of 5 events again before the server closed the stream
    other: fail reconnect.since_gap_free: event 0: number 5 was `TOOL_CALL_START` at first, and is `TOOL_CALL_ARGS` after `?since=4`
    ");
}

fn without_since(request: &Request) -> Request {
    Request {
        query: Vec::new(),
        ..request.clone()
    }
}
