//! Calls that interrupts hold up: they are named, they are the agent's own, and they wait indeed.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{answered_by, id_of};
use super::run::{Outcome, outcome, text};
use super::story::{End, Run, Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static NAMES_CALL: Rule = Rule {
    id: "semantics.interrupt-names-call",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Convention),
    title: "an interrupt that holds up a call names it",
    reason: "Without a `toolCallId` a client cannot tell the call that waits for approval from one that it has to carry out itself.",
    section: "Interrupts: `toolCallId`",
    advice: "Set `toolCallId` on interrupts that ask for the approval of a call.",
    needs: "interrupted run with an unanswered call of the agent",
};

static FRONTEND: Rule = Rule {
    id: "semantics.interrupt-frontend",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "a call of a tool that the request offers does not end the run with an interrupt",
    reason: "The application answers such a call with a `tool` message in the next request, while an interrupt waits for a `resume`.",
    section: "Frontend tools",
    advice: "End the run as success and list the call in `pendingToolCallIds`.",
    needs: "call of an offered tool in a run that ended",
};

static ANSWERED: Rule = Rule {
    id: "semantics.interrupt-answered",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Convention),
    title: "a call that waits for approval has no result yet",
    reason: "Who is asked to approve a call takes it for one that has not been carried out and can still be refused.",
    section: "Interrupts: `toolCallId`",
    advice: "Send the `TOOL_CALL_RESULT` in the run that resumes; if the question is about the result, say so in `reason`.",
    needs: "interrupt that asks for the approval of a call",
};

pub(super) const RULES: &[&Rule] = &[&NAMES_CALL, &FRONTEND, &ANSWERED];

/// Looks at the run that was asked for: which calls are of the front end, its request tells.
pub(super) fn look(exchange: &Exchange, story: &Story<'_>, found: &mut Findings) {
    for run in story.runs.iter().filter(|run| story.is_asked(run)) {
        let Some((at, end)) = &run.end else {
            continue;
        };
        let calls = Calls::of(run);
        let offered: BTreeSet<&str> = exchange.offered_tools().into_iter().collect();
        if *end != End::Other && calls.names.values().any(|name| offered.contains(name)) {
            found.saw(&FRONTEND);
        }
        let event = exchange.answer.events.get(*at);
        let Some(Outcome::Interrupt(interrupts)) = event.and_then(outcome) else {
            continue;
        };
        look_at_names(*at, &interrupts, &calls, &offered, found);
        for interrupt in interrupts {
            look_at_call(*at, interrupt, &calls, &offered, story, found);
        }
    }
}

/// The calls of a run.
#[derive(Default)]
struct Calls<'a> {
    /// In the order in which they started.
    ids: Vec<&'a str>,
    names: BTreeMap<&'a str, &'a str>,
    /// Results, by the calls that they answer.
    answers: BTreeMap<&'a str, &'a str>,
}

impl<'a> Calls<'a> {
    fn of(run: &Run<'a>) -> Self {
        let mut calls = Self::default();
        for told in &run.steps {
            match told.step {
                Step::Call { id, name, .. } => {
                    calls.names.entry(id).or_insert_with(|| {
                        calls.ids.push(id);
                        name
                    });
                }
                Step::Answer {
                    call_id,
                    message_id,
                    ..
                } => {
                    calls.answers.entry(call_id).or_insert(message_id);
                }
                Step::Snapshot(messages) => {
                    for message in messages {
                        if let (Some(call_id), Some(id)) = (answered_by(message), id_of(message)) {
                            calls.answers.entry(call_id).or_insert(id);
                        }
                    }
                }
                _ => {}
            }
        }
        calls
    }
}

/// Each call of the agent that is left without a result is one that an interrupt is about.
fn look_at_names(
    at: usize,
    interrupts: &[&Value],
    calls: &Calls<'_>,
    offered: &BTreeSet<&str>,
    found: &mut Findings,
) {
    let named = interrupts.iter();
    let named: BTreeSet<&str> = named
        .filter_map(|interrupt| text(interrupt, "toolCallId"))
        .collect();
    for id in &calls.ids {
        let name = calls.names.get(id).copied().unwrap_or_default();
        if offered.contains(name) || calls.answers.contains_key(id) {
            continue;
        }
        found.saw(&NAMES_CALL);
        if named.contains(id) {
            continue;
        }
        let but = match named.first() {
            None => "no interrupt has a `toolCallId`".to_owned(),
            Some(other) => format!("no interrupt names it; they are about {}", {
                match named.len() {
                    1 => format!("`{other}`"),
                    n => format!("{n} other calls"),
                }
            }),
        };
        let message = format!("the call `{id}` of `{name}` waits, but {but}");
        found.at(&NAMES_CALL, at, message);
    }
}

fn look_at_call(
    at: usize,
    interrupt: &Value,
    calls: &Calls<'_>,
    offered: &BTreeSet<&str>,
    story: &Story<'_>,
    found: &mut Findings,
) {
    let Some(call_id) = text(interrupt, "toolCallId") else {
        return;
    };
    let id = text(interrupt, "id").unwrap_or_default();
    let name = calls.names.get(call_id).copied();
    let asks = asks_for_leave(interrupt);
    if asks && (name.is_some() || story.held.call(call_id).is_some()) {
        found.saw(&ANSWERED);
    }
    let in_run = calls.answers.get(call_id).copied();
    let answer = in_run.or_else(|| story.held.answer_to(call_id));
    if let Some(answer) = answer.filter(|_| asks) {
        let message = format!(
            "interrupt `{id}` asks whether the call `{call_id}` may be made, which has its result already: `{answer}`"
        );
        found.at(&ANSWERED, at, message);
    } else if let Some(name) = name.filter(|name| offered.contains(name)) {
        let message = format!(
            "interrupt `{id}` holds up the call `{call_id}` of `{name}`, which the request offers: the application is to \
             answer it with its next request"
        );
        found.at(&FRONTEND, at, message);
    }
}

/// Tells whether an interrupt asks whether a call may be made. One with another reason may ask about its result.
fn asks_for_leave(interrupt: &Value) -> bool {
    let reason = text(interrupt, "reason").unwrap_or_default().to_lowercase();
    let words = ["approv", "confirm", "permi", "authori", "consent"];
    reason == "tool_call" || words.iter().any(|word| reason.contains(word))
}
