//! Judges recordings: (check, recording) to result. Pure and sync.
//!
//! [`check_plan()`] finds every mistake in patterns and paths before anything runs; [`compile`] makes a block ready for
//! one test, after its hooks ran; [`CompiledBlock`] judges turns and whole tests. Each check that a user can write has
//! its file in [`checks`].
//!
//! Invariant: the same block and the same turns give the same results, whenever and wherever they are judged.

mod block;
mod call_filter;
mod check_plan;
mod checks;
mod evidence;
mod nearest;
mod pattern;
mod resolver;
mod shown;
mod snapshot;
mod tasks;
mod value;
mod verdict;

#[cfg(test)]
mod testing;

pub use block::{CompiledBlock, Hide, compile};
pub use check_plan::check_plan;
pub use checks::Question;
pub use pattern::{BudgetExceeded, Pattern, PatternError};
pub use value::{NoReplyObject, ReplyObject, at_path, json_of, jsons_of};
