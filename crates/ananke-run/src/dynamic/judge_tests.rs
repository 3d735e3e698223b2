//! Recorded conversations, judged by checkpoints that were edited since. Nobody is asked: the agents are gone.

use ananke_model::result::TestResult;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::testing::{Play, again, case, shown, simulates};
use crate::dispatch::RunOptions;
use crate::judge::Lookup;
use crate::testing::options;

fn echo() -> Value {
    json!({"rules": [
        {"when": {"user_contains": "one"}, "reply": [{"text": "first"}]},
        {"when": {"user_contains": "two"}, "reply": [{"text": "second"}]},
        {"reply": [{"text": "third"}]},
    ]})
}

fn counts() -> Value {
    simulates(&[
        r#"{"input": "one"}"#,
        r#"{"input": "two"}"#,
        r#"{"input": "three"}"#,
        r#"{"goal_achieved": true, "reasoning": "enough"}"#,
    ])
}

/// Returns checkpoints that want these words, one each.
fn wants(words: &[&str]) -> String {
    let entries = words.iter().map(|word| {
        format!(r#"{{"id": "{word}", "assert": {{"type": "contains", "value": "{word}"}}}}"#)
    });
    let entries: Vec<String> = entries.collect();
    format!("\"checkpoints\": [{}]", entries.join(", "))
}

/// Records one case and judges it as if it had been written differently.
struct Edited {
    play: Play,
    recorded: TestResult,
}

impl Edited {
    async fn new(keys: &str) -> Self {
        let play = Play::new(echo(), counts(), &case(keys)).await;
        let recorded = play.run(options()).await.remove(0);
        Self { play, recorded }
    }

    fn as_if(&self, keys: &str) -> String {
        let plan = self.play.edit(&case(keys));
        shown(&again(&plan, &self.recorded, Lookup::ById))
    }
}

#[tokio::test]
async fn edited_checkpoints_are_judged_by_the_recording() {
    let edited = Edited::new(&wants(&["second"])).await;
    assert_snapshot!(edited.as_if(&wants(&["first"])), @"
    PASSED
      the recording has 2 turns, the test has 1 turn now: what was said later is not judged
    1 simulator: one -> first
    first: turn 1 [contains Passed @4]
    ");
    assert_snapshot!(edited.as_if(&wants(&["first", "second"])), @"
    PASSED
    1 simulator: one -> first
    2 simulator: two -> second
    first: turn 1 [contains Passed @4]
    second: turn 2 [contains Passed @4]
    ");
    // It ended because what was wanted then was reached; what would have come next nobody knows.
    assert_snapshot!(edited.as_if(&wants(&["second", "third"])), @"
    ERROR turn 3 was not recorded
      missing checkpoints: third
      the recorded conversation ended after 2 turns
      run the test against the agent to record it
    1 simulator: one -> first
    2 simulator: two -> second
    second: turn 2 [contains Passed @4]
    third: not reached [contains Failed]
    ");
}

#[tokio::test]
async fn a_conversation_that_its_simulator_ended_can_be_judged_by_anything() {
    let edited = Edited::new(&wants(&["first", "zzz"])).await;
    assert_snapshot!(edited.as_if(&wants(&["first", "zzz"])), @"
    FAILED missing checkpoints: zzz
      the simulator: enough
    1 simulator: one -> first
    2 simulator: two -> second
    3 simulator: three -> third
    first: turn 1 [contains Passed @4]
    zzz: not reached [contains Failed]
    ");
    assert_snapshot!(edited.as_if(&wants(&["xxx", "third", "yyy"])), @"
    FAILED missing checkpoints: xxx, yyy
      the simulator: enough
    1 simulator: one -> first
    2 simulator: two -> second
    3 simulator: three -> third
    xxx: not reached [contains Failed]
    third: turn 3 [contains Passed @4]
    yyy: not reached [contains Failed]
    ");
    assert_snapshot!(edited.as_if(&wants(&["third"])), @"
    PASSED
    1 simulator: one -> first
    2 simulator: two -> second
    3 simulator: three -> third
    third: turn 3 [contains Passed @4]
    ");
}

#[tokio::test]
async fn limits_are_those_of_now() {
    let edited = Edited::new(&format!("\"max_turns\": 2, {}", wants(&["zzz"]))).await;
    assert_snapshot!(edited.as_if(&format!("\"max_turns\": 1, {}", wants(&["zzz"]))), @"
    FAILED max turns (1) exceeded
      missing checkpoints: zzz
      the recording has 2 turns, the test has 1 turn now: what was said later is not judged
    1 simulator: one -> first
    zzz: not reached [contains Failed]
    ");
    assert_snapshot!(edited.as_if(&wants(&["zzz"])), @"
    ERROR turn 3 was not recorded
      missing checkpoints: zzz
      the recorded conversation ended after 2 turns
      run the test against the agent to record it
    1 simulator: one -> first
    2 simulator: two -> second
    zzz: not reached [contains Failed]
    ");
}

#[tokio::test]
async fn who_begins_is_part_of_the_test() {
    let wants = wants(&["second"]);
    let edited = Edited::new(&wants).await;
    assert_snapshot!(edited.as_if(&format!("\"input\": \"one\", {wants}")), @"
    PASSED
    1 simulator: one -> first
    2 simulator: two -> second
    second: turn 2 [contains Passed @4]
    ");
    assert_snapshot!(edited.as_if(&format!("\"input\": \"hello\", {wants}")), @r#"
    ERROR turn 1 is not the recorded one
      turn 1 now:      user "hello"
      turn 1 recorded: user "one"
      run the test against the agent to record it
    second: not reached
    "#);
    let edited = Edited::new(&format!("\"input\": \"one\", {wants}")).await;
    assert_snapshot!(edited.as_if(&wants), @r#"
    ERROR turn 1 is not the recorded one
      turn 1 now:      what the simulator says
      turn 1 recorded: user "one"
      run the test against the agent to record it
    second: not reached
    "#);
}

#[tokio::test]
async fn a_replay_needs_the_recording_of_the_case_itself() {
    let edited = Edited::new(&wants(&["first"])).await;
    let other = case(&wants(&["first"])).replace("T1", "T2");
    let plan = edited.play.edit(&other);
    assert_snapshot!(shown(&again(&plan, &edited.recorded, Lookup::ByConversation)), @"
    ERROR no recording of this conversation
      nothing like it was recorded
      run the test against the agent to record it
    ");
}

#[tokio::test]
async fn every_run_is_judged() {
    let play = Play::new(echo(), counts(), &case(&wants(&["first", "second"]))).await;
    let options = RunOptions {
        runs: 3,
        ..options()
    };
    let recorded = play.run(options).await.remove(0);
    assert_eq!(recorded.other_runs.len(), 2);
    let plan = play.project.plan();
    assert_eq!(again(&plan, &recorded, Lookup::ById), recorded);
    let plan = play.edit(&case(&wants(&["first", "zzz"])));
    let judged = again(&plan, &recorded, Lookup::ById);
    assert!(judged.runs().iter().all(|run| run.status.is_failure()));
}

#[tokio::test]
async fn who_led_the_conversation_is_told_if_it_is_another_now() {
    let led = |by: &str, goal: &str| {
        let wants = wants(&["second"]);
        format!(
            r#"{{"id": "T1", "simulator": {{"use": "{by}", "options": {{"metadata": {{"goal": "{goal}"}}}}}}, {wants}}}"#
        )
    };
    let play = Play::new(echo(), counts(), &led("user", "count")).await;
    let recorded = play.run(options()).await.remove(0);
    let warned = |by: &str, goal: &str| {
        let plan = play.edit(&led(by, goal));
        again(&plan, &recorded, Lookup::ById).warnings.join("; ")
    };
    assert_snapshot!(warned("user", "count"), @"");
    assert_snapshot!(warned("nobody", "count"), @"the conversation was led by `user`; the case names `nobody` now");
    assert_snapshot!(warned("user", "sum up"), @"the conversation was led by `user` with the goal `count`; the case names `user` with the goal `sum up` now");
}
