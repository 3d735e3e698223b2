//! `wire.*`: how frames are written.

use ananke_model::conformance::{Layer, Level};

use super::{Check, Outcome, Problem, Step};
use crate::sse_stack::frames::Payload;
use crate::sse_stack::seen::Seen;

pub(super) static CHECKS: &[Check] = &[
    Check {
        id: "wire.separator_blank_line",
        layer: Layer::Http,
        level: Level::Must,
        title: "every frame ends with a blank line",
        reason: "a client hands an event on when the blank line comes; without it the event is lost or melts into the next.",
        section: "WHATWG HTML, server-sent events, interpreting an event stream",
        advice: "Write two line ends after the last field of each frame, the last frame included.",
        step: Step::Stream,
        look: separator,
    },
    Check {
        id: "wire.event_field_present",
        layer: Layer::Http,
        level: Level::Convention,
        title: "at least one frame has an `event:` field",
        reason: "clients of this stack listen for events by that name; AG-UI itself needs only `data:`.",
        section: "common practice of event streams",
        advice: "Write `event:` with the event's type before `data:`. A server that means to send only `data:` switches the check off.",
        step: Step::Stream,
        look: event_field,
    },
    Check {
        id: "wire.data_field_parses_as_json",
        layer: Layer::Http,
        level: Level::Must,
        title: "all `data:` that is not empty is JSON",
        reason: "a client parses the data of every event, and many stop at the first that is no JSON.",
        section: "AG-UI, transport",
        advice: "Write each event with one call to a JSON serializer; put nothing else into `data:`, no `[DONE]` either.",
        step: Step::Stream,
        look: json,
    },
];

fn separator(seen: &Seen) -> Outcome {
    let stream = &seen.stream;
    let frames = stream.frames.iter().enumerate();
    let mut problems: Vec<Problem> = frames
        .filter(|(_, frame)| frame.is_run_together)
        .map(|(index, _)| {
            Problem::at(
                index,
                "two frames run together: the blank line between them is missing",
            )
        })
        .collect();
    let is_stream = !stream.frames.is_empty() || stream.media_type() == "text/event-stream";
    let leftover = stream.leftover;
    let whole = |message: String| Problem {
        event: None,
        message,
    };
    if leftover.is_run_together && stream.frames.is_empty() {
        problems.push(whole("no blank line was seen between frames".to_owned()));
    } else if leftover.is_there && stream.ending.is_servers() && is_stream {
        let before = counted(stream.frames.len(), "whole frame");
        let ending = stream.ending.words();
        problems.push(whole(format!(
            "the last lines, after {before}, are not ended by a blank line, and {ending}"
        )));
    }
    match stream.frames.len() {
        _ if !problems.is_empty() => Outcome::Fail(problems),
        0 => nothing(seen),
        n_frames => Outcome::pass(counted(n_frames, "frame")),
    }
}

fn event_field(seen: &Seen) -> Outcome {
    let frames = &seen.stream.frames;
    let n_named = frames.iter().filter(|frame| frame.event.is_some()).count();
    match (n_named, frames.len()) {
        (_, 0) => nothing(seen),
        (0, n_frames) => {
            let frames = counted(n_frames, "frame");
            Outcome::fail(format!("{frames} came, and none has an `event:` field"))
        }
        (n_named, n_frames) => {
            let frames = counted(n_frames, "frame");
            Outcome::pass(format!("{n_named} of {frames}"))
        }
    }
}

fn json(seen: &Seen) -> Outcome {
    let frames = || seen.stream.frames.iter().enumerate();
    let problems: Vec<Problem> = frames()
        .filter_map(|(index, frame)| match &frame.payload {
            Payload::Bad(why) => Some(Problem::at(index, format!("the data is no JSON: {why}"))),
            Payload::Empty | Payload::Json(_) => None,
        })
        .collect();
    let n_filled = frames()
        .filter(|(_, frame)| frame.payload != Payload::Empty)
        .count();
    match n_filled {
        _ if !problems.is_empty() => Outcome::Fail(problems),
        0 if seen.stream.frames.is_empty() => nothing(seen),
        0 => Outcome::inconclusive("no frame has data"),
        n_filled => Outcome::pass(format!("the data of {}", counted(n_filled, "frame"))),
    }
}

fn nothing(seen: &Seen) -> Outcome {
    Outcome::inconclusive(no_frame(seen))
}

/// Returns a number of things in words.
pub(super) fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// Says why there is no frame to look at.
pub(super) fn no_frame(seen: &Seen) -> String {
    match seen.stream.status {
        200 => format!("no frame was seen before {}", seen.stream.ending.words()),
        status => format!("there is no stream: status {status}"),
    }
}
