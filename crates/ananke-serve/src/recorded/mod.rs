//! An agent that answers with what another agent once sent: the recordings of a run, served again.
//!
//! `exchange` cuts recorded tests into requests with what came back; `matching` finds the one that a request asks for;
//! `ambiguity` tells where several would do; `rename` puts the ids of the request in the place of the recorded ones.

mod agent;
mod ambiguity;
#[cfg(test)]
mod case_tests;
mod exchange;
mod matching;
mod rename;
#[cfg(test)]
mod tests;

pub use agent::RecordedAgent;
pub use ambiguity::Ambiguity;
