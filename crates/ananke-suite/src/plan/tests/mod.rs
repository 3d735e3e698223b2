//! What a plan is made of: inherited blocks, targets, references and names.

mod a2a_targets;
mod agent_targets;
mod agents;
mod blocks;
mod cases;
mod connectors;
mod identity;
mod mcp_targets;
mod picking;
mod prompt_names;
mod references;
mod sensitive;
mod several;
mod targets;
mod tasks;
mod turns_fit;
