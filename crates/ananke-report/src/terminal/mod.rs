//! The console report: a header, one row for each test, failures, summary, verdict.

mod attempts;
mod conversation;
mod failure;
mod not_run;
mod progress;
mod reporter;
mod rerun;
mod row;
mod summary;
#[cfg(test)]
mod tests;

pub(crate) use conversation::turns as conversation;
pub(crate) use failure::failure;
pub use reporter::{Chunk, Terminal, TerminalOptions};
