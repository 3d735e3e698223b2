//! Typed files to a plan: each test gets its target and its blocks, and every reference between files is followed.

mod addressee;
mod agents;
mod asker;
mod assemble;
mod assistant;
mod blocks;
mod build;
mod chat;
mod complete;
mod config_targets;
mod connector;
mod dynamic;
mod environment;
mod extends;
mod folders;
mod helpers;
mod names;
mod pick;
mod references;
mod registry;
mod snapshots;
mod target;
#[cfg(test)]
mod tests;
mod texts;
mod told;
mod url;

pub(crate) use build::{ConfigState, PlanInput, SourceTest, plan};
pub(crate) use config_targets::{Surroundings, config_targets};
pub use environment::environment_names;
pub(crate) use helpers::helpers;
pub use url::endpoint_problem;
