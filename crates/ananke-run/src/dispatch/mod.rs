//! Many tests at once: workers take tests in plan order, results leave in plan order.

mod collect;
mod run;

pub use run::{RunOptions, RunOutcome, run};
