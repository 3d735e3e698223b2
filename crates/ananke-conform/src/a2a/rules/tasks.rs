//! Tasks over several requests: what is asked for afterwards agrees with what was answered before.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::super::asked::A2aAsked;
use super::super::wire::{self, Kind, Standing, is_new, text_of};
use crate::exchange::Exchange;
use crate::rpc::{came, replies, response};
use crate::rule::{Findings, Rule};

static GET_AGREES: Rule = Rule {
    id: "a2a.get-agrees",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a task that is asked for is the one that was worked on, in the same state and with the same artifacts",
    reason: "Clients that lost a stream, or only poll, must come to the same result.",
    section: "Get task",
    advice: "Store what is streamed, and answer from there.",
    needs: "answer to a request for the task",
};

static CONTINUED: Rule = Rule {
    id: "a2a.continued",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a task that waits for the user takes the answer",
    reason: "Otherwise no question of the agent can ever be answered.",
    section: "Multi-turn interactions, input required",
    advice: "Accept a message with the `taskId` and `contextId` of a task that waits, and go on with it.",
    needs: "answer to a task that waits for the user",
};

pub(super) const RULES: &[&Rule] = &[&GET_AGREES, &CONTINUED];

pub(super) fn look(
    exchange: &Exchange,
    asked: A2aAsked,
    earlier: &[Exchange],
    found: &mut Findings,
) {
    match asked {
        A2aAsked::Get => get(exchange, earlier, found),
        A2aAsked::Continue => {
            // Whoever answers in another way is told by other rules.
            found.saw(&CONTINUED);
            let reply = response(&exchange.answer);
            if reply.is_none_or(|reply| reply.result().is_none()) {
                let message = format!("expected the task to go on, saw {}", came(&exchange.answer));
                found.told(&CONTINUED, reply.and_then(|reply| reply.event), message);
            }
        }
        _ => {}
    }
}

fn get(exchange: &Exchange, earlier: &[Exchange], found: &mut Findings) {
    let is_new = is_new(found.profile);
    let before = earlier.iter().rev().find(|other| {
        other.scenario == exchange.scenario
            && matches!(other.asked, crate::exchange::Asked::A2a(asked) if asked.is_message())
    });
    let Some(known) = before.map(|before| Known::of(before, is_new)) else {
        return;
    };
    found.saw(&GET_AGREES);
    let Some(task) = response(&exchange.answer).and_then(|reply| reply.result()) else {
        found.whole(
            &GET_AGREES,
            format!("expected the task, saw {}", came(&exchange.answer)),
        );
        return;
    };
    let id = task.get("id").and_then(Value::as_str);
    if id != known.task.as_deref() {
        let (wanted, seen) = (known.task.unwrap_or_default(), id.unwrap_or("none"));
        let message = format!("expected the task `{wanted}`, saw `{seen}`");
        found.whole(&GET_AGREES, message);
        return;
    }
    let state = wire::state(task).unwrap_or_default();
    let settled = known.state.as_deref().filter(|state| {
        let standing = wire::standing(state, is_new);
        matches!(standing, Some(Standing::Terminal | Standing::Interrupted))
    });
    // What was still at work may have gone on.
    let Some(known_state) = settled else {
        return;
    };
    if state != known_state {
        let message =
            format!("expected the state `{known_state}` as answered before, saw `{state}`");
        found.whole(&GET_AGREES, message);
    }
    let mut held = Artifacts::default();
    held.take_task(task);
    for (id, text) in &known.artifacts.texts {
        let message = match held.texts.get(id) {
            None => format!("the artifact `{id}` was answered before and is missing"),
            Some(other) if other != text => {
                let (n, other) = (text.chars().count(), other.chars().count());
                format!(
                    "the artifact `{id}` had a text of {n} characters before, and has {other} of others"
                )
            }
            Some(_) => continue,
        };
        found.whole(&GET_AGREES, message);
    }
}

/// Texts of artifacts by their ids.
#[derive(Debug, Default)]
struct Artifacts {
    texts: BTreeMap<String, String>,
}

impl Artifacts {
    fn take_task(&mut self, task: &Value) {
        let list = task.get("artifacts").and_then(Value::as_array);
        for artifact in list.into_iter().flatten() {
            self.take(artifact, false);
        }
    }

    fn take(&mut self, artifact: &Value, appends: bool) {
        let Some(id) = artifact.get("artifactId").and_then(Value::as_str) else {
            return;
        };
        let text = text_of(artifact.get("parts").unwrap_or(&Value::Null));
        let held = self.texts.entry(id.to_owned()).or_default();
        if !appends {
            held.clear();
        }
        held.push_str(&text);
    }
}

/// What an answer said of its task.
#[derive(Debug, Default)]
struct Known {
    task: Option<String>,
    state: Option<String>,
    artifacts: Artifacts,
}

impl Known {
    fn of(exchange: &Exchange, is_new: bool) -> Self {
        let mut known = Self::default();
        for reply in replies(&exchange.answer) {
            let Some(Ok((kind, content))) = reply.result().map(|result| wire::kind(result, is_new))
            else {
                continue;
            };
            if let Some(id) = wire::task_id(kind, content) {
                known.task = Some(id.to_owned());
            }
            if let Some(state) = wire::state(content) {
                known.state = Some(state.to_owned());
            }
            match (kind, content.get("artifact")) {
                (Kind::Task, _) => known.artifacts.take_task(content),
                (Kind::Artifact, Some(artifact)) => {
                    let appends = content.get("append").is_some_and(|value| value == true);
                    known.artifacts.take(artifact, appends);
                }
                _ => {}
            }
        }
        known
    }
}
