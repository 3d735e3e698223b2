//! Servers that are silent, die, flood, or answer what nobody asked.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::fake::{
    Do, act, call, connect, connect_within, error, legacy, options, result, shown, text,
};
use crate::mcp::McpAction;

fn say() -> McpAction {
    McpAction::Call {
        tool: "say".to_owned(),
        args: serde_json::Map::new(),
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_left_in_time_and_told_so() {
    let (sender, mut told) = tokio::sync::mpsc::unbounded_channel();
    let server = move |message: &Value| {
        if message["method"] == "notifications/cancelled" {
            sender.send(message["params"].clone()).ok();
        }
        legacy(message, |_| Do::Say(Vec::new()))
    };
    let mut session = connect(options(), server).await.unwrap();
    let began = Instant::now();
    let turn = act(&mut session, say(), 100).await;
    assert!(began.elapsed() < Duration::from_secs(3));
    assert_snapshot!(shown(&turn), @"
    mcp:call broken, Timeout: timeout after 100ms (timeout_ms): no message came before
    call: say({}) without an end
    ");
    let told = tokio::time::timeout(Duration::from_secs(3), told.recv()).await;
    assert_snapshot!(told.unwrap().unwrap(), @r#"{"requestId":3,"reason":"timeout"}"#);
}

#[tokio::test]
async fn a_late_answer_belongs_to_nobody() {
    let mut first = None;
    let server = move |message: &Value| {
        legacy(message, |message| match first.take() {
            None => {
                first = Some(message.clone());
                Do::Say(Vec::new())
            }
            Some(first) => Do::Say(vec![
                result(&first, &text("late")),
                result(message, &text("in time")),
            ]),
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    act(&mut session, say(), 50).await;
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "in time"
    call: say({}) = in time
    note: the server answered a request with the id `3`, which is not open
    "#);
}

#[tokio::test]
async fn a_server_that_leaves_is_said() {
    let server = |message: &Value| legacy(message, |_| Do::Leave);
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @"
    mcp:call broken, Transport: the connection closed before the answer came
    call: say({}) without an end
    ");
}

#[tokio::test]
async fn wrong_ids_and_junk_are_told_and_left_out() {
    let mut earlier = Vec::new();
    let server = move |message: &Value| {
        legacy(message, |message| {
            let mut lines = std::mem::take(&mut earlier);
            if lines.is_empty() {
                lines = vec![
                    "Starting up…".to_owned(),
                    "[1, 2]".to_owned(),
                    "{\"jsonrpc\": \"2.0\", \"id\": 4".to_owned(),
                    json!({"jsonrpc": "2.0", "id": 4711, "result": {}}).to_string(),
                    String::new(),
                    json!({"jsonrpc": "2.0", "method": "notifications/weather"}).to_string(),
                ];
            }
            earlier.push(result(message, &text("twice")));
            lines.push(result(message, &text("right")));
            Do::Say(lines)
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "right"
    call: say({}) = right
    note: the server printed a line that is no message to its stdout, where only messages may be: `Starting up…`
    note: the server printed a line that is no message to its stdout, where only messages may be: `[1, 2]`
    note: a message of the server cannot be read (EOF while parsing an object at line 1 column 26): `{"jsonrpc": "2.0", "id": 4`
    note: the server answered a request with the id `4711`, which is not open
    "#);
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "right"
    call: say({}) = right
    note: the server answered a request with the id `3`, which is not open
    "#);
}

#[tokio::test]
async fn an_id_as_text_and_an_envelope_without_a_version_are_understood() {
    let server = |message: &Value| {
        legacy(message, |message| {
            let id = message["id"].to_string();
            Do::Say(vec![json!({"id": id, "result": text("odd")}).to_string()])
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "odd"
    call: say({}) = odd
    note: a message of the server cannot be read (unrecognized JSON-RPC message): `{"id":"3","result":{"content":[{"type":"text","text":"odd"}]}}`
    "#);
}

#[tokio::test]
async fn one_large_message_and_many_small_ones_pass_a_limit() {
    let server = |message: &Value| {
        legacy(message, |message| {
            Do::Say(vec![result(message, &text(&"x".repeat(2 << 20)))])
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @"
    mcp:call broken, Limit: the server sent a message of more than 1048576 bytes (limits.event_bytes)
    call: say({}) without an end
    ");
    let server = |message: &Value| {
        legacy(message, |_| {
            let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "error", "data": "y".repeat(1000)}});
            Do::Say(vec![log.to_string(); 5000])
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    let shown = shown(&turn);
    assert_snapshot!(shown.lines().next().unwrap(), @"mcp:call broken, Limit: the server sent more than 4194304 bytes (limits.turn_bytes)");
    assert_eq!(turn.warnings.len(), 100);
}

#[tokio::test]
async fn a_handshake_that_goes_wrong_is_said() {
    let silent = |_: &Value| Do::Say(Vec::new());
    let mut quick = options();
    quick.connect_timeout = Duration::from_millis(100);
    assert_snapshot!(connect(quick, silent).await.unwrap_err(), @"Timeout: timeout after 100ms (connect_timeout_ms): the server had not said a word");
    let leaving = |_: &Value| Do::Leave;
    assert_snapshot!(connect(options(), leaving).await.unwrap_err(), @"Transport: the server closed the connection during the handshake");
    let refusing = |message: &Value| Do::Say(vec![error(message, -32000, "not today")]);
    assert_snapshot!(connect(options(), refusing).await.unwrap_err(), @"BadEvent: the server refuses the handshake: not today (-32000)");
    let confused = |message: &Value| {
        match message["method"].as_str() {
        Some("initialize") => Do::Say(vec![json!({"jsonrpc": "2.0", "id": 99, "result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}}).to_string()]),
        _ => legacy(message, |_| Do::Leave),
    }
    };
    assert_snapshot!(connect(options(), confused).await.unwrap_err(), @"BadEvent: the server answered the handshake with the id `99`; it was asked with `1`");
}

#[tokio::test]
async fn a_legacy_server_that_ignores_the_first_question_is_found_out_soon() {
    let mut first = None;
    let server = move |message: &Value| match message["method"].as_str() {
        Some("server/discover") => {
            first = Some(message.clone());
            Do::Say(Vec::new())
        }
        // It wakes up, and answers both.
        Some("initialize") => {
            let late = error(first.as_ref().unwrap(), -32601, "unknown method");
            let Do::Say(said) = legacy(message, |_| Do::Leave) else {
                unreachable!("the handshake is answered");
            };
            Do::Say([vec![late], said].concat())
        }
        _ => legacy(message, |message| {
            Do::Say(vec![result(message, &text("ok"))])
        }),
    };
    let patience = Duration::from_millis(100);
    let mut session = connect_within(patience, options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "ok"
    call: say({}) = ok
    "#);
}
