//! Folding: events of a turn, in order, into the text, calls, messages and state that they amount to.

mod calls;
mod patches;
mod snapshots;
mod texts;
mod turn_fold;

pub(crate) use turn_fold::{Fold, Moment, RunEnd};
