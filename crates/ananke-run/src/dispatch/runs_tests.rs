//! `--runs` against agents: each run is made, and there is one result for each test.

use ananke_model::plan::Plan;
use ananke_model::result::TestResult;
use ananke_model::run_event::RunEvent;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

use super::{RunOptions, run};
use crate::testing::{Project, agent, options, run_live, run_until, shown};

const DONE: &str = "turns: [{user: do it}]\nassert: {text: {must_match: done}}\n";

/// Says "sorry" to every third request, else "done".
fn moody() -> Value {
    json!({"rules": [
        {"every": 3, "reply": [{"text": "sorry"}]},
        {"reply": [{"text": "done"}]},
    ]})
}

fn one_at_a_time(runs: u32, min_pass_rate: Option<f64>) -> RunOptions {
    RunOptions {
        parallel: 1,
        runs,
        min_pass_rate,
        ..options()
    }
}

/// Runs tests; shows the results with the runs of each.
async fn results(script: Value, tests: &[(&str, &str)], options: RunOptions) -> String {
    let agent = agent(script).await;
    let project = Project::new(&agent.url, tests);
    let (results, summary) = run_live(&project.plan(), options).await;
    let runs = results.iter().map(runs_of);
    let runs: Vec<String> = runs.collect();
    format!(
        "{}\n{}\n{} of {} passed",
        shown(&results),
        runs.join("\n"),
        summary.passed,
        summary.total
    )
}

fn runs_of(result: &TestResult) -> String {
    let runs = result.runs();
    let runs = runs.iter().map(|run| {
        let number = run.run.map_or("-".to_owned(), |run| run.to_string());
        format!("{number} {}", run.status.word())
    });
    format!("{}: {}", result.name, runs.collect::<Vec<_>>().join(", "))
}

