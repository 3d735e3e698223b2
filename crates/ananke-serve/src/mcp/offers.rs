//! What the server says of itself and of what it has.

use serde_json::{Value, json};

use super::who::MODERN;
use crate::agent::Agent;

/// Returns the result of `initialize`.
pub(super) fn initialized(agent: &dyn Agent, version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": capabilities(agent),
        "serverInfo": info(agent),
        "instructions": instructions(agent),
    })
}

/// Returns the result of `server/discover`.
pub(super) fn discovered(agent: &dyn Agent) -> Value {
    json!({
        "_meta": {"io.modelcontextprotocol/serverInfo": info(agent)},
        "supportedVersions": [MODERN],
        "capabilities": capabilities(agent),
        "instructions": instructions(agent),
    })
}

/// Returns the result of a method that lists something, if it is one.
pub(super) fn listed(agent: &dyn Agent, method: &str) -> Option<Value> {
    let toolbox = agent.toolbox();
    Some(match method {
        "tools/list" => {
            let mut tools = vec![ask_tool(agent)];
            tools.extend(toolbox.into_iter().flat_map(|toolbox| toolbox.tools()));
            json!({"tools": tools})
        }
        "resources/list" => {
            let resources: Vec<Value> = toolbox.map_or_else(Vec::new, |t| t.resources());
            json!({"resources": resources})
        }
        "resources/templates/list" => json!({"resourceTemplates": []}),
        "prompts/list" => {
            let prompts: Vec<Value> = toolbox.map_or_else(Vec::new, |t| t.prompts());
            json!({"prompts": prompts})
        }
        _ => return None,
    })
}

fn info(agent: &dyn Agent) -> Value {
    json!({"name": agent.about().name, "version": "1.0"})
}

fn instructions(agent: &dyn Agent) -> String {
    let about = agent.about().description;
    format!("{about} Put questions to it with the tool `ask`.")
}

fn capabilities(agent: &dyn Agent) -> Value {
    let mut capabilities = json!({"tools": {}});
    if agent.toolbox().is_some() {
        capabilities["resources"] = json!({});
        capabilities["prompts"] = json!({});
    }
    capabilities
}

fn ask_tool(agent: &dyn Agent) -> Value {
    let text = |what: &str| json!({"type": "string", "description": what});
    let call = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "args": {}, "result": {}},
        "required": ["id", "name"],
    });
    let late = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "result": {}},
        "required": ["id"],
    });
    json!({
        "name": "ask",
        "title": format!("Ask {}", agent.about().name),
        "description": agent.about().description,
        "inputSchema": {
            "type": "object",
            "properties": {
                "question": text("What to say to the agent."),
                "conversation": text(
                    "The conversation to go on with, as an earlier answer names it. Without it: that of the session; where there are no sessions, a new one.",
                ),
            },
            "required": ["question"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "text": text("What the agent said."),
                "toolCalls": {"type": "array", "items": call},
                "lateResults": {"type": "array", "items": late},
                "state": {},
                "question": text("What the agent wants to know before it goes on."),
                "conversation": text("The conversation, to go on with it."),
            },
            "required": ["text", "toolCalls", "conversation"],
        },
    })
}
