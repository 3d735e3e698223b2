//! Secrets never leave: every result, event and message passes a [`Redactor`] before it goes to a report or a bundle.
//!
//! 1. `sources` finds the values that are secret, `secrets` keeps them with their names.
//! 2. `forms` spells each value in the ways in which it may come back: escaped, in base64, in a URL.
//! 3. `index` finds all of them in one pass over a text; `inner` puts `[redacted NAME]` in their place.
//! 4. `values`, `json_text`, `events`, `case`, `opinion`, `script` and `result` apply it to JSON, to raw events with their split deltas, and to
//!    whole results; `partial` and `growing` find what is left of a secret that was cut, or that has not come to its end.
//! 5. `redactor` is the handle. A run has one: what a test learns from its hooks, before the agent can know it, is hidden
//!    in everything that leaves the run from then on.
//!
//! Invariant: redacting what was redacted changes nothing.

mod base64;
mod case;
mod escapes;
mod events;
mod forms;
mod growing;
mod index;
mod inner;
mod json_text;
mod misread;
mod opinion;
mod partial;
mod percent;
mod redactor;
mod result;
mod script;
mod secrets;
mod sources;
#[cfg(test)]
mod tests;
mod values;

pub use redactor::{Redactor, placeholders};
pub use secrets::{Secrets, UnknownSecret};
pub use sources::secrets_of;
pub(crate) use sources::secrets_of_target;
