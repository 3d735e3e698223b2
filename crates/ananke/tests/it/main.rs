//! End-to-end tests: the real binary against agents that are scripted, misbehaving, or not ours at all.
//!
//! Where to add: a command in the module of its name, a misbehaving server in `faults`, a mistake in a file in `validate`,
//! a server that we did not write in `interop`. What a user sees is snapshotted: exit code, stdout, stderr.

mod agents;
mod agui;
mod bundle;
mod cases;
mod compare;
mod completions;
mod conform;
mod demo;
mod doctor;
mod env_file;
mod faces;
mod faults;
mod guide;
mod history;
mod hooks;
mod html;
mod init;
mod interop;
mod json;
mod judges;
mod list;
mod project;
mod reference;
mod reports;
mod run;
mod schema;
mod scripts;
mod secrets;
mod serve;
mod server;
mod shell;
mod signals;
mod snapshots;
mod tidy;
mod transport;
mod traps;
mod twins;
mod validate;
mod variables;

/// The binary under test.
const ANANKE: &str = env!("CARGO_BIN_EXE_ananke");
