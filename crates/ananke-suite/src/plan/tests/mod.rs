//! What a plan is made of: inherited blocks, targets, references and names.

mod blocks;
mod references;
mod targets;
