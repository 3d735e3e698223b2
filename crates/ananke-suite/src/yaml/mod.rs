//! YAML text to a tree that knows where each value is written.
//!
//! The parser's events are composed here, and not by a deserializer, because one tree serves all mistakes of a file at once,
//! each with its place, and because every scalar keeps the form in which it was written.

mod compose;
mod json;
mod node;
mod read;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use compose::{MAX_DEPTH, MAX_NODES, compose};
pub(crate) use json::json;
pub(crate) use node::{Entry, Kind, Node, Scalar, ScalarKind};
pub(crate) use read::read;
pub(crate) use scalar::integer;
