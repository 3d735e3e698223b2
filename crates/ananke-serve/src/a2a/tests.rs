//! Requests as text over loopback, answers as text: what an A2A client sees.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::http::tests::{post, request, talk, talk_to};
use crate::shop::{Shop, ShopBehavior};

const SHOP: Shop = Shop {
    behavior: ShopBehavior::Healthy,
};

/// Shows the bodies of answers, without their headers and the sizes of their chunks.
fn bodies(shown: &str) -> String {
    let is_body = |line: &&str| {
        line.starts_with("data: ") || line.starts_with('{') || line.starts_with("HTTP/")
    };
    let lines: Vec<&str> = shown.lines().filter(is_body).collect();
    lines.join("\n")
}

fn message(text: &str, ids: Value) -> Value {
    let mut message = json!({"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": text}]});
    if let (Some(message), Value::Object(ids)) = (message.as_object_mut(), ids) {
        message.extend(ids);
    }
    message
}

fn rpc(method: &str, params: Value) -> String {
    post(
        "/a2a",
        &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
    )
}

fn send(text: &str, ids: Value) -> String {
    rpc("SendMessage", json!({"message": message(text, ids)}))
}

fn stream(text: &str) -> String {
    rpc(
        "SendStreamingMessage",
        json!({"message": message(text, json!({}))}),
    )
}

/// Shows state, artifacts and the last words of tasks that came as a whole.
fn tasks(shown: &str) -> String {
    let lines = shown.lines().filter(|line| line.starts_with('{'));
    let tasks = lines.map(|line| {
        let answer: Value = serde_json::from_str(line).unwrap();
        let task = &answer["result"]["task"];
        if task.is_null() {
            return answer.to_string();
        }
        let artifacts = task["artifacts"].as_array().into_iter().flatten();
        let texts = artifacts.map(|artifact| {
            let parts = artifact["parts"].as_array().unwrap().iter();
            let parts = parts.map(|part| {
                part["text"]
                    .as_str()
                    .map_or_else(|| part["data"].to_string(), str::to_owned)
            });
            format!(
                "{}: {}",
                artifact["name"].as_str().unwrap(),
                parts.collect::<String>()
            )
        });
        let asked = task.pointer("/status/message/parts/0/text");
        format!(
            "{} {} {} {:?} {}",
            task["id"],
            task["contextId"],
            task["status"]["state"],
            texts.collect::<Vec<_>>(),
            asked.unwrap_or(&Value::Null)
        )
    });
    tasks.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_task_is_a_stream_of_events() {
    let script = json!({"rules": [{"reply": [
        {"reasoning": "Hm"},
        {"tool": {"name": "find", "args": {"id": 7}, "result": "paid"}},
        {"state": {"order": 7}},
        {"text": "All done"},
    ]}]});
    assert_snapshot!(bodies(&talk(script, &[stream("Hi")])), @r#"
    HTTP/1.1 200 OK
    data: {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_SUBMITTED"},"history":[{"messageId":"m1","contextId":"context-1","taskId":"task-1","role":"ROLE_USER","parts":[{"text":"Hi"}]}]}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_WORKING"}}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"task-1-1","contextId":"context-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"text":"Hm","metadata":{"adk_thought":true}}]}}}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"task-1-2","contextId":"context-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"data":{"id":"call-task-1-3","name":"find","args":{"id":7}},"metadata":{"adk_type":"function_call"}}]}}}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"task-1-3","contextId":"context-1","taskId":"task-1","role":"ROLE_AGENT","parts":[{"data":{"id":"call-task-1-3","response":"paid","name":"find"},"metadata":{"adk_type":"function_response"}}]}}}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"context-1","artifact":{"artifactId":"state","name":"state","parts":[{"data":{"order":7}}]},"lastChunk":true}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"context-1","artifact":{"artifactId":"msg-task-1-5","name":"answer","parts":[{"text":"All "}]}}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"context-1","artifact":{"artifactId":"msg-task-1-5","name":"answer","parts":[{"text":"done"}]},"append":true,"lastChunk":true}}}
    data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_COMPLETED"}}}}
    "#);
}

