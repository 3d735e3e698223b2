//! What a turn sends, whatever protocol carries it.

use ananke_model::plan::ResumeStatus;
use serde_json::Value;

use crate::a2a::SendMessage;
use crate::mcp::McpAction;

/// What a turn sends. A protocol that has no such thing says so in the turn, and sends nothing.
#[derive(Clone, Debug)]
pub enum Action {
    /// A user message.
    User(String),
    /// Messages without ids, oldest first, all of them new to the agent.
    Messages(Vec<Value>),
    /// Attach to the thread without a message.
    Connect {
        /// Whether an empty replay is fine.
        allow_empty: bool,
    },
    /// Answer the open interrupts.
    Resume {
        /// Resolved or cancelled.
        status: ResumeStatus,
        /// What is handed over.
        payload: Option<Value>,
    },
    /// A message with parts of any kind, and its ids.
    Send(Box<SendMessage>),
    /// Ask a server for what it has.
    Ask(Box<McpAction>),
}

impl Action {
    /// Returns the kind of the turn as the user types it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::User(_) => "user",
            Self::Messages(_) => "messages",
            Self::Connect { .. } => "agui:connect",
            Self::Resume { .. } => "agui:resume",
            Self::Send(_) => "a2a:send",
            Self::Ask(asked) => asked.kind(),
        }
    }

    /// Returns the target that alone knows what to do with it, with its article; nothing if all do.
    pub fn needs(&self) -> Option<&'static str> {
        match self {
            Self::User(_) | Self::Messages(_) => None,
            Self::Connect { .. } | Self::Resume { .. } => Some("an `agui` target"),
            Self::Send(_) => Some("an `a2a` target"),
            Self::Ask(_) => Some("an `mcp` target"),
        }
    }
}
