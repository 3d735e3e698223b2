use ananke_model::plan::Plan;
use ananke_model::result::TestResult;
use ananke_model::run_event::{RunEvent, RunInfo, Summary};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{JudgeOptions, Lookup, Recordings, judge, judge_test};
use crate::dispatch::{Repeat, RunOptions};
use crate::session::FlakyResult;
use crate::testing::{Project, agent, options, run_live, shown, variables};

/// An agent with every kind of answer.
fn script() -> Value {
    json!({"rules": [
        {"when": {"user_contains": "fail"}, "reply": [{"error": {"message": "quota exceeded", "code": "Q1"}}]},
        {"when": {"user_contains": "http"}, "reply": [{"http": {"status": 429, "headers": {"retry-after": "7"}}}]},
        {"when": {"user_contains": "stall"}, "reply": [{"text": "wait"}, "stall"]},
        {"when": {"user_contains": "cut"}, "reply": [{"text": "half"}, "truncate"]},
        {"when": {"user_contains": "moody"}, "times": 2, "reply": [{"text": "sorry"}]},
        {"when": {"user_contains": "ask"}, "reply": [{"interrupt": {"id": "i1", "reason": "confirm"}}]},
        {"when": {"user_contains": "tool"}, "reply": [
            {"tool": {"name": "search", "args": {"q": "shoes"}, "result": {"n": 3}}}, {"text": "done"}
        ]},
        {"reply": [{"text": "done"}]},
    ]})
}

const TESTS: &[(&str, &str)] = &[
    (
        "checked",
        "turns: [{user: a tool, assert: {tools: {require: [{name: search}]}}}, {user: b}]\nassert: {text: {must_match: done}, timing: {max_duration_ms: 30000}}\n",
    ),
    ("cut", "turns: [{user: cut}, {user: never}]\n"),
    ("error", "turns: [{user: a}, {user: fail}, {user: never}]\n"),
    (
        "expected-in-test",
        "turns: [{user: fail}, {user: never}]\nassert: {error: quota}\n",
    ),
    (
        "expected-in-turn",
        "turns: [{user: fail, assert: {error: Q1|quota}}, {user: b}]\n",
    ),
    (
        "failed",
        "turns: [{user: a}]\nassert: {text: {must_match: zzz}}\n",
    ),
    (
        "failed-early",
        "turns: [{user: a, assert: {text: {must_match: zzz}}}, {user: never}]\n",
    ),
    (
        "flaky",
        "turns: [{user: moody, assert: {text: {must_match: done}}}]\n",
    ),
    (
        "hook",
        "hooks: [{cmd: [echo, '{\"ORDER\": {\"id\": 7}, \"WORD\": \"done\"}']}]\nturns: [{user: \"order ${ORDER} at ${SHOP}\"}]\nassert: {text: {must_match: \"^${WORD}$\"}}\n",
    ),
    (
        "hook-failed",
        "hooks: [{cmd: [cat, /nowhere]}]\nturns: [{user: a}]\n",
    ),
    ("http", "turns: [{user: http}]\n"),
    ("skipped", "skip: not in ${SHOP}\nturns: [{user: a}]\n"),
    ("stall", "timeout_ms: 60\nturns: [{user: stall}]\n"),
    (
        "undefined",
        "hooks: [{cmd: [\"true\"]}]\nturns: [{user: \"${NOBODY}\"}]\n",
    ),
    (
        "unreachable",
        "target: {endpoint: 'http://127.0.0.1:1/'}\nturns: [{user: a}]\n",
    ),
];

/// Records all tests live, with two retries.
async fn recorded(tests: &[(&str, &str)], flaky_result: FlakyResult) -> (Project, Vec<TestResult>) {
    let agent = agent(script()).await;
    let project = Project::new(&agent.url, tests);
    let options = RunOptions {
        retries: 2,
        flaky_result,
        ..options()
    };
    let (results, _) = run_live(&project.plan(), options).await;
    (project, results)
}

fn judge_options(lookup: Lookup) -> JudgeOptions {
    JudgeOptions {
        variables: variables(),
        lookup,
        flaky_result: FlakyResult::Pass,
        min_pass_rate: None,
        info: RunInfo {
            run_id: "20261115-115353-00000000".to_owned(),
            started_at_ms: 7,
            ..RunInfo::default()
        },
        duration_us: 1234,
        is_interrupted: false,
    }
}

