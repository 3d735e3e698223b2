//! From paths to a plan: discover -> parse -> plan.
//!
//! 1. `discover` turns what the user typed into a config file and test files.
//! 2. `yaml` and `jsonl` compose each file into trees that know their places.
//! 3. `parse` reads the trees into typed files, by the shapes in `schema`.
//! 4. `plan` gives each test its target and its inherited blocks, and follows every reference.
//!
//! Invariants: nothing here runs a command, opens a connection, prints, or reads the environment. Every stage reports all
//! mistakes and goes on, so that one load tells everything that is wrong.

mod asking;
mod assistants;
mod bundle_settings;
mod conform;
mod discover;
#[cfg(fuzzing)]
pub mod fuzzing;
mod jsonl;
mod load;
mod parse;
mod plan;
mod read_scripts;
mod read_tests;
mod schema;
mod script;
mod scripts;
mod targets;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod written;
mod yaml;

pub use bundle_settings::bundle_settings;
pub use conform::{
    LoadedConformBaseline, LoadedConformSetup, load_conform_baseline, load_conform_setup,
};
pub use load::{Asking, Input, LoadRequest, Loaded, load};
pub use plan::{endpoint_problem, environment_names};
pub use read_scripts::BROKEN_FILE;
pub use schema::{SchemaKind, schema};
pub use script::{LoadedScript, load_script};
pub use scripts::{RefusedScript, script_reference};
pub use targets::{LoadedTargets, load_targets};
pub use written::WrittenFile;
