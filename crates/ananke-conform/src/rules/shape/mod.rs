//! Each event by itself: closed objects, described types, nothing null that could be absent.
//!
//! The protocol's objects are tables (`events`, `messages`, `input` and so on) in the words of `described`; `walk`
//! compares a value with its table. Sequence and meaning are for others: an event can be well formed at the wrong moment.

mod capabilities;
mod catalogue;
mod content_events;
pub(crate) mod described;
mod endings;
mod envelope;
pub(crate) mod events;
mod input;
mod messages;
mod patch;
mod plain_values;
mod run_events;
mod spelling;
mod state_events;
mod stream;
pub(crate) mod walk;

pub use capabilities::check_capabilities;
pub use input::check_input;
pub use stream::check_event;
pub(super) use stream::look;

use crate::rule::Rule;

/// The rules, file by file.
pub(super) const RULES: &[&[&Rule]] = &[catalogue::RULES];

#[cfg(test)]
mod tests;
