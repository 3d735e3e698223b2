//! JSON-RPC over HTTP, which A2A and MCP share: one request and its answer, envelopes, and a driver that keeps exchanges.

mod driver;
mod envelope;
mod reply;
mod talk;
#[cfg(test)]
pub(crate) mod testing;
mod types;

pub(crate) use driver::Driver;
pub(crate) use envelope::envelope_problems;
pub(crate) use reply::{Reply, came, replies, response};
pub(crate) use talk::Until;
pub(crate) use types::{Kind, member, shown};
