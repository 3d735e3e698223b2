//! Which form a client gets: what it accepts, and never what it refuses.

use ananke_model::conformance::{Layer, Level};

use super::tolerance::refusal;
use crate::exchange::{Asked, Ending, Exchange, Framing, Probe};
use crate::rule::{Findings, Rule};

static ACCEPT_ANY: Rule = Rule {
    id: "http.accept-any",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "a client that accepts anything gets one of the two forms, whole",
    reason: "Many HTTP clients send `Accept: */*`, which asks for events in either form and for nothing else.",
    section: "HTTP binding, content negotiation",
    advice: "Answer `*/*` with `text/event-stream`, or with whole frames of `application/vnd.ag-ui.event+proto`.",
    needs: "answer to `Accept: */*`",
};

static ACCEPT_NO_PROTOBUF: Rule = Rule {
    id: "http.accept-no-protobuf",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "a client that refuses the binary form gets an event stream",
    reason: "A quality of 0 means that a form is not acceptable, so a client that says so cannot read it.",
    section: "HTTP binding, content negotiation",
    advice: "Read the qualities in `Accept`; do not look for the name of the media type alone.",
    needs: "answer to an `Accept` that refuses the binary form",
};

pub(super) const RULES: &[&Rule] = &[&ACCEPT_ANY, &ACCEPT_NO_PROTOBUF];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    let (rule, accept) = match exchange.asked {
        Asked::Probe(Probe::AcceptAny) => (&ACCEPT_ANY, "`Accept: */*`"),
        Asked::Probe(Probe::AcceptNoProtobuf) => (
            &ACCEPT_NO_PROTOBUF,
            "`Accept: text/event-stream, application/vnd.ag-ui.event+proto;q=0`",
        ),
        _ => return,
    };
    // A run that fails does so for reasons of its own.
    if let Some((None, why)) = refusal(exchange) {
        found.whole(rule, format!("expected a stream for {accept}, saw {why}"));
        return;
    }
    if answer.status.is_none() {
        return;
    }
    found.saw(rule);
    if answer.framing != Framing::Protobuf {
        return;
    }
    if rule.id == ACCEPT_NO_PROTOBUF.id {
        let message = format!("expected an event stream for {accept}, saw the binary form");
        found.whole(rule, message);
    } else if let Ending::Broken(why) = &answer.ending {
        let message = format!("expected whole frames for {accept}, but the body broke off: {why}");
        found.whole(rule, message);
    } else if answer.wire.is_unfinished && answer.is_whole() {
        let message = format!("expected whole frames for {accept}, saw the end inside one");
        found.whole(rule, message);
    }
}
