//! What a run did, one step after another: messages, calls, results, texts, errors; each with the event that began it.

use std::borrow::Cow;
use std::collections::HashMap;

use ananke_model::recording::{EventLog, Turn, TurnStatus};
use ananke_model::result::TestResult;
use serde::Deserialize;
use serde_json::{Value, json};

use super::alike::{call_ids, canonical, said};
use crate::compare::Renamer;
use crate::json::json_or_text;

/// One step of a run.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The turn, counted from 1.
    pub(super) turn: usize,
    /// The event that began it, counted from 0 in the turn; `None` where no event did, or events were not kept.
    pub(super) event: Option<usize>,
    /// What happened.
    pub(super) act: Act,
    /// What is the same in runs that did the same here.
    pub(super) key: String,
}

/// What happened in a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Act {
    /// The user said something.
    User(String),
    /// The agent called a tool.
    Call { name: String, args: Value },
    /// A tool gave something back.
    Result { name: String, value: Value },
    /// A tool failed.
    ToolError { name: String, message: String },
    /// The agent said something.
    Text(String),
    /// The agent wants an answer before it goes on.
    Interrupt,
    /// The agent said that it failed.
    RunError(String),
    /// The turn did not come to an end of its own.
    Broken { kind: Value, message: String },
}

/// Returns the steps of a run, in order.
pub(super) fn steps(run: &TestResult) -> Vec<Step> {
    let known = call_ids(run);
    let mut renamer = Renamer::new(&known);
    let mut names = HashMap::new();
    let mut all = Vec::new();
    for (index, judged) in run.turns.iter().enumerate() {
        let turn = &judged.turn;
        let calls = turn.tool_calls.iter();
        names.extend(calls.map(|call| (call.id.as_str(), call.name.as_str())));
        for (event, act) in acts(turn, &names) {
            let act = renamed(act, &mut renamer);
            let key = key(&act, &mut renamer);
            all.push(Step {
                turn: index + 1,
                event,
                act,
                key,
            });
        }
    }
    all
}

/// Returns what happened in a turn, in order.
fn acts(turn: &Turn, names: &HashMap<&str, &str>) -> Vec<(Option<usize>, Act)> {
    let log = Log::read(&turn.events);
    // Each with its place in the order: results that no event brought stand behind their call.
    let mut placed: Vec<(usize, Option<usize>, Act)> = Vec::new();
    for call in &turn.tool_calls {
        let name = call.name.clone();
        let args = json_or_text(&call.args_text);
        let event = Some(call.event);
        placed.push((
            call.event,
            event,
            Act::Call {
                name: name.clone(),
                args,
            },
        ));
        let came = log.results.get(call.id.as_str()).copied();
        let place = came.unwrap_or(call.event);
        if let Some(message) = call.error.clone() {
            placed.push((place, came, Act::ToolError { name, message }));
        } else if let Some(result) = &call.result {
            let value = json_or_text(result);
            placed.push((place, came, Act::Result { name, value }));
        }
    }
    for late in &turn.late_results {
        let came = log.results.get(late.id.as_str()).copied();
        let name = names
            .get(late.id.as_str())
            .copied()
            .unwrap_or_default()
            .to_owned();
        let value = json_or_text(&late.result);
        placed.push((came.unwrap_or(0), came, Act::Result { name, value }));
    }
    let end = turn.events.len();
    if log.texts.is_empty() && !turn.text.is_empty() {
        placed.push((end, None, Act::Text(turn.text.clone())));
    }
    let texts = log.texts.into_iter().filter(|(_, text)| !text.is_empty());
    placed.extend(texts.map(|(event, text)| (event, Some(event), Act::Text(text))));
    placed.sort_by_key(|(place, ..)| *place);
    let last = end.checked_sub(1);
    let ending = match &turn.status {
        TurnStatus::Finished if turn.interrupts.is_empty() => None,
        TurnStatus::Finished => Some(Act::Interrupt),
        TurnStatus::RunError { message, .. } => Some(Act::RunError(message.clone())),
        TurnStatus::Broken(trouble) => Some(Act::Broken {
            kind: json!(trouble.kind),
            message: trouble.message.clone(),
        }),
    };
    let user = turn.user.clone().map(|user| (None, Act::User(user)));
    let placed = placed.into_iter().map(|(_, event, act)| (event, act));
    let ending = ending.map(|act| (last, act));
    user.into_iter().chain(placed).chain(ending).collect()
}

/// Returns the act with ids and moments renamed in its values, so that only what matters is found to differ.
fn renamed(act: Act, renamer: &mut Renamer<'_>) -> Act {
    match act {
        Act::Call { name, args } => {
            let args = canonical(&renamer.value(&args));
            Act::Call { name, args }
        }
        Act::Result { name, value } => {
            let value = canonical(&renamer.value(&value));
            Act::Result { name, value }
        }
        act => act,
    }
}

fn key(act: &Act, renamer: &mut Renamer<'_>) -> String {
    let key = match act {
        Act::User(text) => json!(["user", said(text, renamer)]),
        Act::Call { name, args } => json!(["call", name, args]),
        Act::Result { name, value } => json!(["result", name, value]),
        Act::ToolError { name, message } => json!(["tool error", name, said(message, renamer)]),
        Act::Text(text) => json!(["text", said(text, renamer)]),
        Act::Interrupt => json!(["interrupt"]),
        Act::RunError(message) => json!(["run error", said(message, renamer)]),
        // How far a turn came before it broke is a matter of time.
        Act::Broken { kind, .. } => json!(["broken", kind]),
    };
    key.to_string()
}

/// What is read of an event; everything else is of no interest here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool_call_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    delta: Option<Cow<'a, str>>,
}

/// Where results and texts begin in the events of a turn.
struct Log {
    /// The first result of each call.
    results: HashMap<String, usize>,
    /// Each message of the assistant: its first event and its text.
    texts: Vec<(usize, String)>,
}

impl Log {
    fn read(events: &EventLog) -> Self {
        let mut results = HashMap::new();
        let mut texts: Vec<(usize, String)> = Vec::new();
        let mut by_id: HashMap<String, usize> = HashMap::new();
        // Chunks that do not name their message belong to the one before.
        let mut current = None;
        for (number, (payload, _)) in events.iter().enumerate() {
            let Ok(event) = serde_json::from_slice::<Event<'_>>(payload) else {
                continue;
            };
            match event.kind.as_ref() {
                "TOOL_CALL_RESULT" => {
                    let id = event.tool_call_id.unwrap_or_default().into_owned();
                    results.entry(id).or_insert(number);
                }
                "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => {
                    if let Some(id) = event.message_id {
                        let index = *by_id.entry(id.into_owned()).or_insert(texts.len());
                        if index == texts.len() {
                            texts.push((number, String::new()));
                        }
                        current = Some(index);
                    }
                    if let (Some(index), Some(delta)) = (current, event.delta)
                        && let Some((_, text)) = texts.get_mut(index)
                    {
                        text.push_str(&delta);
                    }
                }
                _ => {}
            }
        }
        Self { results, texts }
    }
}
