//! Conversations that a simulator leads: what it is told, how its answers are read, which checkpoints are reached, and how
//! such a conversation ends. Everything here is pure, so that a recording is judged by the same code that judged it live;
//! the loop that asks and sends is `session/led.rs`.

mod checkpoints;
#[cfg(test)]
mod checkpoints_tests;
mod ending;
#[cfg(test)]
mod judge_tests;
mod reply;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod testing;
mod told;

pub(crate) use checkpoints::Checkpoints;
pub(crate) use ending::{
    Ending, breach, cut_short, goal, interrupted, judge_interrupted, reasoning_line,
    simulator_error,
};
pub(crate) use reply::read_reply;
pub(crate) use told::{Told, conversation};
