//! Requests that are refused, and sent again.

use insta::assert_snapshot;

use super::peer::{Act, Peer, Setup, respond, streamed};

const HELLO: &str = "{\"content\":\"Hello\"}\nfinish stop\n[DONE]";

fn json(status: &str, body: &str) -> Act {
    Act::Say(respond(status, "application/json", body))
}

fn refused(act: Act) -> String {
    let said = Setup::new(&Peer::start(vec![act])).say_hi();
    said.lines().next().unwrap().to_owned()
}

#[test]
fn what_the_server_says_is_shown_without_the_key() {
    assert_snapshot!(refused(json(
        "401 Unauthorized",
        r#"{"error":{"message":"Incorrect API key provided: sk-secret-1.","type":"invalid_request_error","code":"invalid_api_key"}}"#,
    )), @"HttpStatus: HTTP 401 Unauthorized: Incorrect API key provided: [redacted]. (invalid_api_key); is the key right?");
    assert_snapshot!(refused(json("404 Not Found", r#"{"error":{"message":"no such model","type":"invalid_request_error","code":null}}"#)), @"HttpStatus: HTTP 404 Not Found: no such model (invalid_request_error); is http://127.0.0.1:PORT/v1/chat/completions the right URL, and `m-1` a model that it has?");
    assert_snapshot!(refused(json("422 Unprocessable Entity", r#"{"detail":[{"loc":["body"],"msg":"bad"}]}"#)), @r#"HttpStatus: HTTP 422 Unprocessable Entity: [{"loc":["body"],"msg":"bad"}]"#);
    assert_snapshot!(refused(json("400 Bad Request", r#"{"message":"bad","code":7}"#)), @"HttpStatus: HTTP 400 Bad Request: bad (7)");
    assert_snapshot!(refused(json("500 Internal Server Error", "Bearer sk-secret-1 broke me")), @"HttpStatus: HTTP 500 Internal Server Error: Bearer [redacted] broke me");
    assert_snapshot!(refused(json("503 Service Unavailable", "")), @"HttpStatus: HTTP 503 Service Unavailable");
    let long = format!(r#"{{"error":"{}"}}"#, "x".repeat(3000));
    let shown = refused(json("403 Forbidden", &long));
    assert!(
        shown.ends_with("xxx…; is the key right?") && shown.len() < 600,
        "{shown}"
    );
}

#[test]
fn a_server_that_recovers_is_asked_again() {
    let peer = Peer::start(vec![
        json(
            "429 Too Many Requests",
            r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#,
        ),
        json("502 Bad Gateway", "<html>"),
        Act::Say(streamed(HELLO)),
    ]);
    let mut setup = Setup::new(&peer);
    setup.options.retries = 2;
    assert_snapshot!(setup.say_hi(), @r#"
    finished
    kind: user
    text: Hello
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hello"}
    warning: sent again after 100ms: HTTP 429 Too Many Requests: slow down (rate_limit_exceeded)
    warning: sent again after 400ms: HTTP 502 Bad Gateway: <html>
    events: 2
    reached: true
    "#);
    assert_eq!(peer.n_requests(), 3);
}

#[test]
fn a_connection_that_ends_without_an_answer_is_tried_again() {
    let peer = Peer::start(vec![Act::Say(String::new()), Act::Say(streamed(HELLO))]);
    let mut setup = Setup::new(&peer);
    setup.options.retries = 1;
    assert_snapshot!(setup.say_hi(), @r#"
    finished
    kind: user
    text: Hello
    message: {"id":"m1","role":"user","content":"Hi"}
    message: {"id":"m2","role":"assistant","content":"Hello"}
    warning: sent again after 100ms: http://127.0.0.1:PORT closed the connection without an answer
    events: 2
    reached: true
    "#);
}

#[test]
fn what_does_not_recover_is_given_up() {
    let busy = || {
        json(
            "429 Too Many Requests",
            r#"{"error":{"message":"slow down"}}"#,
        )
    };
    let peer = Peer::start(vec![busy()]);
    let mut setup = Setup::new(&peer);
    setup.options.retries = 1;
    assert_snapshot!(setup.say_hi(), @r#"
    HttpStatus: HTTP 429 Too Many Requests: slow down; gave up after 2 attempts
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    warning: sent again after 100ms: HTTP 429 Too Many Requests: slow down
    events: 0
    reached: true
    "#);
    assert_eq!(peer.n_requests(), 2);
    let quota = r#"{"error":{"message":"pay first","code":"insufficient_quota"}}"#;
    let peer = Peer::start(vec![json("429 Too Many Requests", quota)]);
    let mut setup = Setup::new(&peer);
    setup.options.retries = 3;
    assert_snapshot!(setup.say_hi(), @r#"
    HttpStatus: HTTP 429 Too Many Requests: pay first (insufficient_quota)
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
    assert_eq!(peer.n_requests(), 1);
}

#[test]
fn a_wish_beyond_the_turn_is_not_waited_for() {
    let busy = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    let peer = Peer::start(vec![Act::Say(busy.to_owned())]);
    let mut setup = Setup::new(&peer);
    setup.options.retries = 3;
    assert_snapshot!(setup.say_hi(), @r#"
    HttpStatus: HTTP 429 Too Many Requests; the server asks to wait 3600s, longer than the turn has left
    kind: user
    message: {"id":"m1","role":"user","content":"Hi"}
    events: 0
    reached: true
    "#);
}

#[test]
fn the_time_of_failed_attempts_does_not_count() {
    let peer = Peer::start(vec![
        json("503 Service Unavailable", ""),
        Act::Say(streamed(HELLO)),
    ]);
    let mut setup = Setup::new(&peer);
    setup.options.retries = 1;
    let began = std::time::Instant::now();
    let turn = setup
        .run(vec![crate::agui::Action::User("Hi".to_owned())])
        .remove(0);
    let wait_us = 100_000;
    let elapsed_us = began.elapsed().as_micros();
    assert!(u128::from(turn.timing.total_us) + wait_us <= elapsed_us);
}

#[test]
fn nobody_answers_at_all() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let peer = Peer::start(vec![Act::Say(String::new())]);
    drop(listener);
    let mut setup = Setup::new(&peer);
    setup.options.url = format!("http://{address}/v1/chat/completions");
    setup.options.retries = 2;
    let said = setup.say_hi();
    assert!(
        said.starts_with("Unreachable: cannot connect to http://127.0.0.1:PORT: "),
        "{said}"
    );
    assert!(said.ends_with("reached: false"), "{said}");
}
