//! What a turn asks of a server.

use serde_json::{Map, Value, json};

/// What a turn asks.
#[derive(Clone, Debug, PartialEq)]
pub enum McpAction {
    /// Call a tool.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments.
        args: Map<String, Value>,
    },
    /// List what the server has; all that it announces, if nothing is named.
    List(Option<McpListed>),
    /// Read a resource.
    Read {
        /// Which one.
        uri: String,
    },
    /// Get a prompt.
    Prompt {
        /// Which one.
        name: String,
        /// Its arguments.
        args: Map<String, Value>,
    },
}

impl McpAction {
    /// Returns the kind of the turn as the user types it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Call { .. } => "mcp:call",
            Self::List(_) => "mcp:list",
            Self::Read { .. } => "mcp:read",
            Self::Prompt { .. } => "mcp:prompt",
        }
    }

    /// Returns method and parameters of its request; a list has several.
    pub(super) fn request(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::Call { tool, args } => {
                Some(("tools/call", json!({"name": tool, "arguments": args})))
            }
            Self::List(_) => None,
            Self::Read { uri } => Some(("resources/read", json!({"uri": uri}))),
            Self::Prompt { name, args } => {
                Some(("prompts/get", json!({"name": name, "arguments": args})))
            }
        }
    }
}

/// What a server can list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpListed {
    /// Its tools.
    Tools,
    /// Its resources.
    Resources,
    /// Its templates of resources.
    Templates,
    /// Its prompts.
    Prompts,
}

impl McpListed {
    /// All of them, in the order in which they are listed.
    pub(super) const ALL: [Self; 4] =
        [Self::Tools, Self::Resources, Self::Templates, Self::Prompts];

    /// Returns the method that lists it.
    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    /// Returns the member of a result that holds it.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    /// Returns the capability of servers that have it.
    pub(super) fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources | Self::Templates => "resources",
            Self::Prompts => "prompts",
        }
    }

    /// Returns the member by which an entry is known.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }
}
