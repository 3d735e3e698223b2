//! How a client goes through a stream, and where it stops.

use ananke_model::recording::Finding;
use ananke_protocol::agui::{Conversation, observe};
use serde_json::{Value, json};

use super::reasoning::Reasoning;
use super::thinking::Thinking;
use super::{current, older, wire};
use crate::exchange::{Answer, Observed};

/// A client whose behaviour is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// `@ag-ui/client` 0.0.59, the last one before 1.0.
    Older,
    /// `@ag-ui/client` 1.0.0.
    Current,
}

/// Where a client stops, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// Number of the event; `None` if it is the stream as a whole.
    pub event: Option<usize>,
    /// Why, in words.
    pub message: String,
}

/// What a client makes of an event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Taken {
    /// It goes on to the sequence rules, like this.
    Event(Value),
    /// It is left out with a warning.
    Dropped,
    /// The run fails; why.
    Refused(String),
}

impl Client {
    /// Every client.
    pub const ALL: [Self; 2] = [Self::Older, Self::Current];

    /// Returns the name of the package and its version.
    pub fn name(self) -> &'static str {
        match self {
            Self::Older => "@ag-ui/client 0.0.59",
            Self::Current => "@ag-ui/client 1.0.0",
        }
    }

    /// Returns where it stops to read this stream; `None` if it gets through what was seen of it.
    pub fn breaks_at(self, answer: &Answer) -> Option<Break> {
        if let Some(message) = wire::misread(answer) {
            return Some(Break {
                event: None,
                message,
            });
        }
        let (taken, refused) = self.take(&answer.events);
        let by_sequence = self.first_misplaced(&taken);
        by_sequence.or(refused).or_else(|| {
            wire::cut(answer).map(|message| Break {
                event: None,
                message,
            })
        })
    }

    /// Takes events up to the first that is refused; each with its number.
    fn take(self, events: &[Observed]) -> (Vec<(usize, Value)>, Option<Break>) {
        let mut all = Vec::new();
        for (number, event) in events.iter().enumerate() {
            let taken = match &event.value {
                Ok(value) => self.take_one(value),
                Err(why) => Taken::Refused(format!("its data is no JSON: {why}")),
            };
            match taken {
                Taken::Event(value) => all.push((number, value)),
                Taken::Dropped => {}
                Taken::Refused(message) => {
                    let event = Some(number);
                    return (all, Some(Break { event, message }));
                }
            }
        }
        (all, None)
    }

    fn take_one(self, event: &Value) -> Taken {
        match self {
            Self::Older => older::take(event),
            Self::Current => current::take(event),
        }
    }

    /// Returns the first event that comes at the wrong moment.
    fn first_misplaced(self, taken: &[(usize, Value)]) -> Option<Break> {
        let payloads: Vec<String> = taken.iter().map(|(_, event)| event.to_string()).collect();
        let mut conversation = Conversation::new(json!({}));
        let observation = observe(&mut conversation, payloads.iter().map(String::as_str));
        let mut findings = observation.findings.iter();
        let found = findings.find(|finding| {
            let kind = taken
                .get(finding.event)
                .and_then(|(_, event)| event["type"].as_str());
            self.minds(finding, kind.unwrap_or_default())
        });
        let found = found.map(|finding| (finding.event, finding.message.clone()));
        let (at, message) = found
            .into_iter()
            .chain(self.own_checks(taken))
            .min_by_key(|(at, _)| *at)?;
        let (number, _) = taken.get(at)?;
        Some(Break {
            event: Some(*number),
            message,
        })
    }

    /// Returns the first event of each kind that breaks a rule which only this client has.
    fn own_checks(self, taken: &[(usize, Value)]) -> impl Iterator<Item = (usize, String)> {
        let events = || taken.iter().map(|(_, event)| event);
        let is_older = self == Self::Older;
        let retired = is_older.then(|| Thinking::first_misplaced(events()));
        let reasoning = is_older.then(|| Reasoning::first_misplaced(events()));
        [retired, reasoning].into_iter().flatten().flatten()
    }

    /// Tells whether a sequence rule that an event of this type breaks ends a run of this client.
    fn minds(self, finding: &Finding, kind: &str) -> bool {
        if self == Self::Current {
            return true;
        }
        // It looks at owners of reasoning, not at its order; retired events have no owner; a chunk may repeat anything.
        match finding.rule.as_str() {
            "V13" | "V14" | "C3" => false,
            "V15" => !kind.starts_with("THINKING_"),
            "V18" => !finding.message.starts_with("RUN_FINISHED while reasoning "),
            _ => true,
        }
    }
}
