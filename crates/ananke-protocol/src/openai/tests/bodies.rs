//! Requests: what is sent of a conversation in AG-UI form.

use insta::assert_snapshot;
use serde_json::{Map, Value, json};

use super::super::request::{OpenAiOptions, build};
use super::{options, tool};
use crate::agui::Conversation;

fn body_of(options: &OpenAiOptions, messages: &Value) -> String {
    let mut conversation = Conversation::default();
    for (number, message) in messages.as_array().unwrap().iter().enumerate() {
        let mut message = message.clone();
        message["id"] = format!("m{number}").into();
        conversation.put(message);
    }
    match build(options, &conversation) {
        Ok(built) => {
            let mut lines = Vec::new();
            for (name, value) in built.body.as_object().unwrap() {
                match value.as_array() {
                    Some(items) => lines.extend(items.iter().map(|item| format!("{name}: {item}"))),
                    None => lines.push(format!("{name}: {value}")),
                }
            }
            lines.extend(
                built
                    .warnings
                    .iter()
                    .map(|warning| format!("warning: {warning}")),
            );
            lines.join("\n")
        }
        Err(why) => format!("error: {why}"),
    }
}

fn messages(messages: &Value) -> String {
    let body = body_of(&options("http://localhost"), messages);
    let lines = body.lines().filter_map(|line| {
        line.strip_prefix("messages: ")
            .or_else(|| (line.starts_with("error") || line.starts_with("warning")).then_some(line))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn parts(parts: &Value) -> String {
    let sent = messages(&json!([{"role": "user", "content": parts}]));
    match serde_json::from_str::<Value>(&sent) {
        Ok(message) => {
            let parts = message["content"].as_array().into_iter().flatten();
            parts.map(Value::to_string).collect::<Vec<_>>().join("\n")
        }
        Err(_) => sent,
    }
}

#[test]
fn a_body_holds_prompts_conversation_tools_and_parameters() {
    let mut options = options("http://localhost");
    options.before = vec![json!({"role": "system", "content": "Be brief."})];
    options.tools = vec![tool("find", None)];
    options.tools[0].description = "Finds things.".to_owned();
    options.tools[0].parameters = json!({"type": "object"});
    let parameters = json!({
        "temperature": 0.5, "response_format": {"type": "json_object"}, "model": "other", "stream": false,
        "extra_body": {"top_k": 3, "messages": []}, "tools": [{"type": "web_search"}],
    });
    options.parameters = parameters.as_object().cloned().unwrap();
    let said = json!([{"role": "user", "content": "Hi"}]);
    assert_snapshot!(body_of(&options, &said), @r#"
    model: "m-1"
    messages: {"role":"system","content":"Be brief."}
    messages: {"role":"user","content":"Hi"}
    tools: {"type":"function","function":{"name":"find","description":"Finds things.","parameters":{"type":"object"}}}
    tools: {"type":"web_search"}
    stream: true
    stream_options: {"include_usage":true}
    temperature: 0.5
    response_format: {"type":"json_object"}
    top_k: 3
    "#);
    options.stream = false;
    options.tools.clear();
    options.parameters = Map::new();
    assert_snapshot!(body_of(&options, &said), @r#"
    model: "m-1"
    messages: {"role":"system","content":"Be brief."}
    messages: {"role":"user","content":"Hi"}
    stream: false
    "#);
    options.stream = true;
    options.parameters = Map::from_iter([("stream_options".to_owned(), Value::Null)]);
    assert_snapshot!(body_of(&options, &said), @r#"
    model: "m-1"
    messages: {"role":"system","content":"Be brief."}
    messages: {"role":"user","content":"Hi"}
    stream: true
    "#);
}

#[test]
fn messages_change_their_form_and_reasoning_stays_here() {
    assert_snapshot!(messages(&json!([
        {"role": "developer", "content": "Be brief.", "metadata": {"a": 1}},
        {"role": "user", "content": "Where?", "name": "joe"},
        {"role": "reasoning", "content": "Hm."},
        {"role": "activity", "activityType": "x", "content": {}},
        {"role": "assistant", "toolCalls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}, "encryptedValue": "x"},
        ]},
        {"role": "tool", "toolCallId": "c1", "content": "", "error": "not found"},
        {"role": "assistant", "content": "Nowhere."},
        {"role": "user", "content": null},
    ])), @r#"
    {"role":"developer","content":"Be brief."}
    {"role":"user","content":"Where?","name":"joe"}
    {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}}]}
    {"role":"tool","content":"not found","tool_call_id":"c1"}
    {"role":"assistant","content":"Nowhere."}
    {"role":"user","content":""}
    "#);
}

#[test]
fn calls_that_nobody_answered_are_sent_and_told() {
    assert_snapshot!(messages(&json!([
        {"role": "assistant", "content": "Wait.", "toolCalls": [
            {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}},
            {"id": "c2", "type": "function", "function": {"name": "buy", "arguments": "{}"}},
        ]},
        {"role": "tool", "toolCallId": "c1", "content": "found"},
        {"role": "user", "content": "And?"},
    ])), @r#"
    {"role":"assistant","content":"Wait.","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"buy","arguments":"{}"}}]}
    {"role":"tool","content":"found","tool_call_id":"c1"}
    {"role":"user","content":"And?"}
    warning: the conversation holds calls that nobody answered (`buy`): most chat endpoints refuse that; give the tools a `result`
    "#);
}

#[test]
fn parts_change_their_form() {
    assert_snapshot!(parts(&json!([
        {"type": "text", "text": "What is this?", "id": "p1"},
        {"type": "image", "source": {"type": "data", "value": "aGk=", "mimeType": "image/png"}},
        {"type": "image", "source": {"type": "url", "value": "https://one.example/a.png"}, "metadata": {"detail": "low"}},
        {"type": "audio", "source": {"type": "data", "value": "aGk=", "mimeType": "audio/mpeg"}},
        {"type": "audio", "source": {"type": "data", "value": "aGk=", "mimeType": "audio/x-flac"}},
        {"type": "video", "source": {"type": "url", "value": "https://one.example/a.mp4"}},
        {"type": "document", "source": {"type": "data", "value": "aGk=", "mimeType": "application/pdf"}, "metadata": {"filename": "bill.pdf"}},
        {"type": "document", "source": {"type": "data", "value": "aGk=", "mimeType": "text/plain"}},
        {"type": "document", "source": {"type": "file", "value": "file-1"}},
        {"type": "binary", "mimeType": "image/gif", "data": "aGk="},
        {"type": "binary", "mimeType": "application/zip", "id": "file-2"},
        {"type": "image_url", "image_url": {"url": "https://one.example/b.png"}},
    ])), @r#"
    {"type":"text","text":"What is this?"}
    {"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}}
    {"type":"image_url","image_url":{"url":"https://one.example/a.png","detail":"low"}}
    {"type":"input_audio","input_audio":{"data":"aGk=","format":"mp3"}}
    {"type":"input_audio","input_audio":{"data":"aGk=","format":"flac"}}
    {"type":"video_url","video_url":{"url":"https://one.example/a.mp4"}}
    {"type":"file","file":{"filename":"bill.pdf","file_data":"data:application/pdf;base64,aGk="}}
    {"type":"file","file":{"filename":"document.txt","file_data":"data:text/plain;base64,aGk="}}
    {"type":"file","file":{"file_id":"file-1"}}
    {"type":"image_url","image_url":{"url":"data:image/gif;base64,aGk="}}
    {"type":"file","file":{"file_id":"file-2"}}
    {"type":"image_url","image_url":{"url":"https://one.example/b.png"}}
    "#);
}

#[test]
fn parts_that_cannot_be_sent_are_named() {
    let audio =
        json!([{"type": "audio", "source": {"type": "url", "value": "https://one.example/a.wav"}}]);
    assert_snapshot!(parts(&audio), @"error: an audio part names the URL `https://one.example/a.wav`: a chat endpoint takes sound as data only, so name a file instead");
    assert_snapshot!(parts(&json!([{"type": "image", "source": "x"}])), @"error: a part has the unknown source `x`");
    assert_snapshot!(parts(&json!([{"type": "binary", "mimeType": "image/png"}])), @"error: a `binary` part has neither `data`, `url` nor `id`");
}
