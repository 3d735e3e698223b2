//! An agent that answers with what another agent once sent: the recordings of a run, served again.
//!
//! `exchange` cuts recorded tests into requests with what came back, `foreign` those of A2A and MCP; `matching` finds the one that a request asks for;
//! `ambiguity` tells where several would do; `rename` puts the ids of the request in the place of the recorded ones.

mod agent;
mod ambiguity;
#[cfg(test)]
mod case_tests;
mod exchange;
mod foreign;
#[cfg(test)]
mod foreign_tests;
mod matching;
mod rename;
#[cfg(test)]
mod tests;

pub(crate) use agent::ForeignAsk;
pub use agent::RecordedAgent;
pub use ambiguity::Ambiguity;
pub(crate) use exchange::{End, Exchange};
pub(crate) use foreign::{Face, Foreign, ids_in, key, message_of};
pub(crate) use rename::Renames;
