//! Messages as text, answers as text: what an MCP client sees over HTTP and over lines.

use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::mpsc::channel;
use tokio_util::sync::CancellationToken;

use super::lines::{Line, serve_lines};
use crate::agent::{Agent, ScriptAgent};
use crate::http::tests::{request, talk, talk_to};
use crate::script::Script;
use crate::shop::{Shop, ShopBehavior};

const SHOP: Shop = Shop {
    behavior: ShopBehavior::Healthy,
};

/// Writes lines to a server, and returns what it answers until it ends.
fn lines(agent: impl Agent + 'static, said: &[Value]) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let said: Vec<Line> = said
        .iter()
        .map(|line| {
            Line::Text(
                line.as_str()
                    .map_or_else(|| line.to_string(), str::to_owned),
            )
        })
        .collect();
    runtime.block_on(async {
        let (to_agent, from_client) = channel(said.len().max(1));
        let (out, mut answers) = channel(1000);
        for line in said {
            to_agent.send(line).await.unwrap();
        }
        drop(to_agent);
        let served = serve_lines(Arc::new(agent), from_client, out, CancellationToken::new());
        tokio::time::timeout(Duration::from_secs(10), served)
            .await
            .unwrap();
        let mut shown = Vec::new();
        while let Some(line) = answers.recv().await {
            shown.push(line);
        }
        shown.join("\n")
    })
}

fn call(id: u64, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn ask(id: u64, question: &str) -> Value {
    call(
        id,
        "tools/call",
        json!({"name": "ask", "arguments": {"question": question}}),
    )
}

fn initialize(capabilities: Value) -> Value {
    call(
        0,
        "initialize",
        json!({"protocolVersion": "2025-06-18", "capabilities": capabilities}),
    )
}

/// Adds what every request of the modern era carries.
fn modern(mut call: Value, capabilities: &Value) -> Value {
    call["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    call
}

/// A POST with these headers besides; the answer's own headers of the protocol are shown.
fn post(headers: &[&str], message: &Value) -> String {
    let mut kind = "application/json\r\naccept: application/json, text/event-stream".to_owned();
    for header in headers {
        kind.push_str("\r\n");
        kind.push_str(header);
    }
    request("POST", "/mcp", &kind, &message.to_string())
}

fn shown(answers: &str) -> String {
    let is_shown = |line: &&str| {
        let starts = ["HTTP/", "{", "data: ", "mcp-session-id"];
        starts.iter().any(|start| line.starts_with(start))
    };
    answers
        .lines()
        .filter(is_shown)
        .collect::<Vec<_>>()
        .join("\n")
}

fn script(value: Value) -> ScriptAgent {
    let script: Script = serde_json::from_value(value).unwrap();
    ScriptAgent::new(script)
}

#[test]
fn a_process_is_a_conversation() {
    assert_snapshot!(lines(SHOP, &[
        initialize(json!({})),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ask(1, "Add a teapot to my cart"),
        call(2, "tools/call", json!({"name": "add_to_cart", "arguments": {"product_id": "mug-red", "quantity": 2}})),
        ask(3, "What is in my cart?"),
        ask(4, "Pay through the broken gateway"),
        ask(5, "Pick up the locked warehouse"),
    ]), @r#"
    {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"shop assistant","version":"1.0"},"instructions":"The assistant of a small shop for mugs, teapots and tea. Put questions to it with the tool `ask`."}}
    {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"I added 1 × teapot. Your cart holds 1 × teapot."}],"structuredContent":{"text":"I added 1 × teapot. Your cart holds 1 × teapot.","toolCalls":[{"id":"call-run-1-1","name":"add_to_cart","args":{"product_id":"teapot","quantity":1},"result":{"ok":true}}],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1}]}},"isError":false}}
    {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"ok\":true,\"cart\":[{\"product_id\":\"teapot\",\"quantity\":1},{\"product_id\":\"mug-red\",\"quantity\":2}]}"}],"structuredContent":{"ok":true,"cart":[{"product_id":"teapot","quantity":1},{"product_id":"mug-red","quantity":2}]},"isError":false}}
    {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Your cart holds 1 × teapot, 2 × red mug, together $60.00."}],"structuredContent":{"text":"Your cart holds 1 × teapot, 2 × red mug, together $60.00.","toolCalls":[{"id":"call-run-2-1","name":"view_cart","args":{},"result":{"cart":[{"product_id":"teapot","quantity":1},{"product_id":"mug-red","quantity":2}],"subtotal_cents":6000}}],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1},{"product_id":"mug-red","quantity":2}]}},"isError":false}}
    {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"Let me call the payment gateway.\npayment gateway unreachable"}],"structuredContent":{"text":"Let me call the payment gateway.\npayment gateway unreachable","toolCalls":[],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1},{"product_id":"mug-red","quantity":2}]}},"isError":true}}
    {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"I could not look: the warehouse is locked."}],"structuredContent":{"text":"I could not look: the warehouse is locked.","toolCalls":[{"id":"call-run-4-1","name":"look_into_warehouse","args":{},"result":{"error":"the warehouse is locked"}}],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1},{"product_id":"mug-red","quantity":2}]}},"isError":false}}
    "#);
}

