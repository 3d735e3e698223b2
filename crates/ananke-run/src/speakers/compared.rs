//! What single turns send, set against what was recorded of them: messages of tasks, and questions to servers. Ids are made
//! anew in every run; only those that the user wrote count.

use ananke_model::plan::{A2aTarget, McpListed, McpTarget};
use ananke_protocol::a2a::{A2aOptions, SentMessage};
use ananke_protocol::agui::Action;
use ananke_protocol::mcp::McpAction;
use serde_json::{Map, Value};

use super::a2a;
use super::mcp::{Tool, asked};
use super::sent::Pair;
use crate::session::Resolver;

/// What goes with the first message to an agent that works on tasks.
#[derive(Debug)]
pub(super) struct Beside {
    context_id: Option<String>,
    members: Map<String, Value>,
}

impl Beside {
    pub(super) fn resolve(agent: &A2aTarget, resolver: &mut Resolver<'_>) -> Self {
        let A2aOptions {
            context_id,
            metadata,
            accepted_output_modes,
            history_length,
            ..
        } = a2a::options(agent, resolver);
        let modes = (!accepted_output_modes.is_empty()).then(|| accepted_output_modes.into());
        let members = [
            ("metadata", metadata),
            ("acceptedOutputModes", modes),
            ("historyLength", history_length.map(Value::from)),
        ];
        let members = members.into_iter();
        Self {
            context_id,
            members: members
                .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                .collect(),
        }
    }

    /// Pairs what the first request holds beside the message.
    pub(super) fn pairs(&self, action: &Action, body: &Value) -> Vec<Pair> {
        let Some(sent) = SentMessage::read(body) else {
            return Vec::new();
        };
        let mut pairs = vec![pair(
            "request",
            self.members.clone().into(),
            sent.beside.into(),
        )];
        let is_own = matches!(action, Action::Send(send) if send.context_id.is_some());
        if let Some(id) = self.context_id.as_ref().filter(|_| !is_own) {
            pairs.push(pair("contextId", id.as_str().into(), sent.context_id));
        }
        pairs
    }
}

/// Pairs the message of a turn with the one that was sent.
pub(super) fn message(action: &Action, requests: &[Value]) -> Vec<Pair> {
    let sent = requests.iter().find_map(SentMessage::read);
    let (Action::Send(send), Some(sent)) = (action, sent) else {
        return Vec::new();
    };
    let mut pairs = vec![
        pair("parts", send.comparable_parts().into(), sent.parts.into()),
        pair(
            "metadata",
            send.metadata.clone().unwrap_or_default(),
            sent.metadata,
        ),
    ];
    match &send.task_id {
        Some(id) => pairs.push(pair("taskId", id.as_str().into(), sent.task_id)),
        None if send.new_task => pairs.push(pair("taskId", Value::Null, sent.task_id)),
        None => {}
    }
    if let Some(id) = &send.context_id {
        pairs.push(pair("contextId", id.as_str().into(), sent.context_id));
    }
    pairs
}

/// Resolves the tool that stands for an agent.
pub(super) fn user_tool(server: &McpTarget, resolver: &mut Resolver<'_>) -> Option<Tool> {
    let tool = server.user_tool.as_ref();
    tool.map(|tool| Tool::resolve(tool, resolver))
}

/// Pairs the question of a turn with the one that was asked.
pub(super) fn question(action: &Action, tool: Option<&Tool>, requests: &[Value]) -> Vec<Pair> {
    let Ok(asked) = asked(action, tool) else {
        return Vec::new();
    };
    // The id of a conversation is another one in every run.
    let generated = tool.and_then(|tool| tool.conversation.as_deref());
    let without_id = |mut args: Value| {
        if let (Some(args), Some(name)) = (args.as_object_mut(), generated) {
            args.shift_remove(name);
        }
        args
    };
    let params = |method: &str| {
        let mut sent = requests.iter();
        let sent = sent.find(|request| request["method"] == method);
        sent.map(|request| &request["params"])
    };
    let member = |params: &Value, name: &str| params.get(name).cloned().unwrap_or_default();
    match asked.action {
        McpAction::Call { tool, args } => params("tools/call").map_or_else(Vec::new, |then| {
            vec![
                pair("tool", tool.into(), member(then, "name")),
                pair(
                    "args",
                    without_id(args.into()),
                    without_id(or_empty(member(then, "arguments"))),
                ),
            ]
        }),
        McpAction::Read { uri } => params("resources/read").map_or_else(Vec::new, |then| {
            vec![pair("uri", uri.into(), member(then, "uri"))]
        }),
        McpAction::Prompt { name, args } => params("prompts/get").map_or_else(Vec::new, |then| {
            vec![
                pair("name", name.into(), member(then, "name")),
                pair("args", args.into(), or_empty(member(then, "arguments"))),
            ]
        }),
        McpAction::List(None) => Vec::new(),
        McpAction::List(Some(listed)) => {
            let methods = requests.iter().filter_map(|sent| sent["method"].as_str());
            let then = methods.filter_map(what).next();
            then.map_or_else(Vec::new, |then| {
                vec![pair("what", name_of(listed).into(), then.into())]
            })
        }
    }
}

fn name_of(listed: McpListed) -> &'static str {
    match listed {
        McpListed::Tools => "tools",
        McpListed::Resources => "resources",
        McpListed::Templates => "templates",
        McpListed::Prompts => "prompts",
    }
}

fn what(method: &str) -> Option<&'static str> {
    match method {
        "tools/list" => Some("tools"),
        "resources/list" => Some("resources"),
        "resources/templates/list" => Some("templates"),
        "prompts/list" => Some("prompts"),
        _ => None,
    }
}

/// No arguments and an empty map are the same.
fn or_empty(args: Value) -> Value {
    match args {
        Value::Null => Map::new().into(),
        args => args,
    }
}

fn pair(name: &str, now: Value, then: Value) -> Pair {
    Pair {
        name: name.to_owned(),
        now,
        then,
    }
}
