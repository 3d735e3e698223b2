//! Programs as the agents of tests.

use std::time::Duration;

use ananke_model::plan::{CommandTarget, Protocol, TurnAction};
use insta::assert_snapshot;
use serde_json::Value;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{plan, run, run_with, shell, target, text};
use crate::dispatch::RunOptions;
use crate::testing::{options, run_live, run_until, shown};

const HI: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: Hi}}\n";
/// Prints what it is given.
const ECHO: &str =
    "python3 -c 'import json,sys; print(json.dumps({\"content\": sys.stdin.read()}))'";

fn protocol(command: CommandTarget) -> Protocol {
    Protocol::Command(Box::new(command))
}

/// Runs one test with a program that a shell runs.
async fn said(script: &str) -> String {
    shown(&run(protocol(shell(script)), &[("a", HI)]).await)
}

#[tokio::test]
async fn a_program_gets_the_conversation_and_answers() {
    let two = "turns: [{user: Hello}, {user: Bye}]\nassert: {text: {must_match: Bye}}\n";
    let (_project, mut plan) = plan(protocol(shell(ECHO)), &[("a", two)]);
    plan.tests[0].target.connector = Some("fast".to_owned());
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 2 turns, 1 checks");
    let [first, second] = [0, 1].map(|at| results[0].turns[at].turn.clone());
    let given: Value = serde_json::from_str(&second.text).unwrap();
    assert_eq!(given, second.requests[0]);
    assert_eq!(given["input"], "Bye");
    assert_eq!(given["thread_id"], first.requests[0]["thread_id"]);
    assert_ne!(given["run_id"], first.requests[0]["run_id"]);
    let roles: Vec<&Value> = given["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| &m["role"])
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_snapshot!(given["options"], @r#"{"metadata":{},"connector":"fast"}"#);
    assert_snapshot!(given["context"], @r#"{"user_id":"test-user","team_id":"test-team","locale":"en-us","client_type":"test","client_ip":"127.0.0.1","referer":"test","accept":"standard"}"#);
    // Told in events, as any other agent's words are.
    assert_eq!(second.events.len(), 5);
    assert!(second.findings.is_empty());
    assert!(second.timing.first_text_us.is_some());
}

#[tokio::test]
async fn calls_and_usage_are_recorded() {
    let script = r#"cat > /dev/null; echo '{"text": "Hi", "tool_calls": [{"name": "find", "arguments": {"id": 1}, "result": {"ok": true}}], "usage": {"total_tokens": 3}}'"#;
    let tools = "turns: [{user: Hello}]\nassert: {tools: {require: [{name: find, args_match: {id: '^1$'}}]}}\n";
    let results = run(protocol(shell(script)), &[("a", tools)]).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 1 turns, 1 checks");
    let turn = &results[0].turns[0].turn;
    assert_eq!(turn.tool_calls[0].result.as_deref(), Some(r#"{"ok":true}"#));
    assert_snapshot!(turn.usage[0], @r#"{"total_tokens":3}"#);
    assert!(turn.findings.is_empty(), "{:?}", turn.findings);
}

#[tokio::test]
async fn what_a_program_does_wrong_is_said() {
    assert_snapshot!(said("echo 'no stock' >&2; exit 3").await, @"
    the a test: ERROR turn 1: `sh` failed: exit status: 3: no stock · 1 turns, 0 checks
        stderr: no stock
    ");
    assert_snapshot!(said("echo Hi").await, @"the a test: ERROR turn 1: what the program printed is not one JSON value (expected value at line 1 column 1); a text is printed as a JSON string: Hi · 1 turns, 0 checks");
    assert_snapshot!(said("true").await, @"the a test: ERROR turn 1: the program printed nothing: it must print one JSON value · 1 turns, 0 checks");
    assert_snapshot!(said("echo '{\"error\": \"no stock\"}'").await, @"the a test: ERROR turn 1: the agent ended with an error: no stock · 1 turns, 0 checks");
    assert_snapshot!(said("kill -9 $$").await, @"the a test: ERROR turn 1: `sh` failed: signal: 9 (SIGKILL) · 1 turns, 0 checks");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_out_of_reach() {
    let command = CommandTarget {
        cmd: vec![text("./no-such-program")],
        ..shell("")
    };
    let results = run(protocol(command), &[("a", HI)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: `./no-such-program` cannot be started: No such file or directory (os error 2) · 1 turns, 0 checks");
    assert!(!results[0].turns[0].turn.reached);
}

#[tokio::test]
async fn a_program_that_hangs_is_killed_with_its_children() {
    let command = CommandTarget {
        timeout_ms: 300,
        ..shell("sleep 60 & sleep 60")
    };
    let results = run(protocol(command), &[("a", HI)]).await;
    assert_snapshot!(shown(&results), @"the a test: TIMEOUT turn 1: timeout after 300ms (timeout_ms): `sh` had not ended, and was killed · 1 turns, 0 checks");
    assert!(results[0].duration_us < 10_000_000);
}

#[tokio::test]
async fn a_program_that_floods_is_killed() {
    let mut command = shell("yes");
    command.limits.turn_bytes = 10_000;
    let results = run(protocol(command), &[("a", HI)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: `sh` printed more than 10000 bytes (limits.turn_bytes); it was killed · 1 turns, 0 checks");
}

#[tokio::test]
async fn a_program_need_not_read_what_it_is_given() {
    // More than a pipe holds.
    let long = "x".repeat(300_000);
    let test = format!("turns: [{{user: {long}}}]\nassert: {{text: {{must_match: Hi}}}}\n");
    let results = run(protocol(shell("echo '\"Hi\"'")), &[("a", &test)]).await;
    assert_snapshot!(shown(&results), @"the a test: PASSED · 1 turns, 1 checks");
}

#[tokio::test]
async fn what_is_left_in_the_background_is_ended_and_told() {
    let results = run(
        protocol(shell("setsid sleep 60 > /dev/null 2>&1 & echo '\"Hi\"'")),
        &[("a", HI)],
    )
    .await;
    let shown = shown(&results);
    assert!(shown.starts_with("the a test: PASSED"), "{shown}");
    assert!(
        shown.contains("the program left processes in the background, which were ended: "),
        "{shown}"
    );
}

#[tokio::test]
async fn an_interrupt_ends_the_program() {
    let (_project, plan) = plan(protocol(shell("sleep 60")), &[("a", HI)]);
    static TURNS: Notify = Notify::const_new();
    let options = RunOptions {
        unix_ms: || {
            TURNS.notify_one();
            0
        },
        ..options()
    };
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    let interrupt = async move {
        // The turn begins.
        TURNS.notified().await;
        later.cancel();
    };
    let ((results, summary), ()) = tokio::join!(run_until(&plan, options, cancel), interrupt);
    assert_snapshot!(shown(&results), @"the a test: SKIPPED turn 1: interrupted · 1 turns, 0 checks");
    assert!(summary.interrupted);
}

#[tokio::test]
async fn threads_and_interrupts_need_another_kind_of_agent() {
    let (_project, mut plan) = plan(protocol(shell(ECHO)), &[("a", HI)]);
    plan.tests[0].turns[0].action = TurnAction::Connect { allow_empty: false };
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: `agui:connect` needs an `agui` target: a program takes messages only · 1 turns, 0 checks");
}

#[tokio::test]
async fn the_whole_test_has_a_limit_too() {
    let options = RunOptions {
        test_timeout: Duration::from_millis(300),
        ..options()
    };
    let results = run_with(protocol(shell("sleep 60")), &[("a", HI)], options).await;
    assert_snapshot!(shown(&results), @"the a test: TIMEOUT turn 1: timeout after 300ms for the whole test (--timeout) · 1 turns, 0 checks");
}

#[tokio::test]
async fn a_program_that_cannot_be_passed_its_words_is_refused() {
    let mut command = shell("true");
    command.env = vec![("A".to_owned(), text("a\0b"))];
    let (_project, mut plan) = plan(protocol(command), &[("a", HI)]);
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR `cmd` and `env` must not hold NUL characters · 0 turns, 0 checks");
    plan.tests[0].target = target(protocol(CommandTarget {
        cmd: vec![text(" ")],
        ..shell("")
    }));
    let (results, _) = run_live(&plan, options()).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR `cmd` names no program · 0 turns, 0 checks");
}
