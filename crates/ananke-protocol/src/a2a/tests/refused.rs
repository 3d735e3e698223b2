//! What goes wrong: with HTTP, with JSON-RPC, with the task; each told apart, in bounded time.

use std::time::Duration;

use insta::assert_snapshot;

use super::peer::{Act, Peer, Setup, error, json, respond, result, streamed};
use crate::a2a::options::Streaming;

const WORKING: &str = r#"
    {"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}
    {"artifactUpdate":{"taskId":"t1","artifact":{"artifactId":"a","parts":[{"text":"Hel"}]}}}
"#;

fn say(answer: String) -> String {
    let peer = Peer::start(vec![Act::Say(answer)]);
    Setup::new(&peer).say(&peer, &["Hi"])
}

#[test]
fn an_error_of_json_rpc_is_one_whatever_its_status() {
    assert_snapshot!(say(error(-32603, "boom")), @r#"
    run error: boom Some("-32603")
    layer: Protocol
    events: 1
    reached: true
    "#);
    let envelope = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}"#;
    assert_snapshot!(say(respond("400 Bad Request", "application/json", envelope)), @r#"
    run error: not JSON Some("-32700")
    layer: Protocol
    events: 0
    reached: true
    "#);
    let inside = format!(
        "{WORKING}\nraw {}",
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"boom"}}"#
    );
    assert_snapshot!(say(streamed(&inside)), @r#"
    run error: boom Some("-32603")
    text: Hel
    states: working
    ids: t1 c1
    artifact: a {"text":"Hel"}
    layer: Protocol
    events: 3
    reached: true
    "#);
}

#[test]
fn a_refusal_of_http_is_trouble() {
    assert_snapshot!(say(respond("401 Unauthorized", "application/json", r#"{"error":"who?"}"#)), @"
    HttpStatus: HTTP 401 Unauthorized: who?; is `auth` right?
    events: 0
    reached: true
    ");
    assert_snapshot!(say(respond("404 Not Found", "text/plain", "no such page")), @"
    HttpStatus: HTTP 404 Not Found: no such page; is http://ADDRESS/a2a where the agent answers?
    events: 0
    reached: true
    ");
    assert_snapshot!(say(respond("503 Service Unavailable", "text/plain", "later")), @"
    HttpStatus: HTTP 503 Service Unavailable: later
    events: 0
    reached: true
    ");
    let away = "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://elsewhere.example/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    assert_snapshot!(say(away.to_owned()), @"
    Redirect: HTTP 307 Temporary Redirect: a redirect to another origin, `http://elsewhere.example/`, is not followed: headers may hold credentials; use that URL as endpoint if it is right
    events: 0
    reached: true
    ");
}

#[test]
fn a_task_that_is_given_up_is_the_agents_own_failure() {
    for state in ["FAILED", "REJECTED", "CANCELED"] {
        let task = format!(r#"{{"task":{{"id":"t1","status":{{"state":"TASK_STATE_{state}"}}}}}}"#);
        let first = say(result(&task));
        assert!(
            first.starts_with("run error: the task was given up as"),
            "{first}"
        );
        assert!(first.contains("layer: Agent"), "{first}");
    }
    assert_snapshot!(say(result(r#"{"task":{"id":"t1","status":{"state":"TASK_STATE_FAILED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"out of stock"}]}}}}"#)), @r#"
    run error: out of stock Some("failed")
    text: out of stock
    states: failed
    ids: t1
    layer: Agent
    events: 1
    reached: true
    "#);
}

#[test]
fn a_stream_without_a_last_state_is_truncated() {
    assert_snapshot!(say(streamed(WORKING)), @r#"
    Truncated: truncated: the stream ended before the task did, after 2 events; the last state is `working`
    text: Hel
    states: working
    ids: t1 c1
    artifact: a {"text":"Hel"}
    events: 2
    reached: true
    "#);
    assert_snapshot!(say(streamed("")), @"
    Empty: the answer is empty: the server sent no event at all
    events: 0
    reached: true
    ");
    let broken =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 5000\r\n\r\n";
    assert_snapshot!(say(format!("{broken}{}", super::sse(WORKING))), @r#"
    Truncated: truncated: the stream broke off before the task ended: end of file before message length reached
    text: Hel
    states: working
    ids: t1 c1
    artifact: a {"text":"Hel"}
    events: 2
    reached: true
    "#);
}

#[test]
fn answers_that_cannot_be_read_are_told() {
    assert_snapshot!(say(respond("200 OK", "text/html", "<html>Welcome</html>")), @"
    ContentType: expected `text/event-stream`, got `text/html`; it begins: <html>Welcome</html>
    events: 0
    reached: true
    ");
    assert_snapshot!(say(json("{\"broken")), @r#"
    BadEvent: event 0 cannot be read: it is not JSON: {"broken
    events: 1
    reached: true
    "#);
    assert_snapshot!(say(json(r#"{"hello":"world"}"#)), @"
    BadEvent: the answer holds no event that is known: event 0 is kept, not folded: expected a task, a message, a status or an artifact, got `hello`
    warning: event 0 is kept, not folded: expected a task, a message, a status or an artifact, got `hello`
    events: 1
    reached: true
    ");
    assert_snapshot!(say(json("")), @"
    Empty: the answer is empty: the server sent no event at all
    events: 0
    reached: true
    ");
}

#[test]
fn a_turn_ends_at_its_deadline_and_its_task_with_it() {
    let body = respond("200 OK", "text/event-stream", &super::sse(WORKING));
    let peer = Peer::start(vec![
        Act::SayAndHold(body),
        Act::Say(result(
            r#"{"id":"t1","status":{"state":"TASK_STATE_CANCELED"}}"#,
        )),
    ]);
    let mut setup = Setup::new(&peer);
    setup.timeout = Duration::from_millis(300);
    assert_snapshot!(setup.say(&peer, &["Hi"]), @r#"
    Timeout: timeout after 300ms (timeout_ms): 2 events came before, the last state is `working`
    text: Hel
    states: working
    ids: t1 c1
    artifact: a {"text":"Hel"}
    events: 2
    reached: true
    "#);
    assert!(
        peer.asked()
            .ends_with(r#"{"jsonrpc":"2.0","id":2,"method":"CancelTask","params":{"id":"t1"}}"#),
        "{}",
        peer.asked()
    );
    // A task that never ends is not asked for longer than that.
    let task = r#"{"task":{"id":"t1","status":{"state":"TASK_STATE_WORKING"}}}"#;
    let peer = Peer::start(vec![Act::Say(result(task))]);
    let mut setup = Setup::new(&peer);
    setup.options.stream = Streaming::Never;
    setup.timeout = Duration::from_millis(200);
    assert_snapshot!(setup.say(&peer, &["Hi"]), @"
    Timeout: timeout after 200ms (timeout_ms): 1 event came before, the last state is `working`
    states: working
    ids: t1
    warning: the agent answered before its task was done, although it was asked to wait: the task is asked for again
    events: 1
    reached: true
    ");
}

#[test]
fn a_stream_that_stays_open_after_the_end_is_left() {
    let end = r#"{"statusUpdate":{"taskId":"t1","status":{"state":"TASK_STATE_COMPLETED"}}}"#;
    let body = respond(
        "200 OK",
        "text/event-stream",
        &super::sse(&format!("{WORKING}\n{end}")),
    );
    let peer = Peer::start(vec![Act::SayAndHold(body)]);
    let began = std::time::Instant::now();
    let said = Setup::new(&peer).say(&peer, &["Hi"]);
    assert!(said.starts_with("finished"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn floods_are_cut() {
    let event = format!(
        r#"{{"artifactUpdate":{{"taskId":"t1","artifact":{{"artifactId":"a","parts":[{{"text":"{}"}}]}},"append":true}}}}"#,
        "x".repeat(4000)
    );
    let flood = format!("{event}\n").repeat(200);
    let peer = Peer::start(vec![
        Act::Say(streamed(&flood)),
        Act::Say(error(-32002, "too late")),
    ]);
    let mut setup = Setup::new(&peer);
    setup.limits.turn_bytes = 100_000;
    let said = setup.say(&peer, &["Hi"]);
    assert_snapshot!(said.lines().next().unwrap(), @"Limit: the turn's answer needs more than 100000 bytes (limits.turn_bytes)");
    setup.limits.event_bytes = 1000;
    let peer = Peer::start(vec![Act::Say(streamed(&flood))]);
    setup.options.endpoint = Some(peer.url());
    let said = setup.say(&peer, &["Hi"]);
    assert_snapshot!(said.lines().next().unwrap(), @"Limit: one event is larger than 1000 bytes (limits.event_bytes)");
}

#[test]
fn the_user_may_stop_a_turn() {
    let peer = Peer::start(vec![Act::SayAndHold(String::new())]);
    let setup = Setup::new(&peer);
    setup.cancel.cancel();
    assert_snapshot!(setup.say(&peer, &["Hi"]), @"
    Cancelled: interrupted
    events: 0
    reached: false
    ");
}

#[test]
fn the_failure_of_a_context_that_the_client_made_says_so() {
    let peer = Peer::start(vec![Act::Say(error(-32602, "unknown context"))]);
    let mut setup = Setup::new(&peer);
    setup.options.context_id = Some("mine".to_owned());
    assert_snapshot!(setup.say(&peer, &["Hi"]), @r#"
    run error: unknown context; an agent may refuse a `contextId` that it did not make Some("-32602")
    layer: Protocol
    events: 1
    reached: true
    "#);
}
