//! From the bytes of a body to events and facts, within limits.

use ananke_protocol::agui::Frames;
use ananke_protocol::sse::Decoder;

use crate::clients::Pieces;
use crate::exchange::{Framing, Observed, Wire};

/// What is read of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Events.
    pub max_events: usize,
    /// Bytes of a body.
    pub max_bytes: u64,
    /// Bytes of one event.
    pub max_event_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_events: 100_000,
            max_bytes: 64 << 20,
            max_event_bytes: 10 << 20,
        }
    }
}

/// Reads a body piece by piece.
#[derive(Debug)]
pub struct BodyReader {
    framing: Reading,
    limits: Limits,
    events: Vec<Observed>,
    n_bytes: u64,
    text: Vec<u8>,
}

#[derive(Debug)]
enum Reading {
    Sse(Decoder, Pieces),
    Protobuf(Frames),
    Text,
}

/// How much of a body that is no stream is kept.
const MAX_TEXT: usize = 4096;

impl BodyReader {
    /// Begins a body.
    pub fn new(framing: Framing, limits: Limits) -> Self {
        Self {
            framing: match framing {
                Framing::Sse => {
                    Reading::Sse(Decoder::new(limits.max_event_bytes), Pieces::default())
                }
                Framing::Protobuf => Reading::Protobuf(Frames::new(limits.max_event_bytes)),
                Framing::None => Reading::Text,
            },
            limits,
            events: Vec::new(),
            n_bytes: 0,
            text: Vec::new(),
        }
    }

    /// Takes bytes that came `at_us` after the request; says why nothing more can be read.
    pub fn push(&mut self, bytes: &[u8], at_us: u64) -> Result<(), String> {
        self.n_bytes += bytes.len() as u64;
        let events = &mut self.events;
        match &mut self.framing {
            Reading::Sse(decoder, pieces) => {
                pieces.push(bytes);
                decoder
                    .push(bytes, |event| {
                        // An event without data reaches no consumer.
                        events.push(Observed::new(event.data, at_us));
                    })
                    .map_err(|error| error.to_string())?;
            }
            Reading::Protobuf(frames) => {
                for value in frames.push(bytes)?.into_iter().flatten() {
                    events.push(Observed {
                        at_us,
                        data: value.to_string(),
                        has_halves: false,
                        value: Ok(value),
                    });
                }
            }
            Reading::Text => {
                let room = MAX_TEXT.saturating_sub(self.text.len()).min(bytes.len());
                self.text.extend_from_slice(&bytes[..room]);
            }
        }
        if self.events.len() >= self.limits.max_events {
            self.events.truncate(self.limits.max_events);
            return Err(format!("{} events were read", self.limits.max_events));
        }
        if self.n_bytes >= self.limits.max_bytes {
            return Err(format!("{} bytes were read", self.limits.max_bytes));
        }
        Ok(())
    }

    /// Returns how many events there are so far.
    pub fn n_events(&self) -> usize {
        self.events.len()
    }

    /// Returns the newest event.
    pub fn last(&self) -> Option<&Observed> {
        self.events.last()
    }

    /// Ends the body: its events, the facts of its bytes, and its text if it is no stream.
    pub fn finish(mut self) -> (Vec<Observed>, Wire, String) {
        let mut wire = Wire {
            n_bytes: self.n_bytes,
            ..Wire::default()
        };
        match &mut self.framing {
            Reading::Sse(decoder, pieces) => {
                decoder.finish();
                wire.n_lf_pieces = std::mem::take(pieces).finish();
                let odd = decoder.oddities();
                wire.n_crlf = odd.n_crlf;
                wire.n_cr = odd.n_cr;
                wire.n_invalid_utf8 = odd.n_invalid_utf8;
                wire.n_comments = odd.n_comments;
                wire.is_unfinished = odd.unfinished_event;
            }
            Reading::Protobuf(frames) => wire.is_unfinished = frames.is_mid_frame(),
            Reading::Text => {}
        }
        let text = String::from_utf8_lossy(&self.text).into_owned();
        (self.events, wire, text)
    }
}
