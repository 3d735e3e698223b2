//! Cases that a simulator led past checkpoints, with what judges said, and text that wants out.

use std::sync::Arc;

use ananke_model::agent::{CheckpointResult, Opinion, Sample, Simulated};
use ananke_model::case::Case;
use ananke_model::plan::TestId;
use ananke_model::result::{CheckResult, JudgedTurn, Outcome, TestResult, TestStatus};
use serde_json::{Value, json};

use super::result::{check, test};
use super::script::Script;

/// The file that holds the cases.
const FILE: &str = "tests/expense.jsonl";

/// What an agent, a simulator or a judge that wants out of its text node might say.
const HOSTILE: &str =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> \u{202e}x\u{202c}";

/// Returns a case that passed, one that did not reach its last checkpoint, one that wants out, and one that never began.
pub(crate) fn dynamic_tests() -> Vec<TestResult> {
    vec![reached(), missed(), hostile(), unanswered()]
}

fn led(id: &str, name: &str, status: TestStatus, turns: Vec<JudgedTurn>) -> TestResult {
    TestResult {
        id: TestId(format!("{FILE}#{id}")),
        file: FILE.to_owned(),
        case: Some(Arc::new(Case {
            id: id.to_owned(),
            input: Value::Null,
            ..Case::default()
        })),
        ..test(id, name, status, turns)
    }
}

fn checkpoint(id: &str, turn: Option<usize>, checks: Vec<CheckResult>) -> CheckpointResult {
    CheckpointResult {
        id: id.to_owned(),
        description: None,
        required: true,
        reached_at_turn: turn,
        checks,
    }
}

fn played(mut judged: JudgedTurn, reasoning: &str) -> JudgedTurn {
    judged.turn.simulated = Some(Simulated {
        input: judged.turn.user.clone().unwrap_or_default(),
        goal_achieved: false,
        reasoning: Some(reasoning.to_owned()),
        by: None,
    });
    judged
}

fn samples(verdicts: &[(Option<bool>, &str)]) -> Vec<Sample> {
    let samples = verdicts.iter().map(|(passed, reason)| Sample {
        passed: *passed,
        reason: (*reason).to_owned(),
        answer: Value::Null,
        duration_us: 640_000,
    });
    samples.collect()
}

fn judged_by(samples: &[Sample], outcome: Outcome, actual: &str) -> CheckResult {
    CheckResult {
        samples: samples.to_vec(),
        value: Some(json!("The agent confirms politely")),
        ..check(
            "agent",
            "tone-judge",
            outcome,
            "an output that `tone-judge` accepts",
            actual,
        )
    }
}

fn opinion(samples: Vec<Sample>) -> Opinion {
    let about = json!({"agent": "tone-judge", "criteria": "The agent confirms politely", "metadata": {}, "output": ""});
    Opinion {
        about,
        samples,
        ..Opinion::default()
    }
}

fn conversation() -> Vec<JudgedTurn> {
    let first = Script::new("Help me file an expense").say(180_000, "What type of expense is it?");
    let second = Script::new("Client dinner, $250")
        .call(
            "create_expense",
            r#"{"type": "meal", "amount": 250}"#,
            310_000,
            Some(r#"{"id": "EXP-1"}"#),
        )
        .say(90_000, "I have created EXP-1. Shall I submit it?");
    vec![
        first.end(Vec::new()),
        played(second.end(Vec::new()), "The agent wants to know the type"),
    ]
}

fn asks_and_creates() -> Vec<CheckpointResult> {
    let mut called = check(
        "tool_called",
        "create_expense",
        Outcome::Passed,
        "a call of \"create_expense\"",
        "1 call",
    );
    called.event = Some(1);
    let text = check(
        "contains",
        "type",
        Outcome::Passed,
        "text containing \"type\"",
        "found",
    );
    vec![
        CheckpointResult {
            description: Some("Agent asks for the type".to_owned()),
            ..checkpoint("ask_type", Some(1), vec![text])
        },
        checkpoint("call_create", Some(2), vec![called]),
    ]
}

fn reached() -> TestResult {
    let said = samples(&[
        (Some(true), "It thanks the user"),
        (Some(true), "Clear and friendly"),
        (Some(false), "A little short"),
    ]);
    let mut turns = conversation();
    let third = Script::new("Yes, please").say(120_000, "Submitted, thank you!");
    let mut third = played(third.end(Vec::new()), "All is said");
    third.turn.opinions = vec![opinion(said.clone())];
    turns.push(third);
    let mut result = led("expense", "Expense coverage", TestStatus::Passed, turns);
    let actual = "accepted by 2 of 3: It thanks the user";
    let confirmed = judged_by(&said, Outcome::Passed, actual);
    result.checkpoints = asks_and_creates();
    result
        .checkpoints
        .push(checkpoint("confirm", Some(3), vec![confirmed.clone()]));
    result.checks = vec![confirmed];
    result
}

fn missed() -> TestResult {
    let said = samples(&[
        (Some(false), "It is curt"),
        (None, "the answer holds no JSON object"),
        (Some(false), "Nothing is confirmed"),
    ]);
    let mut turns = conversation();
    let third = Script::new("Yes").say(90_000, "What?");
    let mut third = played(third.end(Vec::new()), "The agent asks for a yes");
    third.turn.opinions = vec![opinion(said.clone())];
    turns.push(third);
    let mut result = led("impatient", "Impatient user", TestStatus::Failed, turns);
    result.reason = Some("missing checkpoints: confirm".to_owned());
    let unmet = judged_by(&said, Outcome::Failed, "refused by 2 of 3: It is curt");
    result.checkpoints = asks_and_creates();
    result.checkpoints.push(CheckpointResult {
        description: Some("Agent confirms the submission".to_owned()),
        ..checkpoint("confirm", None, vec![unmet])
    });
    result.checkpoints.push(CheckpointResult {
        required: false,
        ..checkpoint("thanks", None, Vec::new())
    });
    result
}

fn hostile() -> TestResult {
    let said = samples(&[(Some(false), HOSTILE), (None, HOSTILE)]);
    let turn = Script::new(HOSTILE).say(50_000, HOSTILE).end(Vec::new());
    let mut turn = played(turn, HOSTILE);
    turn.turn.opinions = vec![Opinion {
        about: json!({"agent": HOSTILE, "criteria": HOSTILE}),
        samples: said.clone(),
        ..Opinion::default()
    }];
    let mut result = led("<b>x</b>", HOSTILE, TestStatus::Failed, vec![turn]);
    let mut unmet = judged_by(&said, Outcome::Failed, HOSTILE);
    unmet.subject = HOSTILE.to_owned();
    result.reason = Some(HOSTILE.to_owned());
    result.checkpoints = [Some(1), None]
        .map(|turn| CheckpointResult {
            description: Some(HOSTILE.to_owned()),
            ..checkpoint(HOSTILE, turn, vec![unmet.clone()])
        })
        .into();
    result
}

fn unanswered() -> TestResult {
    let mut result = led(
        "silent",
        "Silent simulator",
        TestStatus::Inconclusive,
        Vec::new(),
    );
    result.reason = Some("the simulator answered without a message".to_owned());
    result.checkpoints = vec![checkpoint("ask_type", None, Vec::new())];
    result
}