#[test]
fn the_old_version_has_its_own_form() {
    let script = json!({"rules": [
        {"when": {"user_equals": "Pay"}, "reply": [{"interrupt": {"reason": "approval", "message": "Pay?"}}]},
        {"reply": [{"tool": {"name": "find", "args": "oops"}}, {"error": {"message": "no", "code": "E"}}]},
    ]});
    let old = |method: &str, text: &str| {
        let message = json!({"kind": "message", "messageId": "m1", "role": "user", "parts": [{"kind": "text", "text": text}]});
        rpc(method, json!({"message": message}))
    };
    assert_snapshot!(bodies(&talk(script, &[old("message/stream", "Pay"), old("message/send", "Hi"), rpc("tasks/get", json!({"id": "task-2", "historyLength": 0}))])), @r#"
    HTTP/1.1 200 OK
    data: {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"task-1","contextId":"context-1","status":{"state":"submitted"},"history":[{"kind":"message","messageId":"m1","contextId":"context-1","taskId":"task-1","role":"user","parts":[{"kind":"text","text":"Pay"}]}]}}
    data: {"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"task-1","contextId":"context-1","status":{"state":"working"},"final":false}}
    data: {"jsonrpc":"2.0","id":1,"result":{"kind":"status-update","taskId":"task-1","contextId":"context-1","status":{"state":"input-required","message":{"kind":"message","messageId":"task-1-1","contextId":"context-1","taskId":"task-1","role":"agent","parts":[{"kind":"text","text":"Pay?"}]}},"metadata":{"interrupt":{"id":"interrupt-task-1-1","reason":"approval","message":"Pay?"}},"final":true}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"task-2","contextId":"context-2","status":{"state":"failed","message":{"kind":"message","messageId":"task-2-2","contextId":"context-2","taskId":"task-2","role":"agent","parts":[{"kind":"text","text":"no"}]}},"history":[{"kind":"message","messageId":"m1","contextId":"context-2","taskId":"task-2","role":"user","parts":[{"kind":"text","text":"Hi"}]},{"kind":"message","messageId":"task-2-1","contextId":"context-2","taskId":"task-2","role":"agent","parts":[{"kind":"data","data":{"id":"call-task-2-1","name":"find","args":"oops"},"metadata":{"adk_type":"function_call"}}]}]}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"task-2","contextId":"context-2","status":{"state":"failed","message":{"kind":"message","messageId":"task-2-2","contextId":"context-2","taskId":"task-2","role":"agent","parts":[{"kind":"text","text":"no"}]}},"history":[]}}
    "#);
}

#[test]
fn a_conversation_is_remembered() {
    let context = || json!({"contextId": "context-1"});
    let shown = talk_to(
        SHOP,
        &[
            send("Add two blue mugs to my cart", json!({})),
            send("Use the first shipping option", context()),
            send("Confirm and pay", context()),
            send("hm?", json!({"taskId": "task-3"})),
            send("Yes", json!({"taskId": "task-3", "contextId": "context-1"})),
            send("Yes", json!({"taskId": "task-3"})),
            send("What is in my cart?", json!({})),
        ],
    );
    assert_snapshot!(tasks(&shown), @r#"
    "task-1" "context-1" "TASK_STATE_COMPLETED" ["state: {\"cart\":[{\"product_id\":\"mug-blue\",\"quantity\":2}]}", "answer: I added 2 × blue mug. Your cart holds 2 × blue mug."] null
    "task-2" "context-1" "TASK_STATE_COMPLETED" ["state: {\"cart\":[{\"product_id\":\"mug-blue\",\"quantity\":2}],\"shipping\":\"standard\",\"total_cents\":2800}", "answer: With standard shipping the total is $28.00."] null
    "task-3" "context-1" "TASK_STATE_INPUT_REQUIRED" [] "Charge $28.00 to your card?"
    "task-3" "context-1" "TASK_STATE_INPUT_REQUIRED" ["answer: I need a yes or a no: may I charge your card?"] "I need a yes or a no: may I charge your card?"
    "task-3" "context-1" "TASK_STATE_COMPLETED" ["answer: I need a yes or a no: may I charge your card?", "state: {\"cart\":[],\"order_id\":\"order-1001\"}", "answer: Paid $28.00. Your order is order-1001."] null
    {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"the task `task-3` is over: leave out `taskId` to begin another in the same context"}}
    "task-4" "context-2" "TASK_STATE_COMPLETED" ["answer: Your cart is empty."] null
    "#);
}

