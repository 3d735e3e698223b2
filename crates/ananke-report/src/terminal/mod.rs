//! The console report: a header, one row for each test, failures, summary, verdict.

mod answer;
mod attempts;
mod conversation;
mod dynamic;
mod failure;
mod header;
mod not_run;
mod progress;
mod reporter;
mod rerun;
mod row;
mod script;
mod stability;
mod summary;
mod task;
#[cfg(test)]
mod tests;
mod told;

pub(crate) use conversation::turns as conversation;
pub(crate) use failure::failure;
pub use reporter::{Chunk, Terminal, TerminalOptions};
