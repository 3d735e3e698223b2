//! Typed files to a plan: each test gets its target and its blocks, and every reference between files is followed.

mod a2a;
mod addressee;
mod agents;
mod asker;
mod assemble;
mod assistant;
mod bare_ids;
mod blocks;
mod build;
mod chat;
mod complete;
mod config_targets;
mod connector;
mod dynamic;
mod environment;
mod extends;
mod faces;
mod folders;
mod mcp;
mod names;
mod pick;
mod prompt_names;
mod references;
mod registry;
mod script_calls;
mod script_tests;
mod script_world;
mod sensitive;
mod sent_files;
mod snapshots;
mod target;
mod task_blocks;
#[cfg(test)]
mod tests;
mod texts;
mod told;
mod turns_fit;
mod url;

pub(crate) use bare_ids::refuse_bare_ids;
pub(crate) use build::{ConfigState, PlanInput, SourceTest, plan};
pub(crate) use config_targets::{Surroundings, config_targets};
pub use environment::environment_names;
pub use url::endpoint_problem;
pub(crate) use url::{header_problem, url_problem};
