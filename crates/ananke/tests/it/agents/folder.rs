//! An app with an assistant whose hooks and tools are scripts, against a server that plays the model.

use ananke_testkit::{RawServer, TestContext, http_response};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::ANANKE;

const HOOKS: &str = r#"function Create(ctx: agent.Context, messages: agent.Message[]): agent.Create { return null; }
function Next(ctx: agent.Context, payload: agent.NextHookPayload) { return payload.tools?.length ? { data: payload.tools[0].result } : null; }
"#;

/// Returns the app. Its model calls the tool as long as it is not told what the tool found.
fn app() -> (TestContext, RawServer) {
    let server = RawServer::start(|_, request, stream| {
        use std::io::Write as _;
        let body = request.json();
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let found = messages.iter().find(|message| message["role"] == "tool");
        let message = match found {
            Some(found) => {
                json!({"role": "assistant", "content": format!("I found {}", found["content"])})
            }
            None => json!({"role": "assistant", "content": null, "tool_calls": [{
                "id": "c1",
                "type": "function",
                "function": {"name": "agents_shop_refund_orders__find", "arguments": "{\"id\":\"7\"}"},
            }]}),
        };
        let answer =
            json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
        let answer = http_response("200 OK", "application/json", &answer.to_string());
        stream.write_all(answer.as_bytes()).ok();
    });
    let cx = TestContext::new(ANANKE);
    for (path, text) in [
        ("app.yao", r#"{ "name": "Shop" }"#),
        (
            "connectors/openai/local.conn.yao",
            r#"{ "label": "Local", "type": "openai", "options": { "model": "m1", "host": "$ENV.LLM_HOST", "key": "$ENV.LLM_KEY" } }"#,
        ),
        (
            "assistants/shop/refund/package.yao",
            r#"{ "name": "Refund", "connector": "openai.local", "options": { "temperature": 0 },
  "mcp": { "servers": [ { "server_id": "agents.shop.refund.orders", "tools": ["find"] } ], "options": { "max_turn": 3 } }, }"#,
        ),
        (
            "assistants/shop/refund/mcps/orders.mcp.yao",
            r#"{ "label": "Orders", "transport": "process", "tools": { "find": "agents.shop.refund.orders.Find" } }"#,
        ),
        (
            "assistants/shop/refund/mcps/mapping/orders/schemes/find.in.yao",
            r#"{ "type": "object", "description": "Find an order", "properties": { "id": { "type": "string" } }, "required": ["id"] }"#,
        ),
        (
            "assistants/shop/refund/prompts.yml",
            "- role: system\n  content: You handle refunds for team $CTX.TEAM_ID. Today is $SYS.DATE.\n",
        ),
        (
            "assistants/shop/refund/src/orders.ts",
            "function Find(args: { id: string }, ctx: any) { return { id: args.id, status: \"paid\" }; }\n",
        ),
        (
            "assistants/shop/refund/tests/inputs.jsonl",
            r#"{"id": "paid", "input": "Where is order 7?", "assert": [{"type": "tool_called", "name": "find", "arguments": {"id": "7"}}, {"type": "contains", "value": "paid"}]}"#,
        ),
    ] {
        cx.write(path, text);
    }
    (cx, server)
}

fn report(cx: &TestContext, server: &RawServer) -> Value {
    let args = [
        "run",
        "assistants/shop/refund/tests",
        "--json",
        "--no-output",
    ];
    let host = server.url();
    let host = host.trim_end_matches('/');
    let output = cx
        .command(&args)
        .env("LLM_HOST", host)
        .env("LLM_KEY", "sk-secret-1")
        .run();
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{output}"))
}

#[test]
fn tools_are_scripts_and_hooks_decide() {
    let (cx, server) = app();
    let looped = report(&cx, &server);
    assert_snapshot!(looped["results"][0]["output"], @r#""I found \"{\\\"id\\\":\\\"7\\\",\\\"status\\\":\\\"paid\\\"}\"""#);
    assert_eq!(looped["results"][0]["status"], "passed", "{looped}");
    assert_eq!(server.requests().len(), 2);
    cx.write("assistants/shop/refund/src/index.ts", HOOKS);
    let hooked = report(&cx, &server);
    assert_snapshot!(hooked["results"][0]["output"], @r#"{"id":"7","status":"paid"}"#);
    assert_eq!(hooked["results"][0]["status"], "passed", "{hooked}");
    // With hooks nothing goes back to the model.
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_hook_that_throws_is_an_error_with_its_line() {
    let (cx, server) = app();
    cx.write(
        "assistants/shop/refund/src/index.ts",
        "export function Create() {\n  throw new Error(\"closed today\");\n}\n",
    );
    let report = report(&cx, &server);
    assert_snapshot!(report["results"][0]["error"], @r#""the hook `Create` of assistants/shop/refund/src/index.ts failed: closed today (assistants/shop/refund/src/index.ts:2:9)""#);
    assert!(server.requests().is_empty());
}

#[test]
fn mistakes_are_found_before_the_run() {
    let (cx, server) = app();
    cx.write(
        "assistants/shop/refund/src/orders.ts",
        "function Fnid(args: { id: string }) { return args.id; }\n",
    );
    let host = server.url();
    let output = cx
        .command(&["run", "assistants/shop/refund/tests", "--no-output"])
        .env("LLM_HOST", &host)
        .env("LLM_KEY", "sk-secret-1")
        .run();
    assert_eq!(output.code, Some(2), "{output}");
    assert_snapshot!(output.stderr, @r#"
    error: `assistants/shop/refund/src/orders.ts` has no function `Find`
     --> assistants/shop/refund/mcps/orders.mcp.yao:1:65
      |
    1 | …": "Orders", "transport": "process", "tools": { "find": "agents.shop.refund.orders.Find" }…
      |                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    hint: did you mean `Fnid`?

    error: 1 error in 1 file
    "#);
}
