//! Is this agent server correct? Scenarios are driven, what was sent and what came back is kept, and rules judge it.
//!
//! [`drive`] talks to a server and [`offline`] reads files; both give [`Exchange`]s. [`rules`] hold the catalogue and look
//! at exchanges, [`judge()`] makes verdicts of what they find, [`clients`] tells who could read the streams. [`a2a`] and
//! [`mcp`] have scenarios and rules of their own over the same exchanges; `rpc` is what these two share. [`sse_stack`] is a
//! profile of its own, with its own way to ask.
//!
//! Invariant: judging is pure. A verdict follows from exchanges and settings alone, so every rule is tested by a file that
//! breaks it; and a rule that saw nothing it could be judged by is inconclusive, never passed.
#![warn(missing_docs)]

pub mod a2a;
mod body;
mod case;
pub mod clients;
pub mod drive;
mod examples;
mod exchange;
#[cfg(test)]
mod fixture;
mod judge;
#[cfg(test)]
mod judge_tests;
pub mod mcp;
pub mod offline;
mod rpc;
mod rule;
pub mod rules;
pub mod sse_stack;
mod surrogates;

pub use body::{BodyReader, Limits};
pub use case::{Case, ScenarioSeen, Shown};
pub use examples::example;
pub use exchange::{Answer, Asked, Ending, Exchange, Framing, Observed, Probe, Resume, Wire};
pub use judge::{Settings, apply_baseline, judge};
pub use rule::{Findings, Found, Profile, Rule, Spoken};
