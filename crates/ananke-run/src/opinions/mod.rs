//! What other agents think of an output: they are asked while a test is live, and what they say becomes a part of its
//! recording. Counting the answers is done by `ananke_assert`, live and from a recording alike.
//!
//! Invariant: a judge that does not answer, or not as it should, leaves an answer without a verdict. It never ends a test.

mod again;
mod gather;
mod judged;
mod reply;
mod script;
#[cfg(test)]
mod tests;

pub(crate) use again::Again;
pub(crate) use gather::{Seen, gather};
pub(crate) use judged::judged;
