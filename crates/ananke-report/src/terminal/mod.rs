//! The console report: a header, one row for each test, failures, summary, verdict.

mod conversation;
mod failure;
mod progress;
mod reporter;
mod rerun;
mod row;
mod summary;
#[cfg(test)]
mod tests;

pub use reporter::{Chunk, Terminal, TerminalOptions};
