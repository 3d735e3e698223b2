use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::FlakyResult;
use crate::dispatch::RunOptions;
use crate::pace::RateLimit;
use crate::testing::{Project, agent, options, run_live, run_until, shown};

/// Runs tests against a scripted agent; shows the results and the totals.
async fn results(script: Value, tests: &[(&str, &str)], options: RunOptions) -> String {
    let agent = agent(script).await;
    let project = Project::new(&agent.url, tests);
    let (results, summary) = run_live(&project.plan(), options).await;
    let totals = format!(
        "{} passed, {} failed, {} errors, {} flaky",
        summary.passed, summary.failed, summary.errors, summary.flaky
    );
    format!("{}\n{totals}", shown(&results))
}

/// Says "sorry" once to each of these, then "done".
fn moody(users: &[&str], times: usize) -> Value {
    let sorry = users.iter().map(
        |user| json!({"when": {"user_equals": user}, "times": times, "reply": [{"text": "sorry"}]}),
    );
    let rules: Vec<Value> = sorry
        .chain([json!({"reply": [{"text": "done"}]})])
        .collect();
    json!({"rules": rules})
}

const DONE: &str = "turns: [{user: do it}]\nassert: {text: {must_match: done}}\n";

#[tokio::test]
async fn a_test_that_passes_on_a_retry_is_flaky_and_keeps_every_attempt() {
    let options = RunOptions {
        retries: 2,
        ..options()
    };
    assert_snapshot!(results(moody(&["do it"], 1), &[("a", DONE)], options).await, @"
    the a test attempt 1: FAILED [text.must_match /done/] · 1 turns, 1 checks
    the a test: PASSED · 1 turns, 1 checks (flaky)
    1 passed, 0 failed, 0 errors, 1 flaky
    ");
}

#[tokio::test]
async fn a_flaky_test_can_count_as_failed() {
    let options = RunOptions {
        retries: 1,
        flaky_result: FlakyResult::Fail,
        ..options()
    };
    assert_snapshot!(results(moody(&["do it"], 1), &[("a", DONE)], options).await, @"
    the a test attempt 1: FAILED [text.must_match /done/] · 1 turns, 1 checks
    the a test: FAILED flaky: passed on attempt 2 · 1 turns, 1 checks (flaky)
    0 passed, 1 failed, 0 errors, 1 flaky
    ");
}

#[tokio::test]
async fn retries_end_and_other_statuses_are_not_retried() {
    let tests = [
        ("a", DONE),
        (
            "b",
            "skip: later\nturns: [{user: x}]\nassert: {text: {must_match: x}}\n",
        ),
        (
            "c",
            "hooks: [{cmd: ['false']}]\nturns: [{user: x}]\nassert: {text: {must_match: x}}\n",
        ),
    ];
    let options = RunOptions {
        retries: 1,
        ..options()
    };
    assert_snapshot!(results(moody(&["do it"], 9), &tests, options).await, @"
    the a test attempt 1: FAILED [text.must_match /done/] · 1 turns, 1 checks
    the a test: FAILED [text.must_match /done/] · 1 turns, 1 checks
    the b test: SKIPPED later · 0 turns, 0 checks
    the c test attempt 1: ERROR hook 1 failed (false): exit status: 1 · 0 turns, 0 checks
    the c test: ERROR hook 1 failed (false): exit status: 1 · 0 turns, 0 checks
    0 passed, 1 failed, 1 errors, 0 flaky
    ");
}

#[tokio::test]
async fn fail_fast_looks_at_the_last_attempt() {
    let options = RunOptions {
        retries: 1,
        fail_fast: true,
        parallel: 1,
        ..options()
    };
    let never = "turns: [{user: x}]\nassert: {text: {must_match: zzz}}\n";
    let tests = [("a", DONE), ("b", never), ("c", DONE)];
    assert_snapshot!(results(moody(&["do it"], 1), &tests, options).await, @"
    the a test attempt 1: FAILED [text.must_match /done/] · 1 turns, 1 checks
    the a test: PASSED · 1 turns, 1 checks (flaky)
    the b test attempt 1: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    the b test: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    the c test: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    1 passed, 1 failed, 0 errors, 1 flaky
    ");
}

#[tokio::test]
async fn every_attempt_has_a_thread_of_its_own() {
    let agent = agent(moody(&["do it"], 1)).await;
    let project = Project::new(&agent.url, &[("a", DONE)]);
    let options = RunOptions {
        retries: 1,
        ..options()
    };
    let (results, _) = run_live(&project.plan(), options).await;
    let thread =
        |turns: &[ananke_model::result::JudgedTurn]| turns[0].turn.requests[0]["threadId"].clone();
    assert_ne!(
        thread(&results[0].turns),
        thread(&results[0].earlier[0].turns)
    );
}

#[tokio::test]
async fn an_interrupt_between_attempts_leaves_the_failure() {
    let agent = agent(moody(&["do it"], 99)).await;
    let project = Project::new(&agent.url, &[("a", DONE)]);
    static TURNS: Notify = Notify::const_new();
    let options = RunOptions {
        retries: 50,
        unix_ms: || {
            TURNS.notify_one();
            0
        },
        ..options()
    };
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    let interrupt = async move {
        // The beginning of the run, of the first attempt, of the second.
        for _ in 0..3 {
            TURNS.notified().await;
        }
        later.cancel();
    };
    let plan = project.plan();
    let ((results, summary), ()) = tokio::join!(run_until(&plan, options, cancel), interrupt);
    assert_eq!(results[0].status.word(), "FAILED");
    assert!(summary.interrupted);
}

/// Answers 429, or another status, to the first `times` requests.
fn busy(status: u16, headers: Value, times: usize) -> Value {
    json!({"rules": [
        {"times": times, "reply": [{"http": {"status": status, "headers": headers, "body": "slow down"}}]},
        {"reply": [{"text": "done"}]},
    ]})
}

#[tokio::test]
async fn without_back_off_the_failure_says_how_to_wait() {
    let script = busy(429, json!({"retry-after": "2"}), 9);
    assert_snapshot!(results(script, &[("a", DONE)], options()).await, @"
    the a test: ERROR turn 1: HTTP 429 Too Many Requests: slow down · 1 turns, 0 checks
        the agent asked to wait 2s: --backoff 30s waits and sends again
    0 passed, 0 failed, 1 errors, 0 flaky
    ");
    // What is recorded is what the agent said.
    let agent = agent(busy(429, json!({}), 9)).await;
    let project = Project::new(&agent.url, &[("a", DONE)]);
    let (told, _) = run_live(&project.plan(), options()).await;
    let ananke_model::recording::TurnStatus::Broken(trouble) = &told[0].turns[0].turn.status else {
        panic!("it was refused");
    };
    assert_eq!(trouble.message, "HTTP 429 Too Many Requests: slow down");
    let script = busy(503, json!({}), 9);
    assert_snapshot!(results(script, &[("a", DONE)], options()).await, @"
    the a test: ERROR turn 1: HTTP 503 Service Unavailable: slow down · 1 turns, 0 checks
    0 passed, 0 failed, 1 errors, 0 flaky
    ");
}

#[tokio::test]
async fn with_back_off_the_turn_is_sent_again_and_waiting_is_nobodys_time() {
    let agent = agent(busy(429, json!({"retry-after": "1"}), 1)).await;
    let test = "turns: [{user: a}]\nassert: {timing: {max_duration_ms: 900}}\ntarget: {backoff_ms: 2000}\n";
    let project = Project::new(&agent.url, &[("a", test)]);
    let options = RunOptions {
        // Less than the wait.
        test_timeout: Duration::from_millis(900),
        ..options()
    };
    let (results, _) = run_live(&project.plan(), options).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 1 turns, 1 checks
        the agent refused the request once because it was busy; it was sent again after waiting 1s in all
    ");
    assert!(results[0].duration_us < 900_000);
    // The conversation is as it was before: one message, not two.
    let messages = &results[0].turns[0].turn.requests[0]["messages"];
    assert_eq!(messages.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_wait_beyond_the_limit_is_not_begun() {
    let options = RunOptions {
        backoff: Some(Duration::from_secs(30)),
        ..options()
    };
    let script = busy(503, json!({"retry-after": "60"}), 9);
    assert_snapshot!(results(script, &[("a", DONE)], options).await, @"
    the a test: ERROR turn 1: HTTP 503 Service Unavailable: slow down · 1 turns, 0 checks
        the agent asked to wait 60s, longer than the back-off of 30s
    0 passed, 0 failed, 1 errors, 0 flaky
    ");
}

#[tokio::test]
async fn the_rate_limit_counts_every_turn_of_every_test() {
    let turns = "turns: [{user: a}, {user: b}]\nassert: {timing: {max_duration_ms: 450}}\n";
    let agent = agent(json!({"rules": []})).await;
    let project = Project::new(&agent.url, &[("a", turns), ("b", turns)]);
    let options = RunOptions {
        rate_limit: Some(RateLimit {
            n: 4,
            per: Duration::from_secs(1),
        }),
        ..options()
    };
    let start = Instant::now();
    let (results, summary) = run_live(&project.plan(), options).await;
    assert_eq!(summary.passed, 2, "{}", shown(&results));
    assert!(start.elapsed() >= Duration::from_millis(750));
}

#[tokio::test]
async fn results_say_whom_they_talked_to_and_what_the_hooks_gave() {
    let agent = agent(json!({"rules": []})).await;
    let hook = "hooks: [{cmd: [echo, '{\"ORDER\": 42}']}]\nturns: [{user: \"order ${ORDER}\"}]\n";
    let project = Project::new(&agent.url, &[("a", hook)]);
    project.test(
        "b",
        "target: {agentId: 'shop-of-${SHOP}'}\nturns: [{user: a}]\n",
    );
    let (results, _) = run_live(&project.plan(), options()).await;
    assert_eq!(results[0].target, agent.url);
    assert_eq!(results[0].variables["ORDER"], json!(42));
    assert_eq!(results[0].turns[0].turn.user.as_deref(), Some("order 42"));
    assert_eq!(results[1].target, "shop-of-Corner");
}
