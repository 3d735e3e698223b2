//! A frame's payload seen as an event: its type, and the two forms it may have.

use serde_json::Value;

use super::frames::{Frame, Payload};
use super::vocabulary::canonical;

/// A frame whose data is JSON.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<'a> {
    /// Number of the frame, counted from 0.
    pub(super) index: usize,
    /// The JSON.
    pub(super) value: &'a Value,
}

impl<'a> Event<'a> {
    /// Returns the payload's type. The `event:` field does not count: clients read the payload.
    pub(super) fn kind(self) -> Option<&'a str> {
        self.value.get("type")?.as_str()
    }

    /// Returns the type under its canonical name; empty if there is none.
    pub(super) fn canonical(self) -> &'a str {
        self.kind().map(canonical).unwrap_or_default()
    }

    /// Tells whether it ends a run.
    pub(super) fn ends_run(self) -> bool {
        matches!(self.canonical(), "RUN_FINISHED" | "RUN_ERROR")
    }

    /// Tells whether it is about state, which may still be told after a run.
    pub(super) fn is_state(self) -> bool {
        matches!(self.canonical(), "STATE_SNAPSHOT" | "STATE_DELTA")
    }
}

/// Returns the events among frames.
pub(super) fn events(frames: &[Frame]) -> impl Iterator<Item = Event<'_>> {
    let frames = frames.iter().enumerate();
    frames.filter_map(|(index, frame)| match &frame.payload {
        Payload::Json(value) => Some(Event { index, value }),
        Payload::Empty | Payload::Bad(_) => None,
    })
}

/// Tells whether the last run is over as far as the frames go.
pub(super) fn is_over(frames: &[Frame]) -> bool {
    let last = events(frames).filter(|event| !event.is_state()).last();
    last.is_some_and(Event::ends_run)
}
