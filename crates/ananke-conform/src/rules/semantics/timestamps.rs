//! Timestamps: milliseconds, not going back, on all events or on none. All of it is convention: order is that of the stream.

use ananke_model::conformance::{Layer, Level};

use super::run::{Run, runs};
use crate::exchange::{Exchange, Observed};
use crate::rule::{Findings, Rule};

static UNIT: Rule = Rule {
    id: "semantics.timestamp-unit",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "a `timestamp` is in milliseconds since 1970",
    reason: "The unit is not written down, but producers and clients agree on milliseconds, so seconds show as a day in January 1970.",
    section: "Events, base fields: `timestamp`",
    advice: "Send milliseconds as an integer: `Date.now()`, `int(time.time() * 1000)`.",
    needs: "event with a `timestamp`",
};

static ORDER: Rule = Rule {
    id: "semantics.timestamp-order",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "timestamps of a run do not go back by more than a second",
    reason: "Tools that show when things happened use them, so a step back shows an effect before its cause.",
    section: "Events, base fields: `timestamp`",
    advice: "Take all timestamps of a run from one clock, when the event is sent.",
    needs: "run with two timestamps",
};

static ALL: Rule = Rule {
    id: "semantics.timestamp-all",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "either all events of a run have a `timestamp` or none has",
    reason: "A client that shows times has nothing to show for the events without one.",
    section: "Events, base fields: `timestamp`",
    advice: "Set the timestamp where events are encoded, so that those made by hand, on errors for example, have it too.",
    needs: "run with a `timestamp`",
};

pub(super) const RULES: &[&Rule] = &[&UNIT, &ORDER, &ALL];

/// What a number since 1970 looks like. Milliseconds of 1973 to 5138 lie between the limits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Seconds,
    Milliseconds,
    Finer,
}

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    look_at_unit(exchange, found);
    for run in runs(&exchange.answer) {
        look_at_order(run, found);
        look_at_all(run, found);
    }
}

/// Tells it once for an answer: a server that does it does it always.
fn look_at_unit(exchange: &Exchange, found: &mut Findings) {
    let events = exchange.answer.events.iter().enumerate();
    let timed: Vec<(usize, f64)> = events
        .filter_map(|(number, event)| Some((number, timestamp(event)?)))
        .collect();
    if !timed.is_empty() {
        found.saw(&UNIT);
    }
    let mut odd = timed
        .iter()
        .filter(|(_, time)| unit(*time) != Unit::Milliseconds);
    let Some((number, time)) = odd.next() else {
        return;
    };
    let looks = match unit(*time) {
        Unit::Seconds => "seconds",
        Unit::Milliseconds | Unit::Finer => "microseconds or finer",
    };
    let n_more = odd.count();
    let more = match n_more {
        0 => String::new(),
        1 => "; so does 1 more event".to_owned(),
        n_more => format!("; so do {n_more} more events"),
    };
    let message = format!("`timestamp` {time} looks like {looks}, not milliseconds{more}");
    found.at(&UNIT, *number, message);
}

fn look_at_order(run: Run<'_>, found: &mut Findings) {
    let mut latest: Option<(usize, f64)> = None;
    for (number, event) in run.numbered() {
        let Some(time) = timestamp(event) else {
            continue;
        };
        if let Some((earlier, before)) = latest.filter(|(_, before)| unit(*before) == unit(time)) {
            found.saw(&ORDER);
            let second = match unit(time) {
                Unit::Seconds => 1.0,
                Unit::Milliseconds => 1e3,
                Unit::Finer => 1e6,
            };
            if before - time > second {
                let message = format!(
                    "`timestamp` {time} is before that of event {earlier}, {before}, by more than a second"
                );
                found.at(&ORDER, number, message);
            } else if time <= before {
                continue;
            }
        }
        latest = Some((number, time));
    }
}

fn look_at_all(run: Run<'_>, found: &mut Findings) {
    let is_timed = |event: &Observed| event.get("timestamp").is_some_and(|time| !time.is_null());
    // What is no event at all has nothing to be judged by.
    let events = run.numbered().filter(|(_, event)| event.kind().is_some());
    let (timed, bare): (Vec<_>, Vec<_>) = events.partition(|(_, event)| is_timed(event));
    if timed.is_empty() {
        return;
    }
    found.saw(&ALL);
    if let Some((number, _)) = bare.first() {
        let message = format!(
            "{} of {} events of the run have a `timestamp`; this one has none",
            timed.len(),
            timed.len() + bare.len()
        );
        found.at(&ALL, *number, message);
    }
}

/// Reads a timestamp. Servers before 1.0 send fractions, too.
fn timestamp(event: &Observed) -> Option<f64> {
    event.get("timestamp")?.as_f64()
}

fn unit(time: f64) -> Unit {
    match time.abs() {
        ..1e11 => Unit::Seconds,
        1e11..1e14 => Unit::Milliseconds,
        _ => Unit::Finer,
    }
}
