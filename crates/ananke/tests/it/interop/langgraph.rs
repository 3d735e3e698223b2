//! ag-ui-langgraph: threads on the server, snapshots, RAW events, calls that are streamed again.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_python, report, shown};

#[test]
fn langgraph_behaves_as_its_suite_says() {
    if !has_python("interop with LangGraph") {
        return;
    }
    let server = Server::langgraph();
    let url = format!("URL={}", server.url());

    let by_default = report("langgraph", &["both", "--target", "default", "--var", &url]);
    let with_outcome = report("langgraph", &["both", "--target", "outcome", "--var", &url]);
    assert_snapshot!(digest(&by_default), @r#"
    passed both/boom.test.yaml: expects the error
      > boom
        said "I will now"
        run_error: {"message":"boom"}
    passed both/hello.test.yaml: says hello
      > hello
        said "Hello from LangGraph."
        state 2 messages
    passed both/memory-full.test.yaml: sends the whole conversation
      > remember 42
        said "I heard message 1: remember 42"
        state 2 messages
      > What did I say?
        said "You sent 2 messages. The one before was: remember 42"
        state 4 messages
    passed both/memory-last.test.yaml: sends only the new message
      > remember 42
        said "I heard message 1: remember 42"
        state 2 messages
      > What did I say?
        said "You sent 2 messages. The one before was: remember 42"
        state 4 messages
    passed both/weather.test.yaml: asks the weather tool
      > What is the weather in Paris?
        get_weather({"city":"Paris"}) -> "sunny in Paris"
        said "The tool says: sunny in Paris."
        state 4 messages
      > And the weather in Oslo?
        get_weather({"city":"Oslo"}) -> "sunny in Oslo"
        said "The tool says: sunny in Oslo."
        state 8 messages
    "#);
    // The raw events of `/` change nothing in what is folded.
    assert_eq!(digest(&by_default), digest(&with_outcome));

    let approvals = report("langgraph", &["outcome", "--var", &url]);
    assert_snapshot!(digest(&approvals), @r#"
    passed outcome/approval-cancelled.test.yaml: keeps the file when the question is cancelled
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt approval: "May I delete old.txt?"
        state 2 messages
      > agui:resume
        delete_file({"path":"old.txt"}) -> "old.txt kept" restreamed
        said "The tool says: old.txt kept."
        state 4 messages
    passed outcome/approval-granted.test.yaml: deletes the file after approval
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt approval: "May I delete old.txt?"
        state 2 messages
      > agui:resume
        delete_file({"path":"old.txt"}) -> "old.txt deleted" restreamed
        said "The tool says: old.txt deleted."
        state 4 messages
    "#);

    // Without the library's opt-in an interrupt is a success with a CUSTOM event, so there is nothing to resume.
    let refused = ananke("langgraph", &["run", "refused", "--var", &url]);
    assert_snapshot!(shown(&refused), @"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: default
    ℹ Input: refused (1 test)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [refused/approval-by-default.test.yaml] resumes without an interrupt ERROR ([TIME])
      └─ turn 2: there is nothing to resume: the turn before ended without an interrupt
         captured in turn 2: 0 events, no tool call, no text

    Failures:
      ✗ [refused/approval-by-default.test.yaml] turn 2: there is nothing to resume: the turn before ended without an interrupt

    Rerun: ananke run --var URL=http://[HOST]/ refused/approval-by-default.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   1 test
      Passed:  0
      Failed:  1 (1 error)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    ");
}
