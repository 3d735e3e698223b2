//! What a snapshot file holds: readable text of what was seen, the same for the same behavior.
//!
//! `content` writes the sections, with JSON from `json_lines`; `ids` renames what is generated anew in each run; `diff`
//! shows how two of them differ.

mod content;
mod diff;
mod ids;
mod json_lines;
#[cfg(test)]
mod tests;

pub(crate) use content::{FIRST_LINE, content};
pub(crate) use diff::difference;