#[test]
fn a_client_of_the_modern_era_needs_no_beginning() {
    let none = json!({});
    assert_snapshot!(lines(SHOP, &[
        modern(call(1, "server/discover", json!({})), &none),
        modern(call(2, "resources/read", json!({"uri": "shop://catalog"})), &none),
        modern(call(3, "prompts/get", json!({"name": "order"})), &none),
        modern(call(4, "initialize", json!({})), &none),
        json!({"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}}}),
    ]), @r#"
    {"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"shop assistant","version":"1.0"}},"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"instructions":"The assistant of a small shop for mugs, teapots and tea. Put questions to it with the tool `ask`.","ttlMs":0,"cacheScope":"private","resultType":"complete"}}
    {"jsonrpc":"2.0","id":2,"result":{"contents":[{"uri":"shop://catalog","mimeType":"application/json","text":"[{\"id\":\"mug-blue\",\"name\":\"blue mug\",\"price_cents\":1200},{\"id\":\"mug-red\",\"name\":\"red mug\",\"price_cents\":1250},{\"id\":\"teapot\",\"name\":\"teapot\",\"price_cents\":3500},{\"id\":\"tea-green\",\"name\":\"green tea\",\"price_cents\":600}]"}],"ttlMs":0,"cacheScope":"private","resultType":"complete"}}
    {"jsonrpc":"2.0","id":3,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Add a blue mug to my cart and check out."}}],"resultType":"complete"}}
    {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"there is no method `initialize`"}}
    {"jsonrpc":"2.0","id":5,"error":{"code":-32022,"message":"the revision 2030-01-01 is not spoken here","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2030-01-01"}}}
    "#);
}

#[test]
fn the_user_is_asked_where_the_client_can() {
    let can = json!({"elicitation": {}});
    let answer = json!({"action": "accept", "content": {"approved": true}});
    let paid = lines(
        SHOP,
        &[
            modern(ask(1, "Add a teapot to my cart"), &can),
            modern(ask(2, "Confirm and pay"), &can),
            modern(
                call(
                    3,
                    "tools/call",
                    json!({
                        "name": "ask",
                        "arguments": {"question": "Confirm and pay"},
                        "requestState": "question-3",
                        "inputResponses": {"question": answer},
                    }),
                ),
                &can,
            ),
        ],
    );
    assert_snapshot!(paid, @r#"
    {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"I added 1 × teapot. Your cart holds 1 × teapot."}],"structuredContent":{"text":"I added 1 × teapot. Your cart holds 1 × teapot.","toolCalls":[{"id":"call-run-1-1","name":"add_to_cart","args":{"product_id":"teapot","quantity":1},"result":{"ok":true}}],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1}]}},"isError":false,"resultType":"complete"}}
    {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"question":{"method":"elicitation/create","params":{"mode":"form","message":"Charge $39.00 to your card?","requestedSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}}},"requestState":"question-3"}}
    {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Paid $39.00. Your order is order-1001."}],"structuredContent":{"text":"Paid $39.00. Your order is order-1001.","toolCalls":[{"id":"call-run-2-1","name":"charge_card","args":{"amount_cents":3900,"currency":"USD"},"result":{"status":"charged","amount_cents":3900,"order_id":"order-1001"}}],"conversation":"stdio","state":{"cart":[],"order_id":"order-1001"}},"isError":false,"resultType":"complete"}}
    "#);
    let declined = lines(
        SHOP,
        &[
            initialize(can),
            ask(1, "Add a teapot to my cart"),
            ask(2, "Confirm and pay"),
            json!({"jsonrpc": "2.0", "id": "question-3", "result": {"action": "decline"}}),
        ],
    );
    assert_snapshot!(declined, @r#"
    {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"shop assistant","version":"1.0"},"instructions":"The assistant of a small shop for mugs, teapots and tea. Put questions to it with the tool `ask`."}}
    {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"I added 1 × teapot. Your cart holds 1 × teapot."}],"structuredContent":{"text":"I added 1 × teapot. Your cart holds 1 × teapot.","toolCalls":[{"id":"call-run-1-1","name":"add_to_cart","args":{"product_id":"teapot","quantity":1},"result":{"ok":true}}],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1}]}},"isError":false}}
    {"jsonrpc":"2.0","id":"question-3","method":"elicitation/create","params":{"mode":"form","message":"Charge $39.00 to your card?","requestedSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}}
    {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The order was not placed, and nothing was charged."}],"structuredContent":{"text":"The order was not placed, and nothing was charged.","toolCalls":[{"id":"call-run-2-1","name":"charge_card","args":{"amount_cents":3900,"currency":"USD"},"result":{"status":"not charged","reason":"declined by the customer"}}],"conversation":"stdio","state":{"cart":[{"product_id":"teapot","quantity":1}]}},"isError":false}}
    "#);
}

#[test]
fn what_is_wrong_with_a_message_is_said() {
    assert_snapshot!(lines(SHOP, &[
        json!("{oops"),
        json!([]),
        call(1, "fly", json!({})),
        call(2, "tools/call", json!({"name": "fly"})),
        call(3, "tools/call", json!({"name": "ask", "arguments": {}})),
        call(4, "tools/call", json!({"name": "ask", "arguments": [1]})),
        call(5, "tools/call", json!({"name": "add_to_cart", "arguments": {"product_id": "teapot", "quantity": 0}})),
        call(6, "tools/call", json!({"name": "get_product", "arguments": {"product_id": "boat"}})),
        call(7, "resources/read", json!({"uri": "shop://nothing"})),
        call(8, "prompts/get", json!({"name": "nothing"})),
    ]), @r#"
    {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON: key must be a string at line 1 column 2"}}
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected one message, got a list: batches are not answered"}}
    {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"there is no method `fly`"}}
    {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"there is no tool `fly`; `tools/list` names those that there are"}}
    {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"expected `question`, the text that the agent is to answer"}],"isError":true}}
    {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"expected `arguments` to be an object"}],"isError":true}}
    {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"expected `quantity`, a whole number from 1 to 99"}],"isError":true}}
    {"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"there is no product `boat`; there are `mug-blue`, `mug-red`, `teapot`, `tea-green`"}],"isError":true}}
    {"jsonrpc":"2.0","id":7,"error":{"code":-32002,"message":"there is no resource `shop://nothing`"}}
    {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"there is no prompt `nothing`"}}
    "#);
}

