//! Calls, lists, resources and prompts of servers that behave, in both eras.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::fake::{Do, act, call, connect, error, legacy, modern, options, result, shown, text};
use crate::agui::Conversation;
use crate::mcp::{McpAction, McpListed, McpTurn, McpVersion};

fn say(line: String) -> Do {
    Do::Say(vec![line])
}

#[tokio::test]
async fn a_tool_says_something_in_both_eras() {
    let answer = |message: &Value| {
        let words = message["params"]["arguments"]["words"].as_str();
        say(result(message, &text(words.unwrap_or_default())))
    };
    let old = move |message: &Value| legacy(message, answer);
    let mut session = connect(options(), old).await.unwrap();
    let turn = call(&mut session, "say", json!({"words": "Hi\nthere"})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "Hi\nthere"
    call: say({"words":"Hi\nthere"}) = Hi
    there
    "#);
    assert_snapshot!(turn.server["protocolVersion"], @r#""2025-11-25""#);
    assert_eq!(turn.events.len(), 1);
    assert!(turn.reached);
    let new = move |message: &Value| modern(message, answer);
    let mut session = connect(options(), new).await.unwrap();
    let turn = call(&mut session, "say", json!({"words": "Hi\nthere"})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "Hi\nthere"
    call: say({"words":"Hi\nthere"}) = Hi
    there
    "#);
    assert_snapshot!(turn.server["protocolVersion"], @r#""2026-07-28""#);
    assert!(session.close().await.is_empty());
}

#[tokio::test]
async fn three_outcomes_stay_apart() {
    let server = |message: &Value| {
        legacy(message, |message| {
            let failed =
                json!({"isError": true, "content": [{"type": "text", "text": "no stock"}]});
            say(match message["params"]["arguments"]["how"].as_str() {
                Some("tool") => result(message, &failed),
                Some("protocol") => error(message, -32602, "unknown tool"),
                _ => result(
                    message,
                    &json!({"structuredContent": {"sum": 3}, "content": []}),
                ),
            })
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "add", json!({"how": "tool"})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call error isError: no stock
    text: "no stock"
    call: add({"how":"tool"}) = Some("no stock"), error "no stock"
    "#);
    let turn = call(&mut session, "add", json!({"how": "protocol"})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call error -32602: unknown tool
    call: add({"how":"protocol"}) = None, error "unknown tool"
    "#);
    let turn = call(&mut session, "add", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    call: add({}) = {"sum":3}
    data: {"sum":3}
    "#);
    let ids: Vec<&str> = turn
        .messages
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["assistant", "tool"]);
}

#[tokio::test]
async fn results_are_held_against_what_the_tool_announced() {
    let server = |message: &Value| {
        legacy(message, |message| {
            say(result(
                message,
                &json!({"structuredContent": {"sum": "3"}, "content": []}),
            ))
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "add", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call error outputSchema: the `structuredContent` of the tool `add` does not fit its `outputSchema`: at `/sum`: "3" is not of type "integer"
    call: add({}) = Some("{\"sum\":\"3\"}"), error "the `structuredContent` of the tool `add` does not fit its `outputSchema`: at `/sum`: \"3\" is not of type \"integer\""
    data: {"sum":"3"}
    "#);
    let mut lenient = options();
    lenient.validate_output = false;
    let mut session = connect(lenient, server).await.unwrap();
    let turn = call(&mut session, "add", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    call: add({}) = {"sum":"3"}
    data: {"sum":"3"}
    "#);
}

#[tokio::test]
async fn content_with_members_that_nobody_knows_is_kept() {
    let server = |message: &Value| {
        legacy(message, |message| {
            let content = json!([{"type": "text", "text": "a"}, {"type": "image", "data": "AA==", "mimeType": "image/png", "depth": 3}]);
            say(result(message, &json!({"content": content, "extra": true})))
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "a"
    call: say({}) = [{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png","depth":3}]
    "#);
}

#[tokio::test]
async fn progress_and_log_are_events_and_only_a_log_of_trouble_is_a_note() {
    let server = |message: &Value| {
        legacy(message, |message| {
            let token = &message["params"]["_meta"]["progressToken"];
            Do::Say(vec![
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "total": 2}}).to_string(),
                json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "half"}}).to_string(),
                json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "error", "data": "no ink"}}).to_string(),
                result(message, &text("done")),
            ])
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call finished
    text: "done"
    call: say({}) = done
    note: log (error): no ink
    "#);
    assert_eq!(turn.events.len(), 4);
}

#[tokio::test]
async fn lists_go_over_pages_and_prompts_and_resources_are_read() {
    let server = |message: &Value| match message["method"].as_str() {
        Some("tools/list") if message["params"]["cursor"] == "2" => say(result(
            message,
            &json!({"tools": [{"name": "b", "inputSchema": {"type": "object"}}]}),
        )),
        Some("tools/list") => say(result(
            message,
            &json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}}], "nextCursor": "2"}),
        )),
        Some("resources/list") => say(error(message, -32601, "no resources here")),
        Some("resources/read") => say(result(
            message,
            &json!({"contents": [{"uri": message["params"]["uri"], "text": "hello"}]}),
        )),
        Some("prompts/get") => say(result(
            message,
            &json!({"messages": [{"role": "user", "content": {"type": "text", "text": message["params"]["arguments"]["who"]}}]}),
        )),
        _ => legacy(message, |_| Do::Leave),
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = act(&mut session, McpAction::List(None), 5_000).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:list finished
    text: "a\nb"
    data: {"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}
    "#);
    let turn = act(
        &mut session,
        McpAction::List(Some(McpListed::Resources)),
        5_000,
    )
    .await;
    assert_snapshot!(shown(&turn), @"mcp:list error -32601: no resources here");
    let uri = "file:///a".to_owned();
    let turn = act(&mut session, McpAction::Read { uri }, 5_000).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:read finished
    text: "hello"
    data: {"contents":[{"uri":"file:///a","text":"hello"}]}
    "#);
    let args = json!({"who": "you"}).as_object().unwrap().clone();
    let name = "greet".to_owned();
    let turn = act(&mut session, McpAction::Prompt { name, args }, 5_000).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:prompt finished
    text: "you"
    data: {"messages":[{"role":"user","content":{"type":"text","text":"you"}}]}
    "#);
}

#[tokio::test]
async fn a_pinned_revision_decides_the_era() {
    let mut seen = options();
    seen.version = McpVersion::Pinned("2024-11-05".to_owned());
    let server = |message: &Value| {
        assert_ne!(message["method"], "server/discover");
        legacy(message, |message| say(result(message, &text("ok"))))
    };
    let mut session = connect(seen, server).await.unwrap();
    let turn = call(&mut session, "say", json!({})).await;
    assert_snapshot!(turn.server["protocolVersion"], @r#""2024-11-05""#);
    let mut seen = options();
    seen.version = McpVersion::Pinned("2026-07-28".to_owned());
    let old = |message: &Value| legacy(message, |_| Do::Leave);
    let refused = connect(seen, old).await.unwrap_err();
    assert_snapshot!(refused, @"BadEvent: the server refuses the handshake: unknown method (-32601)");
}

#[tokio::test]
async fn words_of_the_user_are_kept_and_the_tool_that_carries_them_is_no_call() {
    let server = |message: &Value| legacy(message, |message| say(result(message, &text("Hello!"))));
    let mut session = connect(options(), server).await.unwrap();
    let cancel = CancellationToken::new();
    let request = McpTurn {
        action: McpAction::Call {
            tool: "say".to_owned(),
            args: json!({"text": "Hi"}).as_object().unwrap().clone(),
        },
        user: Some("Hi".to_owned()),
        calls_at: None,
        timeout: Duration::from_secs(5),
        whole: Duration::from_secs(60),
        unix_ms: 7,
        cancel: &cancel,
    };
    let mut ids = 0..;
    let mut new_id = move || format!("id-{}", ids.next().unwrap());
    let mut conversation = Conversation::default();
    let turn = session.turn(&request, &mut conversation, &mut new_id).await;
    assert_eq!(
        (turn.kind.as_str(), turn.user.as_deref()),
        ("user", Some("Hi"))
    );
    assert_eq!(turn.timing.started_at_ms, 7);
    let messages: Vec<String> = turn.messages.iter().map(ToString::to_string).collect();
    assert_snapshot!(messages.join("\n"), @r#"
    {"id":"id-0","role":"user","content":"Hi"}
    {"id":"id-1","role":"assistant","content":"Hello!"}
    "#);
}
