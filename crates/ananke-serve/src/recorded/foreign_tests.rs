//! Recorded turns of A2A and MCP, served again: what a client sees.

use std::sync::Arc;

use ananke_model::recording::{Spoken, TaskRecord, Trouble, TroubleKind, Turn, TurnStatus};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::RecordedAgent;
use super::tests::{test, turn};
use crate::http::tests::{post, request, talk_to};

/// A turn in which `text` was said over A2A.
fn said(text: &str, ids: (&str, &str), version: &str, events: &[Value]) -> Turn {
    let message = json!({"messageId": "old-m", "role": "ROLE_USER", "parts": [{"text": text}]});
    let sent =
        json!({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": message}});
    let events = events
        .iter()
        .map(|event| json!({"jsonrpc": "2.0", "id": 1, "result": event}).to_string());
    let events: Vec<String> = events.collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let mut turn = turn("user", Some(text), vec![sent], &events);
    turn.task = Some(Box::new(TaskRecord {
        context_id: Some(ids.0.to_owned()),
        id: Some(ids.1.to_owned()),
        card: Some(Arc::new(
            json!({"name": "Recorded", "url": "http://old", "capabilities": {"streaming": true}}),
        )),
        spoken: Some(Spoken {
            version: version.to_owned(),
            ..Spoken::default()
        }),
        ..TaskRecord::default()
    }));
    turn
}

fn status(ids: (&str, &str), state: &str) -> Value {
    let state = json!({"state": format!("TASK_STATE_{state}")});
    json!({"statusUpdate": {"contextId": ids.0, "taskId": ids.1, "status": state}})
}

fn artifact(ids: (&str, &str), text: &str) -> Value {
    let artifact = json!({"artifactId": "a", "parts": [{"text": text}]});
    json!({"artifactUpdate": {"contextId": ids.0, "taskId": ids.1, "artifact": artifact}})
}

fn message(method: &str, text: &str, ids: Value) -> String {
    let mut message = json!({"messageId": "new-m", "role": "ROLE_USER", "parts": [{"text": text}]});
    message
        .as_object_mut()
        .unwrap()
        .extend(ids.as_object().unwrap().clone());
    post(
        "/a2a",
        &json!({"jsonrpc": "2.0", "id": 9, "method": method, "params": {"message": message}}),
    )
}

fn bodies(shown: &str) -> String {
    let is_body =
        |line: &&str| line.starts_with("data: ") || line.starts_with('{') || line.starts_with('(');
    shown.lines().filter(is_body).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_recorded_task_has_the_ids_of_now() {
    let (first, second) = (("c-old", "t-old"), ("c-old", "t-other"));
    let agent = RecordedAgent::new(&[test(
        "a",
        vec![
            said(
                "count",
                first,
                "1.0",
                &[artifact(first, "one"), status(first, "COMPLETED")],
            ),
            said(
                "count",
                second,
                "1.0",
                &[artifact(second, "two"), status(second, "COMPLETED")],
            ),
        ],
    )]);
    let shown = talk_to(
        agent,
        &[
            request("GET", "/.well-known/agent-card.json", "text/plain", ""),
            message("SendStreamingMessage", "count", json!({})),
            message(
                "SendStreamingMessage",
                "count",
                json!({"contextId": "context-1"}),
            ),
            message("SendMessage", "count", json!({"contextId": "own"})),
            message("SendMessage", "cont", json!({})),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    {"name":"Recorded","capabilities":{"streaming":true},"supportedInterfaces":[{"url":"http://x/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"http://x/a2a/v1","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}]}
    data: {"jsonrpc":"2.0","id":9,"result":{"artifactUpdate":{"contextId":"context-1","taskId":"task-1","artifact":{"artifactId":"a","parts":[{"text":"one"}]}}}}
    data: {"jsonrpc":"2.0","id":9,"result":{"statusUpdate":{"contextId":"context-1","taskId":"task-1","status":{"state":"TASK_STATE_COMPLETED"}}}}
    data: {"jsonrpc":"2.0","id":9,"result":{"artifactUpdate":{"contextId":"context-1","taskId":"task-2","artifact":{"artifactId":"a","parts":[{"text":"two"}]}}}}
    data: {"jsonrpc":"2.0","id":9,"result":{"statusUpdate":{"contextId":"context-1","taskId":"task-2","status":{"state":"TASK_STATE_COMPLETED"}}}}
    {"jsonrpc":"2.0","id":9,"result":{"task":{"id":"task-3","contextId":"own","artifacts":[{"artifactId":"a","parts":[{"text":"one"}]}],"status":{"state":"TASK_STATE_COMPLETED"}}}}
    {"jsonrpc":"2.0","id":9,"error":{"code":-32006,"message":"no recording answers `cont` (turn 1); the nearest recorded message is `count` (a)"}}
    "#);
}

#[test]
fn the_old_version_is_played_as_it_was() {
    let ids = ("c", "t");
    let update = json!({"kind": "status-update", "contextId": "c", "taskId": "t", "final": true, "status": {"state": "completed"}});
    let agent = RecordedAgent::new(&[test("a", vec![said("Hi", ids, "0.3", &[update])])]);
    let shown = talk_to(
        agent,
        &[
            request("GET", "/.well-known/agent-card.json", "text/plain", ""),
            message("message/stream", "Hi", json!({})),
            message("SendMessage", "Hi", json!({})),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    {"name":"Recorded","capabilities":{"streaming":true},"url":"http://x/a2a","preferredTransport":"JSONRPC","protocolVersion":"0.3.0"}
    data: {"jsonrpc":"2.0","id":9,"result":{"kind":"status-update","contextId":"context-1","taskId":"task-1","final":true,"status":{"state":"completed"}}}
    {"jsonrpc":"2.0","id":9,"error":{"code":-32009,"message":"what was said here was recorded in 0.3: ask in that version"}}
    "#);
}

#[test]
fn what_broke_breaks_again() {
    let ids = ("c", "t");
    let mut broken = said("Hi", ids, "1.0", &[status(ids, "WORKING")]);
    broken.status = TurnStatus::Broken(Trouble {
        kind: TroubleKind::Transport,
        message: "connection reset".to_owned(),
        refusal: None,
    });
    let mut refused = said("Bye", ids, "1.0", &[]);
    refused.events = ananke_model::recording::EventLog::default();
    refused.events.push(
        br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"on purpose"}}"#,
        1000,
    );
    let agent = RecordedAgent::new(&[test("a", vec![broken, refused])]);
    let shown = talk_to(
        agent,
        &[
            message("SendStreamingMessage", "Hi", json!({})),
            message("SendMessage", "Hi", json!({})),
            message("SendMessage", "Bye", json!({})),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    data: {"jsonrpc":"2.0","id":9,"result":{"statusUpdate":{"contextId":"context-1","taskId":"task-1","status":{"state":"TASK_STATE_WORKING"}}}}
    (connection reset)
    (connection reset)
    {"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"on purpose"}}
    "#);
}

/// A turn in which requests were sent over MCP, with the messages that came.
fn called(requests: Vec<Value>, messages: &[Value]) -> Turn {
    let messages: Vec<String> = messages.iter().map(Value::to_string).collect();
    let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
    let mut turn = turn("mcp:call", None, requests, &messages);
    turn.server = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "old", "version": "3"},
    });
    turn
}

fn call(id: u64, args: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "add", "arguments": args, "_meta": {"progressToken": id}}})
}

fn result(id: u64, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}]}})
}

