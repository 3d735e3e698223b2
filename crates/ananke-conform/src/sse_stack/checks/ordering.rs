//! `ordering.*`: what comes before what.

use ananke_model::conformance::{Layer, Level};

use super::wire::{counted, no_frame};
use super::{Check, Outcome, Problem, Step};
use crate::sse_stack::event::{Event, events};
use crate::sse_stack::numbers::Numbers;
use crate::sse_stack::seen::{Ending, Seen};

pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "ordering.start_before_steps",
        layer: Layer::Sequence,
        level: Level::Must,
        title: "`RUN_STARTED` comes before any step",
        reason: "a step belongs to a run, and a client has none before `RUN_STARTED`.",
        section: "AG-UI, run lifecycle",
        advice: "Send `RUN_STARTED` as the first event of a run.",
        step: Step::Stream,
        look: start_before_steps,
    },
    Check {
        id: "ordering.finished_terminates",
        layer: Layer::Sequence,
        level: Level::Must,
        title: "`RUN_FINISHED` or `RUN_ERROR` is the last event of a run, state apart",
        reason: "a client closes the run there and refuses what follows.",
        section: "AG-UI, run lifecycle",
        advice: "Close messages, calls and steps first, then send the end; begin anything new with `RUN_STARTED`.",
        step: Step::Stream,
        look: finished_terminates,
    },
    Check {
        id: "ordering.monotonic_ids",
        layer: Layer::Sequence,
        level: Level::Convention,
        title: "the numbers of frames rise: `id:`, or `seq` in the payload",
        reason: "a client that lost the connection asks for what came after the highest number it saw.",
        section: "common practice of event streams",
        advice: "Count up by one for each event of the stream, over all runs. Pieces of text with the number 0 count as not numbered.",
        step: Step::Stream,
        look: monotonic_ids,
    },
];

fn start_before_steps(seen: &Seen) -> Outcome {
    let frames = &seen.stream.frames;
    let is_step = |event: &Event<'_>| event.canonical().starts_with("STEP_");
    let Some(step) = events(frames).find(is_step) else {
        return none_of(seen, "no step was seen");
    };
    let start = events(frames).find(|event| event.canonical() == "RUN_STARTED");
    let late = Numbers::of(frames).begins_late();
    match (start, late) {
        (Some(start), _) if start.index < step.index => Outcome::pass(format!(
            "`RUN_STARTED` is event {}, the first step is event {}",
            start.index, step.index
        )),
        (_, Some(first)) => Outcome::inconclusive(format!(
            "the stream was joined at number {first}: the run may have started before"
        )),
        (Some(start), None) => Outcome::fail_at(
            step.index,
            format!(
                "a step comes before `RUN_STARTED`, which is event {}",
                start.index
            ),
        ),
        (None, None) => Outcome::fail_at(step.index, "a step comes without `RUN_STARTED`"),
    }
}

fn finished_terminates(seen: &Seen) -> Outcome {
    let stream = &seen.stream;
    let mut end: Option<Event<'_>> = None;
    let mut is_running = false;
    let mut n_ended = 0;
    let mut problems = Vec::new();
    for event in events(&stream.frames) {
        if event.canonical() == "RUN_STARTED" {
            end = None;
            is_running = true;
        } else if event.ends_run() {
            // `RUN_ERROR` may follow `RUN_FINISHED`; a second `RUN_FINISHED` ends nothing.
            let is_second = end.is_some() && event.canonical() == "RUN_FINISHED";
            if let Some(end) = end.filter(|_| is_second) {
                problems.push(after(event, end));
            }
            n_ended += 1;
            end = Some(event);
            is_running = false;
        } else if let Some(end) = end.filter(|_| !event.is_state()) {
            problems.push(after(event, end));
        }
    }
    let last = stream.frames.len().saturating_sub(1);
    let is_cut = stream.ending == Ending::Enough && end.is_some_and(|end| end.index == last);
    if !problems.is_empty() {
        return Outcome::Fail(problems);
    }
    if is_running && stream.ending.is_servers() {
        return Outcome::fail(format!(
            "the run never ended: neither `RUN_FINISHED` nor `RUN_ERROR` came before {}",
            stream.ending.words()
        ));
    }
    match n_ended {
        0 => {
            let frames = counted(stream.frames.len(), "frame");
            let words = stream.ending.words();
            none_of(
                seen,
                &format!("no end of a run was seen in {frames} ({words})"),
            )
        }
        1 if is_cut => Outcome::inconclusive(
            "reading stopped right after the end of the run; `--max-frames` reads on",
        ),
        n_ended => {
            let runs = counted(n_ended, "run");
            Outcome::pass(format!(
                "{runs} ended, with nothing but state after the end"
            ))
        }
    }
}

fn after(event: Event<'_>, end: Event<'_>) -> Problem {
    let kind = event.kind().unwrap_or("an event without a type");
    let ended = end.kind().unwrap_or_default();
    let number = end.index;
    Problem::at(
        event.index,
        format!("`{kind}` comes after `{ended}` (event {number}), which is the end of the run"),
    )
}

fn monotonic_ids(seen: &Seen) -> Outcome {
    let numbers = Numbers::of(&seen.stream.frames);
    let source = numbers.source;
    if let Some((before, after)) = numbers.first_that_does_not_rise() {
        return Outcome::fail_at(
            after.index,
            format!(
                "{source} {} comes after {} (event {}); expected a higher number",
                after.number, before.number, before.index
            ),
        );
    }
    match numbers.all.as_slice() {
        [first, .., last] => Outcome::pass(format!(
            "{source} rises from {} to {}",
            first.number, last.number
        )),
        [_] => Outcome::inconclusive("only one frame has a number"),
        [] if numbers.has_other_ids => {
            Outcome::inconclusive("`id:` holds no numbers, and payloads have no `seq`")
        }
        [] => none_of(seen, "frames have neither `id:` nor `seq`"),
    }
}

fn none_of(seen: &Seen, why: &str) -> Outcome {
    if seen.stream.frames.is_empty() {
        return Outcome::Inconclusive(no_frame(seen));
    }
    Outcome::inconclusive(why)
}
