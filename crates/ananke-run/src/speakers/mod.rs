//! Ways to speak to an agent: one file for each protocol, one [`Speaker`] for all of them.
//!
//! A speaker is made once for a test, or once for a question to a helper agent: references are resolved, keys and headers
//! are ready. Then it takes part in turns; whatever happens in one is in the [`ananke_model::recording::Turn`]. Nobody
//! outside of this folder needs to know which protocol is spoken.

mod a2a;
mod agui;
mod answer;
mod assistant;
mod auth;
mod command;
mod compared;
mod http;
mod known_agents;
mod mcp;
mod means;
mod openai;
mod prompts;
mod script;
mod scripted;
mod sent;
mod shared_servers;
mod speaker;
#[cfg(test)]
pub(crate) mod tests;
mod time;

pub(crate) use a2a::A2aSpeaker;
pub(crate) use agui::AguiSpeaker;
pub(crate) use command::CommandSpeaker;
pub(crate) use known_agents::KnownAgents;
pub(crate) use mcp::McpSpeaker;
pub(crate) use means::{Bounds, Call, Means};
pub(crate) use openai::OpenAiSpeaker;
pub(crate) use script::ScriptSpeaker;
pub(crate) use scripted::Scripts;
pub(crate) use sent::{Pair, Sent};
pub(crate) use shared_servers::SharedServers;
pub(crate) use speaker::Speaker;