/// Judges recordings; returns the results, the other events, and the totals.
fn judged(
    plan: &Plan,
    results: &[TestResult],
    options: JudgeOptions,
) -> (Vec<TestResult>, String, Summary) {
    let (mut seen, mut other) = (Vec::new(), Vec::new());
    let outcome = judge(
        plan,
        Recordings::new(results.to_vec()),
        options,
        &mut |event| match event {
            RunEvent::RunStarted(info) => {
                other.push(format!("{} tests at {}", info.total, info.started_at_ms));
            }
            RunEvent::TestFinished { index, result } => {
                assert_eq!(index, seen.len());
                seen.push(*result);
            }
            RunEvent::Notice(notice) => other.push(notice),
            RunEvent::RunFinished(summary) => other.push(format!("{}µs", summary.duration_us)),
            RunEvent::TestStarted { .. } | RunEvent::TestSlow { .. } => {}
        },
    );
    (seen, other.join("\n"), outcome.summary)
}

/// Records `before`, writes `after` in its place, and judges.
async fn edited(before: &str, after: &str) -> String {
    let (project, results) = recorded(&[("a", before)], FlakyResult::Pass).await;
    project.test("a", after);
    let (judged, _, _) = judged(&project.plan(), &results, judge_options(Lookup::ById));
    shown(&judged)
}

#[tokio::test]
async fn an_unchanged_test_gets_the_same_result() {
    for flaky_result in [FlakyResult::Pass, FlakyResult::Fail] {
        let (project, results) = recorded(TESTS, flaky_result).await;
        let plan = project.plan();
        for (test, result) in plan.tests.iter().zip(&results) {
            let again = judge_test(
                test,
                result.clone(),
                &variables(),
                flaky_result,
                Repeat::default(),
            );
            assert_eq!(again, *result, "{}", test.id);
        }
        for lookup in [Lookup::ById, Lookup::ByConversation] {
            let options = JudgeOptions {
                flaky_result,
                ..judge_options(lookup)
            };
            let (again, other, _) = judged(&plan, &results, options);
            assert_eq!(again, results);
            assert_eq!(other, "15 tests at 7\n1234µs");
        }
    }
}

