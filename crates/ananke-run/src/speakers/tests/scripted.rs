//! Scripted agents as the agents of tests.

use ananke_model::plan::{Protocol, ScriptedTarget};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{plan, run, run_with, script};
use crate::dispatch::RunOptions;
use crate::testing::{options, run_live, shown};

const HI: &str = "turns: [{user: Hello}]\nassert: {text: {must_match: Hi}}\n";

fn protocol(rules: Value) -> Protocol {
    Protocol::Scripted(Box::new(script(json!({"rules": rules}))))
}

#[tokio::test]
async fn a_script_is_followed_inside_this_process() {
    let rules = json!([
        {"when": {"user_contains": "bye"}, "reply": [{"tool": {"name": "log", "args": {"n": 1}, "result": "ok"}}, {"text": "See you"}]},
        {"reply": [{"text": "Hi"}]},
    ]);
    let test = "turns: [{user: Hello}, {user: Bye}]\nassert: {tools: {require: [{name: log}]}, text: {must_match: Hi}}\n";
    let results = run(protocol(rules), &[("a", test), ("b", test)]).await;
    assert_snapshot!(shown(&results), @"
    the a test: PASSED · 2 turns, 2 checks
    the b test: PASSED · 2 turns, 2 checks
    ");
    assert_eq!(results[0].target, "script");
    let requests = &results[0].turns[1].turn.requests;
    assert_eq!(requests[0]["messages"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn all_attempts_of_a_run_talk_to_the_same_agent() {
    let rules = json!([{"times": 1, "reply": [{"text": "no"}]}, {"reply": [{"text": "Hi"}]}]);
    let options = || RunOptions {
        retries: 1,
        ..options()
    };
    let results = run_with(protocol(rules.clone()), &[("a", HI)], options()).await;
    assert_snapshot!(shown(&results), @"
    the a test attempt 1: FAILED [text.must_match /Hi/] · 1 turns, 1 checks
    the a test: PASSED · 1 turns, 1 checks (flaky)
    ");
    // The next run begins anew.
    let again = run_with(protocol(rules), &[("a", HI)], options()).await;
    assert!(again[0].flaky);
}

#[tokio::test]
async fn trouble_can_be_scripted() {
    let rules = json!([{"reply": [{"http": {"status": 500, "body": "boom"}}]}]);
    let results = run(protocol(rules), &[("a", HI)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: HTTP 500 Internal Server Error: boom · 1 turns, 0 checks");
    let rules = json!([{"reply": [{"text": "Hi"}, "truncate"]}]);
    let results = run(protocol(rules), &[("a", HI)]).await;
    assert_snapshot!(shown(&results), @"the a test: ERROR turn 1: truncated: the stream ended before RUN_FINISHED, after 4 events · 1 turns, 0 checks");
}

#[tokio::test]
async fn a_script_that_cannot_be_read_is_said() {
    let broken = ScriptedTarget {
        script: super::json(json!({"rules": [{"reply": [{"say": "Hi"}]}]})),
        ..script(json!({}))
    };
    let (_project, plan) = plan(Protocol::Scripted(Box::new(broken)), &[("a", HI)]);
    let (results, _) = run_live(&plan, options()).await;
    let shown = shown(&results);
    assert!(
        shown.contains("ERROR script: ananke.config.yaml:1: unknown variant `say`"),
        "{shown}"
    );
}
