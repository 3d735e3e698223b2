//! What a turn asks of a server.

use ananke_model::plan::McpListed;
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

impl McpAction {
    /// Returns what is asked, as it is recorded where nobody was there to be asked.
    pub(super) fn shown(&self) -> Option<Value> {
        let (method, params) = match self {
            Self::List(listed) => (listed.unwrap_or(McpListed::Tools).method(), json!({})),
            other => other.request()?,
        };
        Some(json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }
}

/// How what a server can list is asked for and told.
pub(super) trait Listed {
    /// All of them, in the order in which they are listed.
    const ALL: [McpListed; 4];
    /// Returns the method that lists it.
    fn method(self) -> &'static str;
    /// Returns the member of a result that holds it.
    fn member(self) -> &'static str;
    /// Returns the capability of servers that have it.
    fn capability(self) -> &'static str;
    /// Returns the member by which an entry is known.
    fn name(self) -> &'static str;
}

impl Listed for McpListed {
    const ALL: [Self; 4] = [Self::Tools, Self::Resources, Self::Templates, Self::Prompts];

    fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources | Self::Templates => "resources",
            Self::Prompts => "prompts",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Tools | Self::Prompts => "name",
            Self::Resources => "uri",
            Self::Templates => "uriTemplate",
        }
    }
}
