//! aimock, an OpenAI-compatible endpoint: as the agent under test, and as the model behind the agents that test pydantic-ai.

use insta::assert_snapshot;

use super::digest::digest;
use super::server::Server;
use super::{ananke, has_node, has_python, report, shown};

/// Starts both servers; returns the flags that name them.
fn servers() -> Option<([Server; 2], Vec<String>)> {
    if !has_node("interop with aimock") || !has_python("interop with pydantic-ai") {
        return None;
    }
    let (framework, chat) = (Server::pydantic(), Server::chat());
    let flags = ["URL", "CHAT"].iter().zip([framework.url(), chat.url()]);
    let flags = flags.flat_map(|(name, url)| ["--var".to_owned(), format!("{name}={url}")]);
    let flags = flags.collect();
    Some(([framework, chat], flags))
}

fn words(flags: &[String]) -> Vec<&str> {
    flags.iter().map(String::as_str).collect()
}

#[test]
fn a_simulated_user_leads_a_real_framework_through_its_checkpoints() {
    let Some((_servers, flags)) = servers() else {
        return;
    };
    let args = [&["cases/dynamic.jsonl"], words(&flags).as_slice()].concat();
    let report = report("agents", &args);
    assert_snapshot!(digest(&report), @r#"
    passed cases/dynamic.jsonl: a user finds everything
      > remember 42
        said "I heard message 1: remember 42"
        usage {"model":"script","inputTokens":50,"outputTokens":7,"totalTokens":57}
      > What is the weather in Rome?
        get_weather({"city":"Rome"}) -> "sunny in Rome"
        said "It is sunny in Rome."
        usage {"model":"script","inputTokens":100,"outputTokens":10,"totalTokens":110}
      > What did I say?
        said "You sent 3 messages. The one before was: What is the weather in Rome?"
        usage {"model":"script","inputTokens":50,"outputTokens":15,"totalTokens":65}
    "#);
    let result = &report["results"][0];
    assert_snapshot!(format!("{:#}", serde_json::json!({"checkpoints": result["checkpoints"].as_array().map(|checkpoints| checkpoints.iter().map(|checkpoint| format!("{} {}", checkpoint["id"], checkpoint["reached_at_turn"])).collect::<Vec<_>>()), "total_turns": result["total_turns"]})), @r#"
    {
      "checkpoints": [
        "\"remembers\" 1",
        "\"weather\" 2",
        "\"recalls\" 3"
      ],
      "total_turns": 3
    }
    "#);
}

#[test]
fn a_model_judges_and_is_tested_itself() {
    let Some((_servers, flags)) = servers() else {
        return;
    };
    let args = [&["cases/judged.jsonl"], words(&flags).as_slice()].concat();
    assert_snapshot!(digest(&report("agents", &args)), @r#"
    passed cases/judged.jsonl: accepted
      > hello
        said "Hello from pydantic-ai."
        usage {"model":"script","inputTokens":50,"outputTokens":4,"totalTokens":54}
    passed cases/judged.jsonl: refused
      > remember 42
        said "I heard message 1: remember 42"
        usage {"model":"script","inputTokens":50,"outputTokens":7,"totalTokens":57}
    passed cases/judged.jsonl: chat
      > hello
        said "Hello from the mock."
        usage {"prompt_tokens":6,"completion_tokens":5,"total_tokens":11}
    passed cases/judged.jsonl: tools
      > What is the weather?
        get_weather({"city":"Rome"}) -> "sunny in Rome"
        said "It is sunny in Rome."
        usage {"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}
        usage {"prompt_tokens":13,"completion_tokens":5,"total_tokens":18}
    "#);
}

#[test]
fn a_model_makes_cases_and_writes_the_report() {
    let Some((_servers, flags)) = servers() else {
        return;
    };
    let args = [
        &[
            "run",
            "-i",
            "agents:workers.test.gen?count=3",
            "-n",
            "framework",
            "-q",
            "-r",
            "workers.test.reporter",
        ],
        words(&flags).as_slice(),
    ]
    .concat();
    assert_snapshot!(shown(&ananke("agents", &args)), @"
    exit code: 0
    --- stdout
    # What happened

    Everything passed.
    --- stderr
    warning: `agents:workers.test.gen?count=3`: case 2 was refused
      | column 28: unknown key `asserts` in a case
    ");
}

#[test]
fn a_refused_key_is_told_and_not_shown() {
    let Some((_servers, flags)) = servers() else {
        return;
    };
    let args = [
        &["run", "refuse me please", "-n", "chat"],
        words(&flags).as_slice(),
    ]
    .concat();
    let output = shown(&ananke("agents", &args));
    assert!(!output.contains("sk-interop"), "{output}");
    assert_snapshot!(output, @"
    exit code: 1
    --- stdout
    --- stderr
    ► [message#1] refuse me please ERROR ([TIME])
      └─ HTTP 401 Unauthorized: the key is wrong (invalid_request_error); is the key right?
         captured in turn 1: 0 events, no tool call, no text
    ");
}
