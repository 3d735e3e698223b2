//! Servers over HTTP.

use std::io::Write as _;
use std::time::Duration;

use ananke_testkit::{
    RawServer, ScriptedAgent, TestContext, chunked, hold, http_response, ok_sse_headers,
};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::shop;
use crate::ANANKE;

/// An agent that streams a backend call and never answers it.
fn forgetful() -> ScriptedAgent {
    ScriptedAgent::start(json!({"rules": [
        {"when": {"user_contains": "find"}, "reply": [
            {"event": {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "search"}},
            {"event": {"type": "TOOL_CALL_END", "toolCallId": "c1"}},
        ]},
        {"reply": [{"text": "Hello!"}]},
    ]}))
}

#[test]
fn the_embedded_agent_has_no_finding() {
    let cx = TestContext::new(ANANKE);
    let shop = shop();
    assert_snapshot!(cx.ananke(&["conform", shop.url()]), @"
    exit code: 0
    --- stdout
    Conformance of http://[HOST]/
    profile ag-ui@1.0, 38 requests, [TIME]

    Scenarios
      [pass] hello           the agent answered in words; the run ended with success
      [pass] multi-turn      3 runs on one thread, 3 of them answered in words
      [pass] backend-tool    the agent called `search_products`
      [pass] parallel-tools  2 calls were under way before the first result
      [pass] failing-tool    the agent called `look_into_warehouse`, which has a result; the run ended with success
      [pass] frontend-tool   the agent called `pick_color` and got the answer; the run ended with success
      [pass] interrupt       the agent asked with 1 interrupt and was answered in 5 ways
      [pass] state           1 `STATE_SNAPSHOT` and 1 `STATE_DELTA` came
      [pass] abort           the client went away after 3 events; of the run after that: the run ended with success
      [pass] error           the run ended with `RUN_ERROR`: payment gateway unreachable
      [pass] probes          14 unusual requests were sent

    44 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [fail] @ag-ui/client 0.0.59  frontend-tool · run · event 4 RUN_FINISHED: /outcome/pendingToolCallIds: the outcome `success` has no such member, saw a list: it came with 1.0
      [pass] @ag-ui/client 1.0.0   reads everything

    119 rules: 75 passed, 44 inconclusive
    PASSED: no rule is broken, 75 judged
    --- stderr
    ");
    let strict = cx.run(&["conform", shop.url(), "--json"]);
    let report: Value = serde_json::from_str(&strict.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let findings = checks
        .iter()
        .flat_map(|check| check["findings"].as_array().unwrap());
    assert_eq!(findings.count(), 0, "{strict}");
    let scenarios = report["scenarios"].as_array().unwrap().iter();
    let unshown: Vec<&Value> = scenarios
        .filter(|scenario| scenario["verdict"] != "pass")
        .collect();
    assert_eq!(unshown, Vec::<&Value>::new());
}

#[test]
fn the_embedded_agent_also_satisfies_older_clients() {
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["conform", shop().url(), "--profile", "ag-ui@0.x"]);
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn a_call_without_a_result_is_named() {
    let cx = TestContext::new(ANANKE);
    let agent = forgetful();
    assert_snapshot!(cx.ananke(&["conform", agent.url(), "--scenario", "backend-tool"]), @"
    exit code: 1
    --- stdout
    Conformance of http://[HOST]/
    profile ag-ui@1.0, 1 request, [TIME]

    Scenarios
      [off ] hello           switched off
      [off ] multi-turn      switched off
      [fail] backend-tool    the agent called `search`
      [off ] parallel-tools  switched off
      [off ] failing-tool    switched off
      [off ] frontend-tool   switched off
      [off ] interrupt       switched off
      [off ] state           switched off
      [off ] abort           switched off
      [off ] error           switched off
      [off ] probes          switched off

    Broken rules (1)
      [fail] semantics.backend-call-answered · MUST · every call of a tool of the agent itself has a `TOOL_CALL_RESULT` when the run ends as success
        └─ backend-tool · run · event 3 RUN_FINISHED: `c1` calls `search`, which the request does not offer, and the run ends as success without a TOOL_CALL_RESULT for it
        why: A call without a result is taken for work of the application, which does not know the tool and waits for ever. (Frontend tools, pending tool calls)
        fix: Send a `TOOL_CALL_RESULT` for every call that the agent runs, failed ones included; a call that waits for approval ends the run with an interrupt.
        see: ananke conform --explain semantics.backend-call-answered

    89 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [pass] @ag-ui/client 0.0.59  reads everything
      [pass] @ag-ui/client 1.0.0   reads everything

    119 rules: 29 passed, 1 failed, 89 inconclusive
    FAILED: 1 rule is broken
    --- stderr
    ");
}

#[test]
fn what_an_agent_does_not_show_is_inconclusive() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello!");
    let plain = cx.run(&["conform", agent.url(), "--scenario", "hello,frontend-tool"]);
    assert_eq!(plain.code, Some(0), "{plain}");
    let strict = cx.command(&[
        "conform",
        agent.url(),
        "--scenario",
        "hello,frontend-tool",
        "--strict",
    ]);
    assert_eq!(strict.run().code, Some(5));
}

#[test]
fn a_setup_says_how_an_agent_is_brought_to_it() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::start(json!({"rules": [
        {"when": {"user_contains": "weather"}, "reply": [
            {"tool": {"name": "get_weather", "args": {"city": "Bern"}, "result": "sunny"}},
            {"text": "It is sunny."},
        ]},
        {"reply": [{"text": "Hello!"}]},
    ]}));
    cx.write(
        "conform.yaml",
        &format!(
            r#"
version: "1.0"
url: {}
headers: {{Authorization: "Bearer ${{TOKEN}}"}}
scenarios:
  backend-tool: {{prompt: How is the weather?}}
  multi-turn: off
  parallel-tools: off
  frontend-tool: off
  interrupt: off
  state: off
  abort: off
  error: off
  probes: off
rules: {{semantics.timestamp-all: off}}
"#,
            agent.url()
        ),
    );
    assert_snapshot!(cx.ananke(&["conform", "--setup", "conform.yaml", "--var", "TOKEN=very-secret-token"]), @"
    exit code: 0
    --- stdout
    Conformance of http://[HOST]/
    profile ag-ui@1.0, 3 requests, [TIME]

    Scenarios
      [pass] hello           the agent answered in words; the run ended with success
      [off ] multi-turn      switched off
      [pass] backend-tool    the agent called `get_weather`
      [off ] parallel-tools  switched off
      [  ? ] failing-tool    the agent called no tool of its own; the run ended with success
      [off ] frontend-tool   switched off
      [off ] interrupt       switched off
      [off ] state           switched off
      [off ] abort           switched off
      [off ] error           switched off
      [off ] probes          switched off

    80 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [pass] @ag-ui/client 0.0.59  reads everything
      [pass] @ag-ui/client 1.0.0   reads everything

    119 rules: 38 passed, 80 inconclusive, 1 off
    PASSED: no rule is broken, 38 judged
    --- stderr
    ");
    let received = agent.received();
    let mut headers = received[0].headers.iter();
    let auth = headers.find(|(name, _)| name == "authorization");
    assert_eq!(
        auth.map(|(_, value)| value.as_str()),
        Some("Bearer very-secret-token")
    );
}

#[test]
fn mistakes_in_a_setup_are_shown_at_their_place() {
    let cx = TestContext::new(ANANKE);
    cx.write(
        "conform.yaml",
        r#"version: "1.0"
scenarios:
  helo: {prompt: hi}
  hello: {promt: hi}
rules: {semantics.pending-call: off}
"#,
    );
    assert_snapshot!(cx.ananke(&["conform", "http://127.0.0.1:1/", "--setup", "conform.yaml"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: unknown key `helo` in `scenarios`
     --> conform.yaml:3:3
      |
    3 |   helo: {prompt: hi}
      |   ^^^^ expected `hello`, `multi-turn`, `backend-tool`, `parallel-tools`, `failing-tool`, `frontend-tool`, `interrupt`, `state`, `abort`, `error`, `probes`, `stream`, `continue`, `discover`, `initialize`, `list` or `call`
    hint: did you mean `hello`?

    error: unknown key `promt` in a scenario
     --> conform.yaml:4:11
      |
    4 |   hello: {promt: hi}
      |           ^^^^^ expected `prompt`, `prompts`, `before`, `tools` or `state`
    hint: did you mean `prompt`?

    error: unknown rule `semantics.pending-call`
     --> conform.yaml:5:9
      |
    5 | rules: {semantics.pending-call: off}
      |         ^^^^^^^^^^^^^^^^^^^^^^
    hint: did you mean `semantics.pending-calls`?

    error: 3 errors in 1 file
    ");
}

#[test]
fn capabilities_that_are_not_shown_are_told() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello!");
    cx.write(
        "capabilities.json",
        r#"{"tools": {"supported": true}, "humanInTheLoop": {"interrupts": true}}"#,
    );
    assert_snapshot!(cx.ananke(&["conform", agent.url(), "--capabilities", "capabilities.json", "--scenario", "backend-tool,interrupt,hello"]), @"
    exit code: 0
    --- stdout
    Conformance of http://[HOST]/
    profile ag-ui@1.0, 3 requests, [TIME]

    Scenarios
      [pass] hello           the agent answered in words; the run ended with success
      [off ] multi-turn      switched off
      [  ? ] backend-tool    the agent called no tool of its own; the run ended with success
      [off ] parallel-tools  switched off
      [off ] failing-tool    switched off
      [off ] frontend-tool   switched off
      [  ? ] interrupt       the agent did not ask; the run ended with success
      [off ] state           switched off
      [off ] abort           switched off
      [off ] error           switched off
      [off ] probes          switched off

    Warnings (1)
      [warn] capabilities.shown · convention · a declared capability can be seen in the scenario that is made for it
        └─ backend-tool · run: `tools.supported` is declared, and the scenario `backend-tool` had no tool call
        └─ interrupt · run before: resolved: `humanInTheLoop.interrupts` is declared, and the scenario `interrupt` had no run with the outcome `interrupt`
        why: Clients build their pages by what is declared, so a capability that never shows makes buttons without effect. (Capabilities: declarations inform)
        fix: Set the prompts of the scenario so that the agent shows it, or do not declare it.
        see: ananke conform --explain capabilities.shown

    87 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [pass] @ag-ui/client 0.0.59  reads everything
      [pass] @ag-ui/client 1.0.0   reads everything

    119 rules: 31 passed, 1 warned, 87 inconclusive
    PASSED: no rule is broken, 32 judged
    --- stderr
    ");
}

#[test]
fn tokens_go_to_the_agents_origin_only() {
    let cx = TestContext::new(ANANKE);
    let document = http_response("200 OK", "application/json", "{}");
    let elsewhere = RawServer::start(move |_, _, stream| {
        stream.write_all(document.as_bytes()).ok();
    });
    let agent = ScriptedAgent::says("Hello!");
    let source = elsewhere.url();
    let words = [
        "conform",
        agent.url(),
        "--scenario",
        "hello",
        "--bearer",
        "very-secret-token",
    ];
    let output = cx.run(&[&words[..], &["--capabilities", &source]].concat());
    assert_eq!(output.code, Some(0), "{output}");
    let requests = elsewhere.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].header("authorization"), None);
    let asked = agent.received();
    let has_token =
        |headers: &[(String, String)]| headers.iter().any(|(name, _)| name == "authorization");
    assert!(asked.iter().all(|request| has_token(&request.headers)));
}

#[test]
fn a_server_whose_runs_never_end_fails_soon() {
    let cx = TestContext::new(ANANKE);
    let server = RawServer::start(|_, _, stream| {
        let begun =
            chunked("data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n");
        write!(stream, "{}{begun}", ok_sse_headers()).ok();
        hold(stream, Duration::from_secs(20));
    });
    let output = cx.run(&["conform", &server.url(), "--timeout-ms", "300"]);
    assert_eq!(output.code, Some(1), "{output}");
    assert!(
        output.stdout.contains("no end came within 300 ms"),
        "{output}"
    );
    assert_eq!(server.requests().len(), 2, "{output}");
}