#[test]
fn recorded_calls_are_told_apart_by_their_arguments() {
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 5, "progress": 1}});
    let agent = RecordedAgent::new(&[test(
        "a",
        vec![
            called(vec![call(4, json!({"a": 1, "b": 2}))], &[result(4, "3")]),
            called(
                vec![call(5, json!({"a": 2, "b": 2}))],
                &[progress, result(5, "4")],
            ),
            called(
                vec![call(6, json!({"a": 1, "b": 2}))],
                &[result(6, "three")],
            ),
        ],
    )]);
    let send = |session: bool, body: Value| {
        let session = if session {
            "\r\nmcp-session-id: session-1"
        } else {
            ""
        };
        let kind =
            format!("application/json\r\naccept: application/json, text/event-stream{session}");
        request("POST", "/mcp", &kind, &body.to_string())
    };
    let ask = |method: &str| json!({"jsonrpc": "2.0", "id": 0, "method": method, "params": {}});
    let shown = talk_to(
        agent,
        &[
            send(false, ask("server/discover")),
            send(false, ask("initialize")),
            send(true, ask("tools/list")),
            send(true, call(70, json!({"b": 2, "a": 1}))),
            send(true, call(71, json!({"a": 2, "b": 2}))),
            send(true, call(72, json!({"a": 1, "b": 2}))),
            // Nobody knows what came before: they take turns.
            send(false, call(73, json!({"a": 1, "b": 2}))),
            send(false, call(74, json!({"a": 1, "b": 2}))),
            send(false, call(75, json!({"a": 9}))),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    {"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"the recorded server begins with `initialize`"}}
    {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"3"}}}
    {"jsonrpc":"2.0","id":0,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
    {"jsonrpc":"2.0","id":70,"result":{"content":[{"type":"text","text":"3"}]}}
    data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":71,"progress":1}}
    data: {"jsonrpc":"2.0","id":71,"result":{"content":[{"type":"text","text":"4"}]}}
    {"jsonrpc":"2.0","id":72,"result":{"content":[{"type":"text","text":"three"}]}}
    {"jsonrpc":"2.0","id":73,"result":{"content":[{"type":"text","text":"3"}]}}
    {"jsonrpc":"2.0","id":74,"result":{"content":[{"type":"text","text":"three"}]}}
    {"jsonrpc":"2.0","id":75,"error":{"code":-32602,"message":"no recording answers `tools/call {\"arguments\":{\"a\":9},\"name\":\"add\"}` (turn 1); the nearest recorded message is `tools/call {\"arguments\":{\"a\":1,\"b\":2},\"name\":\"add\"}` (a)"}}
    "#);
}
