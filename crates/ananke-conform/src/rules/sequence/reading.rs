//! A stream as the rules of order read it: what `ananke_protocol` finds in it, by its number, `V1`–`V18` and `C1`–`C4`.

use std::borrow::Cow;

use ananke_protocol::agui::{Conversation, observe};
use serde_json::{Map, Value, json};

use super::items::{self, Family};
use crate::exchange::{Exchange, Observed};

/// A stream and what is wrong with its order.
pub(super) struct Reading<'a> {
    exchange: &'a Exchange,
    broken: Vec<Broken>,
}

/// Something that is out of order.
pub(super) struct Broken {
    /// `V1`–`V18`, `C1`–`C4`.
    pub(super) code: String,
    /// Number of the event.
    pub(super) event: usize,
    /// What `ananke_protocol` says of it.
    pub(super) told: String,
    /// An item is sent both as chunks and with START, content and END.
    pub(super) is_mixed: bool,
}

impl<'a> Reading<'a> {
    /// Reads the stream of an exchange.
    pub(super) fn new(exchange: &'a Exchange) -> Self {
        let payloads: Vec<Cow<'_, str>> = exchange.answer.events.iter().map(readable).collect();
        // Only the order is of interest, and no rule of it asks what was said before.
        let mut conversation = Conversation::default();
        let observation = observe(&mut conversation, payloads.iter().map(AsRef::as_ref));
        let mut reading = Self {
            exchange,
            broken: Vec::new(),
        };
        for finding in observation.findings {
            let broken = Broken {
                is_mixed: items::of_code(&finding.rule)
                    .is_some_and(|family| reading.is_mixed(family, finding.event)),
                code: finding.rule,
                event: finding.event,
                told: finding.message,
            };
            reading.broken.push(broken);
        }
        reading
    }

    /// Returns the exchange.
    pub(super) fn exchange(&self) -> &'a Exchange {
        self.exchange
    }

    /// Returns the events.
    pub(super) fn events(&self) -> &'a [Observed] {
        &self.exchange.answer.events
    }

    /// Tells whether there is an event of one of these types.
    pub(super) fn has(&self, kinds: &[&str]) -> bool {
        let mut events = self.events().iter();
        events.any(|event| event.kind().is_some_and(|kind| kinds.contains(&kind)))
    }

    /// Returns what breaks the rule with this number, other than by mixing forms; an event counts once.
    pub(super) fn of(&self, code: &str) -> impl Iterator<Item = &Broken> {
        let own = move |broken: &&Broken| broken.code == code && !broken.is_mixed;
        let mut last = None;
        let mut is_new = move |broken: &Broken| last.replace(broken.event) != Some(broken.event);
        self.broken
            .iter()
            .filter(own)
            .filter(move |broken| is_new(broken))
    }

    /// Returns everything that is wrong.
    pub(super) fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// Returns the type of an event, for a sentence.
    pub(super) fn kind(&self, event: usize) -> &'a str {
        let event = self.events().get(event);
        event.and_then(Observed::kind).unwrap_or("an event")
    }

    fn is_mixed(&self, family: &Family, number: usize) -> bool {
        let Some(chunk) = family.chunk.filter(|chunk| self.has(&[chunk])) else {
            return false;
        };
        if self.kind(number) == chunk {
            return true;
        }
        let id = self
            .events()
            .get(number)
            .and_then(|event| event.text(family.id));
        match id.map(|id| family.past(self.events(), id, number)) {
            Some(items::Past::Never | items::Past::Ended(_)) => false,
            // It is open as far as its own events tell, or another event closed its lane.
            Some(items::Past::Started(_)) => self.kind(number) != family.start,
            Some(items::Past::Chunked(_)) | None => true,
        }
    }
}

/// Text members that an event can do without, as far as its place goes.
const OPTIONAL: [&str; 7] = [
    "role",
    "name",
    "parentMessageId",
    "parentSubagentRunId",
    "subagentRunId",
    "message",
    "code",
];

/// Returns the event in a form whose place in the stream can be told. What is wrong with its shape is said elsewhere: it
/// should not make a run look as if it had never begun. Retired types follow rules of their own.
fn readable(event: &Observed) -> Cow<'_, str> {
    let (Ok(Value::Object(members)), Some(kind)) = (&event.value, event.kind()) else {
        return Cow::Borrowed(&event.data);
    };
    if kind.starts_with("THINKING_") {
        let mut plain = json!({"type": "CUSTOM", "name": kind, "value": null});
        if let Some(tag) = event.text("subagentRunId") {
            plain["subagentRunId"] = tag.into();
        }
        return Cow::Owned(plain.to_string());
    }
    let required: &[&str] = match kind {
        "RUN_STARTED" | "RUN_FINISHED" => &["threadId", "runId"],
        "RUN_ERROR" => &["message"],
        "TOOL_CALL_START" => &["toolCallName"],
        _ => &[],
    };
    let is_text = |name: &str| members.get(name).is_some_and(Value::is_string);
    let is_odd = |name: &str| {
        let member = members.get(name);
        member.is_some_and(|value| !value.is_string() && !value.is_null())
    };
    let missing: Vec<&str> = required
        .iter()
        .copied()
        .filter(|name| !is_text(name))
        .collect();
    let odd: Vec<&str> = OPTIONAL.into_iter().filter(|name| is_odd(name)).collect();
    if missing.is_empty() && odd.is_empty() {
        return Cow::Borrowed(&event.data);
    }
    let mut members: Map<String, Value> = members.clone();
    members.retain(|name, _| !odd.contains(&name.as_str()));
    for name in missing {
        members.insert(name.to_owned(), "".into());
    }
    Cow::Owned(Value::Object(members).to_string())
}
