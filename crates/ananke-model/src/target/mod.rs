//! Agents and how to talk to them: one struct for each kind that a config can name.

mod a2a;
mod auth;
mod mcp;
mod protocol;

use std::collections::BTreeMap;

pub use a2a::{A2aBinding, A2aTarget, A2aVersion, CallRule, TaskMessage};
pub use auth::{KeyPlace, TargetAuth};
pub use mcp::{
    ElicitAction, Isolation, McpAnswer, McpListed, McpTarget, McpWay, ServerAsk, UserTool,
};
pub use protocol::Protocol;
use serde::{Deserialize, Serialize};

use crate::assistant::Assistant;
use crate::place::{Json, Place, Text};

/// An agent and how to talk to it.
#[derive(Clone, Debug)]
pub struct Target {
    /// Its name under `targets:`; `None` for the one `target:`.
    pub name: Option<String>,
    /// Where it is written.
    pub place: Place,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// Tests that may talk to it at once, whatever `--parallel` says.
    pub concurrency: Option<usize>,
    /// Targets with the same group share one limit; without a group each target has its own.
    pub group: Option<String>,
    /// How long a turn may wait in all when the agent answers 429, or 503 with `Retry-After`. Nothing is sent again
    /// without it.
    pub backoff_ms: Option<u64>,
    /// The connector that was chosen with `-c` or by a case.
    pub connector: Option<String>,
    /// `timeout_ms`, if it is written. Questions to a helper agent have limits of their own without it.
    pub own_timeout_ms: Option<u64>,
}

/// `type: openai`: a chat endpoint, with the prompts that make an agent of it.
#[derive(Clone, Debug)]
pub struct OpenAiTarget {
    /// The host, or the whole address; the usual path is added if it is missing.
    pub host: Text,
    /// The model.
    pub model: Text,
    /// The key; none is sent without it.
    pub key: Option<Text>,
    /// In which header the key is sent.
    pub key_header: KeyHeader,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Messages before the conversation, oldest first.
    pub prompts: Vec<Prompt>,
    /// Members of the request, such as `temperature`.
    pub parameters: Option<Json>,
    /// Tools that the client offers, with scripted answers.
    pub tools: Vec<ClientTool>,
    /// Whether the answer is streamed.
    pub stream: bool,
    /// How often a request is sent again that was refused with 429 or 5xx.
    pub retries: usize,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// Limit for reaching the server.
    pub connect_timeout_ms: u64,
    /// How TLS certificates are checked.
    pub tls: Tls,
    /// What is kept at most.
    pub limits: Limits,
    /// What prompts of an assistant folder can name with `$CTX.`, beside who asks: `ASSISTANT_ID` and so on.
    pub facts: BTreeMap<String, String>,
    /// What scripts of an assistant folder do, if any take part.
    pub assistant: Option<Box<Assistant>>,
}

/// In which header a key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer`.
    Bearer,
    /// `api-key`.
    ApiKey,
    /// `x-api-key`.
    XApiKey,
}

/// A message before the conversation. `{{name}}` stands for what the call says, and in the prompts of an assistant folder
/// `$CTX.`, `$ENV.` and `$SYS.` stand for what is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Who says it.
    pub role: String,
    /// What is said.
    pub content: Text,
    /// The name of who says it.
    pub name: Option<String>,
    /// Whether `$CTX.`, `$ENV.` and `$SYS.` are replaced.
    pub has_dollars: bool,
}

/// `type: command`: a program that gets one JSON object on stdin and answers with one on stdout.
#[derive(Clone, Debug)]
pub struct CommandTarget {
    /// Program and arguments; no shell.
    pub cmd: Vec<Text>,
    /// Additional environment variables.
    pub env: Vec<(String, Text)>,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// What is kept at most.
    pub limits: Limits,
}

/// `type: scripted`: an agent that follows a script inside this process.
#[derive(Clone, Debug)]
pub struct ScriptedTarget {
    /// The script, in the form that `serve` takes.
    pub script: Json,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// `forwardedProps` of every request.
    pub forwarded_props: Option<Json>,
    /// What is kept at most.
    pub limits: Limits,
}

/// `type: agui`.
#[derive(Clone, Debug)]
pub struct AguiTarget {
    /// Where to send requests.
    pub endpoint: Text,
    /// The agent's id; required where the envelope sends it.
    pub agent_id: Option<Text>,
    /// The thread; generated for each test if absent.
    pub thread_id: Option<Text>,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// Limit for reaching the server.
    pub connect_timeout_ms: u64,
    /// How the request is wrapped.
    pub envelope: Envelope,
    /// How much of the conversation is sent.
    pub history: History,
    /// Which generation of the protocol is spoken.
    pub era: Era,
    /// Which encoding of events is asked for.
    pub encoding: Encoding,
    /// Which clock timing checks use.
    pub clock: Clock,
    /// `forwardedProps` of every request.
    pub forwarded_props: Option<Json>,
    /// The state before the first turn.
    pub state: Option<Json>,
    /// `context` entries: description and value.
    pub context: Vec<(Text, Text)>,
    /// Tools that the client offers, with scripted answers.
    pub tools: Vec<ClientTool>,
    /// How TLS certificates are checked.
    pub tls: Tls,
    /// What is kept at most.
    pub limits: Limits,
}

/// A tool that the client offers to the agent.
#[derive(Clone, Debug)]
pub struct ClientTool {
    /// Its name.
    pub name: Text,
    /// What it is for.
    pub description: Text,
    /// A JSON Schema.
    pub parameters: Option<Json>,
    /// The answer that ananke sends when the agent calls it; a call stays pending without one.
    pub result: Option<Json>,
}

/// How a request is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Envelope {
    /// The body is `RunAgentInput`.
    Plain,
    /// CopilotKit's single route: `{method, params, body}`.
    CopilotKit,
    /// CopilotKit's routes: `/agent/<id>/run` and `/agent/<id>/connect`.
    CopilotKitRest,
}

/// How much of the conversation is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Every message so far.
    Full,
    /// Only the new message; the server keeps the thread.
    Last,
}

/// Which generation of AG-UI is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Declares no version.
    Before1,
    /// Declares 1.0.
    V1,
}

/// Which encoding of events is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// `text/event-stream`.
    Sse,
    /// `application/vnd.ag-ui.event+proto`.
    Protobuf,
}

/// Which clock timing checks use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// When bytes arrived, by a monotonic clock.
    Arrival,
    /// The events' own timestamps, when every event has one.
    Event,
}

/// How TLS certificates are checked.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    /// A PEM file with the authorities to trust in addition.
    pub ca: Option<Text>,
    /// Accept any certificate.
    pub insecure: bool,
}

/// What is kept of an answer at most, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// One event.
    pub event_bytes: usize,
    /// One turn, decompressed; holding it may take half as much again.
    pub turn_bytes: usize,
}
