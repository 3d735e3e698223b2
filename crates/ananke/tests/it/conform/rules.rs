//! `--rules`, `--explain`, and the pages about rules.

use std::collections::BTreeSet;
use std::path::Path;

use ananke_testkit::TestContext;
use insta::assert_snapshot;
use serde_json::Value;

use crate::ANANKE;

fn rules(cx: &TestContext) -> Vec<Value> {
    let output = cx.run(&["conform", "--rules", "--json"]);
    let document: Value = serde_json::from_str(&output.stdout).expect("it is JSON");
    document["rules"].as_array().expect("a list").clone()
}

#[test]
fn a_rule_is_explained() {
    let cx = TestContext::new(ANANKE);
    assert_snapshot!(cx.ananke(&["conform", "--explain", "semantics.pending-calls"]), @r#"
    exit code: 0
    --- stdout
    semantics.pending-calls: `pendingToolCallIds` lists exactly the calls that the run started and left unanswered, in order

      ag-ui@0.x: not looked at
      ag-ui@1.0: MUST
      layer: semantics (what events mean together with the request)
      why: A client works off the list as it is: a call that is missing is never answered, and one too many is answered twice.
      spec: Frontend tools, pending tool calls
      fix: Collect the ids of calls as they start, take out those that get a `TOOL_CALL_RESULT` in the run, and list the rest.

    what breaks it:
      │ // request: {"threadId":"t1","runId":"r1","protocolVersion":"1.0","state":{},"messages":[{"id":"u1","role":"user","content":"hi"}],"tools":[{"name":"pick_color","description":"lets the user pick a color"}],"context":[],"forwardedProps":{}}
      │ {"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.0"}
      │ {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"pick_color","parentMessageId":"m1"}
      │ {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}
      │ {"type":"TOOL_CALL_END","toolCallId":"c1"}
      │ {"type":"TOOL_CALL_START","toolCallId":"c2","toolCallName":"pick_color","parentMessageId":"m1"}
      │ {"type":"TOOL_CALL_ARGS","toolCallId":"c2","delta":"{}"}
      │ {"type":"TOOL_CALL_END","toolCallId":"c2"}
      │ {"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}
    --- stderr
    "#);
    assert_snapshot!(cx.ananke(&["conform", "--explain", "headers.cache_control"]), @"
    exit code: 0
    --- stdout
    headers.cache_control: `Cache-Control` of the stream holds `no-cache`

      sse-stack: convention
      layer: http (status, headers, framing, and what the server accepts)
      why: without it a proxy may answer from what it kept, and events of an old run come back.
      spec: common practice of event streams
      fix: Send `Cache-Control: no-cache`.
    --- stderr
    ");
    assert_snapshot!(cx.ananke(&["conform", "--explain", "semantics.pending-cals"]), @"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no rule `semantics.pending-cals`
    hint: did you mean `semantics.pending-calls`?
    ");
}

#[test]
fn rules_are_listed() {
    let cx = TestContext::new(ANANKE);
    let output = cx.run(&["conform", "--rules"]);
    assert_eq!(output.code, Some(0));
    for rule in rules(&cx) {
        let id = rule["id"].as_str().unwrap();
        let is_v1 = !rule["levels"]["ag-ui@1.0"].is_null();
        assert_eq!(output.stdout.contains(id), is_v1, "{id}");
    }
    let stack = cx.run(&["conform", "--rules", "--profile", "sse-stack"]);
    assert!(
        stack.stdout.contains("auth.dpop_required_on_cnf"),
        "{stack}"
    );
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let cx = TestContext::new(ANANKE);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/conformance");
    let pages: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .filter(|name| name.contains('.'))
        .collect();
    let ids = rules(&cx);
    let ids = ids
        .iter()
        .map(|rule| rule["id"].as_str().unwrap().to_owned());
    let stack = cx.run(&["conform", "--rules", "--profile", "sse-stack"]);
    let stack = stack
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  "));
    let stack = stack.filter_map(|line| line.split(' ').next().map(str::to_owned));
    assert_eq!(pages, ids.chain(stack).collect());
}
