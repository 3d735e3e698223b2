//! Activities: a delta has a snapshot to build on, applies to it, and leaves an object.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::patches::{Patched, patch};
use super::run::{list, text};
use crate::exchange::{Exchange, Observed};
use crate::rule::{Findings, Rule};

static BASE: Rule = Rule {
    id: "semantics.activity-base",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "an ACTIVITY_DELTA changes an activity that the client holds",
    reason: "Without a snapshot there is nothing that the patch could change, and clients drop it.",
    section: "Activity events",
    advice: "Send an ACTIVITY_SNAPSHOT with the same `messageId` first, in this run or an earlier one of the thread.",
    needs: "ACTIVITY_DELTA on a thread whose history is known",
};

static DELTA: Rule = Rule {
    id: "semantics.activity-delta",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every ACTIVITY_DELTA applies to its activity",
    reason: "A client that cannot apply a patch keeps the old content, so its progress display stands still or lies.",
    section: "Activity events: RFC 6902 against the activity's content",
    advice: "Make patches against the content that was sent last, and create a parent before its members.",
    needs: "ACTIVITY_DELTA of a known activity",
};

static OBJECT: Rule = Rule {
    id: "semantics.activity-object",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the content of an activity stays an object when it is patched",
    reason: "The content of an activity is an object, so a patch that makes something else of it leaves a message that nobody can show.",
    section: "Activity events: `content`",
    advice: "Replace members, not the whole content; for new content send an ACTIVITY_SNAPSHOT.",
    needs: "ACTIVITY_DELTA that applies",
};

pub(super) const RULES: &[&Rule] = &[&BASE, &DELTA, &OBJECT];

/// The activities of a thread, and whether all of its runs were seen.
#[derive(Default)]
struct Thread {
    /// Content by id; `None` if it is not known.
    held: BTreeMap<String, Option<Value>>,
    is_known: bool,
}

/// Looks at the runs of each thread in their order: consumers keep activities from run to run.
pub(super) fn look_at_threads(exchanges: &[Exchange], found: &mut Findings) {
    let mut threads: BTreeMap<String, Thread> = BTreeMap::new();
    for (number, exchange) in exchanges.iter().enumerate() {
        if !exchange.answer.is_stream() {
            continue;
        }
        found.enter(number);
        match thread_of(exchange) {
            Some(id) => {
                let thread = threads.entry(id.to_owned()).or_insert_with(|| Thread {
                    is_known: is_new(exchange),
                    ..Thread::default()
                });
                look(exchange, thread, found);
            }
            None => look(exchange, &mut Thread::default(), found),
        }
    }
}

fn look(exchange: &Exchange, thread: &mut Thread, found: &mut Findings) {
    for (number, event) in exchange.answer.events.iter().enumerate() {
        match (event.kind(), event.text("messageId")) {
            (Some("ACTIVITY_SNAPSHOT"), Some(id)) => {
                let content = event.get("content").cloned().filter(Value::is_object);
                let replaces = event.get("replace").and_then(Value::as_bool) != Some(false);
                if replaces || !thread.held.contains_key(id) {
                    thread.held.insert(id.to_owned(), content);
                }
            }
            (Some("ACTIVITY_DELTA"), Some(id)) => delta(number, event, id, thread, found),
            (Some("MESSAGES_SNAPSHOT"), _) => thread.reconcile(event),
            _ => {}
        }
    }
    // Of a stream that we left there is more that we do not know.
    thread.is_known &= exchange.answer.is_whole();
}

fn delta(number: usize, event: &Observed, id: &str, thread: &mut Thread, found: &mut Findings) {
    let Some(held) = thread.held.get_mut(id) else {
        if thread.is_known {
            let message = format!(
                "there is no activity `{id}`: no ACTIVITY_SNAPSHOT of the thread has this `messageId`"
            );
            found.at(&BASE, number, message);
        }
        return;
    };
    found.saw(&BASE);
    let (Some(content), Some(operations)) = (held.as_mut(), event.get("patch")) else {
        *held = None;
        return;
    };
    let before = content.clone();
    match patch(content, operations) {
        Patched::Yes if content.is_object() => {
            found.saw(&DELTA);
            found.saw(&OBJECT);
        }
        Patched::Yes => {
            found.saw(&DELTA);
            let kind = kind_of(content);
            let message = format!(
                "the patch makes {kind} of the content of activity `{id}`, which must be an object"
            );
            found.at(&OBJECT, number, message);
            *content = before;
        }
        Patched::No(why) => {
            let message =
                format!("the patch cannot be applied to the content of activity `{id}`: {why}");
            found.at(&DELTA, number, message);
        }
        Patched::Unknown => *held = None,
    }
}

impl Thread {
    /// Takes over the activities of a snapshot; one without any leaves them alone.
    fn reconcile(&mut self, event: &Observed) {
        let activities = list(event.get("messages"))
            .filter(|message| text(message, "role") == Some("activity"))
            .filter_map(|message| {
                let content = message.get("content").cloned().filter(Value::is_object);
                Some((text(message, "id")?.to_owned(), content))
            });
        let activities: BTreeMap<_, _> = activities.collect();
        if !activities.is_empty() {
            self.held = activities;
        }
    }
}

fn thread_of(exchange: &Exchange) -> Option<&str> {
    text(exchange.request.as_ref()?, "threadId")
}

/// Tells whether a thread begins here: nothing that an agent said is in the request.
fn is_new(exchange: &Exchange) -> bool {
    let mut messages = exchange.sent_messages().iter();
    messages.all(|message| matches!(text(message, "role"), Some("user" | "system" | "developer")))
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
