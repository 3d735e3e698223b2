//! The types that a target can have.

use crate::schema::{
    A2A_TARGET, ASSISTANT_TARGET, COMMAND_TARGET, MCP_TARGET, OPENAI_TARGET, SCRIPT_TARGET,
    SCRIPTED_TARGET, Shape, TARGET,
};

/// What a target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetKind {
    /// `type: agui`.
    Agui,
    /// `type: openai`.
    OpenAi,
    /// `type: command`.
    Command,
    /// `type: scripted`.
    Scripted,
    /// `type: assistant`.
    Assistant,
    /// `type: script`.
    Script,
    /// `type: a2a`.
    A2a,
    /// `type: mcp`.
    Mcp,
}

impl TargetKind {
    /// All of them.
    pub(super) const ALL: [Self; 8] = [
        Self::Agui,
        Self::OpenAi,
        Self::Command,
        Self::Scripted,
        Self::Assistant,
        Self::Script,
        Self::A2a,
        Self::Mcp,
    ];

    /// Returns the word that stands under `type`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Agui => "agui",
            Self::OpenAi => "openai",
            Self::Command => "command",
            Self::Scripted => "scripted",
            Self::Assistant => "assistant",
            Self::Script => "script",
            Self::A2a => "a2a",
            Self::Mcp => "mcp",
        }
    }

    /// Returns the keys of such a target.
    pub(crate) fn shape(self) -> &'static Shape {
        match self {
            Self::Agui => &TARGET,
            Self::OpenAi => &OPENAI_TARGET,
            Self::Command => &COMMAND_TARGET,
            Self::Scripted => &SCRIPTED_TARGET,
            Self::Assistant => &ASSISTANT_TARGET,
            Self::Script => &SCRIPT_TARGET,
            Self::A2a => &A2A_TARGET,
            Self::Mcp => &MCP_TARGET,
        }
    }
}
