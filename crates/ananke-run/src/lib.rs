//! Runs a plan: where the stages meet. Tests are dispatched to workers; a session prepares one test, talks to its agent,
//! records and judges; what happens goes out as [`ananke_model::run_event::RunEvent`]s. Recordings are judged again by the
//! same code, without an agent.
//!
//! Invariant: every test of the plan ends in exactly one result, in plan order, whatever agents, hooks and users do.

mod agents;
mod clients;
mod dispatch;
mod dynamic;
mod ids;
mod judge;
mod opinions;
mod pace;
mod probe;
mod process;
mod redact;
mod script;
mod session;
mod speakers;
#[cfg(test)]
mod testing;
mod world;

pub use agents::{Answer, AskError, AskErrorKind, AskOptions, ask_agent, ask_script};
pub use dispatch::{Repeat, RunOptions, RunOutcome, run};
pub use judge::{JudgeOptions, Lookup, Recordings, judge, judge_test};
pub use pace::RateLimit;
pub use probe::{OtherProbe, Probe, Probed, Seen, probe};
pub use process::{Ready, Server, ServerError, kill_all};
pub use redact::{Redactor, Secrets, UnknownSecret, placeholders, secrets_of};
pub use session::{FlakyResult, agents};
