//! A2A: agents that work on tasks, in the versions 1.0 and 0.3, over JSON-RPC and HTTP+JSON.
//!
//! `discover` reads the agent's card and chooses an `interface`; `wire` knows the two versions and makes one kind of event
//! of them; `fold` adds events to the turn except what is `left_out`, `folded` says what came of them, with `held`
//! artifacts, texts in `pieces` and `tool_calls` found by `conventions`; `stream` stands between bytes and events; `turn`
//! drives it all, `body` reads within the limits, `poll` follows a task, `ending` makes the turn. A `session` lasts as
//! long as a test.

mod body;
mod card;
mod conventions;
mod discover;
mod ending;
mod exchange;
mod fold;
mod folded;
#[cfg(fuzzing)]
pub mod fuzzing;
mod held;
mod interface;
mod left_out;
mod meet;
mod options;
mod pieces;
mod poll;
mod recorded;
mod saying;
mod session;
mod stream;
#[cfg(test)]
mod tests;
mod tool_calls;
mod turn;
mod wire;

pub use ananke_model::plan::{CallRule, KeyPlace};
pub use meet::{Met, meet};
pub use options::{A2aOptions, CardSource, Streaming};
pub use recorded::SentMessage;
pub use saying::SendMessage;
pub use session::{A2aAgent, A2aSession};
pub use turn::{A2aTurn, run_turn};
pub use wire::{Binding, Version};

pub use crate::auth::Auth;
