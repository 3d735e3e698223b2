//! Servers that misbehave: the real binary against every fault of the robustness table that an agent server can have.
//!
//! Each test shows what a user sees of it (exit code, the test's lines) and what the JSON report keeps (kind of trouble,
//! text and calls captured so far, warnings). `fault.rs` holds the bounds that every one of them must keep: time, memory,
//! no panic, a report that parses.

mod codings;
mod costly;
mod crowds;
mod endless;
mod events;
mod fault;
mod framing;
mod hostile_text;
mod malformed;
mod nesting;
mod redirects;
mod responses;
mod silence;
mod tasks;
mod tools;
mod truncation;
mod unreachable;
mod wire;

pub(crate) use fault::Fault;
pub(crate) use wire::{answers, call, finished, sends, started, text};
