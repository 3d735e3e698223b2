//! Bytes on the wire to turns: HTTP, event streams, and the protocols that agents speak.
//!
//! Invariant: whatever a server sends, and whenever it stops, a [`ananke_model::recording::Turn`] comes back with all that
//! was captured. Every wait has a deadline, every buffer a limit.
#![warn(missing_docs)]

pub mod a2a;
mod action;
pub mod agui;
mod auth;
pub mod http;
pub mod mcp;
pub mod openai;
mod protobuf;
pub mod sse;

#[cfg(fuzzing)]
pub use agui::fuzzing;
