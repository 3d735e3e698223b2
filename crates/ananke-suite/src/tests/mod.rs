//! Tests of the whole crate: the documented forms, the examples of the specification, and any text at all.

mod any_text;
mod documented;
mod seeds;
mod snapshots;
