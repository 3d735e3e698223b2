//! Files of every kind, good and bad.

use insta::assert_snapshot;
use serde_json::json;

use super::from_file;
use crate::exchange::Exchange;

fn read(text: &str) -> String {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> String {
    match from_file("capture", bytes, None) {
        Err(why) => format!("refused: {why}"),
        Ok(case) => case
            .exchanges
            .iter()
            .map(shown)
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

fn shown(exchange: &Exchange) -> String {
    let answer = &exchange.answer;
    let kinds: Vec<&str> = answer
        .events
        .iter()
        .map(|event| event.kind().unwrap_or("?"))
        .collect();
    let request = exchange.request.as_ref().map(|input| &input["runId"]);
    format!(
        "{}: status {:?}, {:?}, request {request:?}, {:?}",
        exchange.step, answer.status, answer.framing, kinds
    )
}

#[test]
fn bytes_of_an_event_stream() {
    assert_snapshot!(read("data: {\"type\":\"RUN_STARTED\"}\n\n: hm\n\ndata: {\"type\":\"RAW\"}\n\n"), @r#"capture: status None, Sse, request None, ["RUN_STARTED", "RAW"]"#);
    assert_snapshot!(read("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"type\":\"RAW\"}\n\n"), @r#"capture: status Some(200), Sse, request None, ["RAW"]"#);
    assert_snapshot!(read("HTTP/2 404\nContent-Type: text/html\n\n<p>no</p>"), @"capture: status Some(404), None, request None, []");
    assert_snapshot!(read("HTTP/1.1 ?\n\n"), @"refused: its first line, `HTTP/1.1 ?`, looks like HTTP and has no status");
}

#[test]
fn the_last_of_several_heads_counts() {
    let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"type\":\"RAW\"}\n\n";
    for before in [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 Connection established\r\n\r\n",
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: /there\r\n\r\n",
    ] {
        assert_eq!(read(&format!("{before}{answer}")), read(answer));
    }
}

#[test]
fn bytes_of_protobuf() {
    // RUN_STARTED (arm 12) with threadId `t` and runId `r`.
    let event = [0x62, 0x06, 0x12, 0x01, b't', 0x1a, 0x01, b'r'];
    let frame = [&[0, 0, 0, 8], event.as_slice()].concat();
    assert_snapshot!(read_bytes(&frame), @r#"capture: status None, Protobuf, request None, ["RUN_STARTED"]"#);
}

#[test]
fn events_as_json() {
    assert_snapshot!(read("{\"type\":\"RUN_STARTED\"}\n\n{\"type\":\"RUN_FINISHED\"}\n"), @r#"capture: status None, Sse, request None, ["RUN_STARTED", "RUN_FINISHED"]"#);
    assert_snapshot!(read("[{\"type\":\"RUN_STARTED\"},{\"type\":\"RUN_FINISHED\"}]"), @r#"capture: status None, Sse, request None, ["RUN_STARTED", "RUN_FINISHED"]"#);
    assert_snapshot!(read("{\"event\":{\"type\":\"RAW\"},\"at_ms\":5}\n{\"data\":\"{\\\"type\\\":\\\"RAW\\\"}\"}"), @r#"capture: status None, Sse, request None, ["RAW", "RAW"]"#);
    assert_snapshot!(read("{\"request\":{\"runId\":\"r\"},\"events\":[{\"type\":\"RAW\"}]}\n{\"stream\":[]}\n{\"type\":\"RAW\"}"), @r#"
    answer 1: status None, Sse, request Some(String("r")), ["RAW"]
    answer 2: status None, Sse, request None, []
    answer 3: status None, Sse, request None, ["RAW"]
    "#);
}

#[test]
fn an_event_without_a_type_is_kept_for_the_rules() {
    assert_snapshot!(read("{\"type\":\"RUN_STARTED\"}\n{\"messageId\":\"m\"}\n"), @r#"capture: status None, Sse, request None, ["RUN_STARTED", "?"]"#);
}

#[test]
fn what_cannot_be_judged_is_refused() {
    assert_snapshot!(read(""), @"refused: it is empty: there is nothing to judge");
    assert_snapshot!(read(" \n\t"), @"refused: it is empty: there is nothing to judge");
    assert_snapshot!(read("[]"), @"refused: it holds no event: there is nothing to judge");
    assert_snapshot!(read("hello"), @"refused: it holds no event: expected an event stream, events as JSON lines, or a bundle");
    assert_snapshot!(read("{\"type\":\"RAW\"}\n{\"type\":"), @"refused: its last line is cut: the JSON there has no end");
    assert_snapshot!(read("{\"type\":\"RAW\"}\nnot json\n"), @"refused: line 2 is no JSON: expected ident at line 2 column 2");
    assert_snapshot!(read("{\"colour\":\"red\"}"), @"refused: item 1 is neither an event (an object with `type`) nor an answer (an object with `events`)");
    assert_snapshot!(read("{\"type\":\"RAW\"}\n12"), @"refused: item 2 is neither an event (an object with `type`) nor an answer (an object with `events`)");
}

#[test]
fn a_request_belongs_to_one_answer() {
    let request = || Some(json!({"runId": "r"}));
    let one = from_file("f", b"{\"type\":\"RAW\"}", request()).unwrap();
    assert_eq!(one.exchanges[0].request, request());
    assert!(one.notes.is_empty());
    let two = from_file("f", b"{\"events\":[]}{\"events\":[]}", request());
    assert_snapshot!(two.unwrap_err(), @"it holds 2 answers, and one request cannot belong to all of them");
    let none = from_file("f", b"{\"events\":[]}", None).unwrap();
    assert_snapshot!(none.notes.join("\n"), @"the request is not known: rules that compare the answer with it are inconclusive; `--request input.json` names it");
}
