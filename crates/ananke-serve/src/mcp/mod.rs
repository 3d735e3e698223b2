//! The agent as an MCP server, in both eras, over streamable HTTP and over lines of text.
//!
//! The agent is one tool, `ask`; what it works with are tools of their own, if it has a toolbox. `face` reads a message and
//! does what it asks, with `offers` for what there is to list and `ask` for the agent; `spoken` puts its answer into a
//! result. An answer is all its messages with their times, and `play` is what `http` and `lines` make of it.

mod ask;
mod face;
mod http;
mod lines;
mod offers;
mod play;
mod replay;
mod spoken;
#[cfg(test)]
mod tests;
mod who;

pub(crate) use face::Mcp;
pub(crate) use http::{answer, answer_message, is_place};
pub use lines::{Line, serve_lines};
