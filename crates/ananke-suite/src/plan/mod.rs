//! Typed files to a plan: each test gets its target and its blocks, and every reference between files is followed.

mod addressee;
mod asker;
mod blocks;
mod build;
mod config_targets;
mod connector;
mod environment;
mod extends;
mod names;
mod pick;
mod references;
mod snapshots;
mod target;
#[cfg(test)]
mod tests;
mod texts;
mod told;
mod url;

pub(crate) use build::{ConfigState, PlanInput, SourceTest, plan};
pub(crate) use config_targets::config_targets;
pub use environment::environment_names;
pub use url::endpoint_problem;