#[test]
fn scripts_break_as_they_are_told() {
    let agent = || {
        script(json!({"rules": [
            {"when": {"user_equals": "cut"}, "reply": [{"text": "Half"}, "truncate"]},
            {"when": {"user_equals": "slow"}, "reply": [{"text_deltas": {"deltas": ["a", "b"], "every_ms": 1}}]},
            {"when": {"user_equals": "busy"}, "reply": [{"http": {"status": 429, "body": "slow down"}}]},
            {"reply": ["reset"]},
        ]}))
    };
    let mut slow = ask(2, "slow");
    slow["params"]["_meta"] = json!({"progressToken": "p"});
    assert_snapshot!(lines(agent(), &[ask(1, "cut"), ask(3, "busy"), slow]), @r#"
    {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Half\nthe agent's answer broke off"}],"structuredContent":{"text":"Half\nthe agent's answer broke off","toolCalls":[],"conversation":"stdio"},"isError":true}}
    {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"HTTP 429: slow down"}],"isError":true}}
    {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"message":"a"}}
    {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2,"message":"b"}}
    {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ab"}],"structuredContent":{"text":"ab","toolCalls":[],"conversation":"stdio"},"isError":false}}
    "#);
    assert_snapshot!(lines(agent(), &[ask(1, "break")]), @"");
}

