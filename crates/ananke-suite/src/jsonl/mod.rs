//! JSON objects, one after another, to trees that know where each value is written.
//!
//! They are the same trees as those of YAML files, so that everything behind them is shared. The reader is our own because
//! it allows what people write in such files, comments and objects over several lines, and refuses everything else at its
//! place, all mistakes of a file at once.

mod chunks;
mod cursor;
mod mistakes;
mod number;
mod objects;
mod package;
mod string;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use chunks::{Chunk, chunks};
pub(crate) use objects::{each_object, is_report, objects};
pub(crate) use package::package;
