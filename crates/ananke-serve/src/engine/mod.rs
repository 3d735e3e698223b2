//! Turns steps and a request into timed wire actions. Pure: no clock, no random ids, no I/O.

mod compose;
mod composer;
mod reply;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use compose::{Framing, compose};
pub(crate) use composer::Clock;
pub use reply::{Action, HttpReply, Reply};
