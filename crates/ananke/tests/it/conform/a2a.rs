//! The profiles of A2A from the command line.

use std::io::Write as _;

use ananke_testkit::{RawServer, TestContext, http_response};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::shop;
use crate::ANANKE;

#[test]
fn the_embedded_agent_has_no_finding() {
    let cx = TestContext::new(ANANKE);
    let shop = shop();
    assert_snapshot!(cx.ananke(&["conform", shop.url(), "--profile", "a2a"]), @"
    exit code: 0
    --- stdout
    Conformance of http://[HOST]/
    profile a2a@1.0, 12 requests, [TIME]

    Scenarios
      [pass] card      the agent has a card
      [pass] hello     a task that ended
      [pass] stream    a task that ended
      [  ? ] continue  no prompts are given: `scenarios: {continue: {prompts: [what makes it ask, the answer]}}`
      [pass] probes    unusual requests were sent

    2 rules could not be judged: what that takes was not seen; -v lists them

    36 rules: 34 passed, 2 inconclusive
    PASSED: no rule is broken, 34 judged
    --- stderr
    ");
    let old = cx.run(&["conform", shop.url(), "--profile", "a2a@0.3", "--json"]);
    let report: Value = serde_json::from_str(&old.stdout).unwrap();
    assert_eq!(report["profile"], "a2a@0.3");
    assert_eq!(old.code, Some(0), "{old}");
}

/// An agent that answers every request with the same task.
fn stubborn() -> RawServer {
    RawServer::start(|_, request, stream| {
        let host = request.header("host").unwrap_or_default();
        let card = json!({
            "name": "Stubborn", "description": "Says the same.", "version": "1", "capabilities": {},
            "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [],
            "supportedInterfaces": [
                {"url": format!("http://{host}/a2a"), "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
            ],
        });
        let asked: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let task = json!({"id": "t1", "status": {"state": "done"}});
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"task": task}});
        let body = if request.line.starts_with("GET") {
            card
        } else {
            answer
        };
        let response = http_response("200 OK", "application/json", &body.to_string());
        stream.write_all(response.as_bytes()).ok();
    })
}

#[test]
fn what_is_broken_is_told_and_a_baseline_takes_it() {
    let cx = TestContext::new(ANANKE);
    let agent = stubborn();
    let url = agent.url();
    let args = ["conform", &url, "--profile", "a2a", "--scenario", "hello"];
    assert_snapshot!(cx.ananke(&args), @"
    exit code: 1
    --- stdout
    Conformance of http://[HOST]/
    profile a2a@1.0, 3 requests, [TIME]

    Scenarios
      [pass] card      the agent has a card
      [fail] hello     a task without a state
      [off ] stream    switched off
      [off ] continue  switched off
      [off ] probes    switched off

    Broken rules (3)
      [fail] a2a.task-shape · MUST · tasks and updates say which task they are about, and have a status
        └─ hello · get: `id` is missing
        └─ hello · get: `status` is missing
        why: Without an id a task cannot be asked for, continued or canceled. (Task, status updates, artifact updates)
        fix: Fill in `id` (in updates `taskId` and `contextId`) and `status.state`.
        see: ananke conform --explain a2a.task-shape
      [fail] a2a.state-known · MUST · a task is in a state that there is
        └─ hello · send: expected one such as `TASK_STATE_WORKING` or `TASK_STATE_COMPLETED`, saw `done`
        why: Clients wait until a state is one in which a task has ended; one they do not know never is. (Task states)
        fix: Use the names of the version: `TASK_STATE_COMPLETED` in 1.0, `completed` in 0.3.
        see: ananke conform --explain a2a.state-known
      [fail] a2a.get-agrees · MUST · a task that is asked for is the one that was worked on, in the same state and with the same artifacts
        └─ hello · get: expected the task `t1`, saw `none`
        why: Clients that lost a stream, or only poll, must come to the same result. (Get task)
        fix: Store what is streamed, and answer from there.
        see: ananke conform --explain a2a.get-agrees

    20 rules could not be judged: what that takes was not seen; -v lists them

    36 rules: 13 passed, 3 failed, 20 inconclusive
    FAILED: 3 rules are broken
    --- stderr
    ");
    let all = [
        args.as_slice(),
        &[
            "--write-baseline",
            "known.yaml",
            "-o",
            "r.xml",
            "-o",
            "r.sarif",
        ],
    ];
    assert_eq!(cx.run(&all.concat()).code, Some(1));
    assert_snapshot!(cx.read("known.yaml"), @r#"
    # Failures that are known. Remove an entry when it passes.
    version: "1.0"
    known:
      - rule: a2a.task-shape
        scenario: hello
      - rule: a2a.state-known
        scenario: hello
      - rule: a2a.get-agrees
        scenario: hello
    "#);
    assert!(cx.read("r.xml").contains("a2a.state-known"));
    assert!(cx.read("r.sarif").contains("a2a.state-known"));
    let known = cx.run(&[args.as_slice(), &["--baseline", "known.yaml"]].concat());
    assert_eq!(known.code, Some(0), "{known}");
    let off = cx.run(&[args.as_slice(), &["--rule", "a2a.state-known=off"]].concat());
    assert!(!off.stdout.contains("[fail] a2a.state-known"), "{off}");
}

#[test]
fn mistakes_and_rules_are_explained() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["conform", "--explain", "a2a.first-event"]), @r#"
    exit code: 0
    --- stdout
    a2a.first-event: a stream begins with the task, or is a single message

      a2a@0.3: not looked at
      a2a@1.0: MUST
      layer: sequence (the order of events)
      why: The task tells a client at once which id to ask for when the connection is lost.
      spec: Send streaming message
      fix: Send the task before the first update, also when a message continues it.

    what breaks it:
      │ // asked: a2a: stream
      │ // request: {"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":{"message":{"messageId":"u1","role":"ROLE_USER","parts":[{"text":"Hello"}]}}}
      │ {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}}
      │ {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}}
    --- stderr
    "#);
    assert_snapshot!(cx.ananke(&["conform", "http://127.0.0.1:1", "--profile", "a2a", "--scenario", "state"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no scenario `state`
    hint: known are card, hello, stream, continue, probes
    ");
    assert_snapshot!(cx.ananke(&["conform", "--file", "x.sse", "--profile", "a2a"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `--profile a2a` asks a server and cannot judge a file
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://127.0.0.1:1", "--profile", "a2a", "--capabilities", "c.json"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `--capabilities` means nothing to `--profile a2a`: such a server says itself what it can do
    ");
    assert_snapshot!(cx.ananke(&["conform", "http://127.0.0.1:1", "--profile", "a2a"]), @"
    exit code: 3
    --- stdout
    --- stderr
    error: `http://[HOST]` cannot be reached: Connection refused (os error 111)
    hint: is the server running, and is this its address?
    ");
}
