//! The profile of MCP from the command line.

use std::io::Write as _;

use ananke_testkit::{RawServer, TestContext, http_response};
use insta::assert_snapshot;

use super::shop;
use crate::ANANKE;

#[test]
fn the_embedded_agent_breaks_no_rule() {
    let cx = TestContext::new(ANANKE);
    let shop = shop();
    cx.write(
        "conform.yaml",
        "version: \"1.0\"\nurl: ${URL}\nprofile: mcp\nscenarios:\n  call: {tool: ask, args: {question: Hello}}\n",
    );
    let url = format!("URL={}/mcp", shop.url().trim_end_matches('/'));
    let output = cx.run(&["conform", "--setup", "conform.yaml", "--var", &url]);
    assert_eq!(output.code, Some(0), "{output}");
    assert!(!output.stdout.contains("Broken rules"), "{output}");
    let scenarios = output.stdout.lines().skip(3).take(5);
    assert_snapshot!(scenarios.collect::<Vec<_>>().join("\n"), @"
    Scenarios
      [pass] discover    the server speaks without a handshake
      [pass] initialize  the server speaks 2025-11-25
      [pass] list        9 tools, 1 resources, 0 resourceTemplates, 1 prompts
      [pass] call        `ask` was called
    ");
}

#[test]
fn what_is_no_server_of_mcp_breaks_the_first_rule() {
    let cx = TestContext::new(ANANKE);
    let page = RawServer::start(|_, _, stream| {
        let response = http_response("200 OK", "text/html", "<h1>It works!</h1>");
        stream.write_all(response.as_bytes()).ok();
    });
    assert_snapshot!(cx.ananke(&["conform", &page.url(), "--profile", "mcp"]), @r#"
    exit code: 1
    --- stdout
    Conformance of http://[HOST]/
    profile mcp, 2 requests, [TIME]

    Scenarios
      [fail] discover    expected what the server is, saw status 200 and no JSON-RPC response
      [fail] initialize  expected a handshake, saw status 200 and no JSON-RPC response
      [  ? ] list        not tried, because the server spoke neither with a handshake nor without
      [  ? ] call        not tried, because the server spoke neither with a handshake nor without
      [  ? ] probes      not tried, because the server spoke neither with a handshake nor without

    Broken rules (3)
      [fail] mcp.content-type · MUST · a request is answered with `application/json` or `text/event-stream`
        └─ discover, initialize: expected `application/json` or `text/event-stream`, saw `text/html`
        why: By the content type a client knows whether one response comes, or a stream that holds it. (Transports, streamable HTTP, sending messages)
        fix: Send one of the two content types with every response.
        see: ananke conform --explain mcp.content-type
      [fail] mcp.envelope · MUST · every message is one of JSON-RPC 2.0
        └─ discover, initialize: expected a message of JSON-RPC, saw no JSON: expected value at line 1 column 1
        why: Clients read results and errors by these members alone. (Base protocol, messages)
        fix: Send `{"jsonrpc": "2.0", "id": …}` with exactly one of `result` and `error`; an error has a `code` and a `message`.
        see: ananke conform --explain mcp.envelope
      [fail] mcp.begins · MUST · the server speaks with a handshake, or without one
        └─ initialize · initialize: expected a result, saw status 200 and no JSON-RPC response
        why: A server that answers neither `initialize` nor `server/discover` cannot be worked with at all. (Lifecycle, initialization, and discovery)
        fix: See that this is the address that takes messages, and answer `initialize` with a result.
        see: ananke conform --explain mcp.begins

    30 rules could not be judged: what that takes was not seen; -v lists them

    34 rules: 1 passed, 3 failed, 30 inconclusive
    FAILED: 3 rules are broken
    --- stderr
    "#);
}
