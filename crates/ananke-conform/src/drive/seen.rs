//! What a run came to, as far as scenarios go on by it.

use serde_json::Value;

use super::thread::HeldCall;
use crate::exchange::{Answer, Ending, Framing};

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// Number of its exchange.
    pub(super) exchange: usize,
    /// How it ended.
    pub(super) end: RunEnd,
    /// Whether the assistant said anything.
    pub(super) has_text: bool,
    /// Calls that were not there before.
    pub(super) calls: Vec<HeldCall>,
}

impl Seen {
    /// Tells whether the conversation can simply go on: the run came to an end, and no question waits for an answer.
    pub(super) fn lets_go_on(&self) -> bool {
        matches!(self.end, RunEnd::Success | RunEnd::Cancelled)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// With success.
    Success,
    /// With questions.
    Interrupted,
    /// It was stopped on purpose.
    Cancelled,
    /// It says that it failed.
    Failed(String),
    /// There was no stream at all; why.
    Refused(String),
    /// No terminal event came; why not.
    Open(String),
}

impl RunEnd {
    /// Finds out how a run ended.
    pub(super) fn of(answer: &Answer) -> Self {
        if let Some(why) = refusal(answer) {
            return Self::Refused(why);
        }
        let last = answer
            .last_word()
            .filter(|(_, kind)| *kind != "RUN_STARTED")
            .and_then(|(number, _)| answer.events.get(number));
        let Some(last) = last else {
            return Self::Open(match &answer.ending {
                Ending::Closed | Ending::Unknown => "no terminal event came".to_owned(),
                Ending::Broken(why) | Ending::GivenUp(why) | Ending::NoAnswer(why) => why.clone(),
            });
        };
        if last.kind() == Some("RUN_ERROR") {
            let message = last.text("message").unwrap_or("no message");
            return Self::Failed(message.to_owned());
        }
        let outcome = last.get("outcome").and_then(|outcome| outcome.get("type"));
        match outcome.and_then(Value::as_str) {
            Some("interrupt") => Self::Interrupted,
            Some("cancelled") => Self::Cancelled,
            _ => Self::Success,
        }
    }

    /// Tells whether the run finished, whatever its outcome.
    pub(super) fn is_finished(&self) -> bool {
        matches!(self, Self::Success | Self::Interrupted | Self::Cancelled)
    }

    /// Tells it in words: `the run …`.
    pub(super) fn in_words(&self) -> String {
        match self {
            Self::Success => "the run ended with success".to_owned(),
            Self::Interrupted => "the run ended with an interrupt".to_owned(),
            Self::Cancelled => "the run ended as cancelled".to_owned(),
            Self::Failed(why) => format!("the run ended with `RUN_ERROR`: {why}"),
            Self::Refused(why) => format!("the run was refused: {why}"),
            Self::Open(why) => format!("the run did not end: {why}"),
        }
    }
}

/// Says why there is no stream.
pub(super) fn refusal(answer: &Answer) -> Option<String> {
    match (&answer.ending, answer.status) {
        (Ending::NoAnswer(why), _) => Some(why.clone()),
        (_, Some(200)) if answer.framing == Framing::None => {
            let kind = answer.header("content-type").unwrap_or("no content type");
            Some(format!(
                "status 200 with `{kind}` instead of an event stream"
            ))
        }
        (_, Some(status)) if status != 200 => Some(format!("status {status}")),
        (Ending::GivenUp(why) | Ending::Broken(why), _) if answer.events.is_empty() => {
            Some(format!("no event came: {why}"))
        }
        _ => None,
    }
}
