//! CopilotKit's runtime: its two envelopes, and `agui:connect`.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_node, report, shown};

#[test]
fn copilotkit_behaves_as_its_suite_says_in_both_envelopes() {
    if !has_node("interop with CopilotKit") {
        return;
    }
    let encoder = Server::encoder();
    let single = Server::copilot(&encoder, "single-route");
    let multi = Server::copilot(&encoder, "multi-route");
    let urls = [
        format!("SINGLE_URL={}", single.url()),
        format!("MULTI_URL={}", multi.url()),
    ];
    let vars = ["--var", &urls[0], "--var", &urls[1]];
    let chat = |target: &str| {
        let args = [&["chat", "--target", target], &vars[..]].concat();
        digest(&report("copilot", &args))
    };
    let refused = |target: &str| {
        let args = [&["run", "refused", "--target", target], &vars[..]].concat();
        shown(&ananke("copilot", &args))
    };
    let one_route = chat("single-route");
    assert_snapshot!(one_route, @r#"
    passed chat/approval.test.yaml: deletes the file after approval
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt tool_call: "May I delete old.txt?"
      > agui:resume
        late result "deleted"
        said "I deleted old.txt."
    passed chat/connect-after-error.test.yaml: replays a failed run
      > boom
        said "I will now"
        run_error: {"message":"boom","code":"BOOM"}
      > agui:connect
        said "I will now"
        run_error: {"message":"boom","code":"BOOM"}
        finding V2: TEXT_MESSAGE_START after RUN_ERROR
        finding V2: TEXT_MESSAGE_CONTENT after RUN_ERROR
    passed chat/connect-everything.test.yaml: replays every event
      > everything
        thought "The user wants everything.\nAll of it."
        get_weather({"city":"Paris"}) -> "sunny"
        get_map({"zoom":7}) -> [{"type":"text","id":"p1","text":"a map","metadata":{"lang":"en"}},{"type":"image","source":{"type":"url","value":"https://example.org/map.png","mimeType":"image/png"}},{"type":"audio","id":"p3","source":{"type":"data","value":"AAEC","mimeType":"audio/wav"}},{"type":"video","source":{"type":"url","value":"https://example.org/map.mp4"}},{"type":"document","source":{"type":"file","value":"file-1","provider":"interop","mimeType":"text/plain"},"metadata":"any"}]
        said "Grüße aus \"Paris\" 🗼\n\nNothing there.\nThat was everything."
        state count=2, ratio=0.25, big=9007199254740991, negative=-3, cleared=null, copied="ü", list=["a","b",{"name":"c","extra":null}], deep={"empty":{},"none":[]}, a/b~c="ü", finished=false
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165}
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165,"reasoningTokens":5,"cachedInputTokens":100,"cacheWriteInputTokens":0}
        usage {"model":"script","inputTokens":3}
      > agui:connect
        thought "The user wants everything.\nAll of it."
        get_weather({"city":"Paris"}) -> "sunny" restreamed
        get_map({"zoom":7}) -> [{"type":"text","id":"p1","text":"a map","metadata":{"lang":"en"}},{"type":"image","source":{"type":"url","value":"https://example.org/map.png","mimeType":"image/png"}},{"type":"audio","id":"p3","source":{"type":"data","value":"AAEC","mimeType":"audio/wav"}},{"type":"video","source":{"type":"url","value":"https://example.org/map.mp4"}},{"type":"document","source":{"type":"file","value":"file-1","provider":"interop","mimeType":"text/plain"},"metadata":"any"}] restreamed
        said "Grüße aus \"Paris\" 🗼\n\nNothing there.\nThat was everything."
        state count=2, ratio=0.25, big=9007199254740991, negative=-3, list=["a","b",{"name":"c","extra":null}], deep={"empty":{},"none":[]}, a/b~c="ü", cleared=null, finished=false, copied="ü"
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165}
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165,"reasoningTokens":5,"cachedInputTokens":100,"cacheWriteInputTokens":0}
        usage {"model":"script","inputTokens":3}
    passed chat/connect-new-thread.test.yaml: connects to a new thread
      > agui:connect
      > hello
        said "Hello from the encoder."
    passed chat/connect.test.yaml: replays the thread
      > What is the weather in Paris?
        get_weather({"city":"Paris"}) -> {"city":"Paris","sky":"sunny","celsius":21}
        said "It is sunny in Paris, 21 degrees."
      > hello
        said "Hello from the encoder."
      > agui:connect
        get_weather({"city":"Paris"}) -> {"city":"Paris","sky":"sunny","celsius":21} restreamed
        said "It is sunny in Paris, 21 degrees.\nHello from the encoder."
      > What did I say?
        said "You sent 3 messages. The one before was: hello"
    passed chat/everything.test.yaml: understands every event
      > everything
        thought "The user wants everything.\nAll of it."
        get_weather({"city":"Paris"}) -> "sunny"
        get_map({"zoom":7}) -> [{"type":"text","id":"p1","text":"a map","metadata":{"lang":"en"}},{"type":"image","source":{"type":"url","value":"https://example.org/map.png","mimeType":"image/png"}},{"type":"audio","id":"p3","source":{"type":"data","value":"AAEC","mimeType":"audio/wav"}},{"type":"video","source":{"type":"url","value":"https://example.org/map.mp4"}},{"type":"document","source":{"type":"file","value":"file-1","provider":"interop","mimeType":"text/plain"},"metadata":"any"}]
        said "Grüße aus \"Paris\" 🗼\n\nNothing there.\nThat was everything."
        state count=2, ratio=0.25, big=9007199254740991, negative=-3, cleared=null, copied="ü", list=["a","b",{"name":"c","extra":null}], deep={"empty":{},"none":[]}, a/b~c="ü", finished=false
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165}
        usage {"provider":"interop","model":"script","inputTokens":120,"outputTokens":45,"totalTokens":165,"reasoningTokens":5,"cachedInputTokens":100,"cacheWriteInputTokens":0}
        usage {"model":"script","inputTokens":3}
    passed chat/hello.test.yaml: says hello
      > hello
        said "Hello from the encoder."
    passed chat/memory.test.yaml: sends the whole conversation
      > remember 42
        said "User message 1: remember 42"
      > What did I say?
        said "You sent 2 messages. The one before was: remember 42"
    "#);
    assert_eq!(one_route, chat("multi-route"));
    assert_snapshot!(refused("single-route"), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: single-route
    ℹ Input: refused (4 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [refused/connect-new-thread.test.yaml] expects a replay on a new thread ERROR ([TIME])
      └─ turn 1: nothing to replay: the agent does not know this thread
         captured in turn 1: 0 events, no tool call, no text
    ✗ [refused/no-envelope.test.yaml] forgets the envelope ERROR ([TIME])
      └─ turn 1: HTTP 400 Bad Request: {"error":"invalid_request","message":"Missing method field"}
         captured in turn 1: 0 events, no tool call, no text
    ✗ [refused/parts-in-a-result.test.yaml] goes on after a result with parts ERROR ([TIME])
      └─ turn 2: HTTP 400 Bad Request: {"error":"Invalid request body","details":"[\n  {\n    \"code\": \"invalid_type\",\n    \"expected\": \"string\",\n    \"received\": \"array\",\n    \"path\": [\n      \"messages\",\n      5,\n      \"content\"\n    ],\n    \"message\": \"Expected string, received array\"\n  }\n]"}
         captured in turn 2: 0 events, no tool call, no text
    ✗ [refused/unknown-agent.test.yaml] names an agent that is not there ERROR ([TIME])
      └─ turn 1: HTTP 404 Not Found: {"error":"Agent not found","message":"Agent 'nobody' does not exist"}
         captured in turn 1: 0 events, no tool call, no text

    Failures:
      ✗ [refused/connect-new-thread.test.yaml] turn 1: nothing to replay: the agent does not know this thread
      ✗ [refused/no-envelope.test.yaml] turn 1: HTTP 400 Bad Request: {"error":"invalid_request","message":"Missing method field"}
      ✗ [refused/parts-in-a-result.test.yaml] turn 2: HTTP 400 Bad Request: {"error":"Invalid request body","details":"[\n  {\n    \"code\": \"invalid_type\",\n    \"expected\": \"string\",\n    \"received\": \"array\",\n    \"path\": [\n      \"…
      ✗ [refused/unknown-agent.test.yaml] turn 1: HTTP 404 Not Found: {"error":"Agent not found","message":"Agent 'nobody' does not exist"}

    Rerun: ananke run --target single-route --var SINGLE_URL=http://[HOST]/ --var MULTI_URL=http://[HOST]/ refused/connect-new-thread.test.yaml refused/no-envelope.test.yaml refused/parts-in-a-result.test.yaml refused/unknown-agent.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   4 tests
      Passed:  0
      Failed:  4 (4 errors)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
    assert_snapshot!(refused("multi-route"), @r#"
    exit code: 1
    --- stdout
    ═══════════════════════════════════════════════════════════════
      Agent Test
    ═══════════════════════════════════════════════════════════════
    ℹ Agent: multi-route
    ℹ Input: refused (4 tests)

    ───────────────────────────────────────────────────────────────
      Running Tests
    ───────────────────────────────────────────────────────────────

    ✗ [refused/connect-new-thread.test.yaml] expects a replay on a new thread ERROR ([TIME])
      └─ turn 1: nothing to replay: the agent does not know this thread
         captured in turn 1: 0 events, no tool call, no text
    ✗ [refused/no-envelope.test.yaml] forgets the envelope ERROR ([TIME])
      └─ turn 1: HTTP 404 Not Found: {"error":"Not found"}
         captured in turn 1: 0 events, no tool call, no text
    ✗ [refused/parts-in-a-result.test.yaml] goes on after a result with parts ERROR ([TIME])
      └─ turn 2: HTTP 400 Bad Request: {"error":"Invalid request body","details":"[\n  {\n    \"code\": \"invalid_type\",\n    \"expected\": \"string\",\n    \"received\": \"array\",\n    \"path\": [\n      \"messages\",\n      5,\n      \"content\"\n    ],\n    \"message\": \"Expected string, received array\"\n  }\n]"}
         captured in turn 2: 0 events, no tool call, no text
    ✗ [refused/unknown-agent.test.yaml] names an agent that is not there ERROR ([TIME])
      └─ turn 1: HTTP 404 Not Found: {"error":"Agent not found","message":"Agent 'nobody' does not exist"}
         captured in turn 1: 0 events, no tool call, no text

    Failures:
      ✗ [refused/connect-new-thread.test.yaml] turn 1: nothing to replay: the agent does not know this thread
      ✗ [refused/no-envelope.test.yaml] turn 1: HTTP 404 Not Found: {"error":"Not found"}
      ✗ [refused/parts-in-a-result.test.yaml] turn 2: HTTP 400 Bad Request: {"error":"Invalid request body","details":"[\n  {\n    \"code\": \"invalid_type\",\n    \"expected\": \"string\",\n    \"received\": \"array\",\n    \"path\": [\n      \"…
      ✗ [refused/unknown-agent.test.yaml] turn 1: HTTP 404 Not Found: {"error":"Agent not found","message":"Agent 'nobody' does not exist"}

    Rerun: ananke run --target multi-route --var SINGLE_URL=http://[HOST]/ --var MULTI_URL=http://[HOST]/ refused/connect-new-thread.test.yaml refused/no-envelope.test.yaml refused/parts-in-a-result.test.yaml refused/unknown-agent.test.yaml

    ───────────────────────────────────────────────────────────────
      Summary
    ───────────────────────────────────────────────────────────────
      Total:   4 tests
      Passed:  0
      Failed:  4 (4 errors)
      Time:    [TIME]

    ═══════════════════════════════════════════════════════════════
      ❌ TESTS FAILED
    ═══════════════════════════════════════════════════════════════
    --- stderr
    "#);
}
