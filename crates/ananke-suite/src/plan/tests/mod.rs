//! What a plan is made of: inherited blocks, targets, references and names.

mod agent_targets;
mod agents;
mod blocks;
mod cases;
mod connectors;
mod identity;
mod picking;
mod prompt_names;
mod references;
mod sensitive;
mod targets;
