//! Requests as they go over the wire.

use insta::assert_snapshot;
use serde_json::json;

use crate::a2a::wire::{Binding, Outgoing, Query, Version, Wire, build, parts_of_content};

fn built(version: Version, binding: Binding, query: Query<'_>) -> String {
    let wire = Wire {
        url: "http://agent/a/?k=1".to_owned(),
        version,
        binding,
        tenant: Some("blue".to_owned()),
    };
    let built = build(&wire, query, 7).unwrap();
    let body = built
        .body
        .map_or_else(String::new, |body| format!("\n{body}"));
    format!("{} {}{body}", built.method, built.url)
}

fn all(version: Version, binding: Binding) -> String {
    let content = json!([
        {"type": "text", "text": "Look"},
        {"type": "image", "source": {"type": "url", "value": "http://i/x.png", "mimeType": "image/png"}},
        {"type": "binary", "data": "aGk=", "mimeType": "text/plain", "filename": "x"}
    ]);
    let outgoing = Outgoing {
        message_id: "m1".to_owned(),
        context_id: Some("c1".to_owned()),
        task_id: Some("t1".to_owned()),
        parts: parts_of_content(&content).unwrap(),
        metadata: None,
        accepted_output_modes: vec!["text/plain".to_owned()],
        history_length: Some(2),
        is_blocking: false,
        request_metadata: Some(json!({"k": 1})),
    };
    let queries = [
        Query::Send(&outgoing),
        Query::Stream(&outgoing),
        Query::Get {
            task_id: "t/1",
            history_length: Some(2),
        },
        Query::Cancel { task_id: "t/1" },
    ];
    let shown: Vec<String> = queries
        .into_iter()
        .map(|query| built(version, binding, query))
        .collect();
    shown.join("\n")
}

#[test]
fn requests_over_json_rpc() {
    assert_snapshot!(all(Version::V1, Binding::JsonRpc), @r#"
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Look"},{"url":"http://i/x.png","mediaType":"image/png"},{"raw":"aGk=","mediaType":"text/plain","filename":"x"}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2,"returnImmediately":true},"metadata":{"k":1},"tenant":"blue"}}
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"SendStreamingMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Look"},{"url":"http://i/x.png","mediaType":"image/png"},{"raw":"aGk=","mediaType":"text/plain","filename":"x"}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2},"metadata":{"k":1},"tenant":"blue"}}
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":"t/1","historyLength":2,"tenant":"blue"}}
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"CancelTask","params":{"id":"t/1","tenant":"blue"}}
    "#);
    assert_snapshot!(all(Version::V03, Binding::JsonRpc), @r#"
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"message/send","params":{"message":{"kind":"message","messageId":"m1","role":"user","parts":[{"kind":"text","text":"Look"},{"kind":"file","file":{"uri":"http://i/x.png","mimeType":"image/png"}},{"kind":"file","file":{"bytes":"aGk=","mimeType":"text/plain","name":"x"}}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2,"blocking":false},"metadata":{"k":1},"tenant":"blue"}}
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"message/stream","params":{"message":{"kind":"message","messageId":"m1","role":"user","parts":[{"kind":"text","text":"Look"},{"kind":"file","file":{"uri":"http://i/x.png","mimeType":"image/png"}},{"kind":"file","file":{"bytes":"aGk=","mimeType":"text/plain","name":"x"}}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2},"metadata":{"k":1},"tenant":"blue"}}
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"tasks/get","params":{"id":"t/1","historyLength":2,"tenant":"blue"}}
    POST http://agent/a/?k=1
    {"jsonrpc":"2.0","id":7,"method":"tasks/cancel","params":{"id":"t/1","tenant":"blue"}}
    "#);
}

#[test]
fn requests_over_http_and_json() {
    assert_snapshot!(all(Version::V1, Binding::HttpJson), @r#"
    POST http://agent/a/blue/message:send?k=1
    {"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Look"},{"url":"http://i/x.png","mediaType":"image/png"},{"raw":"aGk=","mediaType":"text/plain","filename":"x"}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2,"returnImmediately":true},"metadata":{"k":1}}
    POST http://agent/a/blue/message:stream?k=1
    {"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Look"},{"url":"http://i/x.png","mediaType":"image/png"},{"raw":"aGk=","mediaType":"text/plain","filename":"x"}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2},"metadata":{"k":1}}
    GET http://agent/a/blue/tasks/t%2F1?k=1&historyLength=2
    POST http://agent/a/blue/tasks/t%2F1:cancel?k=1
    {}
    "#);
    assert_snapshot!(all(Version::V03, Binding::HttpJson), @r#"
    POST http://agent/a/v1/blue/message:send?k=1
    {"message":{"messageId":"m1","role":"ROLE_USER","content":[{"text":"Look"},{"file":{"fileWithUri":"http://i/x.png","mimeType":"image/png"}},{"file":{"fileWithBytes":"aGk=","mimeType":"text/plain","name":"x"}}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2,"blocking":false},"metadata":{"k":1}}
    POST http://agent/a/v1/blue/message:stream?k=1
    {"message":{"messageId":"m1","role":"ROLE_USER","content":[{"text":"Look"},{"file":{"fileWithUri":"http://i/x.png","mimeType":"image/png"}},{"file":{"fileWithBytes":"aGk=","mimeType":"text/plain","name":"x"}}],"contextId":"c1","taskId":"t1"},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":2},"metadata":{"k":1}}
    GET http://agent/a/v1/blue/tasks/t%2F1?k=1&historyLength=2
    POST http://agent/a/v1/blue/tasks/t%2F1:cancel?k=1
    {}
    "#);
}
