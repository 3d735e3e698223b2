//! Cards: both shapes, the choice of an interface, and cards that lie.

use insta::assert_snapshot;
use serde_json::json;

use super::peer::{Act, Peer, Setup, json as json_body, respond, result, user};
use crate::a2a::options::CardSource;
use crate::a2a::wire::{Binding, Version};

const HELLO: &str =
    r#"{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"Hello"}]}}"#;

/// Speaks to a peer whose card is `card`.
fn with_card(card: &str, change: impl Fn(&mut Setup)) -> String {
    let peer = Peer::start(vec![Act::Say(json_body(card)), Act::Say(result(HELLO))]);
    let mut options = super::options(None);
    options.card = CardSource::Url(peer.base());
    let mut setup = Setup::with(options);
    change(&mut setup);
    let said = setup.say(&peer, &["Hi"]);
    let lines: Vec<String> = peer
        .asked()
        .lines()
        .map(|line| line.chars().take(100).collect())
        .collect();
    format!("{said}\n---\n{}", lines.join("\n"))
}

#[test]
fn the_first_interface_that_can_be_spoken_is_used() {
    assert_snapshot!(with_card(r#"{"name":"a","capabilities":{},"supportedInterfaces":[
        {"url":"http://ADDRESS/grpc","protocolBinding":"GRPC","protocolVersion":"1.0"},
        {"url":"http://ADDRESS/future","protocolBinding":"JSONRPC","protocolVersion":"2.0"},
        {"url":"/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0","tenant":"blue"}],
        "url":"http://ADDRESS/old","protocolVersion":"0.3.0"}"#, |_| {}), @r#"
    finished
    text: Hello
    events: 1
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    POST /rpc
    a2a-version: 1.0
    x-team: blue
    {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_US
    "#);
    // One card with both shapes: the version that is wanted decides.
    assert_snapshot!(with_card(r#"{"capabilities":{"streaming":true},"supportedInterfaces":[
        {"url":"http://ADDRESS/new","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
        "url":"http://ADDRESS/old","preferredTransport":"JSONRPC","protocolVersion":"0.3.0"}"#, |setup| {
            setup.options.version = Some(Version::V03);
        }), @r#"
    finished
    text: Hello
    warning: the agent answers in the form of 1.0 although 0.3 was spoken
    events: 1
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 0.3
    x-team: blue
    POST /old
    a2a-version: 0.3
    x-team: blue
    {"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"kind":"message","messageId":
    "#);
    assert_snapshot!(with_card(r#"{"url":"http://ADDRESS/old","protocolVersion":"0.3.0",
        "additionalInterfaces":[{"transport":"HTTP+JSON","url":"http://ADDRESS/rest"}]}"#, |setup| {
            setup.options.binding = Some(Binding::HttpJson);
        }), @r#"
    finished
    text: Hello
    events: 1
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    POST /rest/v1/message:stream
    a2a-version: 0.3
    x-team: blue
    {"message":{"messageId":"m1","role":"ROLE_USER","content":[{"text":"Hi"}]}}
    "#);
}

#[test]
fn a_card_that_points_elsewhere_is_not_followed() {
    let elsewhere = r#"{"url":"http://elsewhere.example/a2a","protocolVersion":"0.3"}"#;
    assert_snapshot!(with_card(elsewhere, |_| {}), @"
    Redirect: the agent card of http://ADDRESS names `http://elsewhere.example/a2a`, which is another host; set `endpoint` to where the agent answers, or `allowOtherOrigin: true` if it is right
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
    assert_snapshot!(with_card(r#"{"url":"http://localhost:1/a2a"}"#, |_| {}), @"
    Redirect: the agent card of http://ADDRESS names `http://localhost:1/a2a`: the same host, but another scheme or port; set `endpoint` to where the agent answers, or `allowOtherOrigin: true` if it is right
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
    let peer = Peer::start(vec![Act::Say(result(HELLO))]);
    let mut options = super::options(Some(peer.url()));
    options.card = CardSource::Inline(json!({"url": "http://elsewhere.example/"}));
    // An endpoint goes before what the card says.
    assert_snapshot!(Setup::with(options).say(&peer, &["Hi"]), @"
    finished
    text: Hello
    warning: the agent answers in the form of 1.0 although 0.3 was spoken
    events: 1
    reached: true
    ");
}

#[test]
fn cards_that_are_none_say_what_they_are() {
    assert_snapshot!(with_card("<html>Welcome</html>", |_| {}), @"
    BadEvent: the agent card: http://ADDRESS/.well-known/agent-card.json is not a JSON object; it begins: <html>Welcome</html>
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
    assert_snapshot!(with_card("[]", |_| {}), @"
    BadEvent: the agent card: http://ADDRESS/.well-known/agent-card.json is not a JSON object; it begins: []
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
    assert_snapshot!(with_card(r#"{"name":"a"}"#, |_| {}), @"
    BadEvent: the agent card names no interface: expected `supportedInterfaces` or `url`
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
    assert_snapshot!(with_card(r#"{"url":"http://ADDRESS/","preferredTransport":"GRPC"}"#, |_| {}), @"
    BadEvent: the agent card names no interface that can be spoken: expected JSONRPC or HTTP+JSON of version 1.0 or 0.3, got GRPC 0.3
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
    assert_snapshot!(with_card(r#"{"url":"ftp://ADDRESS/"}"#, |_| {}), @"
    BadEvent: the agent card: `ftp://ADDRESS/` has the scheme `ftp`; http and https are supported
    events: 0
    reached: true
    ---
    GET /.well-known/agent-card.json
    a2a-version: 1.0
    x-team: blue
    ");
}

/// Speaks to a peer that answers all requests for its card like this.
fn with_answer(answer: String) -> String {
    let peer = Peer::start(vec![Act::Say(answer)]);
    let mut options = super::options(None);
    options.card = CardSource::Url(format!("{}/agents/one/", peer.base()));
    let said = Setup::with(options).say(&peer, &["Hi"]);
    let asked = peer.asked();
    let lines = asked.lines().filter(|line| line.starts_with("GET"));
    format!("{said}\n---\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_card_that_does_not_come_is_told() {
    assert_snapshot!(with_answer(respond("404 Not Found", "text/plain", "no such page")), @"
    HttpStatus: the agent card: HTTP 404 from http://ADDRESS/agents/one/.well-known/agent-card.json: no such page
    events: 0
    reached: true
    ---
    GET /agents/one/.well-known/agent-card.json
    GET /agents/one/.well-known/agent.json
    GET /agents/one/
    ");
    assert_snapshot!(with_answer(respond("401 Unauthorized", "text/plain", "who?")), @"
    HttpStatus: the agent card: HTTP 401 from http://ADDRESS/agents/one/.well-known/agent-card.json: who?; is `auth` right?
    events: 0
    reached: true
    ---
    GET /agents/one/.well-known/agent-card.json
    ");
    let large = format!(r#"{{"name":"{}"}}"#, "x".repeat(1 << 20));
    assert_snapshot!(with_answer(json_body(&large)), @"
    Limit: the agent card: the answer is larger than 1048576 bytes
    events: 0
    reached: true
    ---
    GET /agents/one/.well-known/agent-card.json
    ");
    let away = "HTTP/1.1 302 Found\r\nlocation: http://elsewhere.example/card?key=1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    assert_snapshot!(with_answer(away.to_owned()), @"
    Redirect: the agent card: HTTP 302: a redirect to another origin, `http://elsewhere.example/card`, is not followed: headers may hold credentials; use that URL if it is right
    events: 0
    reached: true
    ---
    GET /agents/one/.well-known/agent-card.json
    ");
    let around =
        "HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    assert_snapshot!(with_answer(around.to_owned()), @"
    Redirect: the agent card: more than 5 redirects
    events: 0
    reached: true
    ---
    GET /agents/one/.well-known/agent-card.json
    GET /again
    GET /again
    GET /again
    GET /again
    GET /again
    ");
}

#[test]
fn an_unreachable_or_silent_card_costs_bounded_time() {
    let mut options = super::options(None);
    options.card = CardSource::Url("http://127.0.0.1:1/".to_owned());
    let turns = Setup::with(options.clone()).run(vec![user("Hi")]);
    assert_snapshot!(super::peer::render(&turns[0]), @"
    Unreachable: the agent card: cannot connect to http://127.0.0.1:1: Connection refused (os error 111)
    events: 0
    reached: false
    ");
    let peer = Peer::start(vec![Act::SayAndHold(String::new())]);
    options.card = CardSource::Url(peer.base());
    let mut setup = Setup::with(options);
    setup.timeout = std::time::Duration::from_millis(200);
    assert_snapshot!(setup.say(&peer, &["Hi"]), @"
    Timeout: timeout after 200ms (timeout_ms): the agent card: http://ADDRESS did not answer in time
    events: 0
    reached: false
    ");
}

#[test]
fn a_listening_address_is_replaced_by_the_cards_own_host() {
    let card = r#"{"url":"http://0.0.0.0:PORT/a2a","protocolVersion":"1.0"}"#;
    let peer = Peer::start_with_port(|port| {
        vec![
            Act::Say(json_body(&card.replace("PORT", &port.to_string()))),
            Act::Say(result(HELLO)),
        ]
    });
    let mut options = super::options(None);
    options.card = CardSource::Url(peer.base());
    assert_snapshot!(Setup::with(options).say(&peer, &["Hi"]), @"
    finished
    text: Hello
    warning: the agent card names `http://0.0.0.0:PORT/a2a`, whose host is only for the server itself: 127.0.0.1 is used instead
    events: 1
    reached: true
    ");
}
