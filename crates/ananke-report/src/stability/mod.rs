//! How stable a test is that was run several times (`--runs`): how often it passed, how alike the runs behaved, how long
//! they took, what that says about the agent, and where passing and failing runs part.
//!
//! Everything is a pure function of a result and its runs; classes and gates go by exact fractions.

mod alike;
mod estimates;
mod metrics;
mod parting;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use metrics::{Stability, StabilityClass, stability};
pub(crate) use parting::{FirstDifference, quotes};
