//! MCP: tools, resources and prompts of a server, over stdio, streamable HTTP, or HTTP with events.
//!
//! A [`McpSession`] connects in `connect` and `handshake` (a process of `stdio`, messages through `lines`, `http` or
//! `legacy_sse`, looked at by `watched`), asks in `ask`, and answers what the server asks through `asked` from the table of
//! `answers`. Every message is noted by `record`; `told` and `turn` make a turn of what came back. The protocol itself is
//! spoken by `rmcp`. Answers are read from the record and not from its types, which leave out what they do not know.

mod access;
mod action;
mod answers;
mod ask;
mod asked;
mod connect;
#[cfg(fuzzing)]
pub mod fuzzing;
mod handshake;
mod http;
mod http_body;
mod inner_calls;
mod legacy_sse;
mod lines;
mod noted;
mod options;
mod record;
mod refused;
mod schema;
mod session;
mod shape;
mod stdio;
#[cfg(test)]
mod tests;
mod told;
mod turn;
mod watched;
mod words;

pub use action::McpAction;
pub use ananke_model::plan::{ElicitAction, McpListed};
pub use options::{
    Elicited, Fits, McpEndpoint, McpOptions, McpTransport, McpVersion, Sampled, ScriptedAnswers,
};
pub use session::McpSession;
pub use stdio::kill_all;
pub use turn::McpTurn;
