//! Results that are not what the protocol says: never a success.
use ananke_model::recording::TurnStatus;
use insta::assert_snapshot;
use serde_json::{Map, Value, json};

use super::fake::{Do, act, call, connect, legacy, options, result, shown};
use crate::mcp::told::Told;
use crate::mcp::{McpAction, McpListed};

fn calling() -> McpAction {
    McpAction::Call {
        tool: "say".to_owned(),
        args: Map::new(),
    }
}

fn reading() -> McpAction {
    let uri = "file:///a".to_owned();
    McpAction::Read { uri }
}

fn prompting() -> McpAction {
    McpAction::Prompt {
        name: "greet".to_owned(),
        args: Map::new(),
    }
}

/// Tells what comes of results, one on a line.
fn told(action: &McpAction, results: &[Value]) -> String {
    let told =
        results.iter().map(
            |result| match Told::of(action, &Ok(result.clone()), None).status {
                TurnStatus::Finished => "finished".to_owned(),
                TurnStatus::RunError { message, code } => {
                    format!("{}: {message}", code.unwrap_or_default())
                }
                TurnStatus::Broken(trouble) => trouble.message,
            },
        );
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_call_returns_content() {
    let wrong = [
        json!(null),
        json!([]),
        json!("done"),
        json!({}),
        json!({"structuredContent": null}),
        json!({"content": null, "structuredContent": {}}),
        json!({"content": "done"}),
        json!({"content": {"type": "text", "text": "done"}}),
        json!({"content": ["done"]}),
        json!({"content": [{"text": "done"}]}),
        json!({"content": [{"type": "text"}]}),
        json!({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": 5}]}),
        json!({"content": [{"type": "hologram", "depth": 3}]}),
        json!({"content": [{"type": "image", "mimeType": "image/png"}]}),
        json!({"content": [{"type": "resource", "uri": "file:///a"}]}),
        json!({"content": [{"type": "resource", "resource": {"uri": "file:///a"}}]}),
        json!({"content": [{"type": "resource_link", "name": "a"}]}),
        json!({"content": [], "isError": "true"}),
        json!({"structuredContent": {}, "isError": 1}),
    ];
    assert_snapshot!(told(&calling(), &wrong), @r#"
    resultShape: the result of `tools/call` has the wrong shape: it must be an object, but it is `null`
    resultShape: the result of `tools/call` has the wrong shape: it must be an object, but it is `[]`
    resultShape: the result of `tools/call` has the wrong shape: it must be an object, but it is `"done"`
    resultShape: the result of `tools/call` has the wrong shape: `/content` must be a list, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/content` must be a list, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/content` must be a list, but it is `null`
    resultShape: the result of `tools/call` has the wrong shape: `/content` must be a list, but it is `"done"`
    resultShape: the result of `tools/call` has the wrong shape: `/content` must be a list, but it is `{"type":"text","text":"done"}`
    resultShape: the result of `tools/call` has the wrong shape: `/content/0` must be an object, but it is `"done"`
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/type` must be `text`, `image`, `audio`, `resource` or `resource_link`, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/text` must be a string, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/content/1/text` must be a string, but it is `5`
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/type` must be `text`, `image`, `audio`, `resource` or `resource_link`, but it is `"hologram"`
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/data` must be a string, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/resource` must be an object, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/resource` must be an object with `text` or `blob`, but it is `{"uri":"file:///a"}`
    resultShape: the result of `tools/call` has the wrong shape: `/content/0/uri` must be a string, but it is missing
    resultShape: the result of `tools/call` has the wrong shape: `/isError` must be true or false, but it is `"true"`
    resultShape: the result of `tools/call` has the wrong shape: `/isError` must be true or false, but it is `1`
    "#);
}

#[test]
fn what_is_legal_is_not_refused() {
    let right = [
        json!({"content": []}),
        json!({"structuredContent": {"sum": 3}}),
        json!({"content": [], "isError": false, "structuredContent": null, "_meta": {}, "resultType": "complete"}),
        json!({"content": [
            {"type": "text", "text": "", "annotations": {"priority": 1}},
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
            {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "file:///a", "name": "a"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "", "blob": null}},
            {"type": "resource", "resource": {"uri": "file:///a", "blob": "AA=="}},
        ]}),
    ];
    assert_snapshot!(told(&calling(), &right), @"
    finished
    finished
    finished
    finished
    ");
    let right = [
        json!({"contents": []}),
        json!({"contents": [{"uri": "a:b", "text": "", "mimeType": "text/plain"}, {"uri": "a:b", "blob": ""}], "ttlMs": 0}),
    ];
    assert_snapshot!(told(&reading(), &right), @"
    finished
    finished
    ");
    let right = [
        json!({"messages": [], "description": "none"}),
        json!({"messages": [{"role": "user", "content": {"type": "image", "data": "AA==", "mimeType": "image/png"}}]}),
    ];
    assert_snapshot!(told(&prompting(), &right), @"
    finished
    finished
    ");
}

#[test]
fn resources_have_contents_and_prompts_have_messages() {
    let wrong = [
        json!(null),
        json!({}),
        json!({"contents": {"uri": "a:b", "text": "x"}}),
        json!({"contents": ["x"]}),
        json!({"contents": [{"text": "x"}]}),
        json!({"contents": [{"uri": "a:b"}]}),
        json!({"contents": [{"uri": "a:b", "blob": [0]}]}),
    ];
    assert_snapshot!(told(&reading(), &wrong), @r#"
    resultShape: the result of `resources/read` has the wrong shape: it must be an object, but it is `null`
    resultShape: the result of `resources/read` has the wrong shape: `/contents` must be a list, but it is missing
    resultShape: the result of `resources/read` has the wrong shape: `/contents` must be a list, but it is `{"uri":"a:b","text":"x"}`
    resultShape: the result of `resources/read` has the wrong shape: `/contents/0` must be an object, but it is `"x"`
    resultShape: the result of `resources/read` has the wrong shape: `/contents/0/uri` must be a string, but it is missing
    resultShape: the result of `resources/read` has the wrong shape: `/contents/0` must be an object with `text` or `blob`, but it is `{"uri":"a:b"}`
    resultShape: the result of `resources/read` has the wrong shape: `/contents/0` must be an object with `text` or `blob`, but it is `{"uri":"a:b","blob":[0]}`
    "#);
    let wrong = [
        json!({"messages": "Hi"}),
        json!({"messages": ["Hi"]}),
        json!({"messages": [{"content": {"type": "text", "text": "Hi"}}]}),
        json!({"messages": [{"role": "user"}]}),
        json!({"messages": [{"role": "user", "content": "Hi"}]}),
        json!({"messages": [{"role": "user", "content": {"type": "text"}}]}),
    ];
    assert_snapshot!(told(&prompting(), &wrong), @r#"
    resultShape: the result of `prompts/get` has the wrong shape: `/messages` must be a list, but it is `"Hi"`
    resultShape: the result of `prompts/get` has the wrong shape: `/messages/0` must be an object, but it is `"Hi"`
    resultShape: the result of `prompts/get` has the wrong shape: `/messages/0/role` must be a string, but it is missing
    resultShape: the result of `prompts/get` has the wrong shape: `/messages/0/content` must be an object, but it is missing
    resultShape: the result of `prompts/get` has the wrong shape: `/messages/0/content` must be an object, but it is `"Hi"`
    resultShape: the result of `prompts/get` has the wrong shape: `/messages/0/content/text` must be a string, but it is missing
    "#);
}

#[tokio::test]
async fn a_wrong_result_over_the_wire_is_shown_as_it_came() {
    let server = |message: &Value| {
        legacy(message, |message| {
            let returned = &message["params"]["arguments"]["returned"];
            Do::Say(vec![result(message, returned)])
        })
    };
    let mut session = connect(options(), server).await.unwrap();
    let turn = call(&mut session, "say", json!({"returned": null})).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call error resultShape: the result of `tools/call` has the wrong shape: it must be an object, but it is `null`
    call: say({"returned":null}) = Some("null"), error "the result of `tools/call` has the wrong shape: it must be an object, but it is `null`"
    "#);
    let odd =
        json!({"returned": {"content": [{"type": "text", "text": "a"}, {"type": "hologram"}]}});
    let turn = call(&mut session, "say", odd).await;
    assert_snapshot!(shown(&turn), @r#"
    mcp:call error resultShape: the result of `tools/call` has the wrong shape: `/content/1/type` must be `text`, `image`, `audio`, `resource` or `resource_link`, but it is `"hologram"`
    text: "a"
    call: say({"returned":{"content":[{"type":"text","text":"a"},{"type":"hologram"}]}}) = Some("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"hologram\"}]}"), error "the result of `tools/call` has the wrong shape: `/content/1/type` must be `text`, `image`, `audio`, `resource` or `resource_link`, but it is `\"hologram\"`"
    "#);
}

#[tokio::test]
async fn lists_are_lists_of_what_has_a_name() {
    let pages = [
        json!(null),
        json!({}),
        json!({"resources": "none"}),
        json!({"resources": ["a"]}),
        json!({"resources": [{"uri": "a:b"}, {"name": "c"}]}),
        json!({"resources": [{"uri": "a:b"}], "_meta": {}}),
    ];
    let mut left = pages.clone().into_iter();
    let server = move |message: &Value| match message["method"].as_str() {
        Some("resources/list") => Do::Say(vec![result(message, &left.next().unwrap())]),
        Some("tools/list") => Do::Say(vec![result(message, &json!({"tools": {}}))]),
        _ => legacy(message, |_| Do::Leave),
    };
    let mut session = connect(options(), server).await.unwrap();
    let mut all = String::new();
    for _ in pages {
        let listing = McpAction::List(Some(McpListed::Resources));
        all += &shown(&act(&mut session, listing, 5_000).await);
    }
    assert_snapshot!(all, @r#"
    mcp:list error resultShape: the result of `resources/list` has the wrong shape: it must be an object, but it is `null`
    note: the tools cannot be listed, so results are not held against a schema: the result of `tools/list` has the wrong shape: `/tools` must be a list, but it is `{}`
    mcp:list error resultShape: the result of `resources/list` has the wrong shape: `/resources` must be a list, but it is missing
    mcp:list error resultShape: the result of `resources/list` has the wrong shape: `/resources` must be a list, but it is `"none"`
    mcp:list error resultShape: the result of `resources/list` has the wrong shape: `/resources/0` must be an object, but it is `"a"`
    data: {"resources":["a"]}
    mcp:list error resultShape: the result of `resources/list` has the wrong shape: `/resources/1/uri` must be a string, but it is missing
    text: "a:b"
    data: {"resources":[{"uri":"a:b"},{"name":"c"}]}
    mcp:list finished
    text: "a:b"
    data: {"resources":[{"uri":"a:b"}]}
    "#);
}
