//! Child processes: each in a process group of its own, bounded in time and output, never left behind.

mod bounded;
mod group;
mod hook;
mod output;
mod program;
mod server;
mod survivors;

pub(crate) use bounded::Within;
pub(crate) use group::Launch;
pub use group::kill_all;
pub(crate) use hook::{HookFailure, HookFailureKind, HookRun, run_hook};
pub(crate) use program::{Program, ProgramFailure, run_program};
pub use server::{Ready, Server, ServerError};
pub(crate) use survivors::{Survivor, find_survivors, names};
