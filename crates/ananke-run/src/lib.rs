//! Runs a plan: where the stages meet. Tests are dispatched to workers; a session prepares one test, talks to its agent,
//! records and judges; what happens goes out as [`ananke_model::run_event::RunEvent`]s.
//!
//! Invariant: every test of the plan ends in exactly one result, in plan order, whatever agents, hooks and users do.

mod clients;
mod dispatch;
mod process;
mod session;

pub use dispatch::{RunOptions, RunOutcome, run};
pub use process::{Ready, Server, ServerError, kill_all};