#[test]
fn over_http_there_are_no_envelopes() {
    let path = |path: &str| format!("/a2a/v1/{path}");
    let said = json!({"message": message("Hello", json!({}))});
    let old =
        json!({"message": {"messageId": "m", "role": "ROLE_USER", "content": [{"text": "Hi"}]}});
    let shown = talk(
        json!({"rules": [{"reply": [{"text": "Hi"}]}]}),
        &[
            post(&path("message:send"), &said),
            post(&path("message:stream"), &said),
            request(
                "GET",
                &path("tasks/task-1?historyLength=0"),
                "text/plain",
                "",
            ),
            post(&path("tasks/task-1:cancel"), &json!({})),
            request("GET", &path("tasks/none"), "text/plain", ""),
            request("GET", &path("tasks?pageSize=1"), "text/plain", ""),
            request("GET", &path("nothing"), "text/plain", ""),
            request("POST", &path("message:send"), "text/plain", "Hi"),
            request("POST", &path("message:send"), "application/a2a+json", "{"),
            post(&path("message:send"), &old),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    HTTP/1.1 200 OK
    {"task":{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_COMPLETED"},"history":[{"messageId":"m1","contextId":"context-1","taskId":"task-1","role":"ROLE_USER","parts":[{"text":"Hello"}]}],"artifacts":[{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"Hi"}]}]}}
    HTTP/1.1 200 OK
    data: {"task":{"id":"task-2","contextId":"context-2","status":{"state":"TASK_STATE_SUBMITTED"},"history":[{"messageId":"m1","contextId":"context-2","taskId":"task-2","role":"ROLE_USER","parts":[{"text":"Hello"}]}]}}
    data: {"statusUpdate":{"taskId":"task-2","contextId":"context-2","status":{"state":"TASK_STATE_WORKING"}}}
    data: {"artifactUpdate":{"taskId":"task-2","contextId":"context-2","artifact":{"artifactId":"msg-task-2-1","name":"answer","parts":[{"text":"Hi"}]},"lastChunk":true}}
    data: {"statusUpdate":{"taskId":"task-2","contextId":"context-2","status":{"state":"TASK_STATE_COMPLETED"}}}
    HTTP/1.1 200 OK
    {"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_COMPLETED"},"history":[],"artifacts":[{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"Hi"}]}]}
    HTTP/1.1 409 Conflict
    {"error":{"code":409,"status":"FAILED_PRECONDITION","message":"the task `task-1` is over: it cannot be canceled","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_CANCELABLE","domain":"a2a-protocol.org"}]}}
    HTTP/1.1 404 Not Found
    {"error":{"code":404,"status":"NOT_FOUND","message":"there is no task `none`","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org"}]}}
    HTTP/1.1 200 OK
    {"tasks":[{"id":"task-2","contextId":"context-2","status":{"state":"TASK_STATE_COMPLETED"},"history":[{"messageId":"m1","contextId":"context-2","taskId":"task-2","role":"ROLE_USER","parts":[{"text":"Hello"}]}]}],"nextPageToken":"1","pageSize":1,"totalSize":2}
    HTTP/1.1 404 Not Found
    {"error":{"code":404,"status":"NOT_FOUND","message":"there is no `GET nothing`","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"METHOD_NOT_FOUND","domain":"a2a-protocol.org"}]}}
    HTTP/1.1 415 Unsupported Media Type
    {"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"the body must be application/json"}}
    HTTP/1.1 400 Bad Request
    {"error":{"code":400,"status":"INVALID_ARGUMENT","message":"the body is not JSON: EOF while parsing an object at line 1 column 1","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"PARSE_ERROR","domain":"a2a-protocol.org"}]}}
    HTTP/1.1 400 Bad Request
    {"error":{"code":400,"status":"UNIMPLEMENTED","message":"HTTP+JSON is answered in 1.0 only, and this is a message of 0.3","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"VERSION_NOT_SUPPORTED","domain":"a2a-protocol.org"}]}}
    "#);
}

#[test]
fn a_task_that_takes_its_time_can_be_watched_and_canceled() {
    let script =
        json!({"rules": [{"reply": [{"text": "One"}, {"delay_ms": 60000}, {"text": "Two"}]}]});
    let said =
        json!({"message": message("Hi", json!({})), "configuration": {"returnImmediately": true}});
    let shown = talk(
        script,
        &[
            rpc("SendMessage", said),
            rpc("GetTask", json!({"id": "task-1", "historyLength": 0})),
            send("Hi", json!({"taskId": "task-1"})),
            rpc("CancelTask", json!({"id": "task-1", "historyLength": 0})),
            rpc("CancelTask", json!({"id": "task-1"})),
            rpc("SubscribeToTask", json!({"id": "task-1"})),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_WORKING"},"history":[{"messageId":"m1","contextId":"context-1","taskId":"task-1","role":"ROLE_USER","parts":[{"text":"Hi"}]}],"artifacts":[{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"One"}]}]}}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_WORKING"},"history":[],"artifacts":[{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"One"}]}]}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"the task `task-1` is still being worked on"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_CANCELED"},"history":[],"artifacts":[{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"One"}]}]}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"the task `task-1` is over: it cannot be canceled"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"the task `task-1` is over: nothing follows"}}
    "#);
}

#[test]
fn what_cannot_be_done_is_refused_in_the_words_of_the_protocol() {
    let rpc_header = |version: &str, method: &str| {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": method}).to_string();
        request(
            "POST",
            "/a2a",
            &format!("application/json\r\na2a-version: {version}"),
            &call,
        )
    };
    let shown = talk(
        json!({"rules": []}),
        &[
            request("GET", "/a2a", "text/plain", ""),
            request("POST", "/a2a", "text/plain", "{}"),
            request("POST", "/a2a", "application/json", "{"),
            request("POST", "/a2a", "application/json", "[]"),
            rpc("Fly", json!({})),
            rpc("SendMessage", json!({})),
            rpc(
                "SendMessage",
                json!({"message": {"messageId": "m", "role": "ROLE_USER", "parts": []}}),
            ),
            rpc(
                "SendMessage",
                json!({"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "x"}]}}),
            ),
            send("Hi", json!({"taskId": "nowhere"})),
            rpc("GetTask", json!({})),
            rpc("CreateTaskPushNotificationConfig", json!({})),
            rpc("GetExtendedAgentCard", json!({})),
            rpc_header("2.0", "SendMessage"),
            rpc_header("0.3", "SendMessage"),
            rpc_header("1.0", "message/send"),
            request(
                "POST",
                "/a2a",
                "application/json\r\norigin: http://evil.example",
                "{}",
            ),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    HTTP/1.1 405 Method Not Allowed
    {"error":"only POST is answered"}
    HTTP/1.1 415 Unsupported Media Type
    {"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"the body must be application/json"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON: EOF while parsing an object at line 1 column 1"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected one message, got a list: batches are not answered"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"there is no method `Fly`"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected `message`, an object with `messageId`, `role` and `parts`"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected `message.parts`, a list with at least one part"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected `message.role` to be the user's: `ROLE_USER`, or `user` in 0.3"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"there is no task `nowhere`"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"expected `id`, that of a task"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"push notifications are not supported: stream, or ask for the task"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32007,"message":"there is no extended card: the public one says everything"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"`A2A-Version` names 2.0; this agent speaks 1.0 and 0.3"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32009,"message":"`SendMessage` is a method of 1.0, and `A2A-Version` names 0.3"}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"`message/send` is a method of 0.3, and `A2A-Version` names 1.0"}}
    HTTP/1.1 421 Misdirected Request
    {"error":"a web page reaches this agent as localhost or 127.0.0.1 only; --allow-origin lets pages of an origin use other names"}
    "#);
}

#[test]
fn faults_are_played() {
    let script = json!({"rules": [
        {"when": {"user_equals": "cut"}, "reply": [{"text": "Half"}, "truncate"]},
        {"when": {"user_equals": "break"}, "reply": [{"text": "Half"}, "reset"]},
        {"reply": [{"http": {"status": 429, "headers": {"retry-after": "1"}, "body": "slow down"}}]},
    ]});
    let shown = talk(
        script,
        &[
            stream("cut"),
            send("cut", json!({})),
            stream("break"),
            send("break", json!({})),
            send("x", json!({})),
        ],
    );
    let shown: Vec<&str> = shown
        .lines()
        .filter(|line| {
            line.contains("artifact")
                || line.starts_with("HTTP")
                || line.starts_with('(')
                || line.starts_with("slow")
        })
        .collect();
    assert_snapshot!(shown.join("\n"), @r#"
    HTTP/1.1 200 OK
    data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"task-1","contextId":"context-1","artifact":{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"Half"}]},"lastChunk":true}}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"task":{"id":"task-2","contextId":"context-2","status":{"state":"TASK_STATE_WORKING"},"history":[{"messageId":"m1","contextId":"context-2","taskId":"task-2","role":"ROLE_USER","parts":[{"text":"cut"}]}],"artifacts":[{"artifactId":"msg-task-2-1","name":"answer","parts":[{"text":"Half"}]}]}}}
    HTTP/1.1 200 OK
    data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"task-3","contextId":"context-3","artifact":{"artifactId":"msg-task-3-1","name":"answer","parts":[{"text":"Half"}]},"lastChunk":true}}}
    (connection reset)
    HTTP/1.1 200 OK
    (connection reset)
    HTTP/1.1 429 Too Many Requests
    slow down
    "#);
}