#[test]
fn a_session_is_a_conversation_over_http() {
    let session = ["mcp-session-id: session-1"];
    let answers = talk_to(
        SHOP,
        &[
            post(&[], &initialize(json!({}))),
            post(
                &session,
                &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            ),
            post(&session, &ask(1, "Add a teapot to my cart")),
            post(&session, &ask(2, "What is in my cart?")),
            post(&[], &ask(3, "What is in my cart?")),
            post(&["mcp-session-id: session-9"], &ask(4, "Hello")),
            request(
                "DELETE",
                "/mcp",
                "text/plain\r\nmcp-session-id: session-1",
                "",
            ),
            post(&session, &ask(5, "Hello")),
            request("GET", "/mcp", "text/plain", ""),
        ],
    );
    assert_snapshot!(shown(&answers), @r#"
    HTTP/1.1 200 OK
    mcp-session-id: session-1
    {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"shop assistant","version":"1.0"},"instructions":"The assistant of a small shop for mugs, teapots and tea. Put questions to it with the tool `ask`."}}
    HTTP/1.1 202 Accepted
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"I added 1 × teapot. Your cart holds 1 × teapot."}],"structuredContent":{"text":"I added 1 × teapot. Your cart holds 1 × teapot.","toolCalls":[{"id":"call-run-1-1","name":"add_to_cart","args":{"product_id":"teapot","quantity":1},"result":{"ok":true}}],"conversation":"session-1","state":{"cart":[{"product_id":"teapot","quantity":1}]}},"isError":false}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Your cart holds 1 × teapot, together $35.00."}],"structuredContent":{"text":"Your cart holds 1 × teapot, together $35.00.","toolCalls":[{"id":"call-run-2-1","name":"view_cart","args":{},"result":{"cart":[{"product_id":"teapot","quantity":1}],"subtotal_cents":3500}}],"conversation":"session-1","state":{"cart":[{"product_id":"teapot","quantity":1}]}},"isError":false}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Your cart is empty."}],"structuredContent":{"text":"Your cart is empty.","toolCalls":[{"id":"call-run-3-1","name":"view_cart","args":{},"result":{"cart":[],"subtotal_cents":0}}],"conversation":"conversation-1"},"isError":false}}
    HTTP/1.1 404 Not Found
    {"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"there is no such session: begin again with `initialize`"}}
    HTTP/1.1 204 No Content
    HTTP/1.1 404 Not Found
    {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"there is no such session: begin again with `initialize`"}}
    HTTP/1.1 405 Method Not Allowed
    {"error":"only POST and DELETE are answered"}
    "#);
}

