//! Agents that do as they are told, speaking real AG-UI 1.0, A2A and MCP over loopback HTTP.
//!
//! A [`script::Script`] or the [`shop::Shop`] reads the request and answers with steps; [`engine`] turns the steps into
//! timed wire actions, purely; [`recorded`] answers with what an agent once sent; [`http`] plays the actions. `a2a` and
//! [`mcp`] read the same actions and tell them in their own words; `talk` keeps their conversations. The demo agent,
//! `ananke serve` and our own tests all use this one path. [`instant`] is apart: a server that does nearly nothing, for
//! benchmarks.
//!
//! Invariant: an answer depends on the request alone. Ids come from the run's id and a counter, times from the script.
//! Two things count on purpose: a rule with `times`, and the recordings of one conversation, which take turns. And where a
//! client sends its newest message alone, the rest of its conversation is remembered.

mod a2a;
pub mod agent;
pub mod engine;
pub mod http;
pub mod input;
pub mod instant;
pub mod mcp;
pub mod recorded;
mod rpc;
pub mod script;
pub mod shop;
pub mod spawn;
mod talk;
