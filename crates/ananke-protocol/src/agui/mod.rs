//! AG-UI: requests, the 31 events of 1.0 and the retired ones of 0.x, folding, and the sequence rules.
//!
//! A payload goes one way: `fields` finds its members, `event` names them, `chunks` expands, `rules` checks the order,
//! `fold` adds it to the turn and to the `conversation`.

mod chunks;
mod conversation;
mod delta;
mod ending;
mod event;
mod fields;
mod flat;
mod fold;
#[cfg(fuzzing)]
pub mod fuzzing;
mod observed;
mod patch;
mod request;
mod rules;
mod spoken;
mod stream;
#[cfg(test)]
mod tests;
mod told;
mod turn;
mod work;

pub use conversation::Conversation;
pub(crate) use delta::found as delta_at;
pub use delta::{Delta, DeltaKind, delta};
pub(crate) use ending::args_error;
pub(crate) use fields::tree;
pub use observed::{Frames, Observation, apply_patch, observe};
pub use request::{AguiOptions, OfferedTool};
pub use spoken::last_user_text;
pub(crate) use spoken::say;
pub(crate) use stream::MAX_NOTES;
pub use told::{Told, ToldTurn};
pub use turn::{TurnRequest, run_turn};

pub use crate::action::Action;
