//! The driver and the rules of MCP: the embedded agent, and servers that misbehave.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ananke_model::conformance::{ScenarioPlan, ScenarioSetup};
use ananke_serve::shop::{Shop, ShopBehavior};
use ananke_serve::spawn::RunningAgent;
use ananke_testkit::{RawServer, hold, http_response};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::drive;
use crate::case::Case;
use crate::rpc::testing::{show, target};
use crate::rule::Profile;

fn run(url: &str, plan: &ScenarioPlan) -> Case {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let driven = runtime.block_on(drive(&target(url), plan, &|_| ()));
    driven.unwrap()
}

/// Calls a tool.
fn calling(tool: &str, args: Value) -> ScenarioPlan {
    let setup = ScenarioSetup {
        tool: Some(tool.to_owned()),
        args: Some(args),
        ..ScenarioSetup::default()
    };
    ScenarioPlan {
        given: [("call".to_owned(), setup)].into_iter().collect(),
    }
}

#[test]
fn the_embedded_agent_fails_nothing() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let shop = Shop {
        behavior: ShopBehavior::Healthy,
    };
    let agent = runtime
        .block_on(RunningAgent::start(Arc::new(shop)))
        .unwrap();
    let url = format!("{}/mcp", agent.url.trim_end_matches('/'));
    let case = run(&url, &calling("ask", json!({"question": "Hello"})));
    let shown = show(&case, Profile::Mcp);
    let scenarios = shown.lines().take(5).collect::<Vec<_>>().join("\n");
    assert_snapshot!(scenarios, @"
    discover Yes: the server speaks without a handshake
    initialize Yes: the server speaks 2025-11-25
    list Yes: 9 tools, 1 resources, 0 resourceTemplates, 1 prompts
    call Yes: `ask` was called
    probes Yes: unusual requests were sent
    ");
    assert!(!shown.contains("MUST"), "{shown}");
}

#[test]
fn an_echo_is_no_server() {
    let server = RawServer::start(|_, request, stream| {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        let response = http_response("200 OK", "application/json", &body);
        stream.write_all(response.as_bytes()).ok();
    });
    assert_snapshot!(show(&run(&server.url(), &ScenarioPlan::default()), Profile::Mcp), @"
    discover No: expected what the server is, saw status 200 and no JSON-RPC response
    initialize No: expected a handshake, saw status 200 and no JSON-RPC response
    list No: not tried, because the server spoke neither with a handshake nor without
    call No: not tried, because the server spoke neither with a handshake nor without
    probes No: not tried, because the server spoke neither with a handshake nor without
    mcp.begins MUST: initialize: expected a result, saw status 200 and no JSON-RPC response
    ");
}

/// A server that shakes hands and answers everything else as it likes.
fn server(answer: fn(&str) -> Value) -> RawServer {
    RawServer::start(move |_, request, stream| {
        let asked: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let method = asked["method"].as_str().unwrap_or_default();
        let result = match method {
            "initialize" => json!({
                "protocolVersion": asked["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "odd", "version": "1"},
            }),
            "server/discover" => Value::Null,
            method => answer(method),
        };
        let body = match result {
            Value::Null => {
                json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "?"}})
            }
            result => json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}),
        };
        let response = http_response("200 OK", "application/json", &body.to_string());
        stream.write_all(response.as_bytes()).ok();
    })
}

#[test]
fn a_server_that_says_yes_to_everything_is_told_so() {
    let server = server(|method| match method {
        "tools/list" => json!({
            "tools": [{
                "name": "now",
                "inputSchema": {"type": "object"},
                "outputSchema": {"type": "object", "required": ["at"]},
                "annotations": {"readOnlyHint": true},
            }],
            "nextCursor": "more",
        }),
        _ => json!({"content": [], "structuredContent": {}}),
    });
    assert_snapshot!(show(&run(&server.url(), &ScenarioPlan::default()), Profile::Mcp), @r#"
    discover No: expected what the server is, saw the error -32601 (?)
    initialize Yes: the server speaks 2025-11-25
    list Yes: 2 tools
    call Yes: `now` was called
    probes Yes: unusual requests were sent
    mcp.version-header MUST: unknown version in the header: expected status 400, saw a result
    mcp.origin SHOULD: foreign origin: expected status 403, saw a result
    mcp.request-content-type convention: text/plain: expected status 415 or 400, saw a result
    mcp.get MUST: GET: expected an event stream or status 405, saw status 200
    mcp.notification-accepted MUST: initialized: expected status 202, saw a result
    mcp.tool-unique SHOULD: tools/list: there are several tools `now`
    mcp.output-matches MUST: call: `structuredContent` does not fit: at `/`: "at" is a required property
    mcp.version-negotiation MUST: initialize with an unknown version: expected a version that the server knows, saw `1999-01-01`
    mcp.unknown-method MUST: unknown method: expected the error -32601, saw a result
    mcp.unknown-tool MUST: unknown tool: expected an error, or a result with `isError: true`, saw a result
    mcp.bad-params SHOULD: bad parameters: expected the error -32602, saw a result
    mcp.bad-cursor SHOULD: bad cursor: expected the error -32602, saw a result
    mcp.bad-json MUST: bad JSON: expected an error status or the error -32700, saw a result
    "#);
}

#[test]
fn a_silent_server_takes_little_time() {
    let server = RawServer::start(|_, _, stream| hold(stream, Duration::from_secs(30)));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut target = target(&server.url());
    target.timeout = Duration::from_millis(300);
    let started = Instant::now();
    let driven = runtime.block_on(drive(&target, &ScenarioPlan::default(), &|_| ()));
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_snapshot!(show(&driven.unwrap(), Profile::Mcp), @"
    discover No: expected what the server is, saw no answer: nothing came in 300 ms
    initialize No: expected a handshake, saw no answer: nothing came in 300 ms
    list No: not tried, because 2 requests got no answer, or none that ended
    call No: not tried, because 2 requests got no answer, or none that ended
    probes No: not tried, because 2 requests got no answer, or none that ended
    mcp.begins MUST: initialize: expected a result, saw no answer: nothing came in 300 ms
    mcp.discover-answered convention: discover (2026-07-28): expected a result or an error, saw no answer: nothing came in 300 ms
    ");
}
