//! The events of a turn: when pieces of text came, and the list that a person can read.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ananke_model::recording::{EventLog, Turn};
use serde::Deserialize;

use super::format::EventView;
use super::island::cut;
use super::timing::{gaps, ticks};
use super::words::Words;

/// How many characters of an event are shown if a check points at it.
const POINTED_CHARS: usize = 8_000;

/// How many events around one that is pointed at are shown.
const AROUND: usize = 2;

/// How much of a list of events is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventLimits {
    /// At most this many events, and the ones that are pointed at.
    pub(super) events: usize,
    /// At most this many characters of one.
    pub(super) chars: usize,
}

/// What there is to show.
#[derive(Debug)]
pub(super) struct EventsView {
    pub(super) list: Vec<EventView>,
    pub(super) text_ticks: Vec<u64>,
    pub(super) reasoning_ticks: Vec<u64>,
    pub(super) gaps: Vec<(u64, u64)>,
}

#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Option<Cow<'a, str>>,
}

/// Returns what there is to show of a turn's events; `pointed` are shown in any case.
pub(super) fn events_view(
    turn: &Turn,
    pointed: &BTreeSet<usize>,
    limits: EventLimits,
    words: &mut Words,
) -> EventsView {
    let kinds: Vec<Cow<'_, str>> = turn
        .events
        .iter()
        .map(|(payload, _)| kind(payload))
        .collect();
    let is_shown = shown(&kinds, pointed, limits.events);
    let mut list = Vec::new();
    if limits.events > 0 {
        list = listed(
            &turn.events,
            &kinds,
            |number| {
                if pointed.contains(&number) {
                    POINTED_CHARS
                } else if is_shown[number] {
                    limits.chars
                } else {
                    0
                }
            },
            words,
        );
    }
    let times_of = |is_wanted: fn(&str) -> bool, from_us: u64| {
        let events = kinds.iter().zip(turn.events.iter());
        let times = events
            .filter(|(kind, _)| is_wanted(kind))
            .map(|(_, (_, at_us))| at_us)
            .filter(|at_us| *at_us >= from_us);
        ticks(times, turn.timing.total_us)
    };
    // An empty piece of text may come before the first token.
    let first_text_us = turn.timing.first_text_us.unwrap_or_default();
    EventsView {
        list,
        text_ticks: times_of(is_text, first_text_us),
        reasoning_ticks: times_of(is_reasoning, 0),
        gaps: gaps(turn),
    }
}

/// Returns the event's type; empty if it has none or is no JSON.
fn kind(payload: &[u8]) -> Cow<'_, str> {
    let typed: Option<Typed<'_>> = serde_json::from_slice(payload).ok();
    typed.and_then(|typed| typed.kind).unwrap_or_default()
}

fn is_text(kind: &str) -> bool {
    matches!(kind, "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK")
}

fn is_reasoning(kind: &str) -> bool {
    matches!(
        kind,
        "REASONING_MESSAGE_CONTENT" | "REASONING_MESSAGE_CHUNK" | "THINKING_TEXT_MESSAGE_CONTENT"
    )
}

fn is_delta(kind: &str) -> bool {
    is_text(kind) || is_reasoning(kind) || matches!(kind, "TOOL_CALL_ARGS" | "TOOL_CALL_CHUNK")
}

/// Decides which events are listed: not the middle of a row of deltas, and only the first and the last of very many.
fn shown(kinds: &[Cow<'_, str>], pointed: &BTreeSet<usize>, limit: usize) -> Vec<bool> {
    let is_like = |number: usize, other: Option<usize>| {
        let other = other.and_then(|other| kinds.get(other));
        other.is_some_and(|other| *other == kinds[number])
    };
    let mut is_shown: Vec<bool> = (0..kinds.len())
        .map(|number| {
            let is_inside =
                is_like(number, number.checked_sub(1)) && is_like(number, Some(number + 1));
            !(is_inside && is_delta(&kinds[number]))
        })
        .collect();
    let n_shown = is_shown.iter().filter(|is_shown| **is_shown).count();
    if n_shown > limit {
        // Two thirds from the beginning, one third from the end: that is where runs go wrong.
        let n_first = limit - limit / 3;
        let n_hidden = n_shown - limit;
        let listed = is_shown.iter_mut().filter(|is_shown| **is_shown);
        for is_shown in listed.skip(n_first).take(n_hidden) {
            *is_shown = false;
        }
    }
    for number in pointed.iter().take(limit) {
        let around = number.saturating_sub(AROUND)..=number.saturating_add(AROUND);
        for number in around {
            if let Some(is_shown) = is_shown.get_mut(number) {
                *is_shown = true;
            }
        }
    }
    is_shown
}

/// Lists the events with as many characters as `chars` allows each; none means that it is left out.
fn listed(
    events: &EventLog,
    kinds: &[Cow<'_, str>],
    chars: impl Fn(usize) -> usize,
    words: &mut Words,
) -> Vec<EventView> {
    let mut list = Vec::new();
    let mut before_us = 0;
    for (number, (payload, at_us)) in events.iter().enumerate() {
        let passed_us = at_us.saturating_sub(before_us);
        before_us = before_us.max(at_us);
        let limit = chars(number);
        if limit > 0 {
            let text = String::from_utf8_lossy(payload);
            let kind = &kinds[number];
            let rest = text
                .strip_prefix(r#"{"type":""#)
                .and_then(|rest| rest.strip_prefix(kind.as_ref()))
                .and_then(|rest| rest.strip_prefix('"'))
                .filter(|_| !kind.is_empty());
            let payload = cut(rest.unwrap_or(&text), limit).into_owned();
            list.push(EventView::Shown(passed_us, words.word(kind), payload));
        } else if let Some(EventView::LeftOut(n, us)) = list.last_mut() {
            *n += 1;
            *us += passed_us;
        } else {
            list.push(EventView::LeftOut(1, passed_us));
        }
    }
    list
}
