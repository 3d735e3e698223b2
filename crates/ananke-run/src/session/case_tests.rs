//! Cases: all messages at once, files with them, limits and reasons of their own.

use std::fs::File;
use std::time::Duration;

use ananke_model::plan::Plan;
use ananke_model::result::TestResult;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::dispatch::RunOptions;
use crate::testing::{Project, agent, options, run_live, shown};

/// An agent that says what it was asked, unless it is asked for trouble.
fn echo() -> Value {
    json!({"rules": [
        {"when": {"user_contains": "fail"}, "reply": [{"error": {"message": "quota exceeded", "code": "Q1"}}]},
        {"when": {"user_contains": "http"}, "reply": [{"http": {"status": 500, "body": "boom"}}]},
        {"when": {"user_contains": "stall"}, "reply": [{"text": "wait"}, "stall"]},
        {"reply": [{"echo": "messages"}]},
    ]})
}

fn says(text: &str) -> Value {
    json!([{"role": "user", "content": text}])
}

const TEST: &str = "turns: [{user: replaced}]\nassert: {text: {must_match: role}}\n";

/// Runs the first test of a project as a case.
async fn run_case(
    test: &str,
    prepare: impl FnOnce(&Project) -> Plan,
    options: RunOptions,
) -> TestResult {
    let agent = agent(echo()).await;
    let project = Project::new(&agent.url, &[("a", test)]);
    let plan = prepare(&project);
    run_live(&plan, options).await.0.remove(0)
}

