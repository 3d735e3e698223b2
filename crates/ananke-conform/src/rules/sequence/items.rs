//! Things that are started, go on and end: messages, calls, spans, subagents. What became of one so far.

use super::reading::{Broken, Reading};
use crate::exchange::Observed;

/// A kind of item.
#[derive(Debug)]
pub(super) struct Family {
    /// What it is called.
    pub(super) what: &'static str,
    /// The member with its id.
    pub(super) id: &'static str,
    pub(super) start: &'static str,
    pub(super) goes_on: Option<&'static str>,
    pub(super) ends: &'static [&'static str],
    pub(super) chunk: Option<&'static str>,
}

pub(super) static TEXT: Family = Family {
    what: "text message",
    id: "messageId",
    start: "TEXT_MESSAGE_START",
    goes_on: Some("TEXT_MESSAGE_CONTENT"),
    ends: &["TEXT_MESSAGE_END"],
    chunk: Some("TEXT_MESSAGE_CHUNK"),
};

pub(super) static CALL: Family = Family {
    what: "tool call",
    id: "toolCallId",
    start: "TOOL_CALL_START",
    goes_on: Some("TOOL_CALL_ARGS"),
    ends: &["TOOL_CALL_END"],
    chunk: Some("TOOL_CALL_CHUNK"),
};

pub(super) static SPAN: Family = Family {
    what: "reasoning span",
    id: "messageId",
    start: "REASONING_START",
    goes_on: None,
    ends: &["REASONING_END"],
    chunk: None,
};

pub(super) static REASONING: Family = Family {
    what: "reasoning message",
    id: "messageId",
    start: "REASONING_MESSAGE_START",
    goes_on: Some("REASONING_MESSAGE_CONTENT"),
    ends: &["REASONING_MESSAGE_END"],
    chunk: Some("REASONING_MESSAGE_CHUNK"),
};

pub(super) static SUBAGENT: Family = Family {
    what: "subagent",
    id: "subagentRunId",
    start: "SUBAGENT_STARTED",
    goes_on: None,
    ends: &["SUBAGENT_FINISHED", "SUBAGENT_ERROR"],
    chunk: None,
};

/// Returns the items that a rule is about, where they can also be sent as chunks.
pub(super) fn of_code(code: &str) -> Option<&'static Family> {
    match code {
        "V7" | "V8" => Some(&TEXT),
        "V9" | "V10" => Some(&CALL),
        "V14" => Some(&REASONING),
        _ => None,
    }
}

/// What became of an item before an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Past {
    /// The run has not seen it.
    Never,
    /// It was started here, and has not ended.
    Started(usize),
    /// Its last chunk is here.
    Chunked(usize),
    /// It ended here.
    Ended(usize),
}

impl Family {
    /// Looks back from event `before` to the start of its run.
    pub(super) fn past(&self, events: &[Observed], id: &str, before: usize) -> Past {
        for (number, event) in events.iter().enumerate().take(before).rev() {
            let kind = event.kind().unwrap_or_default();
            if kind == "RUN_STARTED" {
                return Past::Never;
            }
            if event.text(self.id) != Some(id) {
                continue;
            }
            if kind == self.start {
                return Past::Started(number);
            }
            if self.ends.contains(&kind) {
                return Past::Ended(number);
            }
            if self.chunk == Some(kind) {
                return Past::Chunked(number);
            }
        }
        Past::Never
    }

    /// Returns the id that an event names.
    pub(super) fn id_in<'a>(&self, reading: &Reading<'a>, broken: &Broken) -> &'a str {
        let event = reading.events().get(broken.event);
        event.and_then(|event| event.text(self.id)).unwrap_or("?")
    }

    /// Says that an item is started while it is open.
    pub(super) fn started_twice(&self, reading: &Reading<'_>, broken: &Broken) -> String {
        let id = self.id_in(reading, broken);
        let what = self.what;
        match self.past(reading.events(), id, broken.event) {
            Past::Started(number) => {
                format!("{what} `{id}` is started again, but it is open since event {number}")
            }
            _ => format!("{what} `{id}` is started while it is open"),
        }
    }

    /// Says that an event is for an item that is not open.
    pub(super) fn not_open(&self, reading: &Reading<'_>, broken: &Broken) -> String {
        let (id, kind, what) = (
            self.id_in(reading, broken),
            reading.kind(broken.event),
            self.what,
        );
        let why = match self.past(reading.events(), id, broken.event) {
            Past::Ended(number) => format!("it ended at event {number}"),
            Past::Never => format!("no `{}` came before", self.start),
            Past::Started(_) | Past::Chunked(_) => "another event has ended it".to_owned(),
        };
        format!("`{kind}` for {what} `{id}`, which is not open: {why}")
    }

    /// Tells whether there is an event that needs an open item.
    pub(super) fn needs_open(&self, reading: &Reading<'_>) -> bool {
        reading.has(self.ends) || self.goes_on.is_some_and(|kind| reading.has(&[kind]))
    }
}
