//! Bodies that break, stall, flood, or are something else.

use std::time::{Duration, Instant};

use insta::assert_snapshot;

use super::peer::{Act, Peer, Setup, respond, streamed};

fn said(act: Act) -> String {
    Setup::new(&Peer::start(vec![act])).say_hi()
}

#[test]
fn a_stream_that_just_ends_is_truncated() {
    assert_snapshot!(said(Act::Say(streamed(r#"{"content":"Hel"}"#))), @r#"
    Truncated: truncated: the stream ended before a finish_reason or [DONE], after 1 event
    kind: user
    text: Hel
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hel"}
    events: 1
    reached: true
    "#);
    assert_snapshot!(said(Act::Say(streamed(""))), @r#"
    Empty: the answer is empty: the server sent no event at all
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
    assert_snapshot!(said(Act::Say(streamed("[DONE]"))), @r#"
    Empty: the answer is empty: the server sent no event at all
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
}

#[test]
fn a_connection_that_breaks_inside_the_stream_is_truncated() {
    let body = super::sse(r#"{"content":"Hel"}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n";
    assert_snapshot!(said(Act::Say(format!("{head}{body}"))), @r#"
    Truncated: the stream ended before a finish_reason: end of file before message length reached
    kind: user
    text: Hel
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hel"}
    events: 1
    reached: true
    "#);
    let head = head.replace("text/event-stream", "application/json");
    assert_snapshot!(said(Act::Say(format!("{head}{{"))), @r#"
    Truncated: the answer ended before it was whole: end of file before message length reached
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
}

#[test]
fn a_chunk_that_is_no_json_fails_the_turn() {
    assert_snapshot!(said(Act::Say(streamed(r#"
        {"content":"Hel"}
        raw {"choices":[
        {"content":"lo"}
        finish stop
        [DONE]
    "#))), @r#"
    BadEvent: event 1 cannot be read: EOF while parsing a list at line 1 column 12: {"choices":[
    kind: user
    text: Hello
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hello"}
    events: 4
    reached: true
    "#);
}

#[test]
fn an_error_in_the_stream_is_the_servers_and_hides_the_key() {
    assert_snapshot!(said(Act::Say(streamed(r#"
        {"content":"Hel"}
        raw {"error":{"message":"sk-secret-1 ran dry","code":"overloaded"}}
    "#))), @r#"
    run error: [redacted] ran dry Some("overloaded")
    kind: user
    text: Hel
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hel"}
    events: 2
    reached: true
    "#);
}

#[test]
fn other_bodies_are_no_answers() {
    assert_snapshot!(said(Act::Say(respond("200 OK", "text/html", "<html>\nLog in"))), @r#"
    ContentType: expected `text/event-stream`, got `text/html`; it begins: <html>
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
    assert_snapshot!(said(Act::Say(respond("200 OK", "application/json", ""))), @r#"
    Empty: the answer is empty: the server sent no event at all
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
    assert_snapshot!(said(Act::Say(respond("200 OK", "application/json", r#"{"ok":true}"#))), @r#"
    BadEvent: event 0 cannot be read: it holds no choice with a message: {"ok":true}
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    warning: event 0 holds neither choices nor usage: kept, not folded
    events: 1
    reached: true
    "#);
    assert_snapshot!(said(Act::Say(respond("200 OK", "application/json", r#"{"error":"no luck"}"#))), @r#"
    run error: no luck None
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 1
    reached: true
    "#);
}

#[test]
fn a_turn_ends_with_its_answer_and_not_with_its_connection() {
    let began = Instant::now();
    let done = said(Act::SayAndHold(streamed(
        "{\"content\":\"Hi\"}\nfinish stop\n[DONE]",
    )));
    assert!(done.starts_with("finished\n"), "{done}");
    let finished = said(Act::SayAndHold(streamed(
        "{\"content\":\"Hi\"}\nfinish stop",
    )));
    assert!(finished.starts_with("finished\n"), "{finished}");
    let failed = said(Act::SayAndHold(streamed("raw {\"error\":\"no luck\"}")));
    assert!(failed.starts_with("run error: no luck"), "{failed}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn silence_ends_at_the_deadline() {
    let peer = Peer::start(vec![Act::SayAndHold(streamed(r#"{"content":"Hel"}"#))]);
    let mut setup = Setup::new(&peer);
    setup.timeout = Duration::from_millis(600);
    assert_snapshot!(setup.say_hi(), @r#"
    Timeout: timeout after 600ms (timeout_ms): 1 event came before
    kind: user
    text: Hel
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hel"}
    events: 1
    reached: true
    "#);
    let peer = Peer::start(vec![Act::SayAndHold(String::new())]);
    let mut setup = Setup::new(&peer);
    setup.timeout = Duration::from_millis(100);
    assert_snapshot!(setup.say_hi(), @r#"
    Timeout: timeout after 100ms (timeout_ms): no response came before
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: false
    "#);
}

#[test]
fn an_interrupted_turn_ends_at_once() {
    let peer = Peer::start(vec![Act::SayAndHold(String::new())]);
    let setup = Setup::new(&peer);
    setup.cancel.cancel();
    assert_snapshot!(setup.say_hi(), @r#"
    Cancelled: interrupted
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: false
    "#);
}

#[test]
fn limits_are_kept_and_so_is_what_came_before() {
    let long = "x".repeat(5000);
    let body = format!("{{\"content\":\"Hel\"}}\n{{\"content\":\"{long}\"}}\nfinish stop\n[DONE]");
    let limited = |response: String, event_bytes: usize, turn_bytes: usize| {
        let peer = Peer::start(vec![Act::Say(response)]);
        let mut setup = Setup::new(&peer);
        setup.limits.event_bytes = event_bytes;
        setup.limits.turn_bytes = turn_bytes;
        setup.say_hi()
    };
    assert_snapshot!(limited(streamed(&body), 1000, 1 << 20), @r#"
    Limit: one event is larger than 1000 bytes (limits.event_bytes)
    kind: user
    text: Hel
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hel"}
    events: 1
    reached: true
    "#);
    let too_much = limited(streamed(&body), 1 << 20, 1000);
    assert_snapshot!(too_much.lines().next().unwrap(), @"Limit: the turn's answer needs more than 1000 bytes (limits.turn_bytes)");
    let whole = respond("200 OK", "application/json", &format!("\"{long}\""));
    let too_large = limited(whole.clone(), 1000, 1 << 20);
    assert_snapshot!(too_large.lines().next().unwrap(), @"Limit: the answer is larger than 1000 bytes (limits.event_bytes)");
    let too_much = limited(whole, 1 << 20, 1000);
    assert_snapshot!(too_much.lines().next().unwrap(), @"Limit: the turn's answer needs more than 1000 bytes (limits.turn_bytes)");
    let calls: Vec<String> = (0..5000)
        .map(|index| format!(r#"{{"index":{index}}}"#))
        .collect();
    let calls = format!("{{\"tool_calls\":[{}]}}", calls.join(","));
    let too_many = limited(streamed(&calls), 1 << 20, 1 << 24);
    assert_snapshot!(too_many.lines().next().unwrap(), @"Limit: the turn makes more than 4096 tool calls");
}
