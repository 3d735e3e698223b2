//! Text messages: started once, and only then written to.

use ananke_model::conformance::{Layer, Level};

use super::items::TEXT;
use super::reading::Reading;
use crate::rule::{Findings, Rule};

static START: Rule = Rule {
    id: "sequence.text-start",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a text message is not started while it is open",
    reason: "A second start with the same id leaves it open whether there are one or two messages, and clients end the run.",
    section: "Events, text messages",
    advice: "Send `TEXT_MESSAGE_END` before the id is started again, or give each message its own id.",
    needs: "TEXT_MESSAGE_START",
};

static OPEN: Rule = Rule {
    id: "sequence.text-open",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "content and end of a text message come while it is open",
    reason: "Clients add text to the open message with that id; without one they end the run.",
    section: "Events, text messages",
    advice: "Send `TEXT_MESSAGE_START` with the same id first, and nothing for the message after its `TEXT_MESSAGE_END`.",
    needs: "TEXT_MESSAGE_CONTENT or TEXT_MESSAGE_END",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&START, &OPEN];

/// Looks at text messages.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    if reading.has(&[TEXT.start]) {
        found.saw(&START);
    }
    if TEXT.needs_open(reading) {
        found.saw(&OPEN);
    }
    for broken in reading.of("V7") {
        found.at(&START, broken.event, TEXT.started_twice(reading, broken));
    }
    for broken in reading.of("V8") {
        found.at(&OPEN, broken.event, TEXT.not_open(reading, broken));
    }
}
