//! Secrets never leave: every result, event and message passes a [`Redactor`] before it goes to a report or a bundle.
//!
//! 1. `sources` finds the values that are secret, `secrets` keeps them with their names.
//! 2. `forms` spells each value in the ways in which it may come back: escaped, in base64, in a URL.
//! 3. `redactor` finds all of them in one pass over a text and puts `[redacted NAME]` in their place.
//! 4. `json_text`, `events` and `result` apply it to JSON, to raw events with their split deltas, and to whole results.
//!
//! Invariant: redacting what was redacted changes nothing.

mod events;
mod forms;
mod json_text;
mod partial;
mod redactor;
mod result;
mod secrets;
mod sources;
#[cfg(test)]
mod tests;

pub use redactor::{Redactor, placeholders};
pub use secrets::{Secrets, UnknownSecret};
pub use sources::secrets_of;
pub(crate) use sources::secrets_of_target;
