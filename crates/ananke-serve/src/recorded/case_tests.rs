//! Recorded cases, whose messages all go out at once, and tests that were run several times.

use ananke_model::result::TestResult;
use serde_json::{Value, json};

use super::RecordedAgent;
use super::tests::{test, turn};
use crate::agent::Agent as _;
use crate::engine::tests::{input, show};

/// A recorded case: the messages that it sent, and the agent's answer.
fn case(id: &str, messages: &Value, answer: &str) -> TestResult {
    let request = json!({"threadId": "old-t", "runId": "old-r", "messages": messages});
    let answer = format!(r#"{{"type":"TEXT","delta":"{answer}"}}"#);
    test(id, vec![turn("messages", None, vec![request], &[&answer])])
}

/// Sends all messages of a case; shows the words of the answer.
fn ask_case(agent: &RecordedAgent, thread: &str, messages: &Value) -> String {
    let input = input(json!({"threadId": thread, "runId": "new-r", "messages": messages}));
    let shown = show(&agent.reply(&input));
    let words = shown.split(r#""delta":""#).nth(1);
    words
        .and_then(|words| words.split('"').next())
        .unwrap_or(&shown)
        .to_owned()
}

#[test]
fn cases_are_told_apart_by_all_their_messages() {
    let history = |system: &str, file: &str| {
        json!([
            {"id": "x", "role": "system", "content": system},
            {"id": "y", "role": "user", "content": [
                {"type": "text", "text": "What is "}, {"type": "text", "text": "this?"},
                {"type": "image", "source": {"type": "data", "value": file, "mimeType": "image/png"}},
            ]},
        ])
    };
    let calls = |n: u8| {
        json!([
            {"id": "a", "role": "user", "content": "Order"},
            {"id": "b", "role": "assistant", "toolCalls": [
                {"id": "c", "type": "function", "function": {"name": "find", "arguments": format!("{{\"n\":{n}}}")}},
            ]},
            {"id": "d", "role": "tool", "toolCallId": "c", "content": "found"},
        ])
    };
    let ends_with_assistant = json!([
        {"id": "a", "role": "user", "content": "Hi"},
        {"id": "b", "role": "assistant", "content": "Hello"},
    ]);
    let long = "[5000 bytes, sha256 00]";
    let agent = RecordedAgent::new(&[
        case("brief", &history("Be brief.", "QQ=="), "a cat"),
        case("long", &history("Be long.", long), "a cat on a mat"),
        case("one", &calls(1), "one"),
        case("two", &calls(2), "two"),
        case("open", &ends_with_assistant, "anything else?"),
    ]);
    assert_eq!(
        ask_case(&agent, "1", &history("Be long.", "QUFB")),
        "a cat on a mat"
    );
    assert_eq!(
        ask_case(&agent, "2", &history("Be brief.", "QQ==")),
        "a cat"
    );
    assert_eq!(ask_case(&agent, "3", &calls(2)), "two");
    assert_eq!(ask_case(&agent, "4", &calls(1)), "one");
    assert_eq!(
        ask_case(&agent, "5", &ends_with_assistant),
        "anything else?"
    );
    assert_eq!(agent.ambiguities(), []);
}

#[test]
fn the_runs_of_a_test_are_offered_in_their_order() {
    let hi = json!([{"id": "a", "role": "user", "content": "Hi"}]);
    let run = |number: u32| TestResult {
        run: Some(number),
        ..case("a", &hi, &format!("run {number}"))
    };
    let merged = TestResult {
        other_runs: vec![run(1), run(3)],
        ..run(2)
    };
    let agent = RecordedAgent::new(&[merged]);
    let answers = ["t1", "t2", "t3", "t4"].map(|thread| ask_case(&agent, thread, &hi));
    assert_eq!(answers, ["run 1", "run 2", "run 3", "run 1"]);
    assert_eq!(agent.ambiguities(), [], "they are no other test's");
}
