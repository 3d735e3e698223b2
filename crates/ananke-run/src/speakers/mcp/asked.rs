//! What a turn asks of a server: what it says itself, or a call of the tool that stands for an agent.

use ananke_model::plan::UserTool;
use ananke_protocol::agui::{Action, last_user_text};
use ananke_protocol::mcp::McpAction;
use serde_json::{Map, Value};

use crate::ids::new_id;
use crate::session::Resolver;

/// The tool that stands for an agent, references resolved.
#[derive(Debug)]
pub(in crate::speakers) struct Tool {
    name: String,
    argument: String,
    /// The argument that gets the id of the conversation.
    pub(in crate::speakers) conversation: Option<String>,
    /// That id.
    thread_id: String,
    args: Map<String, Value>,
    /// A JSON pointer into the result, to the calls that the agent behind the tool made.
    pub(super) calls_at: Option<String>,
}

/// What a turn asks, and what the user said, if that is what is asked.
pub(in crate::speakers) struct Asked {
    pub(in crate::speakers) action: McpAction,
    pub(super) user: Option<String>,
    /// What of it is left out.
    pub(super) warning: Option<String>,
}

impl Tool {
    pub(in crate::speakers) fn resolve(tool: &UserTool, resolver: &mut Resolver<'_>) -> Self {
        let args = tool.args.as_ref().map(|args| resolver.json(args));
        Self {
            name: resolver.text(&tool.name),
            argument: resolver.text(&tool.argument),
            conversation: tool.conversation.as_ref().map(|name| resolver.text(name)),
            thread_id: new_id(),
            args: match args {
                Some(Value::Object(args)) => args,
                _ => Map::new(),
            },
            calls_at: tool.tool_calls.clone(),
        }
    }

    fn call(&self, words: &str) -> McpAction {
        let mut args = self.args.clone();
        if let Some(name) = &self.conversation {
            args.insert(name.clone(), self.thread_id.as_str().into());
        }
        args.insert(self.argument.clone(), words.into());
        McpAction::Call {
            tool: self.name.clone(),
            args,
        }
    }
}

/// Returns what `action` asks of a server; says why it asks nothing.
pub(in crate::speakers) fn asked(action: &Action, tool: Option<&Tool>) -> Result<Asked, String> {
    let mut warning = None;
    let words = match action {
        Action::Ask(asked) => {
            return Ok(Asked {
                action: (**asked).clone(),
                user: None,
                warning,
            });
        }
        Action::User(text) => text.clone(),
        Action::Messages(messages) => {
            let Some(text) = last_user_text(messages) else {
                return Err(
                    "there is no message of the user: a tool gets the user's words alone"
                        .to_owned(),
                );
            };
            if messages.len() > 1 {
                warning = Some(format!(
                    "the tool got the last message of the user alone, out of {} messages",
                    messages.len()
                ));
            }
            text
        }
        Action::Connect { .. } | Action::Resume { .. } | Action::Send(_) => {
            let needed = action.needs().unwrap_or("another target");
            return Err(format!(
                "`{}` needs {needed}: this one speaks MCP",
                action.kind()
            ));
        }
    };
    let tool = tool.ok_or(
        "a `user` turn on an `mcp` target calls a tool: set `userTool: {name, argument}` of the target",
    )?;
    Ok(Asked {
        action: tool.call(&words),
        user: Some(words),
        warning,
    })
}
