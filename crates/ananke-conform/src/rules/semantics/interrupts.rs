//! Outcomes that wait or stop: interrupts can be told apart, found and answered in time, and what was cancelled has no result.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};
use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::Value;

use super::run::{Outcome, calls_of, ids_of, list, outcome, runs, text};
use crate::exchange::{Exchange, Observed};
use crate::rule::{Findings, Rule};

static IDS: Rule = Rule {
    id: "semantics.interrupt-ids",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "interrupts of a run have ids of their own",
    reason: "A client answers an interrupt by its id, so of two with the same id only one can be answered.",
    section: "Interrupts: `id`",
    advice: "Make a new id for each interrupt.",
    needs: "interrupt",
};

static CALL: Rule = Rule {
    id: "semantics.interrupt-call",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the `toolCallId` of an interrupt names a call that the client holds",
    reason: "The client shows the call that is to be approved, and cannot if it never saw it.",
    section: "Interrupts: `toolCallId`",
    advice: "Stream the call before the run finishes, with the same id; leave out `toolCallId` if it is not about a call.",
    needs: "interrupt with a `toolCallId`",
};

static EXPIRY: Rule = Rule {
    id: "semantics.interrupt-expiry",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "`expiresAt` of an interrupt is an ISO 8601 date and time",
    reason: "Clients parse it as a date, and an interrupt whose date they cannot read never expires for them.",
    section: "Interrupts: `expiresAt`",
    advice: "Send it as in `2026-11-15T10:00:00Z`.",
    needs: "interrupt with `expiresAt`",
};

static CANCELLED: Rule = Rule {
    id: "semantics.cancelled-result",
    layer: Layer::Semantics,
    old: None,
    v1: Some(Level::Must),
    title: "a cancelled run has no `result`",
    reason: "A run that was stopped did not complete, so there is nothing that it could have returned.",
    section: "RUN_FINISHED: outcome `cancelled`",
    advice: "Leave out `result`, or finish as success if there is one.",
    needs: "cancelled run",
};

pub(super) const RULES: &[&Rule] = &[&IDS, &CALL, &EXPIRY, &CANCELLED];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let mut known: BTreeSet<&str> = calls_of(exchange.sent_messages().iter()).collect();
    for run in runs(&exchange.answer) {
        for (number, event) in run.numbered() {
            match outcome(event) {
                Some(Outcome::Interrupt(interrupts)) => {
                    look_at_ids(number, &interrupts, found);
                    look_at_calls(exchange, number, &interrupts, &known, found);
                    look_at_expiry(number, &interrupts, found);
                }
                Some(Outcome::Cancelled) => look_at_cancelled(number, event, found),
                _ => known.extend(calls_in(event)),
            }
        }
    }
}

fn look_at_ids(number: usize, interrupts: &[&Value], found: &mut Findings) {
    let mut seen = BTreeSet::new();
    for id in ids_of(interrupts) {
        found.saw(&IDS);
        if !seen.insert(id) {
            let message = format!("two interrupts of the run have the id `{id}`");
            found.at(&IDS, number, message);
        }
    }
}

fn look_at_calls(
    exchange: &Exchange,
    number: usize,
    interrupts: &[&Value],
    known: &BTreeSet<&str>,
    found: &mut Findings,
) {
    for interrupt in interrupts {
        let Some(call) = text(interrupt, "toolCallId") else {
            continue;
        };
        if known.contains(call) {
            found.saw(&CALL);
        } else if exchange.request.is_some() {
            let id = text(interrupt, "id").unwrap_or_default();
            let message = format!(
                "interrupt `{id}` is about the call `{call}`, which is neither in this answer nor in the request"
            );
            found.at(&CALL, number, message);
        }
    }
}

fn look_at_expiry(number: usize, interrupts: &[&Value], found: &mut Findings) {
    for interrupt in interrupts {
        let Some(expiry) = text(interrupt, "expiresAt") else {
            continue;
        };
        found.saw(&EXPIRY);
        let is_date = expiry.parse::<Timestamp>().is_ok() || expiry.parse::<DateTime>().is_ok();
        if !is_date {
            let id = text(interrupt, "id").unwrap_or_default();
            let message =
                format!("`expiresAt` {expiry:?} of interrupt `{id}` is no ISO 8601 date and time");
            found.at(&EXPIRY, number, message);
        }
    }
}

fn look_at_cancelled(number: usize, event: &Observed, found: &mut Findings) {
    found.saw(&CANCELLED);
    if event.get("result").is_some() {
        found.at(
            &CANCELLED,
            number,
            "the outcome is `cancelled`, and there is a `result`",
        );
    }
}

/// Returns the ids of calls that an event makes known to the client.
fn calls_in(event: &Observed) -> Vec<&str> {
    let messages = match event.kind() {
        Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK") => {
            return event.text("toolCallId").into_iter().collect();
        }
        Some("MESSAGES_SNAPSHOT") => event.get("messages"),
        Some("RUN_STARTED") => event.get("input").and_then(|input| input.get("messages")),
        _ => None,
    };
    calls_of(list(messages)).collect()
}
