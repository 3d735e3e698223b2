//! Which runs behaved alike: the same tools with the same arguments in the same order, the same output, the same ending.
//!
//! Ids and moments that an agent makes up anew each time are no difference, nor are the order of keys, the spelling of
//! numbers, white space and upper case.

use std::collections::{BTreeSet, HashMap};

use ananke_model::recording::{Turn, TurnStatus};
use ananke_model::result::TestResult;
use ananke_model::script::ScriptRecord;
use serde_json::{Value, json};

use crate::compare::Renamer;
use crate::json::json_or_text;

/// Floats below this are as exact as integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Groups the runs that behaved alike: the largest group first, of equal ones the one with the earliest run.
pub(super) fn groups<'a>(runs: &[&'a TestResult]) -> Vec<Vec<&'a TestResult>> {
    let mut groups: Vec<Vec<&TestResult>> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    for run in runs {
        let position = *positions.entry(behavior(run)).or_insert(groups.len());
        match groups.get_mut(position) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

/// Returns what a run did, so that runs that did the same have the same text.
fn behavior(run: &TestResult) -> String {
    let known = call_ids(run);
    let mut renamer = Renamer::new(&known);
    let turns = run.turns.iter().map(|judged| {
        let turn = &judged.turn;
        let calls = turn.tool_calls.iter().map(|call| {
            let args = json_or_text(&call.args_text);
            json!([call.name, canonical(&renamer.value(&args))])
        });
        let calls: Vec<Value> = calls.collect();
        let said = said(&turn.text, &mut renamer);
        json!([calls, said, ending(turn)])
    });
    let turns = Value::from(turns.collect::<Vec<_>>());
    match run.script.as_deref() {
        Some(record) => json!([turns, script(run, record)]).to_string(),
        None => turns.to_string(),
    }
}

/// Returns what came of a function of a script; what it logged may differ each time.
fn script(run: &TestResult, record: &ScriptRecord) -> Value {
    let failures = record.failures.iter().map(|failure| {
        let line = failure.frames.first().map(|frame| frame.line);
        json!([failure.kind, failure.message, line, failure.subtest])
    });
    let subtests = record.subtests.iter();
    let subtests = subtests.map(|subtest| json!([subtest.name, subtest.status]));
    json!([
        run.status,
        failures.collect::<Vec<_>>(),
        subtests.collect::<Vec<_>>()
    ])
}

/// Returns the ids of all calls of a run.
pub(super) fn call_ids(run: &TestResult) -> BTreeSet<String> {
    let calls = run.turns.iter().flat_map(|judged| &judged.turn.tool_calls);
    calls.map(|call| call.id.clone()).collect()
}

/// Returns what a text says: its JSON if it is JSON or has one block of it, else its words in lower case.
pub(super) fn said(text: &str, renamer: &mut Renamer<'_>) -> Value {
    let found = match json_or_text(text.trim()) {
        Value::String(whole) => fenced(text).unwrap_or(Value::String(whole)),
        value => value,
    };
    match found {
        Value::String(_) => {
            let text = renamer.text(text);
            let words: Vec<&str> = text.split_whitespace().collect();
            // Both ways, so that letters whose upper case is two letters meet.
            words.join(" ").to_uppercase().to_lowercase().into()
        }
        value => canonical(&renamer.value(&value)),
    }
}

/// Returns the object or list in the only fenced block of a text.
fn fenced(text: &str) -> Option<Value> {
    let mut parts = text.split("```");
    let (_, block, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    // The first line may say what is in the block.
    let start = block.find(['{', '[', '\n'])?;
    match json_or_text(block.split_at(start).1.trim()) {
        value @ (Value::Object(_) | Value::Array(_)) => Some(value),
        _ => None,
    }
}

/// Returns the value with numbers spelt in one way; the keys are in order already.
pub(super) fn canonical(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, item)| (key.clone(), canonical(item)));
            Value::Object(members.collect())
        }
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a whole number below 2^53 fits"
                )]
                let whole = float as i64;
                Value::from(whole)
            }
            _ => value.clone(),
        },
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

fn ending(turn: &Turn) -> &'static str {
    match turn.status {
        TurnStatus::Finished if !turn.interrupts.is_empty() => "interrupted",
        TurnStatus::Finished => "finished",
        TurnStatus::RunError { .. } => "run error",
        TurnStatus::Broken(_) => "broken",
    }
}
