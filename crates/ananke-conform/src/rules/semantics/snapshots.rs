//! What was streamed is in the snapshots that follow, under the same ids.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{Held, calls_of, id_of, said};
use super::renamed::{CallNames, Names};
use super::shown::{Shown, ShownCall};
use super::story::{Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static SNAPSHOT_IDS: Rule = Rule {
    id: "semantics.snapshot-ids",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a `MESSAGES_SNAPSHOT` has messages and calls that were streamed before it under the same ids",
    reason: "A client drops what a snapshot lacks and appends what it does not know: what has another id moves to the end or loses its calls.",
    section: "Messages, reconciling snapshots",
    advice: "Keep the id under which a message or result was streamed when the history is written down.",
    needs: "`MESSAGES_SNAPSHOT` after a streamed message",
};

static SNAPSHOT_DROPS: Rule = Rule {
    id: "semantics.snapshot-drops",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "a `MESSAGES_SNAPSHOT` does not lack what the same answer streamed before it",
    reason: "A client drops what a snapshot lacks, so the user sees a message vanish, and the next request is sent without it.",
    section: "Messages, reconciling snapshots",
    advice: "Write down the whole history, with what has just been streamed; leave out a message only if it is to be taken back.",
    needs: "`MESSAGES_SNAPSHOT` after a streamed message",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&SNAPSHOT_IDS, &SNAPSHOT_DROPS];

#[derive(Default)]
struct Client<'a> {
    messages: BTreeMap<&'a str, Shown<'a>>,
    /// Messages that began and said nothing so far: nobody misses them.
    silent: BTreeMap<&'a str, Shown<'a>>,
    calls: BTreeMap<&'a str, ShownCall<'a>>,
    /// Ids of messages and calls that an earlier snapshot has.
    written: BTreeSet<&'a str>,
}

/// Something streamed that a snapshot has not under its id.
struct Missing<'a> {
    order: usize,
    id: &'a str,
    what: String,
    /// What the snapshot calls it, if it is there at all.
    now: Option<&'a str>,
}

/// Compares each snapshot with what was streamed before it.
pub(super) fn look(_: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let mut client = Client::default();
    for (order, told) in story.steps().enumerate() {
        if let Step::Snapshot(messages) = told.step {
            client.compare(told.event, messages, &story.held, found);
        } else {
            client.take(order, &told.step, &story.held);
        }
    }
}

impl<'a> Client<'a> {
    /// Takes what is streamed. What the request holds is left out: streaming it again is a fault of its own.
    fn take(&mut self, order: usize, step: &Step<'a>, held: &Held<'_>) {
        match *step {
            Step::Text { id, role, .. } if held.message(id).is_none() => {
                let message = match self.messages.get_mut(id) {
                    Some(message) => message,
                    None => self.silent.entry(id).or_insert_with(|| Shown::new(order)),
                };
                message.role = role.unwrap_or("assistant");
                message.is_open = true;
            }
            Step::TextPiece { id, delta } if !delta.is_empty() => {
                self.hear(id);
                if let Some(message) = self.messages.get_mut(id) {
                    message.text.push_str(delta);
                }
            }
            Step::TextEnd { id } => {
                let message = self.messages.get_mut(id);
                if let Some(message) = message.or_else(|| self.silent.get_mut(id)) {
                    message.is_open = false;
                }
            }
            Step::Call { id, name, parent } if held.call(id).is_none() => {
                let call = self.calls.entry(id).or_insert_with(|| ShownCall {
                    name,
                    arguments: String::new(),
                    parent,
                    is_open: true,
                    order,
                });
                call.is_open = true;
                if let Some(parent) = parent.filter(|parent| held.message(parent).is_none()) {
                    self.message(parent, order).has_calls = true;
                }
            }
            Step::CallPiece { id, delta } => {
                if let Some(call) = self.calls.get_mut(id) {
                    call.arguments.push_str(delta);
                }
            }
            Step::CallEnd { id } => {
                if let Some(call) = self.calls.get_mut(id) {
                    call.is_open = false;
                }
            }
            Step::Answer {
                message_id,
                call_id,
                content,
            } if held.message(message_id).is_none() => {
                let message = self.message(message_id, order);
                message.role = "tool";
                message.text = said(content);
                message.answers = Some(call_id);
            }
            _ => {}
        }
    }

