//! Tests of the whole crate: the documented forms, the examples of the specification, and any text at all.

mod any_text;
mod case_seeds;
mod cases;
mod documented;
mod dynamic;
mod messages;
mod seeds;
mod snapshots;
