//! Servers whose tools the model of an assistant gets: connected before the first question, asked when the model calls.

use std::time::Duration;

use ananke_model::assistant::{Assistant, MAX_TOOLS, ScriptTool};
use ananke_model::diagnostic::did_you_mean;
use ananke_model::plan::McpListed;
use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_protocol::agui::{Action, Conversation};
use ananke_protocol::mcp::McpAction;
use ananke_protocol::openai::ToolAnswer;
use serde_json::{Value, json};

use super::hook::trouble;
use crate::speakers::mcp::McpSpeaker;
use crate::speakers::{Bounds, Call, Means};

/// The servers of an assistant.
#[derive(Debug, Default)]
pub(super) struct Servers(Vec<Server>);

#[derive(Debug)]
struct Server {
    id: String,
    /// The tools that are offered; all if they are not named.
    wanted: Option<Vec<String>>,
    /// How long a call may take.
    timeout: Duration,
    speaker: McpSpeaker,
}

/// What came of a call.
pub(super) enum Called {
    /// What the model is told.
    Answer(ToolAnswer),
    /// Nothing: the time of the whole turn is over.
    Late,
}

impl Servers {
    /// Resolves the servers of an assistant; nobody is connected yet.
    pub(super) fn new(assistant: &Assistant, means: &Means<'_>) -> Result<Self, String> {
        let servers = assistant.servers.iter().map(|server| {
            let speaker = McpSpeaker::new(&server.target, means, &Call::default())
                .map_err(|why| format!("the server `{}`: {why}", server.id))?;
            Ok(Server {
                id: server.id.clone(),
                wanted: server.tools.clone(),
                timeout: Duration::from_millis(server.target.timeout_ms),
                speaker,
            })
        });
        servers.collect::<Result<_, String>>().map(Self)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Connects to all servers, and returns their tools behind those that are `known`.
    pub(super) async fn tools(
        &self,
        known: &[ScriptTool],
        bounds: Bounds<'_>,
        turn: &mut Turn,
    ) -> Result<Vec<ScriptTool>, Trouble> {
        let mut tools = known.to_vec();
        for server in &self.0 {
            for tool in server.tools(bounds, turn).await? {
                if tools
                    .iter()
                    .any(|other| other.offered_name == tool.offered_name)
                {
                    let name = &tool.offered_name;
                    let why = format!("the model would get two tools with the name `{name}`");
                    return Err(trouble(TroubleKind::BadEvent, why));
                }
                tools.push(tool);
            }
        }
        if tools.len() > MAX_TOOLS {
            let why = format!(
                "the assistant offers {} tools: a model gets at most {MAX_TOOLS}; name those that it needs in `mcp.servers`",
                tools.len()
            );
            return Err(trouble(TroubleKind::BadEvent, why));
        }
        Ok(tools)
    }

    /// Lets the server of a tool answer.
    pub(super) async fn call(
        &self,
        tool: &ScriptTool,
        arguments: &Value,
        bounds: Bounds<'_>,
    ) -> Called {
        let Some(server) = self.0.iter().find(|server| server.id == tool.server) else {
            let why = format!("there is no server `{}`", tool.server);
            return Called::Answer(Err(why));
        };
        let action = McpAction::Call {
            tool: tool.name.clone(),
            args: arguments.as_object().cloned().unwrap_or_default(),
        };
        let is_all = bounds.timeout <= server.timeout;
        let bounds = Bounds {
            timeout: bounds.timeout.min(server.timeout),
            ..bounds
        };
        let turn = server.ask(action, bounds).await;
        let result = turn.tool_calls.first().and_then(|call| call.result.clone());
        Called::Answer(match turn.status {
            TurnStatus::Finished => Ok(match &turn.data {
                Value::Null => result.unwrap_or_default().into(),
                data => data.clone(),
            }),
            TurnStatus::RunError { message, .. } => Err(message),
            TurnStatus::Broken(trouble) => match trouble.kind {
                TroubleKind::Cancelled => return Called::Late,
                TroubleKind::Timeout if is_all => return Called::Late,
                _ => Err(format!("the server `{}`: {}", server.id, trouble.message)),
            },
        })
    }

    /// Closes all connections. Returns what was odd.
    pub(super) async fn close(&self) -> Vec<String> {
        let mut odd = Vec::new();
        for server in &self.0 {
            odd.extend(server.speaker.close().await);
        }
        odd
    }
}

impl Server {
    /// Connects, and asks for the tools.
    async fn tools(&self, bounds: Bounds<'_>, turn: &mut Turn) -> Result<Vec<ScriptTool>, Trouble> {
        let own = |why: String| format!("the server `{}`: {why}", self.id);
        let listed = self
            .ask(McpAction::List(Some(McpListed::Tools)), bounds)
            .await;
        turn.reached |= listed.reached;
        turn.warnings.extend(listed.warnings.into_iter().map(own));
        match listed.status {
            TurnStatus::Finished => {}
            TurnStatus::RunError { message, .. } => {
                return Err(trouble(TroubleKind::BadEvent, own(message)));
            }
            TurnStatus::Broken(found) => {
                return Err(Trouble {
                    message: match found.kind {
                        TroubleKind::Cancelled => found.message,
                        _ => own(found.message),
                    },
                    ..found
                });
            }
        }
        let entries = listed.data["tools"].as_array();
        let all: Vec<ScriptTool> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| self.offered(entry))
            .collect();
        let Some(wanted) = &self.wanted else {
            return Ok(all);
        };
        let mut used = Vec::new();
        for name in wanted {
            match all.iter().find(|tool| tool.name == *name) {
                Some(tool) => used.push(tool.clone()),
                None => {
                    let known = all.iter().map(|tool| tool.name.as_str());
                    let meant = did_you_mean(name, known);
                    let meant = meant
                        .map_or_else(String::new, |meant| format!(": did you mean `{meant}`?"));
                    let why = format!("it has no tool `{name}`{meant}");
                    return Err(trouble(TroubleKind::BadEvent, own(why)));
                }
            }
        }
        Ok(used)
    }

    /// Returns a tool as the model gets it.
    fn offered(&self, entry: &Value) -> Option<ScriptTool> {
        let name = entry["name"].as_str()?;
        let schema = entry.get("inputSchema").filter(|schema| schema.is_object());
        Some(ScriptTool {
            server: self.id.clone(),
            name: name.to_owned(),
            offered_name: format!("{}__{name}", self.id.replace('.', "_")),
            description: entry["description"].as_str().unwrap_or_default().to_owned(),
            input: schema.cloned().unwrap_or_else(|| json!({"type": "object"})),
            samples: Vec::new(),
            call: None,
            arguments: None,
        })
    }

    async fn ask(&self, action: McpAction, bounds: Bounds<'_>) -> Turn {
        let mut conversation = Conversation::default();
        let action = Action::Ask(Box::new(action));
        self.speaker.turn(action, &mut conversation, bounds).await
    }
}
