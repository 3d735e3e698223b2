//! Recorded cases and runs, judged again.

use ananke_model::plan::Plan;
use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{JudgeOptions, Lookup, Recordings, judge};
use crate::dispatch::RunOptions;
use crate::session::FlakyResult;
use crate::testing::{Project, agent, options, run_live, shown, variables};

const TEST: &str = "turns: [{user: replaced}]\nassert: {text: {must_match: done}}\n";

fn script() -> Value {
    json!({"rules": [
        {"when": {"user_contains": "fail"}, "reply": [{"error": {"message": "quota exceeded", "code": "Q1"}}]},
        {"when": {"user_contains": "stall"}, "reply": ["stall"]},
        {"when": {"user_contains": "moody"}, "every": 2, "reply": [{"text": "sorry"}]},
        {"reply": [{"text": "done"}]},
    ]})
}

fn judged(
    plan: &Plan,
    recorded: &[TestResult],
    lookup: Lookup,
    repeat: (u32, Option<f64>),
) -> Vec<TestResult> {
    let options = JudgeOptions {
        variables: variables(),
        lookup,
        flaky_result: FlakyResult::Pass,
        min_pass_rate: repeat.1,
        info: RunInfo {
            runs_per_case: repeat.0,
            ..RunInfo::default()
        },
        duration_us: 0,
        is_interrupted: false,
    };
    let mut results = Vec::new();
    let recordings = Recordings::new(recorded.to_vec());
    judge(plan, recordings, options, &mut |event| {
        if let RunEvent::TestFinished { result, .. } = event {
            results.push(*result);
        }
    });
    results
}

/// A message with a file behind its words.
fn with_file(words: &str) -> Value {
    json!([
        {"role": "system", "content": "Be brief, ${SHOP}."},
        {"role": "user", "content": [
            {"type": "text", "text": words},
            {"type": "image", "source": {"type": "data", "value": "", "mimeType": "image/png"}},
        ]},
    ])
}

const FILE: &[(&str, usize, usize)] = &[("a.png", 1, 1)];

#[tokio::test]
async fn an_unchanged_case_gets_the_same_result() {
    let agent = agent(script()).await;
    let project = Project::new(&agent.url, &[("a", TEST)]);
    project.write("a.png", &"pixel".repeat(2000));
    for words in ["hello", "fail", "stall"] {
        let mut plan = project.case(with_file(words), FILE);
        plan.tests[0].timeout_ms = Some(if words == "stall" { 60 } else { 30_000 });
        let (recorded, _) = run_live(&plan, options()).await;
        for lookup in [Lookup::ById, Lookup::ByConversation] {
            assert_eq!(
                judged(&plan, &recorded, lookup, (1, None)),
                recorded,
                "{words}"
            );
        }
    }
}

#[tokio::test]
async fn runs_are_judged_one_by_one_and_put_together_again() {
    let agent = agent(script()).await;
    let project = Project::new(&agent.url, &[("a", TEST)]);
    project.write("a.png", "pixel");
    let plan = project.case(with_file("moody"), FILE);
    for min_pass_rate in [None, Some(50.0), Some(80.0)] {
        let options = RunOptions {
            parallel: 1,
            runs: 4,
            min_pass_rate,
            ..options()
        };
        let (recorded, _) = run_live(&plan, options).await;
        assert_eq!(recorded[0].runs().len(), 4);
        for lookup in [Lookup::ById, Lookup::ByConversation] {
            let again = judged(&plan, &recorded, lookup, (4, min_pass_rate));
            assert_eq!(again, recorded);
        }
        // Another rate gives another verdict, and its own words only.
        let strict = judged(&plan, &recorded, Lookup::ById, (4, Some(90.0)));
        assert_eq!(
            shown(&strict),
            "the a test: FAILED [text.must_match /done/] · 1 turns, 1 checks\n    run 2 of 4; passed 2 of 4 runs (50 %, at least 90 % wanted)"
        );
    }
    let options = RunOptions {
        parallel: 1,
        runs: 4,
        ..options()
    };
    let (recorded, _) = run_live(&plan, options).await;
    project.test(
        "a",
        "turns: [{user: replaced}]\nassert: {text: {must_match: done|sorry}}\n",
    );
    let plan = project.case(with_file("moody"), FILE);
    let again = judged(&plan, &recorded, Lookup::ById, (4, None));
    assert_snapshot!(shown(&again), @"the a test: PASSED · 1 turns, 1 checks");
    assert_eq!((again[0].run, again[0].other_runs.len()), (Some(1), 3));
    project.test("a", "skip: later\nturns: [{user: replaced}]\n");
    let plan = project.case(with_file("moody"), FILE);
    let again = judged(&plan, &recorded, Lookup::ById, (4, None));
    assert_snapshot!(shown(&again), @"the a test: SKIPPED later · 0 turns, 0 checks");
    assert_eq!((again[0].run, again[0].other_runs.len()), (None, 0));
}

