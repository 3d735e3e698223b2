//! The nouns that cross a stage of the pipeline: places and diagnostics, plan, recording, verdict, run events.
//!
//! Invariant: plain data. Nothing here does I/O, reads a clock or knows a protocol's wire format, so every stage can be
//! tested with values that a test writes down.
#![warn(missing_docs)]

pub mod agent;
pub mod assistant;
pub mod case;
pub mod check;
pub mod conformance;
pub mod coverage;
pub mod diagnostic;
pub mod place;
pub mod plan;
pub mod recording;
pub mod result;
pub mod run_event;
pub mod script;
pub mod sensitive;
pub mod target;
pub mod task_check;
pub mod variables;
