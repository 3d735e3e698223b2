//! MCP servers: how they are reached, what turns ask of them, and who shares them.

mod asked;
mod settings;
mod speaker;

pub(super) use asked::{Tool, asked};
pub(crate) use speaker::McpSpeaker;