    fn message(&mut self, id: &'a str, order: usize) -> &mut Shown<'a> {
        self.hear(id);
        self.messages.entry(id).or_insert_with(|| Shown::new(order))
    }

    /// Takes a message for one that is missed when it is gone.
    fn hear(&mut self, id: &str) {
        if let Some((id, message)) = self.silent.remove_entry(id) {
            self.messages.insert(id, message);
        }
    }

    fn compare(&mut self, at: usize, snapshot: &'a [Value], held: &Held<'_>, found: &mut Findings) {
        let written = Held::new(snapshot);
        for id in snapshot.iter().filter_map(id_of) {
            self.hear(id);
        }
        if !self.messages.is_empty() || !self.calls.is_empty() {
            found.saw(&SNAPSHOT_IDS);
            found.saw(&SNAPSHOT_DROPS);
        }
        for missing in self.missing(&written, snapshot, held) {
            let Missing { what, now, .. } = missing;
            match now {
                Some(now) => {
                    let message = format!(
                        "{what} was streamed before the snapshot, but there it is called `{now}`"
                    );
                    found.at(&SNAPSHOT_IDS, at, message);
                }
                None => {
                    let message =
                        format!("{what} was streamed before the snapshot, but it is not in it");
                    found.at(&SNAPSHOT_DROPS, at, message);
                }
            }
        }
        self.written.extend(snapshot.iter().filter_map(id_of));
        let calls = snapshot.iter().flat_map(calls_of);
        self.written.extend(calls.filter_map(id_of));
        // What a client drops it does not miss again; what has not said anything yet still may.
        let dropped = self
            .messages
            .extract_if(.., |id, _| written.message(id).is_none());
        let open = dropped.filter(|(_, shown)| shown.is_open && shown.text.is_empty());
        self.silent.extend(open);
        self.calls.retain(|id, _| written.call(id).is_some());
        for (id, shown) in &mut self.messages {
            if let Some(message) = written.message(id) {
                shown.compare(at, id, message, found);
            }
        }
        for (id, shown) in &mut self.calls {
            if let Some(call) = written.call(id) {
                shown.compare(at, id, call, found);
            }
        }
    }

    /// Returns what a client has to drop, in the order in which it was streamed.
    fn missing(
        &self,
        written: &Held<'_>,
        snapshot: &'a [Value],
        held: &Held<'_>,
    ) -> Vec<Missing<'a>> {
        let names = Names::of(
            snapshot,
            |id| self.messages.contains_key(id),
            |id| self.written.contains(id) || held.message(id).is_some(),
        );
        let calls = self
            .calls
            .iter()
            .filter_map(|(id, call)| Some((call.parent?, *id)));
        let first_calls: BTreeMap<&str, &str> = calls.rev().collect();
        let mut missing = Vec::new();
        let mut lost: BTreeSet<&str> = BTreeSet::new();
        for (id, shown) in &self.messages {
            let says_something =
                !shown.text.is_empty() || shown.has_calls || shown.answers.is_some();
            if written.message(id).is_some() || !says_something {
                continue;
            }
            lost.insert(id);
            let first_call = first_calls.get(id).copied();
            let (what, now) = match shown.answers {
                Some(call_id) => (
                    format!("the result `{id}` of `{call_id}`"),
                    names.answer_to(call_id),
                ),
                None => (
                    format!("the `{}` message `{id}`", shown.role),
                    names.message(shown.role, &shown.text, first_call),
                ),
            };
            missing.push(Missing {
                order: shown.order,
                id,
                what,
                now,
            });
        }
        let is_known = |id: &str| self.written.contains(id) || self.calls.contains_key(id);
        let names = CallNames::of(snapshot, |id| is_known(id) || held.call(id).is_some());
        for (id, call) in &self.calls {
            if written.call(id).is_some() {
                continue;
            }
            let now = names.call(call.name, &call.arguments);
            // A call that went with its message has been told of.
            let parent_is_lost = call.parent.is_some_and(|parent| lost.contains(parent));
            if now.is_some() || !parent_is_lost {
                missing.push(Missing {
                    order: call.order,
                    id,
                    what: format!("the call `{id}` of `{}`", call.name),
                    now,
                });
            }
        }
        missing.sort_by_key(|missing| (missing.order, missing.id));
        missing
    }
}