#[test]
fn the_card_names_the_address_that_was_asked() {
    let shown = talk_to(
        SHOP,
        &[
            request("GET", "/base/.well-known/agent-card.json", "text/plain", ""),
            post("/.well-known/agent-card.json", &json!({})),
        ],
    );
    assert_snapshot!(bodies(&shown), @r#"
    HTTP/1.1 200 OK
    {"name":"shop assistant","description":"The assistant of a small shop for mugs, teapots and tea.","version":"1.0","supportedInterfaces":[{"url":"http://x/base/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"http://x/base/a2a/v1","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"},{"url":"http://x/base/a2a","protocolBinding":"JSONRPC","protocolVersion":"0.3"}],"protocolVersion":"0.3.0","url":"http://x/base/a2a","preferredTransport":"JSONRPC","additionalInterfaces":[{"transport":"JSONRPC","url":"http://x/base/a2a"}],"capabilities":{"streaming":true,"pushNotifications":false},"defaultInputModes":["text/plain","application/json"],"defaultOutputModes":["text/plain","application/json"],"skills":[{"id":"search","name":"Search","description":"Finds products.","tags":["shop"],"examples":["Find me a blue mug"]},{"id":"cart","name":"Cart","description":"Fills the cart.","tags":["shop"],"examples":["Add two blue mugs to my cart"]},{"id":"checkout","name":"Checkout","description":"Ships and charges.","tags":["shop"],"examples":["I want to checkout"]}]}
    HTTP/1.1 405 Method Not Allowed
    {"error":"only GET is answered"}
    "#);
}
