//! What a test did, with generated ids renamed: two results behave alike if these are equal.

use serde_json::{Map, Value};

use super::cause::unmeasured;
use super::comparison::{Aspect, Details, ValueChange};
use super::measure::Measure;
use super::renamer::Renamer;
use super::side::{SideCall, SideTest, SideTurn};
use super::{calls, checkpoints, texts, values};

/// What a test did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Behavior {
    pub(super) turns: Vec<TurnBehavior>,
    checkpoints: Vec<(String, Option<usize>)>,
}

/// What a turn did.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TurnBehavior {
    /// The kind of turn and what the user said.
    pub(super) input: String,
    pub(super) calls: Vec<CallBehavior>,
    pub(super) text: String,
    pub(super) state: Value,
    pub(super) ending: Value,
}

/// A call and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallBehavior {
    pub(super) name: String,
    pub(super) args: Value,
    /// Result and error.
    pub(super) came: Value,
}

impl Behavior {
    /// Returns what `test` did, by what counts.
    pub(super) fn of(test: &SideTest, measure: Measure) -> Self {
        let known = test.call_ids();
        let mut renamer = Renamer::new(&known);
        let turns = test.turns.iter();
        Self {
            turns: turns
                .map(|turn| turn_behavior(turn, measure, &mut renamer))
                .collect(),
            checkpoints: test.checkpoints.clone(),
        }
    }

    /// Returns what is different between two behaviors.
    pub(super) fn aspects(&self, other: &Self) -> Vec<Aspect> {
        let pairs = || self.turns.iter().zip(&other.turns);
        let mut aspects = Vec::new();
        let mut note = |aspect: Aspect, is_different: bool| {
            if is_different {
                aspects.push(aspect);
            }
        };
        note(Aspect::Checkpoints, self.checkpoints != other.checkpoints);
        note(Aspect::Turns, self.turns.len() != other.turns.len());
        note(Aspect::Input, pairs().any(|(a, b)| a.input != b.input));
        note(Aspect::ToolCalls, pairs().any(|(a, b)| a.calls != b.calls));
        note(Aspect::Text, pairs().any(|(a, b)| a.text != b.text));
        note(Aspect::State, pairs().any(|(a, b)| a.state != b.state));
        note(Aspect::Ending, pairs().any(|(a, b)| a.ending != b.ending));
        aspects
    }

    /// Returns the differences between the checkpoints that were reached.
    pub(super) fn checkpoint_changes(&self, other: &Self) -> Vec<ValueChange> {
        checkpoints::changes(&self.checkpoints, &other.checkpoints)
    }

    /// Returns where two behaviors part, events left out.
    pub(super) fn details(&self, other: &Self) -> Details {
        let mut details = Details {
            checkpoints: self.checkpoint_changes(other),
            ..Details::default()
        };
        for index in 0..self.turns.len().max(other.turns.len()) {
            let nothing = TurnBehavior::nothing();
            let a = self.turns.get(index).unwrap_or(&nothing);
            let b = other.turns.get(index).unwrap_or(&nothing);
            let turn = index + 1;
            details
                .calls
                .extend(calls::changes(turn, &a.calls, &b.calls));
            details.texts.extend(texts::change(turn, &a.text, &b.text));
            let at = |what: &str, changes: Vec<ValueChange>| {
                let places = changes.into_iter().map(|change| {
                    let parts = [format!("turn {turn}"), what.to_owned(), change.path];
                    let parts = parts.into_iter().filter(|part| !part.is_empty());
                    let path = parts.collect::<Vec<_>>().join(", ");
                    ValueChange { path, ..change }
                });
                places.collect::<Vec<_>>()
            };
            let input = |turn: &TurnBehavior| Value::from(turn.input.as_str());
            let states = values::changes(&a.state, &b.state);
            let inputs = values::changes(&input(a), &input(b));
            let endings = values::changes(&a.ending, &b.ending);
            details.states.extend(at("", states));
            details.others.extend(at("user", inputs));
            details.others.extend(at("ending", endings));
        }
        details
    }
}

impl TurnBehavior {
    /// Returns what stands for a turn that was not run.
    fn nothing() -> Self {
        Self {
            input: String::new(),
            calls: Vec::new(),
            text: String::new(),
            state: Value::Null,
            ending: Value::Null,
        }
    }
}

fn turn_behavior(turn: &SideTurn, measure: Measure, renamer: &mut Renamer<'_>) -> TurnBehavior {
    let input = match &turn.user {
        Some(user) => renamer.text(user),
        None => format!("({})", turn.kind),
    };
    let calls = turn.calls.iter().filter(|_| measure.calls);
    let calls = calls
        .map(|call| call_behavior(call, measure, renamer))
        .collect();
    let mut text = renamer.text(&turn.text);
    if !measure.is_same_target {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let state = match measure.states {
        true => renamer.value(&turn.state),
        false => Value::Null,
    };
    // How far a turn came before it broke is a matter of time.
    let ending = match turn.ending.split_once(": ") {
        // Each protocol has its own words for an error.
        Some((kind, _)) if !measure.is_same_target => kind.to_owned(),
        Some(("broken", message)) => format!("broken: {}", unmeasured(message)),
        Some(_) | None => turn.ending.clone(),
    };
    let mut ending = Value::from(renamer.text(&ending));
    let task = turn.task.as_ref().filter(|_| measure.tasks);
    let has_interrupts = measure.interrupts && !turn.interrupts.is_empty();
    if has_interrupts || task.is_some() {
        let mut members = Map::from_iter([("ending".to_owned(), ending)]);
        if has_interrupts {
            let interrupts = turn.interrupts.iter().map(|value| renamer.value(value));
            members.insert("interrupts".to_owned(), interrupts.collect());
        }
        members.extend(task.map(|task| ("task".to_owned(), task.as_str().into())));
        ending = members.into();
    }
    TurnBehavior {
        input,
        calls,
        text,
        state,
        ending,
    }
}

fn call_behavior(call: &SideCall, measure: Measure, renamer: &mut Renamer<'_>) -> CallBehavior {
    let args = renamer.value(&call.args);
    let result = call.result.as_ref().filter(|_| measure.results);
    let result = result.map(|result| renamer.value(result));
    let error = call.error.as_ref().filter(|_| measure.results);
    let error = error.map(|error| renamer.text(error));
    CallBehavior {
        name: call.name.clone(),
        args,
        came: match error {
            Some(error) => serde_json::json!({"error": error, "result": result}),
            None => result.unwrap_or_default(),
        },
    }
}
