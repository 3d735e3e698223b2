//! `events.*`: types of events and what they hold.

use ananke_model::conformance::{Layer, Level};

use super::wire::{counted, no_frame};
use super::{Check, Outcome, Problem, Step};
use crate::sse_stack::event::events;
use crate::sse_stack::members::wrong_members;
use crate::sse_stack::seen::Seen;
use crate::sse_stack::vocabulary::is_recognised;

pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "events.shape_conformance",
        layer: Layer::Shape,
        level: Level::Must,
        title: "events of known types have their members, beside `type` or in the envelope `{type, id, seq, ts, data}`",
        reason: "a client that misses an id cannot tell what an event belongs to.",
        section: "AG-UI, events",
        advice: "Send the members that AG-UI names for the type. In an envelope, `id` is a string, `seq` an integer, `ts` a time and `data` an object.",
        step: Step::Stream,
        look: shape,
    },
    Check {
        id: "events.type_in_vocabulary",
        layer: Layer::Shape,
        level: Level::Must,
        title: "the `type` of every event is one that AG-UI has",
        reason: "clients drop events whose type they do not know, or stop with an error.",
        section: "AG-UI, events",
        advice: "Use the canonical names in upper case. Which set of them counts is chosen with `--vocabulary`.",
        step: Step::Stream,
        look: vocabulary,
    },
];

fn shape(seen: &Seen) -> Outcome {
    let known = || {
        let events = events(&seen.stream.frames);
        events.filter(|event| event.kind().is_some_and(is_recognised))
    };
    let problems: Vec<Problem> = known()
        .filter_map(|event| {
            let wrong = wrong_members(event, seen.vocabulary);
            (!wrong.is_empty()).then(|| Problem::at(event.index, wrong.join(", ")))
        })
        .collect();
    match known().count() {
        _ if !problems.is_empty() => Outcome::Fail(problems),
        0 if seen.stream.frames.is_empty() => Outcome::Inconclusive(no_frame(seen)),
        0 => Outcome::inconclusive("no event of a known type was seen"),
        n_known => Outcome::pass(format!("{} of known types", counted(n_known, "event"))),
    }
}

/// One problem for each type: the hundredth `assistant.delta` says nothing new.
fn vocabulary(seen: &Seen) -> Outcome {
    let mut wrong: Vec<(Option<&str>, usize, usize)> = Vec::new();
    let mut n_events = 0;
    for event in events(&seen.stream.frames) {
        n_events += 1;
        let kind = event.kind();
        if kind.is_some_and(|kind| seen.vocabulary.has(kind)) {
            continue;
        }
        match wrong.iter_mut().find(|(known, _, _)| *known == kind) {
            Some((_, _, count)) => *count += 1,
            None => wrong.push((kind, event.index, 1)),
        }
    }
    let words = seen.vocabulary.words();
    let problems = wrong.into_iter().map(|(kind, index, count)| {
        let times = match count {
            1 => String::new(),
            _ => format!(" ({count} events)"),
        };
        let message = match kind {
            Some(kind) => {
                let instead = seen.vocabulary.instead_of(kind);
                format!("`{kind}`{times} is not one of {words}{instead}")
            }
            None => format!("the payload has no `type`{times}; expected one of {words}"),
        };
        Problem::at(index, message)
    });
    let problems: Vec<Problem> = problems.collect();
    match n_events {
        _ if !problems.is_empty() => Outcome::Fail(problems),
        0 if seen.stream.frames.is_empty() => Outcome::Inconclusive(no_frame(seen)),
        0 => Outcome::inconclusive("no event was seen"),
        _ => Outcome::pass(format!("{}, all of {words}", counted(n_events, "event"))),
    }
}
