//! Plays an agent's replies over HTTP: plain AG-UI on any path, both of CopilotKit's envelopes, and the faces of A2A and MCP
//! where a path or a message is theirs.

mod body;
mod incoming;
mod listener;
mod origins;
mod route;
mod server;
#[cfg(test)]
pub(crate) mod tests;
mod threads;

pub(crate) use body::play;
pub(crate) use incoming::{Incoming, is_json, query};
pub use origins::Origins;
pub(crate) use route::{Route, route};
pub use server::serve;
pub(crate) use server::{plain, refuse};
