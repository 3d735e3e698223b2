//! The profiles `a2a@1.0` and `a2a@0.3`: the agent's card, messages and tasks over JSON-RPC, streams, refusals.
//!
//! [`drive`] asks: `scenarios` say what, `requests` how, `interface` where. `rules` judge what was seen without talking to
//! anyone; `wire` knows what the two versions call things.

mod asked;
mod course;
mod interface;
mod requests;
mod rules;
mod scenarios;
#[cfg(test)]
mod tests;
mod wire;

pub use asked::A2aAsked;
pub use course::{SCENARIOS, drive};
pub(crate) use rules::{RULES, look};
