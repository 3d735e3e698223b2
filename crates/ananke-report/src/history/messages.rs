//! A recorded conversation as a `messages` case: everything up to a user message, which the agent is to answer.

use std::sync::Arc;

use ananke_model::recording::Turn;
use ananke_model::result::TestResult;
use serde_json::{Map, Value, json};

use super::error::HistoryError;
use super::suggest::{made_calls, phrase};
use crate::dynamic::is_dynamic;
use crate::json::inert;
use crate::script::is_function;

/// Returns the conversation of `result` up to the user message of turn `turn`, or of the last turn that has one, as a
/// line of JSON. What the agent did then becomes suggested assertions.
pub fn messages_case(result: &TestResult, turn: Option<usize>) -> Result<String, HistoryError> {
    let turns: Vec<&Turn> = result.turns.iter().map(|judged| &judged.turn).collect();
    if is_function(result) {
        return Err(HistoryError::Script);
    }
    if turns.is_empty() {
        return Err(HistoryError::NotRun);
    }
    let last = match turn {
        Some(turn) => turn,
        None => turns
            .iter()
            .rposition(|turn| turn.user.is_some())
            .map_or(1, |at| at + 1),
    };
    let answered = last.checked_sub(1).and_then(|index| turns.get(index));
    let Some(answered) = answered else {
        return Err(HistoryError::NoSuchTurn {
            turn: last,
            n_turns: turns.len(),
        });
    };
    let Some(user) = &answered.user else {
        return Err(HistoryError::Turn {
            turn: last,
            why: format!(
                "it is of the kind `{}`, without a user message that the agent could answer",
                answered.kind
            ),
        });
    };
    let mut history: Vec<Arc<Value>> = Vec::new();
    for turn in turns.iter().take(last - 1) {
        for message in &turn.messages {
            let held = history.iter_mut().find(|held| held["id"] == message["id"]);
            match held {
                Some(held) => *held = Arc::clone(message),
                None => history.push(Arc::clone(message)),
            }
        }
    }
    let mut messages: Vec<Value> = history.iter().filter_map(|held| message(held)).collect();
    match &result.case {
        // What a case sent was written as messages already.
        Some(sent) if answered.kind == "messages" && !is_dynamic(result) => {
            messages.extend(written(&sent.input));
        }
        _ => messages.push(json!({"role": "user", "content": user})),
    }
    let mut case = Map::new();
    case.insert("id".to_owned(), result.short_id().into());
    case.insert("name".to_owned(), result.name.as_str().into());
    case.insert("messages".to_owned(), messages.into());
    let assertions = assertions(answered);
    if !assertions.is_empty() {
        case.insert("assertions".to_owned(), assertions.into());
    }
    Ok(inert(Value::Object(case).to_string()) + "\n")
}

/// Returns `input` or `messages` of a case as a list of messages.
fn written(input: &Value) -> Vec<Value> {
    let one = |value: &Value| match value {
        Value::Object(_) => value.clone(),
        content => json!({"role": "user", "content": content}),
    };
    match input {
        Value::Array(messages) => messages.iter().map(one).collect(),
        other => vec![one(other)],
    }
}

/// Returns a message as chat models read it; nothing for what only an AG-UI client shows.
fn message(held: &Value) -> Option<Value> {
    let role = held["role"].as_str()?;
    if matches!(role, "activity" | "reasoning") {
        return None;
    }
    let mut message = Map::new();
    message.insert("role".to_owned(), role.into());
    if let Some(name) = held.get("name").filter(|name| name.is_string()) {
        message.insert("name".to_owned(), name.clone());
    }
    let content = held.get("content").cloned().unwrap_or_else(|| "".into());
    message.insert("content".to_owned(), content);
    let calls = held.get("toolCalls").and_then(Value::as_array);
    if let Some(calls) = calls.filter(|calls| !calls.is_empty()) {
        message.insert("tool_calls".to_owned(), calls.clone().into());
    }
    if let Some(id) = held.get("toolCallId") {
        message.insert("tool_call_id".to_owned(), id.clone());
    }
    Some(message.into())
}

/// Returns what the answer could be judged by.
fn assertions(turn: &Turn) -> Vec<Value> {
    let mut assertions: Vec<Value> = Vec::new();
    for call in made_calls(turn) {
        let assertion = json!({"type": "tool_called", "name": call.name});
        if !assertions.contains(&assertion) {
            assertions.push(assertion);
        }
    }
    match phrase(&turn.text) {
        Some(phrase) => assertions.push(json!({"type": "contains", "value": phrase})),
        None if !turn.text.trim().is_empty() => {
            assertions.push(json!({"type": "regex", "value": "\\S"}));
        }
        None => {}
    }
    assertions
}
