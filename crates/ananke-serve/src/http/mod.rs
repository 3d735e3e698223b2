//! Plays an agent's replies over HTTP: plain AG-UI on any path, and both of CopilotKit's envelopes.

mod body;
mod listener;
mod origins;
mod route;
mod server;
#[cfg(test)]
mod tests;
mod threads;

pub use origins::Origins;
pub(crate) use route::{Route, route};
pub use server::serve;
