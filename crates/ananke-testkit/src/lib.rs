//! What the end-to-end tests stand on: a project folder, the real binary, and agents that behave or misbehave.
//!
//! Invariant: every wait here is bounded, so that a hanging product fails its test instead of hanging the run. Functions
//! panic when the set-up itself fails: that is how a test reports.

mod context;
mod filters;
mod process;
mod raw_server;
mod scripted_agent;

pub use context::TestContext;
pub use filters::Filters;
pub use process::{Invocation, RunOutput, Running};
pub use raw_server::canned::{chunked, hello_run, http_response, ok_sse_headers, sse};
pub use raw_server::peer::{drip, hold, reset_on_close};
pub use raw_server::request::RawRequest;
pub use raw_server::server::RawServer;
pub use scripted_agent::ScriptedAgent;
