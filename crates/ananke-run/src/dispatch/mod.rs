//! Many tests at once: workers take runs of tests in plan order, results leave in plan order.

mod collect;
mod fail_fast;
mod file;
mod jobs;
mod repeat;
#[cfg(test)]
mod repeat_tests;
mod run;
#[cfg(test)]
mod runs_tests;
mod tally;
#[cfg(test)]
mod tests;
mod units;

pub use repeat::Repeat;
pub(crate) use repeat::split;
pub use run::{RunOptions, run};
pub use tally::RunOutcome;
pub(crate) use tally::Tally;
