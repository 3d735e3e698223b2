//! `ananke doctor`: why does it not work? One check a line, from the config to a real run, each with a next step.
//!
//! `config` finds the targets, `network` reaches one, `run` says hello to it, `envelope` looks for the reason when that
//! is refused, `seen` reads what came back. `other` looks at targets that do not speak AG-UI. `notes` shows what they find.

mod command;
mod config;
mod envelope;
mod network;
mod notes;
mod other;
mod run;
mod seen;

pub(crate) use command::{DoctorArgs, doctor};