/// Records a case, changes it, and judges.
async fn edited(change: impl FnOnce(&Project) -> Plan) -> String {
    let agent = agent(script()).await;
    let project = Project::new(&agent.url, &[("a", TEST)]);
    project.write("a.png", &"pixel".repeat(2000));
    let (recorded, _) = run_live(&project.case(with_file("hello"), FILE), options()).await;
    let plan = change(&project);
    let by_id = shown(&judged(&plan, &recorded, Lookup::ById, (1, None)));
    let by_conversation = shown(&judged(&plan, &recorded, Lookup::ByConversation, (1, None)));
    format!("{by_id}\n{by_conversation}")
}

#[tokio::test]
async fn other_words_are_another_case() {
    assert_snapshot!(edited(|project| project.case(with_file("goodbye"), FILE)).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages "goodbye"
        turn 1 recorded: messages "hello"
        run the test against the agent to record it
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: cases.jsonl#T001 (the a test)
        turn 1 now:      messages "goodbye"
        turn 1 recorded: messages "hello"
        run the test against the agent to record it
    "#);
}

#[tokio::test]
async fn another_history_is_another_case() {
    let mut messages = with_file("hello");
    messages[0]["content"] = "Be long.".into();
    assert_snapshot!(edited(|project| project.case(messages, FILE)).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages/0/content: "Be long."
        turn 1 recorded: messages/0/content: "Be brief, Corner."
        run the test against the agent to record it
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: cases.jsonl#T001 (the a test)
        turn 1 now:      messages/0/content: "Be long."
        turn 1 recorded: messages/0/content: "Be brief, Corner."
        run the test against the agent to record it
    "#);
    let shorter = json!([with_file("hello")[1]]);
    assert_snapshot!(edited(|project| project.case(shorter, &[("a.png", 0, 1)])).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages/0/role: "user"
        turn 1 recorded: messages/0/role: "system"
        run the test against the agent to record it
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: cases.jsonl#T001 (the a test)
        turn 1 now:      messages/0/role: "user"
        turn 1 recorded: messages/0/role: "system"
        run the test against the agent to record it
    "#);
}

#[tokio::test]
async fn another_file_is_another_case() {
    let changed = |project: &Project| {
        project.write("a.png", "other pixels");
        project.case(with_file("hello"), FILE)
    };
    assert_snapshot!(edited(changed).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages/1/content/1/source/value: "b3RoZXIgcGl4ZWxz"
        turn 1 recorded: messages/1/content/1/source/value: "[10000 bytes, sha256 444c17d9c0ee7b31ab04baef8b47ee4c2cad141d400b1af3d36d199a81efaf6e]"
        run the test against the agent to record it
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: cases.jsonl#T001 (the a test)
        turn 1 now:      messages/1/content/1/source/value: "b3RoZXIgcGl4ZWxz"
        turn 1 recorded: messages/1/content/1/source/value: "[10000 bytes, sha256 444c17d9c0ee7b31ab04baef8b47ee4c2cad141d400b1af3d36d199a81efaf6e]"
        run the test against the agent to record it
    "#);
    let removed = |project: &Project| {
        std::fs::remove_file(project.path("a.png")).unwrap();
        project.case(with_file("hello"), FILE)
    };
    assert_snapshot!(edited(removed).await, @"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      messages/1/content/1: `a.png` cannot be read: No such file or directory (os error 2)
        turn 1 recorded: messages/1/content/1: a file that could be read
        run the test against the agent to record it
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: cases.jsonl#T001 (the a test)
        turn 1 now:      messages/1/content/1: `a.png` cannot be read: No such file or directory (os error 2)
        turn 1 recorded: messages/1/content/1: a file that could be read
        run the test against the agent to record it
    ");
}
