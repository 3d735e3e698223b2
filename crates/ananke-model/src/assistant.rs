//! Assistant folders in which scripts take part: hooks around the model, and tools that scripts answer.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::place::{Json, Text};
use crate::script::ScriptCall;
use crate::target::{KeyHeader, McpTarget, Prompt};

/// What an assistant folder has beside prompts and a connector.
#[derive(Clone, Debug, Default)]
pub struct Assistant {
    /// Its id, such as `shop.refund`.
    pub id: String,
    /// Its connector.
    pub connector: String,
    /// The hooks in `src/index.ts`, if there is such a file: what tools answer then goes to `Next`, not back to the model.
    pub hooks: Option<Hooks>,
    /// How many of the target's prompts are those of the whole app; they come first.
    pub n_app_prompts: usize,
    /// Prompts of the whole app, also if the package leaves them out.
    pub app_prompts: Vec<Prompt>,
    /// Prompts that `Create` can choose, by their ids.
    pub presets: BTreeMap<String, Vec<Prompt>>,
    /// Connectors that `Create` can choose, with the reason where one cannot be used.
    pub connectors: BTreeMap<String, Result<Connection, String>>,
    /// Tools that scripts answer.
    pub tools: Vec<ScriptTool>,
    /// Servers whose tools are offered beside them, once they are connected.
    pub servers: Vec<ToolServer>,
    /// Whether what tools answer goes back to the model where there are no hooks.
    pub tool_loop: bool,
    /// How often it goes back at most in one turn.
    pub max_turn: usize,
}

/// The hooks of an assistant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooks {
    /// The file as the user would type it.
    pub shown: std::sync::Arc<str>,
    /// Called before the model.
    pub create: Option<ScriptCall>,
    /// Called behind the model.
    pub next: Option<ScriptCall>,
}

/// How a model is reached that takes the place of the target's own.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The host, or the whole address.
    pub host: Text,
    /// The model.
    pub model: Text,
    /// The key; none is sent without it.
    pub key: Option<Text>,
    /// In which header the key is sent.
    pub key_header: KeyHeader,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Members of the request, those of the package included.
    pub parameters: Option<Json>,
    /// Whether the answer is streamed.
    pub stream: bool,
}

/// A server whose tools a model gets.
#[derive(Clone, Debug)]
pub struct ToolServer {
    /// Its id, such as `agents.shop.orders`.
    pub id: String,
    /// The tools that are offered; all that it has if they are not named.
    pub tools: Option<Vec<String>>,
    /// How it is reached.
    pub target: McpTarget,
}

/// How many tools a model gets at most.
pub const MAX_TOOLS: usize = 20;

/// A tool that a script answers, or a server.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptTool {
    /// The server that it belongs to.
    pub server: String,
    /// Its name there.
    pub name: String,
    /// The name that the model gets: server and tool.
    pub offered_name: String,
    /// What it is for.
    pub description: String,
    /// A JSON Schema of its arguments.
    pub input: Value,
    /// Examples for the model: `{name, input, output}`.
    pub samples: Vec<Value>,
    /// The function; nothing if its server is asked.
    pub call: Option<ScriptCall>,
    /// What the function is called with, if not with all arguments in one object.
    pub arguments: Option<Vec<ToolArgument>>,
}

/// What the function of a tool is called with.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolArgument {
    /// All arguments.
    All,
    /// The member at this path.
    Member(Vec<String>),
    /// Always the same.
    Constant(Value),
}