#[tokio::test]
async fn every_run_is_made_and_kept() {
    let tests = [("a", DONE), ("b", "skip: later\nturns: [{user: x}]\n")];
    assert_snapshot!(results(moody(), &tests, one_at_a_time(5, None)).await, @"
    the a test: FAILED [text.must_match /done/] · 1 turns, 1 checks
        run 3 of 5; passed 4 of 5 runs
    the b test: SKIPPED later · 0 turns, 0 checks
    the a test: 1 PASSED, 2 PASSED, 3 FAILED, 4 PASSED, 5 PASSED
    the b test: - SKIPPED
    0 of 2 passed
    ");
}

#[tokio::test]
async fn enough_runs_may_do() {
    assert_snapshot!(results(moody(), &[("a", DONE)], one_at_a_time(5, Some(80.0))).await, @"
    the a test: PASSED · 1 turns, 1 checks
        passed 4 of 5 runs (80 %, at least 80 % wanted)
    the a test: 1 PASSED, 2 PASSED, 3 FAILED, 4 PASSED, 5 PASSED
    1 of 1 passed
    ");
}

#[tokio::test]
async fn fail_fast_waits_until_a_test_can_no_longer_pass() {
    let never = json!({"rules": [
        {"when": {"user_contains": "never"}, "reply": [{"text": "sorry"}]},
        {"reply": [{"text": "done"}]},
    ]});
    let never_done = "turns: [{user: never}]\nassert: {text: {must_match: done}}\n";
    let tests = [("a", never_done), ("b", DONE)];
    let fast = |min_pass_rate| RunOptions {
        fail_fast: true,
        ..one_at_a_time(5, min_pass_rate)
    };
    assert_snapshot!(results(never.clone(), &tests, fast(None)).await, @"
    the a test: FAILED [text.must_match /done/] · 1 turns, 1 checks
        run 1 of 5; passed 0 of 1 runs; stopped after 1 of 5 runs
    the b test: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    the a test: 1 FAILED
    the b test: - SKIPPED
    0 of 2 passed
    ");
    assert_snapshot!(results(never, &tests, fast(Some(60.0))).await, @"
    the a test: FAILED [text.must_match /done/] · 1 turns, 1 checks
        run 1 of 5; passed 0 of 3 runs (0 %, at least 60 % wanted); stopped after 3 of 5 runs
    the b test: SKIPPED not run: --fail-fast stopped after a failure · 0 turns, 0 checks
    the a test: 1 FAILED, 2 FAILED, 3 FAILED
    the b test: - SKIPPED
    0 of 2 passed
    ");
    // One of five may fail.
    assert_snapshot!(results(moody(), &[("a", DONE)], fast(Some(80.0))).await, @"
    the a test: PASSED · 1 turns, 1 checks
        passed 4 of 5 runs (80 %, at least 80 % wanted)
    the a test: 1 PASSED, 2 PASSED, 3 FAILED, 4 PASSED, 5 PASSED
    1 of 1 passed
    ");
}

#[tokio::test]
async fn runs_are_made_at_once_and_each_has_its_thread() {
    let agent = agent(json!({"rules": [{"reply": [{"text": "done"}]}]})).await;
    let project = Project::new(&agent.url, &[("a", DONE), ("b", DONE)]);
    let at = async |parallel| {
        let options = RunOptions {
            parallel,
            runs: 4,
            ..options()
        };
        run_live(&project.plan(), options).await.0
    };
    let (one, many) = (at(1).await, at(8).await);
    assert_eq!(shown(&one), shown(&many));
    let runs = |results: &[TestResult]| results.iter().map(runs_of).collect::<Vec<_>>();
    assert_eq!(runs(&one), runs(&many));
    let mut threads: Vec<String> = many
        .iter()
        .flat_map(TestResult::runs)
        .map(|run| run.turns[0].turn.requests[0]["threadId"].to_string())
        .collect();
    threads.sort_unstable();
    threads.dedup();
    assert_eq!(threads.len(), 8);
}

/// Runs a plan; shows what was told while it ran.
async fn told(plan: Plan, options: RunOptions) -> String {
    let (sender, mut events) = mpsc::channel(1000);
    run(plan, options, sender, CancellationToken::new()).await;
    let mut lines = Vec::new();
    while let Some(event) = events.recv().await {
        lines.push(match event {
            RunEvent::RunStarted(info) => {
                format!("{} tests, {} runs", info.total, info.runs_per_case)
            }
            RunEvent::TestStarted { index, .. } => format!("{index} started"),
            RunEvent::TestFinished { index, result } => {
                format!("{index} finished, {} runs", result.runs().len())
            }
            RunEvent::TestSlow { .. } | RunEvent::Notice(_) => "other".to_owned(),
            RunEvent::RunFinished(summary) => format!("{} passed", summary.passed),
        });
    }
    lines.join("\n")
}

#[tokio::test]
async fn a_test_begins_once_and_ends_once() {
    let agent = agent(json!({"rules": [{"reply": [{"text": "done"}]}]})).await;
    let project = Project::new(&agent.url, &[("a", DONE), ("b", DONE)]);
    assert_snapshot!(told(project.plan(), one_at_a_time(3, None)).await, @"
    2 tests, 3 runs
    0 started
    0 finished, 3 runs
    1 started
    1 finished, 3 runs
    2 passed
    ");
}

#[tokio::test]
async fn an_interrupt_leaves_the_runs_that_were_made() {
    let agent = agent(json!({"rules": [
        {"times": 2, "reply": [{"text": "done"}]},
        {"reply": [{"text": "wait"}, "stall"]},
    ]}))
    .await;
    let project = Project::new(&agent.url, &[("a", DONE), ("b", DONE)]);
    static TURNS: Notify = Notify::const_new();
    let options = RunOptions {
        unix_ms: || {
            TURNS.notify_one();
            0
        },
        ..one_at_a_time(4, None)
    };
    let cancel = CancellationToken::new();
    let later = cancel.clone();
    let interrupt = async move {
        // The third run has begun; the agent will not end it.
        for _ in 0..3 {
            TURNS.notified().await;
        }
        later.cancel();
    };
    let plan = project.plan();
    let ((results, summary), ()) = tokio::join!(run_until(&plan, options, cancel), interrupt);
    assert!(summary.interrupted);
    assert_snapshot!(shown(&results), @"
    the a test: INCONCLUSIVE not decided: 2 of 4 runs were made · 1 turns, 1 checks
        passed 2 of 2 runs; stopped after 2 of 4 runs
    the b test: SKIPPED interrupted · 0 turns, 0 checks
    ");
    let runs: Vec<String> = results.iter().map(runs_of).collect();
    assert_snapshot!(runs.join("\n"), @"
    the a test: 1 INCONCLUSIVE, 2 PASSED
    the b test: - SKIPPED
    ");
}
