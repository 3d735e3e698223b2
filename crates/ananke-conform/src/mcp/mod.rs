//! The profile `mcp`: how a server begins, what it lists and returns, what it refuses, and how it takes HTTP.
//!
//! [`drive`] asks: `scenarios` say what, `requests` how. A server is asked in both eras of the protocol, with a handshake
//! and without; `era` tells them apart. `rules` judge what was seen without talking to anyone.

mod asked;
mod course;
mod era;
mod requests;
mod rules;
mod scenarios;
#[cfg(test)]
mod tests;

pub use asked::{McpAsked, McpListed};
pub use course::{SCENARIOS, drive};
pub(crate) use rules::{RULES, look};
