//! Messages and calls as a client has them from the stream, and what a snapshot says of them.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{beginning, likeness, name_of, role_of, said};
use crate::rule::{Findings, Rule};

static SNAPSHOT_CONTENT: Rule = Rule {
    id: "semantics.snapshot-content",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Must),
    title: "a `MESSAGES_SNAPSHOT` says of a message or call what was streamed of it",
    reason: "A snapshot replaces what the user has just read, and the next request is built from it.",
    section: "Messages, reconciling snapshots",
    advice: "Build snapshots from the texts, arguments and results that were streamed.",
    needs: "`MESSAGES_SNAPSHOT` with a streamed message",
};

static SNAPSHOT_SPELLING: Rule = Rule {
    id: "semantics.snapshot-spelling",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "a `MESSAGES_SNAPSHOT` has the arguments of a call letter by letter as they were streamed",
    reason: "Caches of prompts and signatures depend on the very text; arguments that are written anew differ in blanks and order.",
    section: "Messages, reconciling snapshots",
    advice: "Keep the text of the arguments beside what was parsed from it.",
    needs: "`MESSAGES_SNAPSHOT` with a streamed call",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&SNAPSHOT_CONTENT, &SNAPSHOT_SPELLING];

/// A message as a client has it from the stream.
pub(super) struct Shown<'a> {
    pub(super) role: &'a str,
    pub(super) text: String,
    /// The call that it answers.
    pub(super) answers: Option<&'a str>,
    pub(super) is_open: bool,
    pub(super) has_calls: bool,
    pub(super) order: usize,
}

/// A call as a client has it from the stream.
pub(super) struct ShownCall<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: String,
    pub(super) parent: Option<&'a str>,
    pub(super) is_open: bool,
    pub(super) order: usize,
}

impl Shown<'_> {
    pub(super) fn new(order: usize) -> Self {
        Self {
            role: "assistant",
            text: String::new(),
            answers: None,
            is_open: false,
            has_calls: false,
            order,
        }
    }

    pub(super) fn compare(&mut self, at: usize, id: &str, message: &Value, found: &mut Findings) {
        let now = said(message.get("content"));
        if !self.is_open && !self.text.is_empty() {
            found.saw(&SNAPSHOT_CONTENT);
            if now != self.text && !same_json(&now, &self.text) {
                let message = format!(
                    "`{id}` says `{}` in the snapshot, but `{}` was streamed",
                    beginning(&now),
                    beginning(&self.text)
                );
                found.at(&SNAPSHOT_CONTENT, at, message);
            }
        }
        let role = role_of(message);
        if role != self.role && likeness(message).is_some() {
            let message = format!(
                "`{id}` is a `{role}` message in the snapshot, but it was streamed as `{}`",
                self.role
            );
            found.at(&SNAPSHOT_CONTENT, at, message);
        }
        if !self.is_open {
            self.text = now;
        }
    }
}

impl ShownCall<'_> {
    pub(super) fn compare(&mut self, at: usize, id: &str, call: &Value, found: &mut Findings) {
        if let Some(name) = name_of(call).filter(|name| *name != self.name) {
            let message = format!(
                "`{id}` calls `{name}` in the snapshot, but `{}` was streamed",
                self.name
            );
            found.at(&SNAPSHOT_CONTENT, at, message);
        }
        let arguments = call
            .get("function")
            .and_then(|function| function.get("arguments"));
        let Some(now) = arguments.and_then(Value::as_str).filter(|_| !self.is_open) else {
            return;
        };
        found.saw(&SNAPSHOT_CONTENT);
        found.saw(&SNAPSHOT_SPELLING);
        let says_none = |text: &str| matches!(text.trim(), "" | "{}");
        if now == self.arguments || says_none(now) && says_none(&self.arguments) {
            return;
        }
        let (rule, what): (&'static Rule, _) = if same_json(now, &self.arguments) {
            (&SNAPSHOT_SPELLING, "spelt")
        } else {
            (&SNAPSHOT_CONTENT, "given as")
        };
        let message = format!(
            "the arguments of `{id}` are {what} `{}` in the snapshot, but `{}` was streamed",
            beginning(now),
            beginning(&self.arguments)
        );
        found.at(rule, at, message);
        now.clone_into(&mut self.arguments);
    }
}

fn same_json(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    read(one).is_some_and(|one| Some(one) == read(other))
}
