//! Checks on the output: the entries of `checks`, and of a case's `assert`. One file for each `type`.
//!
//! Each type tells whether it holds, does not hold, or cannot be decided ([`Judged`]); [`OutputMatch`] adds `path`, `negate`
//! and `message`. `negate` flips what was decided, and nothing else. A check with a `path` is decided only if something
//! stands there: a misspelt path must not make a prohibition hold. The first detail of a failure is one sentence that says
//! it all.

mod contains;
#[cfg(test)]
mod data_tests;
mod equals;
mod json_path;
mod json_type;
mod judged;
mod looking;
mod output_match;
#[cfg(test)]
mod prohibition_tests;
mod regex;
#[cfg(test)]
mod tests;
mod tool_called;
mod tool_result;
#[cfg(test)]
mod tool_tests;

use contains::{Contains, Mode};
use equals::Equals;
use json_path::AtPath;
use json_type::TypeIs;
use judged::{Judged, State};
use looking::Looking;
pub(crate) use output_match::OutputMatch;
use regex::Regex;
use tool_called::Called;
use tool_result::GaveResult;
