//! An id of a message means one message, in the whole thread.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{Held, calls_of, id_of, role_of, said};
use super::story::{Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static MESSAGE_ID_REUSED: Rule = Rule {
    id: "semantics.message-id-reused",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a message id stands for one message in the whole thread",
    reason: "Clients find messages by id: the second message with an id is added to the first, or takes its place.",
    section: "Identifiers",
    advice: "Make ids that are unique over all runs, such as UUIDs, and never count from 1 in each run.",
    needs: "second message in a thread",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&MESSAGE_ID_REUSED];

/// A message that an answer makes.
struct Made<'a> {
    event: usize,
    id: &'a str,
    role: &'a str,
    text: String,
}

/// Looks at the messages of an answer: one role for each id.
pub(super) fn look(exchange: &Exchange, story: &Story<'_>, found: &mut Findings) {
    look_at_runs(story, found);
    look_at_results(story, found);
    look_at_snapshots(exchange, story, found);
    let made = made_in(story);
    let mut roles: BTreeMap<&str, &str> = BTreeMap::new();
    for message in &made {
        let Made {
            event, id, role, ..
        } = *message;
        if !roles.is_empty() || !story.held.is_empty() {
            found.saw(&MESSAGE_ID_REUSED);
        }
        let before = roles.insert(id, role);
        if let Some(before) = before.filter(|before| kind(before) != kind(role)) {
            let what = format!(
                "`{id}` is used for a message of the role `{role}`, and before in this answer for one of the role `{before}`"
            );
            found.at(&MESSAGE_ID_REUSED, event, what);
        } else if let Some(other) = held_otherwise(&story.held, id, role) {
            let what = format!(
                "`{id}` is used for a new message of the role `{role}`, but the request holds a `{other}` message with that id"
            );
            found.at(&MESSAGE_ID_REUSED, event, what);
        }
    }
}

/// Compares the runs of one answer: a message goes on in the run that began it, if at all.
fn look_at_runs(story: &Story<'_>, found: &mut Findings) {
    let mut runs_of: BTreeMap<(Option<&str>, &str, &str), usize> = BTreeMap::new();
    for (number, run) in story.runs.iter().enumerate() {
        let mut told_of: BTreeSet<&str> = BTreeSet::new();
        for told in &run.steps {
            // An activity is sent again and again.
            let (id, role) = match told.step {
                Step::Text { id, role, .. } => (id, role.unwrap_or("assistant")),
                Step::Reasoning { id } => (id, "reasoning"),
                Step::Answer { message_id, .. } => (message_id, "tool"),
                Step::Snapshot(messages) => {
                    // What a client has dropped may come anew.
                    let kept: BTreeSet<&str> = messages.iter().filter_map(id_of).collect();
                    runs_of.retain(|(.., id), _| kept.contains(id));
                    continue;
                }
                _ => continue,
            };
            let first = *runs_of
                .entry((run.thread, kind(role), id))
                .or_insert(number);
            // What the request holds is streamed again: a rule of its own.
            if first != number && story.held.message(id).is_none() && told_of.insert(id) {
                let what = format!(
                    "`{id}` is used for a message of the role `{role}`, but the run `{}` of this answer gave that id to a \
                     message of its own",
                    story.runs[first].id.unwrap_or_default()
                );
                found.at(&MESSAGE_ID_REUSED, told.event, what);
            }
        }
    }
}

/// Looks at the results of each run: those of different calls are different messages.
fn look_at_results(story: &Story<'_>, found: &mut Findings) {
    for run in &story.runs {
        let mut calls_of: BTreeMap<&str, &str> = BTreeMap::new();
        for told in &run.steps {
            let Step::Answer {
                message_id,
                call_id,
                ..
            } = told.step
            else {
                continue;
            };
            let other = *calls_of.entry(message_id).or_insert(call_id);
            if other != call_id {
                let what = format!(
                    "`{message_id}` is the id of the result of `{call_id}`, and of the result of `{other}` before"
                );
                found.at(&MESSAGE_ID_REUSED, told.event, what);
            }
        }
    }
}

/// Looks at each snapshot: an id is in it once. A server may repeat what the request already has wrong.
fn look_at_snapshots(exchange: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let sent = twice(exchange.sent_messages());
    let sent: BTreeSet<&str> = sent.into_iter().map(|(id, ..)| id).collect();
    let may_be_sent = |message: &Value| {
        !story.knows_request && id_of(message).is_some_and(|id| is_clients(message, id))
    };
    let mut told_of: BTreeSet<&str> = BTreeSet::new();
    for (event, snapshot) in story.snapshots() {
        for (id, one, other) in twice(snapshot) {
            if sent.contains(id) || may_be_sent(one) || may_be_sent(other) {
                continue;
            }
            if told_of.insert(id) {
                let what = format!(
                    "the snapshot has two messages with the id `{id}`, of the roles `{}` and `{}`",
                    role_of(one),
                    role_of(other)
                );
                found.at(&MESSAGE_ID_REUSED, event, what);
            }
        }
    }
}

