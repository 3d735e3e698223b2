//! One file for each check that a user can write.

mod agent;
#[cfg(test)]
mod agent_tests;
mod error;
mod forbid;
mod forbid_calls;
mod max_duration_ms;
mod max_idle_ms;
mod must_match;
mod must_not_match;
mod output;
mod protocol;
mod require;
#[cfg(test)]
mod silent_tests;
mod snapshot;
mod task;

#[cfg(test)]
mod tests;

pub(crate) use agent::JudgedByAgent;
pub use agent::Question;
pub(crate) use error::ExpectedError;
pub(crate) use forbid::Forbid;
pub(crate) use forbid_calls::ForbidCalls;
pub(crate) use max_duration_ms::MaxDuration;
pub(crate) use max_idle_ms::MaxIdle;
pub(crate) use must_match::MustMatch;
pub(crate) use must_not_match::MustNotMatch;
pub(crate) use output::OutputMatch;
pub(crate) use protocol::ProtocolStrict;
pub(crate) use require::Require;
pub(crate) use snapshot::SnapshotMatch;
pub(crate) use task::TaskMatch;
