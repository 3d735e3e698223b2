//! Functions of scripts that are tests: what every report says about them, and how.
//!
//! What went wrong comes from the record of the function; the reason of the result says the same in plain lines, for those
//! that do not know scripts, and is never shown beside it.

mod code;
mod diff;
mod lines;
mod logged;
mod naming;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_listing;
mod words;

pub(crate) use code::excerpt;
pub(crate) use diff::{DiffLine, diff, is_for_diff};
pub(crate) use lines::{Told, failures, logs, subtests};
pub(crate) use naming::{function_in, function_of, is_function, own_name, source};
pub(crate) use words::{at, log_line, place, reason, sentence};
