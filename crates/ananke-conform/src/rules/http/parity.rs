//! Both forms tell the same: the binary form of a run has the events of its event stream.

use ananke_model::conformance::{Layer, Level};

use crate::case::Case;
use crate::exchange::{Answer, Asked, Exchange, Framing, Probe};
use crate::rule::{Findings, Rule};

static PROTOBUF_PARITY: Rule = Rule {
    id: "http.protobuf-parity",
    layer: Layer::Http,
    old: None,
    v1: Some(Level::Must),
    title: "the binary form tells what the event stream tells",
    reason: "The forms are two spellings of the same events, and a client may choose either.",
    section: "Protobuf binding, equivalence",
    advice: "Encode every event that the stream has; update the encoder if it leaves some out.",
    needs: "binary answer of an agent that says the same twice",
};

pub(super) const RULES: &[&Rule] = &[&PROTOBUF_PARITY];

pub(super) fn look(case: &Case, found: &mut Findings) {
    let mut streams = case
        .exchanges
        .iter()
        .filter(|exchange| says_hello(exchange));
    let (Some(one), Some(other)) = (streams.next(), streams.next()) else {
        return;
    };
    let expected = told(&one.answer);
    // An agent that never says the same twice cannot be held to it.
    if expected != told(&other.answer) {
        return;
    }
    for (number, exchange) in case.exchanges.iter().enumerate() {
        let is_asked = exchange.asked == Asked::Probe(Probe::AcceptProtobuf);
        let answer = &exchange.answer;
        if !is_asked || !answer.is_stream() || answer.framing != Framing::Protobuf {
            continue;
        }
        found.enter(number);
        found.saw(&PROTOBUF_PARITY);
        let seen = told(answer);
        let difference = (0..expected.len().max(seen.len())).find_map(|index| {
            let (expected, seen) = (expected.get(index), seen.get(index));
            (expected != seen).then_some((expected, seen))
        });
        if let Some((expected, seen)) = difference {
            let words = |told: Option<&Told>| match told {
                Some(Told { kind, text }) if text.is_empty() => format!("`{kind}`"),
                Some(Told { kind, text }) => format!("`{kind}` with {text:?}"),
                None => "the end".to_owned(),
            };
            let (expected, seen) = (words(expected), words(seen));
            let message = format!("expected {expected} as in the event stream, saw {seen}");
            found.whole(&PROTOBUF_PARITY, message);
        }
    }
}

/// Tells whether an event stream answers the same words as the binary one: the run of `hello`, and a probe that changes
/// nothing but what is accepted.
fn says_hello(exchange: &Exchange) -> bool {
    let is_hello =
        exchange.asked == Asked::Run && exchange.scenario == "hello" && exchange.step == "run";
    let is_probe = exchange.asked == Asked::Probe(Probe::AcceptNoProtobuf);
    let answer = &exchange.answer;
    let is_sse = answer.is_stream() && answer.framing == Framing::Sse;
    (is_hello || is_probe) && is_sse && answer.is_whole()
}

/// One or more events of a kind, and the text that they add up to: how a text is cut is nobody's business.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    kind: String,
    text: String,
}

fn told(answer: &Answer) -> Vec<Told> {
    let mut all: Vec<Told> = Vec::new();
    for event in &answer.events {
        let kind = event.kind().unwrap_or("no event");
        let text = match kind {
            "TOOL_CALL_START" => event.text("toolCallName"),
            "CUSTOM" => event.text("name"),
            "STEP_STARTED" | "STEP_FINISHED" => event.text("stepName"),
            _ => event.text("delta"),
        };
        let text = text.unwrap_or_default();
        match all.last_mut() {
            Some(last) if last.kind == kind => last.text.push_str(text),
            _ => all.push(Told {
                kind: kind.to_owned(),
                text: text.to_owned(),
            }),
        }
    }
    all
}
