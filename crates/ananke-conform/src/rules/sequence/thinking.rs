//! The retired `THINKING_*` events, which have no ids: one span at a time, one message at a time inside it.

use ananke_model::conformance::{Layer, Level};

use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static THINKING: Rule = Rule {
    id: "sequence.thinking",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: None,
    title: "`THINKING_*` events come in pairs, messages inside a span",
    reason: "They carry no ids, so clients before 1.0 match them by order alone and end the run when that fails.",
    section: "Packages before 1.0, thinking events",
    advice: "Send `THINKING_START`, then each message with its start and end, then `THINKING_END`; or `REASONING_*` events, which 1.0 has.",
    needs: "THINKING_* event",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&THINKING];

/// Looks at thinking events.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let (mut in_span, mut in_message) = (false, false);
    for (number, event) in exchange.answer.events.iter().enumerate() {
        let kind = event.kind().unwrap_or_default();
        let wrong = match kind {
            "RUN_STARTED" => {
                (in_span, in_message) = (false, false);
                continue;
            }
            "THINKING_START" if in_span => Some("a span is open already"),
            "THINKING_END" if !in_span => Some("no span is open"),
            "THINKING_TEXT_MESSAGE_START" if !in_span => Some("no span is open"),
            "THINKING_TEXT_MESSAGE_START" if in_message => Some("a message is open already"),
            "THINKING_TEXT_MESSAGE_CONTENT" | "THINKING_TEXT_MESSAGE_END" if !in_message => {
                Some("no message is open")
            }
            _ if kind.starts_with("THINKING_") => None,
            _ => continue,
        };
        match kind {
            "THINKING_START" => in_span = true,
            "THINKING_END" => in_span = false,
            "THINKING_TEXT_MESSAGE_START" => in_message = true,
            "THINKING_TEXT_MESSAGE_END" => in_message = false,
            _ => {}
        }
        found.saw(&THINKING);
        if let Some(why) = wrong {
            found.at(&THINKING, number, format!("`{kind}` while {why}"));
        }
    }
}
