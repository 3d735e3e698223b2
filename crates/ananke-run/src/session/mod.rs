//! One test: hooks, variables, turns, verdict.

mod leftovers;
mod prepare;
mod run_test;
mod threads;

pub(crate) use run_test::{Context, run_test};
pub(crate) use threads::Threads;
