//! `type: a2a`: agents that work on tasks.

use serde_json::Value;

use super::{Limits, TargetAuth, Tls};
use crate::place::{Json, Text};

/// `type: a2a`. One of card and endpoint is there.
#[derive(Clone, Debug)]
pub struct A2aTarget {
    /// Where the card is: a base URL, whose well-known path is asked, or the URL of the card itself.
    pub card_url: Option<Text>,
    /// The card itself.
    pub card: Option<Json>,
    /// Where to speak to the agent, whatever the card says.
    pub endpoint: Option<Text>,
    /// The version to speak; by the card and by errors if absent.
    pub version: Option<A2aVersion>,
    /// The binding to use; by the card if absent.
    pub binding: Option<A2aBinding>,
    /// In place of the card's.
    pub tenant: Option<Text>,
    /// URIs of extensions to ask for.
    pub extensions: Vec<Text>,
    /// The conversation, if the server is not to make one.
    pub context_id: Option<Text>,
    /// Whether an answer that is not streamed comes when the task is done; otherwise it is asked for again and again.
    pub blocking: bool,
    /// Whether answers are streamed; as the card says if absent.
    pub stream: Option<bool>,
    /// How long to wait before a task is asked for again.
    pub poll_ms: u64,
    /// Media types that the client takes.
    pub accepted_output_modes: Vec<Text>,
    /// How many messages of its history a task is to bring.
    pub history_length: Option<u64>,
    /// Handed over with every request.
    pub metadata: Option<Json>,
    /// How the agent tells of its tools, beside the known conventions.
    pub tool_calls: Vec<CallRule>,
    /// Who the client is.
    pub auth: Option<TargetAuth>,
    /// Whether a card may lead to another origin than its own, credentials included.
    pub allow_other_origin: bool,
    /// Additional request headers.
    pub headers: Vec<(String, Text)>,
    /// Wall-clock limit of a turn.
    pub timeout_ms: u64,
    /// Limit for reaching the server.
    pub connect_timeout_ms: u64,
    /// How TLS certificates are checked.
    pub tls: Tls,
    /// What is kept at most.
    pub limits: Limits,
}

/// Versions of A2A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum A2aVersion {
    /// `"0.3"`.
    V03,
    /// `"1.0"`.
    V1,
}

/// How A2A is carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum A2aBinding {
    /// `JSONRPC`.
    JsonRpc,
    /// `HTTP+JSON`.
    HttpJson,
}

/// How an agent tells of a call. Places are JSON pointers into `{"data", "text", "metadata"}` of a part, or `{"metadata"}`
/// of a status, a message or an artifact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallRule {
    /// What must stand where for the rule to apply.
    pub when: Vec<(String, Value)>,
    /// Where the id of the call is.
    pub id: Option<String>,
    /// Where the name of the tool is.
    pub name: Option<String>,
    /// Where the arguments are.
    pub args: Option<String>,
    /// Where the result is.
    pub result: Option<String>,
    /// Where the error is.
    pub error: Option<String>,
}

/// `a2a:send`: a message with parts of any kind, and its ids.
#[derive(Clone, Debug)]
pub struct TaskMessage {
    /// A list of objects with `text`, `data`, `url` or `raw`; files may have `mediaType` and `filename`.
    pub parts: Json,
    /// Goes with the message.
    pub metadata: Option<Json>,
    /// The task to go on with, in place of the one that waits.
    pub task_id: Option<Text>,
    /// Whether to begin another task although one waits.
    pub new_task: bool,
    /// The conversation, in place of the one that was begun.
    pub context_id: Option<Text>,
}
