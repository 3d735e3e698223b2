//! What an answer tells, run by run, beside what the request holds.

use serde_json::Value;

use super::held::Held;
use super::unfold;
use crate::exchange::Exchange;

/// What an answer tells.
#[derive(Debug)]
pub(super) struct Story<'a> {
    /// Runs in order; most answers have one.
    pub(super) runs: Vec<Run<'a>>,
    /// What the request holds.
    pub(super) held: Held<'a>,
    /// Whether the request is known.
    pub(super) knows_request: bool,
    run_id: Option<&'a str>,
}

/// A run.
#[derive(Debug, Default)]
pub(super) struct Run<'a> {
    /// Its id.
    pub(super) id: Option<&'a str>,
    /// Its thread.
    pub(super) thread: Option<&'a str>,
    /// What happens, in order.
    pub(super) steps: Vec<Told<'a>>,
    /// Number of the event that ends it, and how it ends.
    pub(super) end: Option<(usize, End<'a>)>,
}

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) struct Told<'a> {
    /// Number of the event.
    pub(super) event: usize,
    /// The subagent it belongs to.
    pub(super) owner: Option<&'a str>,
    /// What it is.
    pub(super) step: Step<'a>,
}

/// What happens in a run.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    /// A text message begins.
    Text {
        id: &'a str,
        role: Option<&'a str>,
        name: Option<&'a str>,
    },
    TextPiece {
        id: &'a str,
        delta: &'a str,
    },
    TextEnd {
        id: &'a str,
    },
    /// A call begins.
    Call {
        id: &'a str,
        name: &'a str,
        parent: Option<&'a str>,
    },
    CallPiece {
        id: &'a str,
        delta: &'a str,
    },
    CallEnd {
        id: &'a str,
    },
    /// A call is answered.
    Answer {
        message_id: &'a str,
        call_id: &'a str,
        content: Option<&'a Value>,
    },
    /// A reasoning message begins.
    Reasoning {
        id: &'a str,
    },
    /// A span of reasoning begins. Its id is of another kind than those of messages.
    Span {
        id: &'a str,
    },
    Activity {
        id: &'a str,
    },
    Encrypted {
        subtype: &'a str,
        entity: &'a str,
    },
    Snapshot(&'a [Value]),
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End<'a> {
    /// With success, said or not, and the calls that it lists as pending.
    Success { pending: Option<&'a [Value]> },
    /// With interrupts.
    Interrupt,
    /// With an error, cancelled, or in a way that nobody knows.
    Other,
}

impl<'a> Story<'a> {
    /// Reads the answer of an exchange.
    pub(super) fn of(exchange: &'a Exchange) -> Self {
        Self {
            runs: unfold::runs(&exchange.answer.events),
            held: Held::new(exchange.sent_messages()),
            knows_request: exchange.request.is_some(),
            run_id: exchange
                .request
                .as_ref()
                .and_then(|input| input.get("runId")?.as_str()),
        }
    }

    /// Returns what happens in all runs.
    pub(super) fn steps(&self) -> impl Iterator<Item = &Told<'a>> {
        self.runs.iter().flat_map(|run| &run.steps)
    }

    /// Returns the snapshots of messages.
    pub(super) fn snapshots(&self) -> impl Iterator<Item = (usize, &'a [Value])> {
        self.steps().filter_map(|told| match told.step {
            Step::Snapshot(messages) => Some((told.event, messages)),
            _ => None,
        })
    }

    /// Tells whether a run is the one that is known to have been asked for. An answer may also tell of others.
    pub(super) fn is_asked(&self, run: &Run<'_>) -> bool {
        self.knows_request && (self.runs.len() == 1 || run.id == self.run_id)
    }

    /// Tells whether every run came to an end, so that nothing more can follow.
    pub(super) fn has_ended(&self) -> bool {
        !self.runs.is_empty() && self.runs.iter().all(|run| run.end.is_some())
    }
}
