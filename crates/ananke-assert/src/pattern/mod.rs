//! Patterns as users write them: RE2 and JavaScript syntax, checked at load, searched in linear time where possible.
//!
//! A pattern goes through [`slash`] (the `/pattern/flags` form), [`translate`] (what it means, said in the engines' own
//! syntax) and [`engine`] (`regex`, or bounded backtracking for look-around and back-references).
//!
//! Where RE2, JavaScript and the engines differ, a pattern means what its author sees, or is refused:
//! - `\d`, `\w`, `\s`, `\b` are ASCII; `\s` is space, tab, line feed, vertical tab, form feed, carriage return.
//! - `.` stops at `\n`, `\r`, U+2028 and U+2029; with `m`, lines end at `\n`, `\r\n` and `\r`.
//! - `\<`, `\>` and, in classes, `[`, `&&`, `--`, `~~` are literal; `{` is literal where it begins no repetition.
//! - Unknown escapes, possessive and doubled repetitions, `[]`, `[^]`, octal escapes and half surrogates are refused.

mod cache;
mod class;
mod cursor;
mod engine;
mod error;
mod escape;
mod slash;
mod translate;

#[cfg(test)]
mod tests;

pub(crate) use cache::PatternCache;
pub use engine::Pattern;
pub use error::{BudgetExceeded, PatternError};
pub(crate) use slash::SlashForm;