#[tokio::test]
async fn what_was_recorded_is_what_the_tests_below_rely_on() {
    let (_project, results) = recorded(TESTS, FlakyResult::Pass).await;
    let lines = results.iter().map(|result| {
        let (n_attempts, n_turns) = (1 + result.earlier.len(), result.turns.len());
        let status = result.status.word();
        format!(
            "{} {status}, {n_attempts} attempts, {n_turns} turns",
            result.id
        )
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    checked.test.yaml PASSED, 1 attempts, 2 turns
    cut.test.yaml ERROR, 3 attempts, 1 turns
    error.test.yaml ERROR, 3 attempts, 2 turns
    expected-in-test.test.yaml PASSED, 1 attempts, 1 turns
    expected-in-turn.test.yaml PASSED, 1 attempts, 2 turns
    failed-early.test.yaml FAILED, 3 attempts, 1 turns
    failed.test.yaml FAILED, 3 attempts, 1 turns
    flaky.test.yaml PASSED, 3 attempts, 1 turns
    hook-failed.test.yaml ERROR, 3 attempts, 0 turns
    hook.test.yaml PASSED, 1 attempts, 1 turns
    http.test.yaml ERROR, 3 attempts, 1 turns
    skipped.test.yaml SKIPPED, 1 attempts, 0 turns
    stall.test.yaml TIMEOUT, 3 attempts, 1 turns
    undefined.test.yaml ERROR, 3 attempts, 0 turns
    unreachable.test.yaml ERROR, 3 attempts, 1 turns
    ");
}

#[tokio::test]
async fn other_demands_give_another_verdict() {
    let turns = "turns: [{user: a}, {user: b}]\n";
    let demand = |pattern: &str| format!("{turns}assert: {{text: {{must_match: {pattern}}}}}\n");
    assert_snapshot!(edited(&demand("done"), &demand("zzz")).await, @"the a test: FAILED [text.must_match /zzz/] · 2 turns, 1 checks");
    assert_snapshot!(edited(&demand("zzz"), &demand("done")).await, @"the a test: PASSED · 2 turns, 1 checks");
    // A turn that fails now ends the test, whatever was recorded after it.
    let early = "turns: [{user: a, assert: {text: {must_match: zzz}}}, {user: b}]\n";
    assert_snapshot!(edited(&demand("done"), early).await, @"the a test: FAILED [text.must_match /zzz/] · 1 turns, 1 checks");
}

#[tokio::test]
async fn another_conversation_is_an_error_that_shows_both() {
    let before = "turns: [{user: a}, {user: b}]\n";
    assert_snapshot!(edited(before, "turns: [{user: a}, {user: B}]\n").await, @r#"
    the a test: ERROR turn 2 is not the recorded one · 1 turns, 0 checks
        turn 2 now:      user "B"
        turn 2 recorded: user "b"
        run the test against the agent to record it
    "#);
    assert_snapshot!(edited(before, "turns: [{user: a}, {type: agui:connect}]\n").await, @r#"
    the a test: ERROR turn 2 is not the recorded one · 1 turns, 0 checks
        turn 2 now:      agui:connect
        turn 2 recorded: user "b"
        run the test against the agent to record it
    "#);
    assert_snapshot!(edited(before, "turns: [{user: a}, {user: b}, {user: c}]\n").await, @r#"
    the a test: ERROR turn 3 was not recorded · 2 turns, 0 checks
        turn 3 now: user "c"
        the recorded test had 2 turns
        run the test against the agent to record it
    "#);
    assert_snapshot!(edited(before, "turns: [{user: a}]\n").await, @"
    the a test: PASSED · 1 turns, 0 checks
        the recording has 2 turns, the test has 1 turn now: what was said later is not judged
    ");
}

#[tokio::test]
async fn another_request_is_an_error_too() {
    let turns = "turns: [{user: a}]\n";
    let with = |keys: &str| format!("target: {{{keys}}}\n{turns}");
    assert_snapshot!(edited(&with("state: {x: 1}"), &with("state: {x: 2}")).await, @"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      state/x: 2
        turn 1 recorded: state/x: 1
        run the test against the agent to record it
    ");
    assert_snapshot!(edited(turns, &with("state: {x: 1}")).await, @"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      state/x: 1
        turn 1 recorded: no state/x
        run the test against the agent to record it
    ");
    assert_snapshot!(edited(&with("forwardedProps: {model: a}"), turns).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      no forwardedProps/model
        turn 1 recorded: forwardedProps/model: "a"
        run the test against the agent to record it
    "#);
    let context = |value: &str| with(&format!("context: [{{description: who, value: {value}}}]"));
    assert_snapshot!(edited(&context("ada"), &context("bob")).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      context/0/value: "bob"
        turn 1 recorded: context/0/value: "ada"
        run the test against the agent to record it
    "#);
    let tool = |keys: &str| with(&format!("tools: [{{name: pay, description: pays{keys}}}]"));
    assert_snapshot!(edited(&tool(""), &tool(", parameters: {type: object}")).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      tools/0/parameters: {"type":"object"}
        turn 1 recorded: no tools/0/parameters
        run the test against the agent to record it
    "#);
    assert_snapshot!(edited(&with("threadId: a"), &with("threadId: b")).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      threadId: "b"
        turn 1 recorded: threadId: "a"
        run the test against the agent to record it
    "#);
    // What is generated, and what the protocol says about itself, may differ.
    assert_snapshot!(edited(&with("threadId: a"), turns).await, @"the a test: PASSED · 1 turns, 0 checks");
    assert_snapshot!(edited(&with("history: full"), &with("history: last")).await, @"the a test: PASSED · 1 turns, 0 checks");
    assert_snapshot!(edited(&context("\"${SHOP}\""), &context("Corner")).await, @"the a test: PASSED · 1 turns, 0 checks");
}

#[tokio::test]
async fn the_answer_to_an_interrupt_and_the_agent_in_an_envelope_belong_to_the_request() {
    let resume = |keys: &str| format!("turns: [{{user: ask}}, {{type: agui:resume{keys}}}]\n");
    assert_snapshot!(edited(&resume(", payload: {ok: true}"), &resume(", payload: {ok: false}")).await, @"
    the a test: ERROR turn 2 is not the recorded one · 1 turns, 0 checks
        turn 2 now:      resume/payload/ok: false
        turn 2 recorded: resume/payload/ok: true
        run the test against the agent to record it
    ");
    assert_snapshot!(edited(&resume(""), &resume(", status: cancelled")).await, @r#"
    the a test: ERROR turn 2 is not the recorded one · 1 turns, 0 checks
        turn 2 now:      resume/status: "cancelled"
        turn 2 recorded: resume/status: "resolved"
        run the test against the agent to record it
    "#);
    assert_snapshot!(edited(&resume(", payload: {ok: true}"), &resume(", payload: {ok: true}")).await, @"the a test: PASSED · 2 turns, 0 checks");
    let agent = |id: &str| {
        format!("target: {{envelope: copilotkit, agentId: {id}}}\nturns: [{{user: a}}]\n")
    };
    assert_snapshot!(edited(&agent("one"), &agent("two")).await, @r#"
    the a test: ERROR turn 1 is not the recorded one · 0 turns, 0 checks
        turn 1 now:      agentId: "two"
        turn 1 recorded: agentId: "one"
        run the test against the agent to record it
    "#);
    assert_snapshot!(edited(&agent("one"), &agent("one")).await, @"the a test: PASSED · 1 turns, 0 checks");
}

#[tokio::test]
async fn a_recording_that_ended_early_is_not_enough_for_a_test_that_goes_on() {
    let before = "turns: [{user: a, assert: {text: {must_match: zzz}}}, {user: b}]\n";
    let after = "turns: [{user: a, assert: {text: {must_match: done}}}, {user: b}]\n";
    assert_snapshot!(edited(before, after).await, @r#"
    the a test attempt 1: ERROR turn 2 was not recorded · 1 turns, 1 checks
    the a test attempt 2: ERROR turn 2 was not recorded · 1 turns, 1 checks
    the a test: ERROR turn 2 was not recorded · 1 turns, 1 checks
        turn 2 now: user "b"
        the recorded test ended before it: FAILED
        run the test against the agent to record it
    "#);
}

#[tokio::test]
async fn attempts_are_gone_through_as_if_they_were_made_now() {
    let before = "turns: [{user: moody, assert: {text: {must_match: done}}}]\n";
    assert_snapshot!(edited(before, &before.replace("done", "sorry")).await, @"the a test: PASSED · 1 turns, 1 checks");
    assert_snapshot!(edited(before, &before.replace("done", "zzz")).await, @"
    the a test attempt 1: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    the a test attempt 2: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    the a test: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    ");
}

#[tokio::test]
async fn skip_may_come_and_go() {
    let (with, without) = ("skip: later\nturns: [{user: a}]\n", "turns: [{user: a}]\n");
    assert_snapshot!(edited(without, with).await, @"the a test: SKIPPED later · 0 turns, 0 checks");
    assert_snapshot!(edited(with, without).await, @"
    the a test: ERROR no recording: the test was skipped when it was recorded · 0 turns, 0 checks
        run the test against the agent to record it
    ");
    assert_snapshot!(edited(with, "skip: never\nturns: [{user: a}]\n").await, @"the a test: SKIPPED never · 0 turns, 0 checks");
}

#[tokio::test]
async fn a_test_without_a_recording_is_an_error() {
    let test = "turns: [{user: a}]\n";
    let (project, results) = recorded(&[("a", test), ("b", test)], FlakyResult::Pass).await;
    project.remove("a");
    project.test("d", test);
    project.test("e", "skip: later\nturns: [{user: a}]\n");
    let (again, _, summary) = judged(&project.plan(), &results, judge_options(Lookup::ById));
    assert_snapshot!(shown(&again), @"
    the b test: PASSED · 1 turns, 0 checks
    the d test: ERROR no recording of this test · 0 turns, 0 checks
        run the test against the agent to record it
    the e test: SKIPPED later · 0 turns, 0 checks
    ");
    assert_eq!((summary.passed, summary.errors, summary.skipped), (1, 1, 1));
}

/// Records two conversations, and replays others.
async fn replayed(tests: &[(&str, &str)]) -> String {
    let recordings = [
        (
            "cancel",
            "turns: [{user: Find my order}, {user: Cancel the order 42}]\nassert: {text: {must_match: done}}\n",
        ),
        ("shoes", "turns: [{user: I want shoes}]\n"),
    ];
    let (project, results) = recorded(&recordings, FlakyResult::Pass).await;
    for (id, _) in recordings {
        project.remove(id);
    }
    for (id, test) in tests {
        project.test(id, test);
    }
    let options = judge_options(Lookup::ByConversation);
    shown(&judged(&project.plan(), &results, options).0)
}

#[tokio::test]
async fn any_recording_of_the_same_conversation_is_replayed() {
    let test = "turns: [{user: I want shoes}]\nassert: {text: {must_match: zzz}}\n";
    assert_snapshot!(replayed(&[("renamed", test), ("twice", test)]).await, @"
    the renamed test: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    the twice test: FAILED [text.must_match /zzz/] · 1 turns, 1 checks
    ");
}

#[tokio::test]
async fn a_missing_recording_shows_the_nearest_and_what_differs() {
    assert_snapshot!(replayed(&[("a", "turns: [{user: Find my order}, {user: Cancel the order 43}]\n")]).await, @r#"
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: cancel.test.yaml (the cancel test)
        turn 2 now:      user "Cancel the order 43"
        turn 2 recorded: user "Cancel the order 42"
        run the test against the agent to record it
    "#);
    assert_snapshot!(replayed(&[("shoes", "turns: [{user: I want boots}]\n")]).await, @r#"
    the shoes test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: shoes.test.yaml (the shoes test)
        turn 1 now:      user "I want boots"
        turn 1 recorded: user "I want shoes"
        run the test against the agent to record it
    "#);
    assert_snapshot!(replayed(&[("a", "turns: [{user: I want shoes}, {user: Blue ones}]\n")]).await, @"
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: shoes.test.yaml (the shoes test)
        the test has 2 turns, the recording 1 turn
        run the test against the agent to record it
    ");
    assert_snapshot!(replayed(&[("a", "turns: [{user: Grüße}]\n")]).await, @"
    the a test: ERROR no recording of this conversation · 0 turns, 0 checks
        nothing like it was recorded
        run the test against the agent to record it
    ");
}

#[tokio::test]
async fn of_the_same_words_the_recording_with_the_same_request_is_replayed() {
    let test = |x: u8| format!("target: {{state: {{x: {x}}}}}\nturns: [{{user: hi}}]\n");
    let (one, two) = (test(1), test(2));
    let recordings = [("one", one.as_str()), ("two", two.as_str())];
    let (project, results) = recorded(&recordings, FlakyResult::Pass).await;
    project.test("one", &two);
    project.test("two", &test(3));
    let options = judge_options(Lookup::ByConversation);
    let (again, _, _) = judged(&project.plan(), &results, options);
    assert_snapshot!(shown(&again), @"
    the one test: PASSED · 1 turns, 0 checks
    the two test: ERROR no recording of this conversation · 0 turns, 0 checks
        nearest recording: two.test.yaml (the two test)
        turn 1 now:      state/x: 3
        turn 1 recorded: state/x: 2
        run the test against the agent to record it
    ");
}

#[tokio::test]
async fn a_test_that_a_cut_run_never_came_to_stays_not_run() {
    let test = "turns: [{user: a}]\n";
    let (project, mut results) = recorded(&[("a", test)], FlakyResult::Pass).await;
    let cut = &mut results[0];
    cut.turns.clear();
    cut.status = ananke_model::result::TestStatus::Skipped;
    cut.reason = Some(ananke_model::result::CUT_SHORT.to_owned());
    (cut.name, cut.n_turns) = (cut.id.0.clone(), 0);
    for lookup in [Lookup::ById, Lookup::ByConversation] {
        let (again, _, _) = judged(&project.plan(), &results, judge_options(lookup));
        assert_eq!(
            shown(&again),
            "the a test: SKIPPED not run: the run was cut short · 0 turns, 0 checks"
        );
    }
}

#[tokio::test]
async fn what_hooks_gave_belongs_to_the_conversation() {
    let test = "hooks: [{cmd: [echo, '{\"N\": 5}']}]\nturns: [{user: \"order ${N}\"}]\nassert: {text: {must_match: done}}\n";
    let (project, results) = recorded(&[("a", test)], FlakyResult::Pass).await;
    project.remove("a");
    project.test("renamed", test);
    let options = judge_options(Lookup::ByConversation);
    let (again, _, _) = judged(&project.plan(), &results, options);
    assert_snapshot!(shown(&again), @"the renamed test: PASSED · 1 turns, 1 checks");
}
