//! Reasoning spans and the messages inside them.

use ananke_model::conformance::{Layer, Level};

use super::items::{REASONING, SPAN};
use super::reading::Reading;
use crate::rule::{Findings, Rule};

static SPANS: Rule = Rule {
    id: "sequence.reasoning-span",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "a reasoning span is started once and ended once",
    reason: "Clients show that the agent thinks from start to end of a span, and end the run when they do not match.",
    section: "Events, reasoning",
    advice: "Send `REASONING_START` and `REASONING_END` in pairs with the same id; the messages inside have ids of their own.",
    needs: "REASONING_START or REASONING_END",
};

static MESSAGES: Rule = Rule {
    id: "sequence.reasoning-message",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "a reasoning message is started once, and has content and end while it is open",
    reason: "The id of a span opens no message, so content without its own start has no place to go.",
    section: "Events, reasoning",
    advice: "Send `REASONING_MESSAGE_START` with the same id before content, and `REASONING_MESSAGE_END` after it.",
    needs: "reasoning message",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&SPANS, &MESSAGES];

/// Looks at reasoning.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    let families = [(&SPANS, &SPAN, "V13"), (&MESSAGES, &REASONING, "V14")];
    for (rule, family, code) in families {
        if reading.has(&[family.start]) || family.needs_open(reading) {
            found.saw(rule);
        }
        for broken in reading.of(code) {
            let message = if reading.kind(broken.event) == family.start {
                family.started_twice(reading, broken)
            } else {
                family.not_open(reading, broken)
            };
            found.at(rule, broken.event, message);
        }
    }
}
