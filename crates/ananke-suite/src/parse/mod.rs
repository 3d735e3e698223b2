//! Trees to typed files. Every function reports what is wrong and goes on, so that all mistakes are known at once.

mod assert;
mod command;
mod config;
mod found;
mod object;
mod pattern;
mod references;
mod require;
mod script;
mod script_steps;
mod snapshot;
mod target;
mod test;
#[cfg(test)]
mod tests;
mod tool_name;
mod turn;
mod values;
mod version;

pub(crate) use assert::{AssertSpec, Inherit, Slot, Strictness};
pub(crate) use config::{ConfigFile, config};
pub(crate) use found::Found;
pub(crate) use script::script;
pub(crate) use target::TargetSpec;
pub(crate) use test::{TestFile, TestTarget, test};
