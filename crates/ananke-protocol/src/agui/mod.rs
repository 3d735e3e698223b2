//! AG-UI: requests, the 31 events of 1.0 and the retired ones of 0.x, folding, and the sequence rules.
//!
//! A payload goes one way: `fields` finds its members, `event` names them, `chunks` expands, `rules` checks the order,
//! `fold` adds it to the turn and to the `conversation`.

mod chunks;
mod conversation;
mod delta;
mod event;
mod fields;
mod flat;
mod fold;
#[cfg(fuzzing)]
pub mod fuzzing;
mod patch;
mod request;
mod rules;
mod stream;
#[cfg(test)]
mod tests;
mod turn;
mod work;

pub use conversation::Conversation;
pub use delta::{Delta, DeltaKind, delta};
pub use request::{AguiOptions, OfferedTool};
pub use turn::{Action, TurnRequest, run_turn};
