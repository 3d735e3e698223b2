//! Many tests at once: workers take tests in plan order, results leave in plan order.

mod collect;
mod run;
mod tally;
#[cfg(test)]
mod tests;

pub use run::{RunOptions, run};
pub use tally::RunOutcome;
pub(crate) use tally::Tally;