#[test]
fn headers_must_fit_the_message() {
    let none = json!({});
    let list = modern(call(1, "tools/list", json!({})), &none);
    let fly = modern(call(2, "fly", json!({})), &none);
    let answers = talk(
        json!({"rules": []}),
        &[
            post(&["mcp-protocol-version: 2025-11-25"], &list),
            post(&["mcp-method: tools/call"], &list),
            post(
                &["mcp-protocol-version: 2026-07-28", "mcp-method: fly"],
                &fly,
            ),
            post(
                &["mcp-protocol-version: 1999-01-01"],
                &call(3, "tools/list", json!({})),
            ),
            post(&["origin: http://evil.example"], &list),
            post(&["origin: http://evil.example"], &list).replace("host: x", "host: localhost"),
            post(&["origin: http://localhost:3000"], &list).replace("host: x", "host: localhost"),
            request("POST", "/mcp", "text/plain", "{}"),
            request("POST", "/mcp", "application/json", "{"),
        ],
    );
    assert_snapshot!(shown(&answers), @r#"
    HTTP/1.1 400 Bad Request
    {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the header `mcp-protocol-version` says `2025-11-25`, the message `2026-07-28`"}}
    HTTP/1.1 400 Bad Request
    {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"the header `mcp-method` says `tools/call`, the message `tools/list`"}}
    HTTP/1.1 404 Not Found
    {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"there is no method `fly`"}}
    HTTP/1.1 400 Bad Request
    {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"the header `mcp-protocol-version` says `1999-01-01`, which no request without `_meta` can have"}}
    HTTP/1.1 421 Misdirected Request
    {"error":"a web page reaches this agent as localhost or 127.0.0.1 only; --allow-origin lets pages of an origin use other names"}
    HTTP/1.1 403 Forbidden
    {"error":"pages of this origin may not talk to the agent; --allow-origin lets them in"}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"ask","title":"Ask scripted agent","description":"An agent that does as it is told.","inputSchema":{"type":"object","properties":{"question":{"type":"string","description":"What to say to the agent."},"conversation":{"type":"string","description":"The conversation to go on with, as an earlier answer names it. Without it: that of the session; where there are no sessions, a new one."}},"required":["question"]},"outputSchema":{"type":"object","properties":{"text":{"type":"string","description":"What the agent said."},"toolCalls":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"args":{},"result":{}},"required":["id","name"]}},"lateResults":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"result":{}},"required":["id"]}},"state":{},"question":{"type":"string","description":"What the agent wants to know before it goes on."},"conversation":{"type":"string","description":"The conversation, to go on with it."}},"required":["text","toolCalls","conversation"]}}],"ttlMs":0,"cacheScope":"private","resultType":"complete"}}
    HTTP/1.1 415 Unsupported Media Type
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the body must be application/json"}}
    HTTP/1.1 400 Bad Request
    {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the body is not JSON: EOF while parsing an object at line 1 column 1"}}
    "#);
}

#[test]
fn any_path_will_do_where_the_message_says_what_is_spoken() {
    let message = json!({"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "Hi"}]});
    let answers = talk(
        json!({"rules": [{"reply": [{"text": "Hi"}]}]}),
        &[
            crate::http::tests::post("/", &ask(1, "Hi")),
            crate::http::tests::post("/", &call(2, "SendMessage", json!({"message": message}))),
        ],
    );
    assert_snapshot!(shown(&answers), @r#"
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hi"}],"structuredContent":{"text":"Hi","toolCalls":[],"conversation":"conversation-1"},"isError":false}}
    HTTP/1.1 200 OK
    {"jsonrpc":"2.0","id":2,"result":{"task":{"id":"task-1","contextId":"context-1","status":{"state":"TASK_STATE_COMPLETED"},"history":[{"messageId":"m","contextId":"context-1","taskId":"task-1","role":"ROLE_USER","parts":[{"text":"Hi"}]}],"artifacts":[{"artifactId":"msg-task-1-1","name":"answer","parts":[{"text":"Hi"}]}]}}}
    "#);
}
