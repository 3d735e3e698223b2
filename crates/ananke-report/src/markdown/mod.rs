//! The Markdown report (`.md`, the step summary of GitHub): totals, then what did not pass, then the rest.
//!
//! Invariant: nothing that an agent or a file brought is ever markup. It stands in code spans or in fenced blocks that it
//! cannot close; `span.rs` is the only place that makes them.

mod case;
mod dynamic;
mod report;
mod section;
mod span;
mod stability;
mod summary;
mod test;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_cases;
#[cfg(test)]
mod tests_dynamic;

pub(crate) use report::MarkdownReport;
pub(crate) use span::{cell, code, fenced};
