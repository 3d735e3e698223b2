//! `interrupt`: the agent stops to ask, and is answered in five ways, each on a thread that is brought to the question anew.

use ananke_model::conformance::{InterruptScenario, ScenarioSetup};
use serde_json::{Value, json};

use super::opening::{Outcome, begin_for, last_in_words, not_shown, say_all_for, shown};
use crate::drive::driver::{Driver, Step};
use crate::drive::target::DriveError;
use crate::drive::thread::{Thread, fresh_id};
use crate::exchange::{Asked, Resume};

/// Each with its name.
const WAYS: [(Resume, &str); 5] = [
    (Resume::Resolved, "resolved"),
    (Resume::Cancelled, "cancelled"),
    (Resume::Uncovered, "uncovered"),
    (Resume::Unknown, "unknown"),
    (Resume::WrongPayload, "wrong payload"),
];

/// Makes the agent ask, and answers.
pub(in crate::drive) async fn interrupt(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    hello: &str,
) -> Outcome {
    let mut n_questions = 0;
    for (number, (way, name)) in WAYS.into_iter().enumerate() {
        let (mut thread, ended) = bring_to_question(driver, setup, name).await?;
        let questions = thread.interrupts().to_vec();
        if questions.is_empty() {
            return match number {
                0 => not_shown(format!("the agent did not ask; {ended}")),
                _ => not_shown(format!(
                    "the agent asked {number} times and then no more, though the same was said; {ended}"
                )),
            };
        }
        n_questions = n_questions.max(questions.len());
        if way == Resume::Uncovered {
            thread.say(hello);
        }
        let step = Step {
            asked: Asked::Resume(way),
            resume: answers(way, &questions, &setup.interrupt),
            ..Step::run(format!("resume: {name}"))
        };
        driver.run(&mut thread, step).await?;
    }
    let noun = if n_questions == 1 {
        "interrupt"
    } else {
        "interrupts"
    };
    shown(format!(
        "the agent asked with {n_questions} {noun} and was answered in {} ways",
        WAYS.len()
    ))
}

async fn bring_to_question(
    driver: &mut Driver<'_>,
    setup: &ScenarioSetup,
    way: &str,
) -> Result<(Thread, String), DriveError> {
    let whose = format!(" before: {way}");
    let mut thread = begin_for(driver, setup, &format!(": {way}")).await?;
    let runs = say_all_for(driver, setup, &mut thread, &whose).await?;
    let ended = last_in_words(&runs);
    Ok((thread, ended))
}

fn answers(way: Resume, questions: &[Value], given: &InterruptScenario) -> Vec<Value> {
    let resolve = || {
        given
            .resolve
            .clone()
            .unwrap_or_else(|| json!({"approved": true}))
    };
    let resolved = |id: &str, payload: Value| json!({"interruptId": id, "status": "resolved", "payload": payload});
    let ids = questions.iter().filter_map(|question| {
        let id = question.get("id")?.as_str()?;
        Some((id, question))
    });
    match way {
        Resume::Resolved => ids.map(|(id, _)| resolved(id, resolve())).collect(),
        Resume::Cancelled => ids
            .map(|(id, _)| json!({"interruptId": id, "status": "cancelled"}))
            .collect(),
        Resume::Uncovered => Vec::new(),
        Resume::Unknown => ids
            .map(|(id, _)| resolved(id, resolve()))
            .chain([resolved(&format!("unknown-{}", fresh_id()), resolve())])
            .collect(),
        Resume::WrongPayload => ids
            .map(|(id, question)| {
                let wrong = given.wrong.clone();
                resolved(id, wrong.unwrap_or_else(|| wrong_for(question)))
            })
            .collect(),
    }
}

/// Returns a payload of another type than was asked for.
fn wrong_for(question: &Value) -> Value {
    let schema = question.get("responseSchema");
    match schema.and_then(|schema| schema.get("type")?.as_str()) {
        Some("string") => json!({"neither": "yes nor no"}),
        _ => json!("neither yes nor no"),
    }
}
