//! Conversations that a simulator led, and what judges said.

use std::sync::Arc;

use ananke_model::agent::{CheckpointResult, Opinion, Sample, Simulated};
use ananke_model::case::Case;
use ananke_model::recording::Turn;
use ananke_model::result::{CheckResult, Outcome, TestResult, TestStatus};
use serde_json::{Value, json};

use super::results::{HOSTILE, call, case, check, contains, hostile, judged, turn};

/// Returns a case that a simulator led past three checkpoints; `confirm` is the last, reached in the third turn if it
/// passed. A fourth, optional one is never reached.
pub(crate) fn dynamic(id: &str, status: TestStatus) -> TestResult {
    let is_passed = status == TestStatus::Passed;
    let mut first = turn("Help me file an expense", "What type?");
    let mut second = played("Client dinner, $250", "Confirm?");
    second.tool_calls = vec![call("create_expense", r#"{"amount": 250}"#, Some("ok"))];
    let said = if is_passed { "Submitted!" } else { "Really?" };
    let third = played("Yes", said);
    first.timing.total_us = 800_000;
    let turns = [first, second, third].map(|turn| judged(turn, Vec::new()));
    let mut called = check("tool_called", "create_expense", Outcome::Passed);
    called.event = Some(1);
    let confirmed = if is_passed {
        Outcome::Passed
    } else {
        Outcome::Failed
    };
    let mut asks = reached("ask_type", 1, vec![contains("type", Outcome::Passed)]);
    asks.description = Some("Agent asks for expense type".to_owned());
    let mut confirm = CheckpointResult {
        description: Some("Agent confirms submission".to_owned()),
        ..reached("confirm", 3, vec![contains("submitted", confirmed)])
    };
    if !is_passed {
        confirm.reached_at_turn = None;
    }
    let thanks = CheckpointResult {
        required: false,
        reached_at_turn: None,
        ..reached("thanks", 3, vec![contains("thanks", Outcome::Failed)])
    };
    TestResult {
        name: "Expense Coverage".to_owned(),
        reason: (!is_passed).then(|| "missing checkpoints: confirm".to_owned()),
        turns: turns.into(),
        n_turns: 3,
        checks: Vec::new(),
        duration_us: 8_500_000,
        checkpoints: vec![
            asks,
            reached("call_create", 2, vec![called]),
            confirm,
            thanks,
        ],
        case: Some(Arc::new(Case {
            id: id.to_owned(),
            input: Value::Null,
            ..Case::default()
        })),
        ..case(id, status, "")
    }
}

/// Returns the same, but `confirm` was not reached.
pub(crate) fn dynamic_failed(id: &str) -> TestResult {
    dynamic(id, TestStatus::Failed)
}

fn reached(id: &str, turn: usize, checks: Vec<CheckResult>) -> CheckpointResult {
    CheckpointResult {
        id: id.to_owned(),
        description: None,
        required: true,
        reached_at_turn: Some(turn),
        checks,
    }
}

/// Returns a turn whose message a simulator wrote.
fn played(user: &str, text: &str) -> Turn {
    Turn {
        simulated: Some(Simulated {
            input: user.to_owned(),
            goal_achieved: false,
            reasoning: Some("The agent needs an answer".to_owned()),
            by: None,
        }),
        ..turn(user, text)
    }
}

fn sample(passed: Option<bool>, reason: &str) -> Sample {
    Sample {
        passed,
        reason: reason.to_owned(),
        answer: match passed {
            Some(passed) => json!({"passed": passed, "reason": reason, "score": 0.4}),
            None => json!("I would say so"),
        },
        duration_us: 420_000,
    }
}

/// Returns what `tone-judge` said about `output`: two against, one without a verdict.
fn opinion(output: &str) -> Opinion {
    let about = json!({
        "agent": "tone-judge", "criteria": "The answer is polite", "metadata": {}, "output": output,
    });
    Opinion {
        about,
        samples: vec![
            sample(Some(false), "It is curt"),
            sample(None, "the answer holds no JSON object"),
            sample(Some(false), "No greeting"),
        ],
        ..Opinion::default()
    }
}

/// Adds a check that `tone-judge` decided against, with what it said, to the whole of `result`.
pub(crate) fn with_opinion(mut result: TestResult) -> TestResult {
    let Some(last) = result.turns.last_mut() else {
        return result;
    };
    let opinion = opinion(&last.turn.text);
    let mut unmet = contains("", Outcome::Failed);
    unmet.check = "agent".to_owned();
    unmet.subject = "tone-judge".to_owned();
    unmet.expected = "an output that `tone-judge` accepts".to_owned();
    unmet.actual = "refused by 2 of 3: It is curt".to_owned();
    unmet.details = vec!["no verdict: the answer holds no JSON object".to_owned()];
    unmet.value = Some(json!("The answer is polite"));
    unmet.samples = opinion.samples.clone();
    last.turn.opinions = vec![opinion];
    result.status = TestStatus::Failed;
    result.checks.push(unmet);
    result
}

/// Returns a dynamic case and an opinion whose every text is [`HOSTILE`].
pub(crate) fn hostile_dynamic(id: &str) -> TestResult {
    let mut result = with_opinion(hostile(id));
    for opinion in &mut result.turns[0].turn.opinions {
        opinion.about = json!({"agent": HOSTILE, "criteria": HOSTILE, "metadata": {HOSTILE: HOSTILE}, "output": HOSTILE});
        for sample in &mut opinion.samples {
            sample.reason = HOSTILE.to_owned();
            sample.answer = HOSTILE.into();
        }
    }
    for unmet in &mut result.checks {
        unmet.subject = HOSTILE.to_owned();
        unmet.actual = HOSTILE.to_owned();
        unmet.details = vec![HOSTILE.to_owned()];
        for sample in &mut unmet.samples {
            sample.reason = HOSTILE.to_owned();
        }
    }
    let turn = &mut result.turns[0];
    turn.turn.simulated = Some(Simulated {
        input: HOSTILE.to_owned(),
        goal_achieved: true,
        reasoning: Some(HOSTILE.to_owned()),
        by: None,
    });
    result.checkpoints = [Some(1), None]
        .map(|at| CheckpointResult {
            id: HOSTILE.to_owned(),
            description: Some(HOSTILE.to_owned()),
            required: true,
            reached_at_turn: at,
            checks: turn.checks.clone(),
        })
        .into();
    result
}
