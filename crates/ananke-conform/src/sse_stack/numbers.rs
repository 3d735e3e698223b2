//! The numbers of frames, by which a client finds out what it missed.

use super::event::events;
use super::frames::{Frame, Payload};
use super::vocabulary::canonical;

/// A frame with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    /// Number of the frame among all, counted from 0.
    pub(super) index: usize,
    /// The number that the server gave it.
    pub(super) number: u64,
    /// Its type; empty if there is none.
    pub(super) kind: String,
}

/// The numbers of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Where they were found: `id:` or `seq`.
    pub(super) source: &'static str,
    /// In the order of the stream.
    pub(super) all: Vec<Numbered>,
    /// Frames have an `id:` that is no number.
    pub(super) has_other_ids: bool,
}

impl Numbers {
    /// Finds the numbers: those of `id:` fields if all of them are numbers, else `seq` of the payloads.
    pub(super) fn of(frames: &[Frame]) -> Self {
        let ids = || frames.iter().filter_map(|frame| frame.id.as_deref());
        let are_numbers = ids().all(|id| id.parse::<u64>().is_ok());
        let has_ids = ids().next().is_some();
        if has_ids && are_numbers {
            let all = frames.iter().enumerate().filter_map(|(index, frame)| {
                let number = frame.id.as_deref()?.parse().ok()?;
                numbered(index, number, kind(frame))
            });
            return Self {
                source: "`id:`",
                all: all.collect(),
                has_other_ids: false,
            };
        }
        let all = events(frames).filter_map(|event| {
            let number = event.value.get("seq")?.as_u64()?;
            numbered(event.index, number, event.kind().unwrap_or_default())
        });
        Self {
            source: "`seq`",
            all: all.collect(),
            has_other_ids: has_ids,
        }
    }

    /// Returns the first frame that does not have a higher number than the numbered one before it.
    pub(super) fn first_that_does_not_rise(&self) -> Option<(&Numbered, &Numbered)> {
        let mut pairs = self.all.iter().zip(self.all.iter().skip(1));
        pairs.find(|(before, after)| after.number <= before.number)
    }

    /// Tells whether the stream was joined late: what came before its first number was not seen.
    pub(super) fn begins_late(&self) -> Option<u64> {
        let first = self.all.first()?.number;
        (first > 1).then_some(first)
    }
}

fn kind(frame: &Frame) -> &str {
    match &frame.payload {
        Payload::Json(value) => value.get("type").and_then(|kind| kind.as_str()),
        Payload::Empty | Payload::Bad(_) => None,
    }
    .unwrap_or_default()
}

/// Pieces of text with the number 0 have none: servers send them on the side, and do not send them again.
fn numbered(index: usize, number: u64, kind: &str) -> Option<Numbered> {
    let is_piece = canonical(kind) == "TEXT_MESSAGE_CONTENT";
    (number > 0 || !is_piece).then(|| Numbered {
        index,
        number,
        kind: kind.to_owned(),
    })
}
