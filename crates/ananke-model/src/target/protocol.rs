//! The protocols that a target can speak, and what all of them have.

use super::{
    A2aTarget, AguiTarget, CommandTarget, McpTarget, OpenAiTarget, ScriptedTarget, TargetAuth, Tls,
};
use crate::place::Text;
use crate::script::ScriptTarget;

/// The protocols that a target can speak.
#[derive(Clone, Debug)]
pub enum Protocol {
    /// `type: agui`.
    Agui(Box<AguiTarget>),
    /// `type: openai`, and assistant folders.
    OpenAi(Box<OpenAiTarget>),
    /// `type: command`.
    Command(Box<CommandTarget>),
    /// `type: scripted`.
    Scripted(Box<ScriptedTarget>),
    /// `type: script`, and the file of a script test.
    Script(Box<ScriptTarget>),
    /// `type: a2a`.
    A2a(Box<A2aTarget>),
    /// `type: mcp`.
    Mcp(Box<McpTarget>),
}

impl Protocol {
    /// Returns where the agent is, if it is somewhere.
    pub fn address(&self) -> Option<&Text> {
        match self {
            Self::Agui(target) => Some(&target.endpoint),
            Self::OpenAi(target) => Some(&target.host),
            Self::Command(target) => target.cmd.first(),
            Self::A2a(target) => target.endpoint.as_ref().or(target.card_url.as_ref()),
            Self::Mcp(target) => target.transport.address(),
            Self::Scripted(_) | Self::Script(_) => None,
        }
    }

    /// Returns the agent's id, where it has one beside its address.
    pub fn agent_id(&self) -> Option<&Text> {
        match self {
            Self::Agui(target) => target.agent_id.as_ref(),
            Self::OpenAi(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::Script(_)
            | Self::A2a(_)
            | Self::Mcp(_) => None,
        }
    }

    /// Returns the headers that are sent with every request.
    pub fn headers(&self) -> &[(String, Text)] {
        match self {
            Self::Agui(target) => &target.headers,
            Self::OpenAi(target) => &target.headers,
            Self::A2a(target) => &target.headers,
            Self::Mcp(target) => &target.headers,
            Self::Command(_) | Self::Scripted(_) | Self::Script(_) => &[],
        }
    }

    /// Returns how TLS certificates are checked, if there are any.
    pub fn tls(&self) -> Option<&Tls> {
        match self {
            Self::Agui(target) => Some(&target.tls),
            Self::OpenAi(target) => Some(&target.tls),
            Self::A2a(target) => Some(&target.tls),
            Self::Mcp(target) => Some(&target.tls),
            Self::Command(_) | Self::Scripted(_) | Self::Script(_) => None,
        }
    }

    /// Returns the wall-clock limit of a turn.
    pub fn timeout_ms(&self) -> u64 {
        match self {
            Self::Agui(target) => target.timeout_ms,
            Self::OpenAi(target) => target.timeout_ms,
            Self::Command(target) => target.timeout_ms,
            Self::Scripted(target) => target.timeout_ms,
            Self::Script(target) => target.timeout_ms,
            Self::A2a(target) => target.timeout_ms,
            Self::Mcp(target) => target.timeout_ms,
        }
    }

    /// Returns who the client is, where a target says so apart from its headers.
    pub fn auth(&self) -> Option<&TargetAuth> {
        match self {
            Self::A2a(target) => target.auth.as_ref(),
            Self::Mcp(target) => target.auth.as_ref(),
            Self::Agui(_)
            | Self::OpenAi(_)
            | Self::Command(_)
            | Self::Scripted(_)
            | Self::Script(_) => None,
        }
    }
}
