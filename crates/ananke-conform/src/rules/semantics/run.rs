//! A run of an answer: its events, its calls, and how it ended. What rules about outcomes have in common.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::exchange::{Answer, Observed};

/// A run. An answer may hold several, one after the other.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Run<'a> {
    /// Number of its first event in the answer.
    pub(in crate::rules) first: usize,
    pub(in crate::rules) events: &'a [Observed],
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rules) enum Outcome<'a> {
    /// It says so, or says nothing.
    Success,
    /// It waits for answers to these.
    Interrupt(Vec<&'a Value>),
    Cancelled,
    /// `RUN_ERROR`, with its message.
    Error(&'a str),
    /// There is an outcome that nobody can read; the rules of shapes tell.
    Unreadable,
}

/// The terminal event of a run.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rules) struct End<'a> {
    /// Number of the event in the answer.
    pub(in crate::rules) at: usize,
    pub(in crate::rules) outcome: Outcome<'a>,
}

/// Cuts an answer into runs: each `RUN_STARTED` but the first event begins another.
pub(in crate::rules) fn runs(answer: &Answer) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut first = 0;
    for events in answer
        .events
        .chunk_by(|_, next| next.kind() != Some("RUN_STARTED"))
    {
        runs.push(Run { first, events });
        first += events.len();
    }
    runs
}

/// Returns how the last run of an answer ended, if it did.
pub(in crate::rules) fn last_end(answer: &Answer) -> Option<End<'_>> {
    runs(answer).last()?.end()
}

/// Returns the outcome that a terminal event tells.
pub(in crate::rules) fn outcome(event: &Observed) -> Option<Outcome<'_>> {
    match event.kind()? {
        "RUN_ERROR" => Some(Outcome::Error(event.text("message").unwrap_or_default())),
        "RUN_FINISHED" => Some(match event.get("outcome") {
            // Before 1.0, `null` stood for nothing.
            None | Some(Value::Null) => Outcome::Success,
            Some(outcome) => match outcome.get("type").and_then(Value::as_str) {
                Some("success") => Outcome::Success,
                Some("cancelled") => Outcome::Cancelled,
                Some("interrupt") => match outcome.get("interrupts").and_then(Value::as_array) {
                    Some(interrupts) => Outcome::Interrupt(interrupts.iter().collect()),
                    None => Outcome::Unreadable,
                },
                _ => Outcome::Unreadable,
            },
        }),
        _ => None,
    }
}

impl<'a> Run<'a> {
    /// Returns the events with their numbers in the answer.
    pub(in crate::rules) fn numbered(self) -> impl Iterator<Item = (usize, &'a Observed)> {
        (self.first..).zip(self.events)
    }

    /// Returns how it ended. A late `RUN_ERROR` overrides what was said before.
    pub(in crate::rules) fn end(self) -> Option<End<'a>> {
        let ends = self.numbered().filter_map(|(at, event)| {
            let outcome = outcome(event)?;
            Some(End { at, outcome })
        });
        ends.last()
    }

    /// Returns the calls that it started and did not answer: ids and names, in order.
    pub(in crate::rules) fn open_calls(self) -> Vec<(&'a str, &'a str)> {
        let mut calls: Vec<(&str, &str)> = Vec::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut answered: BTreeSet<&str> = BTreeSet::new();
        for event in self.events {
            let id = event.text("toolCallId");
            match (event.kind(), id, event.text("toolCallName")) {
                (Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK"), Some(id), Some(name))
                    if known.insert(id) =>
                {
                    calls.push((id, name));
                }
                (Some("TOOL_CALL_RESULT"), Some(id), _) => {
                    answered.insert(id);
                }
                (Some("MESSAGES_SNAPSHOT"), ..) => {
                    let messages = list(event.get("messages"));
                    answered.extend(messages.filter_map(|message| text(message, "toolCallId")));
                }
                _ => {}
            }
        }
        calls.retain(|(id, _)| !answered.contains(id));
        calls
    }
}

/// Returns the ids of the calls that messages hold.
pub(in crate::rules) fn calls_of<'a>(
    messages: impl Iterator<Item = &'a Value>,
) -> impl Iterator<Item = &'a str> {
    let calls = messages.flat_map(|message| list(message.get("toolCalls")));
    calls.filter_map(|call| text(call, "id"))
}

/// Returns the ids of interrupts.
pub(in crate::rules) fn ids_of<'a>(interrupts: &[&'a Value]) -> impl Iterator<Item = &'a str> {
    let ids = interrupts.iter();
    ids.filter_map(|interrupt| text(interrupt, "id"))
}

/// Returns the items of a list; none if it is no list.
pub(in crate::rules) fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

/// Returns a member that is text.
pub(in crate::rules) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}
