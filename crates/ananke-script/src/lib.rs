//! Runs TypeScript and JavaScript that users wrote: test functions, checks, hooks, tools and agents. `compile/` turns a file
//! into a module that the engine understands and finds the way back to the user's lines, `engine/` runs it within limits on a
//! thread of its own, `testing/` is `t`, `globals/` is what else scripts can name. What scripts ask of the world goes through
//! [`Host`].
//!
//! Invariant: JSON in, JSON out, and every call ends in time. No script can crash the process, hold it up, or touch what it was
//! not granted.
#![expect(
    clippy::result_large_err,
    reason = "a failure ends what runs, and is made once"
)]

mod compile;
mod engine;
mod globals;
mod host;
mod testing;

pub use compile::{find_functions, find_tests};
pub use engine::{
    Argument, Called, Calling, FileOutcome, FileRun, Memory, Settings, Stop, Told, call, digest_of,
    run_tests,
};
pub use globals::TYPE_DEFINITIONS;
pub use host::{AgentCall, Fetched, Host, Judged, Request, Verdict};
