//! `--file`: captures, JSON lines, bundles.

use ananke_testkit::{ScriptedAgent, TestContext};
use insta::assert_snapshot;

use crate::ANANKE;

const CAPTURE: &str = "\
data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"protocolVersion\":\"1.0\"}

data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",\"role\":\"assistant\"}

data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"Hi\"}

data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}

";

#[test]
fn a_capture_is_judged_by_the_same_rules() {
    let cx = TestContext::new(ANANKE);
    cx.write("capture.sse", CAPTURE);
    assert_snapshot!(cx.ananke(&["conform", "--file", "capture.sse"]), @"
    exit code: 1
    --- stdout
    Conformance of capture.sse
    profile ag-ui@1.0, 1 request

    Broken rules (1)
      [fail] sequence.open-at-finish · MUST · nothing is open at `RUN_FINISHED`
        └─ file · capture · event 3 RUN_FINISHED: `RUN_FINISHED` while this is open: text message `m`
        why: A message or call that never ends looks as if it were cut off, and clients refuse the end of such a run. (Events, run lifecycle)
        fix: End every message, call, step, span and subagent before `RUN_FINISHED`; `RUN_ERROR` alone may leave them open.
        see: ananke conform --explain sequence.open-at-finish

    96 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [fail] @ag-ui/client 0.0.59  file · capture · event 3 RUN_FINISHED: RUN_FINISHED while text message 'm' is open
      [fail] @ag-ui/client 1.0.0   file · capture · event 3 RUN_FINISHED: RUN_FINISHED while text message 'm' is open

    note: the request is not known: rules that compare the answer with it are inconclusive; `--request input.json` names it
    119 rules: 22 passed, 1 failed, 96 inconclusive
    FAILED: 1 rule is broken
    --- stderr
    ");
}

#[test]
fn a_request_lets_more_be_judged() {
    let cx = TestContext::new(ANANKE);
    cx.write("capture.sse", CAPTURE);
    cx.write(
        "input.json",
        r#"{"threadId": "other", "runId": "r", "messages": [], "tools": [], "context": []}"#,
    );
    let output = cx.run(&[
        "conform",
        "--file",
        "capture.sse",
        "--request",
        "input.json",
    ]);
    assert!(output.stdout.contains("sequence.thread-id"), "{output}");
    cx.write("input.json", "[]");
    assert_snapshot!(cx.ananke(&["conform", "--file", "capture.sse", "--request", "input.json"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `input.json` is no RunAgentInput
    hint: expected an object with `threadId`, `runId` and `messages`: the body that was posted
    ");
}

#[test]
fn what_a_run_recorded_is_judged() {
    let cx = TestContext::new(ANANKE);
    let agent = ScriptedAgent::says("Hello!");
    cx.config_for(&agent);
    cx.write(
        "tests/hello.test.yaml",
        "version: \"1.0\"\nname: hello\nturns:\n  - user: hi\n    assert: {text: {must_match: Hello}}\n",
    );
    assert_eq!(cx.bundled(&["run", "tests"]).run().code, Some(0));
    assert_snapshot!(cx.ananke(&["conform", "--file", "latest"]), @"
    exit code: 0
    --- stdout
    Conformance of latest ([RUN])
    profile ag-ui@1.0, 1 request

    95 rules could not be judged: what that takes was not seen; -v lists them

    Which client breaks?
      [pass] @ag-ui/client 0.0.59  reads everything
      [pass] @ag-ui/client 1.0.0   reads everything

    119 rules: 24 passed, 95 inconclusive
    PASSED: no rule is broken, 24 judged
    --- stderr
    ");
}

#[test]
fn files_that_hold_nothing_are_refused() {
    let cx = TestContext::new(ANANKE);
    cx.write("empty.sse", "");
    cx.write("page.html", "<h1>hello</h1>");
    assert_snapshot!(cx.ananke(&["conform", "--file", "empty.sse"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `empty.sse` cannot be judged: it is empty: there is nothing to judge
    ");
    assert_snapshot!(cx.ananke(&["conform", "--file", "page.html"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: `page.html` cannot be judged: it holds no event: expected an event stream, events as JSON lines, or a bundle
    ");
    assert_snapshot!(cx.ananke(&["conform", "--file", "gone.sse"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no bundle `gone.sse`: no such file, and no such run in `.ananke/runs`
    hint: `ananke run` leaves a bundle of every run
    ");
}

#[test]
fn stdin_is_a_file_too() {
    let cx = TestContext::new(ANANKE);
    let piped = cx.command(&["conform", "--file", "-"]).stdin(CAPTURE).run();
    cx.write("capture.sse", CAPTURE);
    let read = cx.run(&["conform", "--file", "capture.sse"]);
    assert_eq!(piped.code, read.code);
    assert_eq!(piped.stdout.lines().nth(2), read.stdout.lines().nth(2));
}

#[test]
fn capabilities_are_judged_beside_a_file() {
    let cx = TestContext::new(ANANKE);
    cx.write("capture.sse", CAPTURE);
    cx.write("capabilities.json", r#"{"tools": 7}"#);
    let words = [
        "conform",
        "--file",
        "capture.sse",
        "--capabilities",
        "capabilities.json",
    ];
    let output = cx.run(&words);
    assert!(output.stdout.contains("capabilities.shape"), "{output}");
}
