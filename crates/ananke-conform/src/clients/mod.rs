//! Which client breaks? Tells whether the official clients get through all streams that a server sent.
//!
//! A stream is read as a client reads it, one event after the other: `older` and `current` take an event, drop it or
//! refuse it; what they take goes through the sequence rules, of which [`Client`] knows those that its client does not
//! have. What the real packages do is the measure: a test feeds thousands of streams to them and to this.

mod current;
mod older;
mod pieces;
mod reading;
mod reasoning;
mod strip;
#[cfg(test)]
mod tests;
mod thinking;
mod verdict;
mod wire;

pub(crate) use pieces::Pieces;
pub use reading::{Break, Client};
pub use verdict::verdicts;
