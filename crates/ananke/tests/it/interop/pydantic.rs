//! pydantic-ai: tools, several turns, approvals, client tools, shared state, reasoning.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{has_python, report};

#[test]
fn pydantic_ai_behaves_as_its_suite_says() {
    if !has_python("interop with pydantic-ai") {
        return;
    }
    let server = Server::pydantic();
    let report = report("pydantic", &["--var", &format!("URL={}", server.url())]);
    assert_snapshot!(digest(&report), @r#"
    passed approval-cancelled.test.yaml: keeps the file when the question is cancelled
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt tool_call: "Approve delete_file({\"path\":\"old.txt\"})?"
        usage {"model":"script","inputTokens":50,"outputTokens":5,"totalTokens":55}
      > agui:resume
        late result "Cancelled by user."
        said "About the file: Cancelled by user."
        usage {"model":"script","inputTokens":50,"outputTokens":7,"totalTokens":57}
    passed approval-granted.test.yaml: deletes the file after approval
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt tool_call: "Approve delete_file({\"path\":\"old.txt\"})?"
        usage {"model":"script","inputTokens":50,"outputTokens":5,"totalTokens":55}
      > agui:resume
        late result "old.txt deleted"
        said "About the file: old.txt deleted"
        usage {"model":"script","inputTokens":50,"outputTokens":6,"totalTokens":56}
    passed approval-refused.test.yaml: keeps the file when approval is refused
      > Please approve that the old file goes.
        delete_file({"path":"old.txt"}) -> no result
        interrupt tool_call: "Approve delete_file({\"path\":\"old.txt\"})?"
        usage {"model":"script","inputTokens":50,"outputTokens":5,"totalTokens":55}
      > agui:resume
        late result "too risky"
        said "About the file: too risky"
        usage {"model":"script","inputTokens":50,"outputTokens":5,"totalTokens":55}
    passed boom.test.yaml: expects the error
      > boom
        said "I will now"
        run_error: {"message":"boom"}
    passed era.test.yaml: speaks as a client before 1.0
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
      > What is the weather in Rome?
        get_weather({"city":"Rome"}) -> "sunny in Rome"
        said "It is sunny in Rome."
        usage {"model":"script","inputTokens":100,"outputTokens":10,"totalTokens":110}
    passed hello.test.yaml: says hello
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed memory-of-calls.test.yaml: sends calls and results again
      > What is the weather in Paris?
        get_weather({"city":"Paris"}) -> "sunny in Paris"
        said "It is sunny in Paris."
        usage {"model":"script","inputTokens":100,"outputTokens":10,"totalTokens":110}
      > What is the weather in Oslo?
        get_weather({"city":"Oslo"}) -> "sunny in Oslo"
        said "It is sunny in Oslo."
        usage {"model":"script","inputTokens":100,"outputTokens":10,"totalTokens":110}
      > What did I say?
        said "You sent 3 messages. The one before was: What is the weather in Oslo?"
        usage {"model":"script","inputTokens":50,"outputTokens":15,"totalTokens":65}
    passed memory.test.yaml: sends the whole conversation
      > remember 42
        said "I heard message 1: remember 42"
        usage {"model":"script","inputTokens":50,"outputTokens":7,"totalTokens":57}
      > What did I say?
        said "You sent 2 messages. The one before was: remember 42"
        usage {"model":"script","inputTokens":50,"outputTokens":11,"totalTokens":61}
    passed pick-color.test.yaml: uses a tool of the client
      > Let me pick color.
        pick_color({"choices":["red","green"]}) -> "green"
        said "You picked green."
        usage {"model":"script","inputTokens":50,"outputTokens":6,"totalTokens":56}
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed state.test.yaml: shares the state
      > Change the state.
        count_up({}) -> 5
        said "The count is 5."
        state count=5, owner="alice"
        usage {"model":"script","inputTokens":100,"outputTokens":6,"totalTokens":106}
      > Change the state again.
        count_up({}) -> 6
        said "The count is 6."
        state count=6, owner="alice"
        usage {"model":"script","inputTokens":100,"outputTokens":6,"totalTokens":106}
    passed think.test.yaml: thinks without saying it
      > Please think.
        thought "The user wants a thought."
        said "I thought about it."
        usage {"model":"script","inputTokens":50,"outputTokens":11,"totalTokens":61}
      > What did I say?
        said "You sent 2 messages. The one before was: Please think."
        usage {"model":"script","inputTokens":50,"outputTokens":12,"totalTokens":62}
    passed two-cities.test.yaml: asks for two cities at once
      > Compare two cities.
        get_weather({"city":"Paris"}) -> "sunny in Paris"
        get_weather({"city":"Oslo"}) -> "sunny in Oslo"
        said "It is sunny in Paris. It is sunny in Oslo."
        usage {"model":"script","inputTokens":100,"outputTokens":21,"totalTokens":121}
    passed weather.test.yaml: asks the weather tool
      > What is the weather in Paris?
        get_weather({"city":"Paris"}) -> "sunny in Paris"
        said "It is sunny in Paris."
        usage {"model":"script","inputTokens":100,"outputTokens":10,"totalTokens":110}
    "#);
}

#[test]
fn pydantic_ai_answers_cases() {
    if !has_python("interop with pydantic-ai") {
        return;
    }
    let server = Server::pydantic();
    let url = format!("URL={}", server.url());
    let args = ["cases/chat.jsonl", "--runs", "2", "--var", &url];
    assert_snapshot!(digest(&report("pydantic", &args)), @r#"
    passed cases/chat.jsonl: hello
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed cases/chat.jsonl: message
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed cases/chat.jsonl: the whole history is sent at once
      > What did I say?
        said "You sent 2 messages. The one before was: remember 42"
        usage {"model":"script","inputTokens":50,"outputTokens":11,"totalTokens":61}
    passed cases/chat.jsonl: tools
      > What is the weather in Rome?
        get_weather({"city":"Rome"}) -> "sunny in Rome"
        said "It is sunny in Rome."
        usage {"model":"script","inputTokens":100,"outputTokens":10,"totalTokens":110}
    passed cases/chat.jsonl: a history with a call and its result
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed cases/chat.jsonl: attachment
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed cases/chat.jsonl: error
      > boom
        said "I will now"
        run_error: {"message":"boom"}
    "#);
}