#[tokio::test]
async fn all_messages_go_out_at_once_and_references_are_resolved() {
    let messages = json!([
        {"role": "system", "content": "You sell for ${SHOP}."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": "Bye, ${SHOP}"},
    ]);
    let mut result = run_case(TEST, |project| project.case(messages, &[]), options()).await;
    assert_snapshot!(shown([&result]), @"the a test: PASSED · 1 turns, 1 checks");
    assert_eq!(result.id.0, "cases.jsonl#T001");
    assert_eq!(result.short_id(), "T001");
    let turn = &mut result.turns[0].turn;
    assert_eq!(turn.kind, "messages");
    assert_eq!(turn.user.as_deref(), Some("Bye, Corner"));
    let sent = turn.requests[0]["messages"].as_array_mut().unwrap();
    let mut ids: Vec<Value> = sent.iter_mut().map(|m| m["id"].take()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    assert_eq!(sent[0]["content"], "You sell for Corner.");
    // The report repeats what was asked, not how it is written.
    let case = result.case.unwrap();
    assert_eq!(case.input[3]["content"], "Bye, Corner");
}

#[tokio::test]
async fn files_are_sent_and_long_ones_are_recorded_by_what_they_are() {
    let part = json!({"type": "document", "source": {"type": "data", "value": "", "mimeType": "text/plain"}});
    let messages = json!([
        {"role": "user", "content": [{"type": "text", "text": "read"}, part, part]},
    ]);
    let result = run_case(
        TEST,
        |project| {
            project.write("short.txt", "hello");
            project.write("long.txt", &"x".repeat(4000));
            project.case(messages, &[("short.txt", 0, 1), ("long.txt", 0, 2)])
        },
        options(),
    )
    .await;
    assert_snapshot!(shown([&result]), @"the a test: PASSED · 1 turns, 1 checks");
    let turn = &result.turns[0].turn;
    let heard: Value = serde_json::from_str(&turn.text).unwrap();
    let value = |message: &Value, part: usize| {
        let value = &message["content"][part]["source"]["value"];
        value.as_str().unwrap().to_owned()
    };
    assert_eq!(value(&heard[0], 1), "aGVsbG8=");
    assert_eq!(value(&heard[0], 2).len(), 5336);
    let sent = &turn.requests[0]["messages"][0];
    assert_eq!(value(sent, 1), "aGVsbG8=");
    assert_snapshot!(value(sent, 2), @"[4000 bytes, sha256 91c9568c40c8d8d1f7a1bd029d124994b3c2a8750c4e4b328ee9b1cf81151d85]");
    assert_eq!(value(&turn.messages[0], 2), value(sent, 2));
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_the_error_of_its_test() {
    let messages = json!([{"role": "user", "content": [{"type": "image", "source": {"type": "data", "value": ""}}]}]);
    let with = async |file: &'static str| {
        let messages = messages.clone();
        let result = run_case(
            TEST,
            |project| {
                let large = File::create(project.path("large.png")).unwrap();
                large.set_len((20 << 20) + 1).unwrap();
                std::fs::create_dir(project.path("folder")).unwrap();
                project.case(messages, &[(file, 0, 0)])
            },
            options(),
        )
        .await;
        assert!(result.turns.is_empty());
        shown([&result])
    };
    assert_snapshot!(with("gone.png").await, @"
    the a test: ERROR the attachment `gone.png` cannot be read: No such file or directory (os error 2) · 0 turns, 0 checks
        it is named at cases.jsonl:1
    ");
    assert_snapshot!(with("large.png").await, @"
    the a test: ERROR the attachment `large.png` cannot be read: larger than 20 MiB, which is the most that is sent with a message · 0 turns, 0 checks
        it is named at cases.jsonl:1
    ");
    assert_snapshot!(with("folder").await, @"
    the a test: ERROR the attachment `folder` cannot be read: not a file · 0 turns, 0 checks
        it is named at cases.jsonl:1
    ");
}

#[tokio::test]
async fn a_case_has_its_own_limit_or_that_of_the_run_or_of_its_target() {
    let turns = "timeout_ms: 20\nturns: [{user: replaced}]\n";
    // The planner says that the target's limit does not count, where it does not.
    let limited = async |turn_ms: Option<u64>, own_ms: Option<u64>, run_ms: u64| {
        let options = RunOptions {
            test_timeout: Duration::from_millis(run_ms),
            ..options()
        };
        let result = run_case(
            turns,
            |project| {
                let mut plan = project.case(says("stall"), &[]);
                plan.tests[0].turns[0].timeout_ms = turn_ms;
                plan.tests[0].timeout_ms = own_ms;
                plan
            },
            options,
        )
        .await;
        assert_eq!(result.turns[0].turn.text, "wait", "what came is kept");
        shown([&result])
    };
    assert_snapshot!(limited(Some(60_000), Some(60), 30_000).await, @"the a test: TIMEOUT timeout after 60ms · 1 turns, 0 checks");
    assert_snapshot!(limited(Some(60_000), None, 60).await, @"the a test: TIMEOUT timeout after 60ms · 1 turns, 0 checks");
    assert_snapshot!(limited(None, None, 30_000).await, @"the a test: TIMEOUT timeout after 20ms · 1 turns, 0 checks");
}

#[tokio::test]
async fn a_limit_of_the_turn_is_said_in_the_same_words() {
    let result = run_case(
        TEST,
        |project| {
            let mut plan = project.case(says("stall"), &[]);
            plan.tests[0].turns[0].timeout_ms = Some(50);
            // More than a clock can hold.
            plan.tests[0].timeout_ms = Some(u64::MAX);
            plan
        },
        options(),
    )
    .await;
    assert_snapshot!(shown([&result]), @"the a test: TIMEOUT timeout after 50ms · 1 turns, 0 checks");
}

#[tokio::test]
async fn an_agent_that_fails_is_told_in_the_words_of_cases() {
    let failing = async |text: &str| {
        let result = run_case(TEST, |project| project.case(says(text), &[]), options()).await;
        shown([&result])
    };
    assert_snapshot!(failing("fail").await, @"
    the a test: ERROR agent error: quota exceeded · 1 turns, 0 checks
        code: Q1
    ");
    assert_snapshot!(failing("http").await, @"the a test: ERROR HTTP 500 Internal Server Error: boom · 1 turns, 0 checks");
}