/// Returns the ids that messages have a second time, with both messages.
fn twice(messages: &[Value]) -> Vec<(&str, &Value, &Value)> {
    let mut by_id: BTreeMap<&str, &Value> = BTreeMap::new();
    let mut twice = Vec::new();
    for message in messages {
        if let Some(id) = id_of(message)
            && let Some(before) = by_id.insert(id, message)
        {
            twice.push((id, before, message));
        }
    }
    twice
}

/// Compares the runs of each thread: an id that an earlier run used is not given to another message.
pub(super) fn look_at_threads(exchanges: &[Exchange], found: &mut Findings) {
    let mut threads: BTreeMap<&str, BTreeMap<&str, (usize, String)>> = BTreeMap::new();
    for (number, exchange) in exchanges.iter().enumerate() {
        let Some(thread_id) = thread_of(exchange).filter(|_| exchange.answer.is_stream()) else {
            continue;
        };
        found.enter(number);
        let story = Story::of(exchange);
        let earlier = threads.entry(thread_id).or_default();
        let made = made_in(&story);
        for message in &made {
            // What the request holds has been compared with the request.
            if story.held.message(message.id).is_some() {
                continue;
            }
            if !earlier.is_empty() {
                found.saw(&MESSAGE_ID_REUSED);
            }
            // The same message once more may be a second attempt, and what was cut off does not tell.
            if let Some((run, text)) = earlier.get(message.id)
                && !text.starts_with(&message.text)
                && !message.text.starts_with(text)
            {
                let what = format!(
                    "`{}` is used for a new message of the role `{}`, but an earlier run of the thread (request {run}) gave \
                     that id to another message",
                    message.id, message.role
                );
                found.at(&MESSAGE_ID_REUSED, message.event, what);
            }
        }
        for message in made {
            earlier.entry(message.id).or_insert((number, message.text));
        }
    }
}

/// Returns the thread of an exchange.
pub(super) fn thread_of(exchange: &Exchange) -> Option<&str> {
    exchange.request.as_ref()?.get("threadId")?.as_str()
}

/// Returns the messages that an answer streams, with their whole text.
fn made_in<'a>(story: &Story<'a>) -> Vec<Made<'a>> {
    let mut made: Vec<Made<'a>> = Vec::new();
    let mut positions: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for told in story.steps() {
        let (id, role, text) = match told.step {
            Step::Text { id, role, .. } => (id, role.unwrap_or("assistant"), String::new()),
            Step::Reasoning { id } => (id, "reasoning", String::new()),
            Step::Activity { id } => (id, "activity", String::new()),
            Step::Answer {
                message_id,
                content,
                ..
            } => (message_id, "tool", said(content)),
            Step::TextPiece { id, delta } => {
                if let Some(at) = positions.get(&(id, "text")) {
                    made[*at].text.push_str(delta);
                }
                continue;
            }
            _ => continue,
        };
        // Reopening goes on with the same message, and an activity is sent again and again.
        positions.entry((id, kind(role))).or_insert_with(|| {
            made.push(Made {
                event: told.event,
                id,
                role,
                text,
            });
            made.len() - 1
        });
    }
    made
}

/// Returns how a message is made: roles of text may differ, which is told elsewhere.
fn kind(role: &str) -> &str {
    match role {
        "tool" | "reasoning" | "activity" => role,
        _ => "text",
    }
}

/// Returns the role for which the request holds an id, if it is another one.
fn held_otherwise<'a>(held: &Held<'a>, id: &str, role: &str) -> Option<&'a str> {
    let message = held.message(id)?;
    let other = role_of(message);
    (other != role && !is_clients(message, id) && known(message)).then_some(other)
}

/// Tells whether an id is not the agent's: a client gives a call without a parent a message with the id of the call.
fn is_clients(message: &Value, id: &str) -> bool {
    let mut calls = calls_of(message).filter_map(id_of);
    calls.any(|call_id| call_id == id)
}

fn known(message: &Value) -> bool {
    matches!(
        role_of(message),
        "user" | "assistant" | "tool" | "reasoning" | "activity" | "system" | "developer"
    )
}
