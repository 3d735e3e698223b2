//! Tests of the whole crate: the specification's own examples, and any text at all.

mod any_text;
mod seeds;
