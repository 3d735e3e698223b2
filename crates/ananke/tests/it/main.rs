//! End-to-end tests: the real binary against agents that are scripted, misbehaving, or not ours at all.
//!
//! Where to add: a command in the module of its name, a misbehaving server in `faults`, a mistake in a file in `validate`,
//! a server that we did not write in `interop`. What a user sees is snapshotted: exit code, stdout, stderr.

mod agui;
mod demo;
mod faults;
mod guide;
mod hooks;
mod interop;
mod json;
mod list;
mod project;
mod reference;
mod run;
mod schema;
mod server;
mod signals;
mod tidy;
mod transport;
mod traps;
mod validate;
mod variables;

/// The binary under test.
const ANANKE: &str = env!("CARGO_BIN_EXE_ananke");
