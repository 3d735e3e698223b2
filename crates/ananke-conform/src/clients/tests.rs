//! What users read about clients. That it is true is tested with the real packages, in `tests/it/interop/clients.rs`.

use insta::assert_snapshot;

use super::verdicts;
use crate::body::{BodyReader, Limits};
use crate::case::Case;
use crate::exchange::{Answer, Asked, Ending, Exchange, Framing, Probe};

const START: &str = r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#;
const END: &str = r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#;

fn body(events: &[&str]) -> String {
    events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect()
}

fn exchange(body: &str, asked: Asked, ending: Ending) -> Exchange {
    let mut reader = BodyReader::new(Framing::Sse, Limits::default());
    reader.push(body.as_bytes(), 0).unwrap();
    let (events, wire, _) = reader.finish();
    Exchange {
        scenario: "hello".to_owned(),
        step: "run".to_owned(),
        asked,
        request: None,
        answer: Answer {
            status: Some(200),
            events,
            wire,
            ending,
            ..Answer::default()
        },
    }
}

fn told(exchanges: Vec<Exchange>) -> String {
    let case = Case {
        exchanges,
        ..Case::default()
    };
    let lines = verdicts(&case).into_iter().map(|told| {
        let breaks = told.breaks.map_or_else(String::new, |found| {
            let event = found
                .event
                .map_or_else(|| "all".to_owned(), |event| format!("event {event}"));
            format!(": exchange {}, {event}: {}", found.exchange, found.message)
        });
        format!("{} {:?}{breaks}", told.client, told.verdict)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn run(events: &[&str]) -> String {
    told(vec![exchange(&body(events), Asked::Run, Ending::Closed)])
}

#[test]
fn both_get_through_a_plain_run() {
    assert_snapshot!(run(&[START, END]), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Pass
    ");
}

#[test]
fn a_stream_without_an_end_and_an_empty_one_are_read() {
    assert_snapshot!(run(&[START]), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Pass
    ");
    assert_snapshot!(run(&[]), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Pass
    ");
}

#[test]
fn pending_calls_end_a_run_of_the_older_client() {
    let end = r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#;
    assert_snapshot!(run(&[START, end]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 1: /outcome/pendingToolCallIds: the outcome `success` has no such member, saw a list: it came with 1.0
    @ag-ui/client 1.0.0 Pass
    ");
}

#[test]
fn an_unknown_type_ends_a_run_of_the_older_client() {
    assert_snapshot!(run(&[START, r#"{"type":"META"}"#, END]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 1: `META` is no event type of the protocol
    @ag-ui/client 1.0.0 Pass
    ");
}

#[test]
fn a_null_ends_a_run_of_both() {
    assert_snapshot!(run(&[r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","timestamp":null}"#, END]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 0: /timestamp: expected a number or no such member, saw null
    @ag-ui/client 1.0.0 Fail: exchange 0, event 0: /timestamp: expected an integer or no such member, saw null
    ");
}

#[test]
fn a_fraction_ends_a_run_of_the_current_client() {
    assert_snapshot!(run(&[r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","timestamp":1.5}"#, END]), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Fail: exchange 0, event 0: /timestamp: expected an integer from -9007199254740991 to 9007199254740991, saw 1.5
    ");
}

#[test]
fn the_order_of_reasoning_matters_to_the_current_client() {
    assert_snapshot!(run(&[START, r#"{"type":"REASONING_START","messageId":"g1"}"#, END]), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Fail: exchange 0, event 2: RUN_FINISHED while reasoning span 'g1' is open
    ");
}

#[test]
fn retired_events_are_checked_by_each_in_its_way() {
    assert_snapshot!(run(&[START, r#"{"type":"THINKING_START"}"#, r#"{"type":"THINKING_START"}"#, END]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 2: `THINKING_START` while a thinking step is open
    @ag-ui/client 1.0.0 Fail: exchange 0, event 3: RUN_FINISHED while reasoning span 'thinking-1' is open
    ");
}

#[test]
fn numbers_of_events_count_those_that_are_dropped() {
    let events = [
        START,
        r#"{"type":"META"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    ];
    assert_snapshot!(run(&events), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 1: `META` is no event type of the protocol
    @ag-ui/client 1.0.0 Fail: exchange 0, event 2: TEXT_MESSAGE_END: no active text message found with ID 'm1'
    ");
}

#[test]
fn an_event_at_the_wrong_moment_comes_before_one_that_cannot_be_read() {
    let events = [r#"{"type":"CUSTOM","name":"n","value":1}"#, "[DONE]"];
    assert_snapshot!(run(&events), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 0: the first event is CUSTOM, not RUN_STARTED or RUN_ERROR
    @ag-ui/client 1.0.0 Fail: exchange 0, event 0: the first event is CUSTOM, not RUN_STARTED or RUN_ERROR
    ");
    assert_snapshot!(run(&[START, "[DONE]"]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, event 1: its data is no JSON: expected value at line 1 column 2
    @ag-ui/client 1.0.0 Fail: exchange 0, event 1: its data is no JSON: expected value at line 1 column 2
    ");
}

#[test]
fn line_ends_other_than_lf_join_all_events() {
    let crlf = body(&[START, END]).replace('\n', "\r\n");
    assert_snapshot!(told(vec![exchange(&crlf, Asked::Run, Ending::Closed)]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, all: lines end with CRLF: it looks for two LF between events and takes all 2 for one
    @ag-ui/client 1.0.0 Fail: exchange 0, all: lines end with CRLF: it looks for two LF between events and takes all 2 for one
    ");
}

#[test]
fn line_ends_count_only_between_events() {
    let lf = body(&[START]);
    let crlf = |events: &[&str]| body(events).replace('\n', "\r\n");
    let told = |body: String| told(vec![exchange(&body, Asked::Run, Ending::Closed)]);
    assert_snapshot!(told(format!("{lf}{}", crlf(&[END]))), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Pass
    ");
    assert_snapshot!(told(format!("{lf}: hello\r\n\r\n{}", body(&[END]))), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Pass
    ");
    assert_snapshot!(told(format!("{lf}{}", crlf(&[r#"{"type":"RAW","event":1}"#, END]))), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, all: lines end with CRLF: it looks for two LF between events and takes 3 of them for 2
    @ag-ui/client 1.0.0 Fail: exchange 0, all: lines end with CRLF: it looks for two LF between events and takes 3 of them for 2
    ");
}

#[test]
fn half_a_character_is_read() {
    assert_snapshot!(run(&[START, r#"{"type":"CUSTOM","name":"a.b","value":"\ud83d"}"#, END]), @"
    @ag-ui/client 0.0.59 Pass
    @ag-ui/client 1.0.0 Pass
    ");
}

#[test]
fn a_broken_connection_is_a_failed_run() {
    let broken = Ending::Broken("connection reset".to_owned());
    assert_snapshot!(told(vec![exchange(&body(&[START]), Asked::Run, broken)]), @"
    @ag-ui/client 0.0.59 Fail: exchange 0, all: the connection broke: connection reset
    @ag-ui/client 1.0.0 Fail: exchange 0, all: the connection broke: connection reset
    ");
}

#[test]
fn probes_and_refused_requests_are_for_no_client() {
    let probe = exchange(
        "data: x\n\n",
        Asked::Probe(Probe::AcceptAny),
        Ending::Closed,
    );
    let mut refused = exchange("data: x\n\n", Asked::Run, Ending::Closed);
    refused.answer.status = Some(400);
    assert_snapshot!(told(vec![probe, refused]), @"
    @ag-ui/client 0.0.59 Inconclusive
    @ag-ui/client 1.0.0 Inconclusive
    ");
}

#[test]
fn the_first_stream_that_is_refused_is_told() {
    let good = exchange(&body(&[START, END]), Asked::Run, Ending::Closed);
    let bad = exchange(&body(&[END]), Asked::Run, Ending::Closed);
    assert_snapshot!(told(vec![good, bad.clone(), bad]), @"
    @ag-ui/client 0.0.59 Fail: exchange 1, event 0: the first event is RUN_FINISHED, not RUN_STARTED or RUN_ERROR
    @ag-ui/client 1.0.0 Fail: exchange 1, event 0: the first event is RUN_FINISHED, not RUN_STARTED or RUN_ERROR
    ");
}
