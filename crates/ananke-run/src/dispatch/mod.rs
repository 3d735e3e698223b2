//! Many tests at once: workers take tests in plan order, results leave in plan order.

mod collect;
mod run;
#[cfg(test)]
mod tests;

pub use run::{RunOptions, RunOutcome, run};
