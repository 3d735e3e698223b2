//! `type: mcp`: servers of tools, resources and prompts.

use super::{Limits, TargetAuth, Tls};
use crate::place::{Json, Text};

/// `type: mcp`.
#[derive(Clone, Debug)]
pub struct McpTarget {
    /// How the server is reached.
    pub transport: McpWay,
    /// The revision to speak, such as `2025-11-25`; the newest that both sides know if absent.
    pub version: Option<String>,
    /// The tool that `user` turns call.
    pub user_tool: Option<UserTool>,
    /// Who shares a connection.
    pub isolation: Isolation,
    /// What is said when the server asks the user: the first that fits.
    pub elicitation: Vec<McpAnswer>,
    /// What is said when the server borrows a model: the first that fits.
    pub sampling: Vec<McpAnswer>,
    /// The answer to `roots/list`: a list of objects with `uri`, and maybe `name`.
    pub roots: Option<Json>,
    /// Whether results are held against the tool's `outputSchema`.
    pub validate_output: bool,
    /// Who the client is.
    pub auth: Option<TargetAuth>,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Wall-clock limit of a turn, without connecting.
    pub timeout_ms: u64,
    /// Limit for everything before the first call.
    pub connect_timeout_ms: u64,
    /// How TLS certificates are checked.
    pub tls: Tls,
    /// What is kept at most.
    pub limits: Limits,
}

/// How a server is reached.
#[derive(Clone, Debug)]
pub enum McpWay {
    /// A program that is started and spoken to over its pipes. It inherits the environment.
    Stdio {
        /// Program and arguments; no shell.
        command: Vec<Text>,
        /// Where it runs, from the folder of the config file.
        cwd: Option<Text>,
        /// What is added to the environment.
        env: Vec<(String, Text)>,
    },
    /// Streamable HTTP.
    Http(Text),
    /// HTTP with events, as it was before.
    Sse(Text),
}

impl McpWay {
    /// Returns the URL, or the program.
    pub fn address(&self) -> Option<&Text> {
        match self {
            Self::Stdio { command, .. } => command.first(),
            Self::Http(url) | Self::Sse(url) => Some(url),
        }
    }
}

/// `userTool`: the tool that stands for an agent.
#[derive(Clone, Debug)]
pub struct UserTool {
    /// Its name.
    pub name: Text,
    /// The argument that gets the user's words.
    pub argument: Text,
    /// The argument that gets the id of the conversation, which is new for each test: for servers that keep no sessions.
    pub conversation: Option<Text>,
    /// Its other arguments: a map.
    pub args: Option<Json>,
    /// A JSON pointer into the result, to a list of `{id, name, args, result, error}`: the calls that the agent behind the
    /// tool made. The call of the tool itself is then no call of the agent.
    pub tool_calls: Option<String>,
}

/// Who shares a connection, and with it whatever a server keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Nobody: each test has its own.
    #[default]
    Test,
    /// The tests of a file, one after another.
    File,
}

/// A scripted answer.
#[derive(Clone, Debug)]
pub struct McpAnswer {
    /// What the question must contain; nothing fits all.
    pub when: Option<Text>,
    /// Whether it is given once only.
    pub once: bool,
    /// What a user does with a question; of no meaning for a model.
    pub action: ElicitAction,
    /// What the user fills in, or what the model says.
    pub content: Option<Json>,
}

/// What a user does with a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ElicitAction {
    /// Fills it in.
    #[default]
    Accept,
    /// Says no.
    Decline,
    /// Goes away.
    Cancel,
}

/// What a turn asks of a server.
#[derive(Clone, Debug)]
pub enum ServerAsk {
    /// `mcp:call`.
    Call {
        /// The tool.
        tool: Text,
        /// Its arguments: a map.
        args: Option<Json>,
    },
    /// `mcp:list`; all that the server announces if nothing is named.
    List(Option<McpListed>),
    /// `mcp:read`.
    Read {
        /// Which resource.
        uri: Text,
    },
    /// `mcp:prompt`.
    Prompt {
        /// Which prompt.
        name: Text,
        /// Its arguments: a map.
        args: Option<Json>,
    },
}

impl ServerAsk {
    /// Returns the kind of the turn as the user types it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Call { .. } => "mcp:call",
            Self::List(_) => "mcp:list",
            Self::Read { .. } => "mcp:read",
            Self::Prompt { .. } => "mcp:prompt",
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
