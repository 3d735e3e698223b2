//! When bytes come: the body is closed when the run has ended, and events are not held back.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use crate::exchange::{Answer, Asked, Ending, Exchange, TIME_IS_OVER};
use crate::rule::{Findings, Rule};

static BODY_CLOSED: Rule = Rule {
    id: "http.body-closed",
    layer: Layer::Http,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the body is closed, in order, after the terminal event",
    reason: "A client waits for the end of the body: one that stays open looks like a run that goes on, and one that breaks off like a failure of the network.",
    section: "HTTP binding, end of the stream",
    advice: "Return from the handler after the last event, and do not raise an error that was already told as `RUN_ERROR`.",
    needs: "end of a body after a terminal event",
};

static BUFFERED: Rule = Rule {
    id: "http.buffered",
    layer: Layer::Http,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "events are sent when they happen",
    reason: "Events that are held back and sent all at once make a streaming agent look like a slow one.",
    section: "HTTP binding, framing",
    advice: "Flush after every event, and switch off buffering in proxies, for example with `X-Accel-Buffering: no`.",
    needs: "run whose timestamps are at least half a second apart",
};

pub(super) const RULES: &[&Rule] = &[&BODY_CLOSED, &BUFFERED];

/// How far timestamps must be apart to tell anything.
const MIN_SPAN_MS: u64 = 500;
/// Epoch milliseconds of any time from 1973 to 5138. Smaller numbers are seconds, larger ones microseconds.
const MILLISECONDS: std::ops::Range<u64> = 100_000_000_000..100_000_000_000_000;

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    if !answer.is_stream() || exchange.asked == Asked::Abort {
        return;
    }
    look_at_end(answer, found);
    look_at_pace(answer, found);
}

fn look_at_end(answer: &Answer, found: &mut Findings) {
    let last = answer.events.last().and_then(|event| event.kind());
    let Some(last @ ("RUN_FINISHED" | "RUN_ERROR")) = last else {
        return;
    };
    match &answer.ending {
        Ending::Closed => found.saw(&BODY_CLOSED),
        Ending::Broken(why) => found.whole(
            &BODY_CLOSED,
            format!("expected the body to be closed after `{last}`, but it broke off: {why}"),
        ),
        Ending::GivenUp(why) if why.starts_with(TIME_IS_OVER) => found.whole(
            &BODY_CLOSED,
            format!("expected the body to be closed after `{last}`, but it stayed open"),
        ),
        Ending::GivenUp(_) | Ending::NoAnswer(_) | Ending::Unknown => {}
    }
}

fn look_at_pace(answer: &Answer, found: &mut Findings) {
    let told: Option<Vec<u64>> = answer
        .events
        .iter()
        .map(|event| event.get("timestamp").and_then(Value::as_u64))
        .map(|ms| ms.filter(|ms| MILLISECONDS.contains(ms)))
        .collect();
    let told = told.unwrap_or_default();
    let (Some(first), Some(last)) = (told.iter().min(), told.iter().max()) else {
        return;
    };
    let span_ms = last - first;
    if span_ms < MIN_SPAN_MS {
        return;
    }
    found.saw(&BUFFERED);
    let came =
        |pick: Option<&crate::exchange::Observed>| pick.map_or(0, |event| event.at_us / 1000);
    let (begun_ms, ended_ms) = (came(answer.events.first()), came(answer.events.last()));
    let spread_ms = ended_ms.saturating_sub(begun_ms);
    // Only what waited for the whole run was held back: the first event came no sooner than the last one had happened.
    if spread_ms * 10 < span_ms && begun_ms >= span_ms {
        let message = format!(
            "expected events over {span_ms} ms, as their timestamps say, saw all of them within {spread_ms} ms"
        );
        found.whole(&BUFFERED, message);
    }
}
