//! The request of a turn: `RunAgentInput`, in the envelope that the server wants.

use ananke_model::plan::{Envelope, Era, History};
use serde_json::{Map, Value, json};

use super::conversation::Conversation;

/// What every request of a test shares; references are resolved.
#[derive(Clone, Debug)]
pub struct AguiOptions {
    /// Where to send requests.
    pub endpoint: String,
    /// The agent, where the envelope names it.
    pub agent_id: Option<String>,
    /// How the request is wrapped.
    pub envelope: Envelope,
    /// How much of the conversation is sent.
    pub history: History,
    /// Which generation of the protocol is declared.
    pub era: Era,
    /// The thread of this test.
    pub thread_id: String,
    /// `forwardedProps`; `{}` if unset.
    pub forwarded_props: Value,
    /// `context` entries.
    pub context: Vec<Value>,
    /// Tools that the client offers.
    pub tools: Vec<OfferedTool>,
}

/// A tool that the client offers.
#[derive(Clone, Debug)]
pub struct OfferedTool {
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its JSON Schema.
    pub parameters: Value,
    /// The scripted answer.
    pub result: Option<Value>,
}

impl OfferedTool {
    /// Returns the tool as a request offers it.
    pub fn offered(&self) -> Value {
        let mut offered = json!({"name": self.name, "description": self.description});
        if !self.parameters.is_null() {
            offered["parameters"] = self.parameters.clone();
        }
        offered
    }
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Run,
    Connect,
}

/// The messages that are new in this request, and the answers to interrupts.
#[derive(Clone, Debug, Default)]
pub(crate) struct News {
    /// Ids of messages that the server has not seen.
    pub(crate) message_ids: Vec<String>,
    /// `resume` entries.
    pub(crate) resume: Vec<Value>,
}

/// Returns the URL and the body of a request.
pub(crate) fn build(
    options: &AguiOptions,
    method: Method,
    conversation: &Conversation,
    news: &News,
    run_id: &str,
) -> (String, Value) {
    let input = input(options, method, conversation, news, run_id);
    let endpoint = options.endpoint.clone();
    let agent_id = options.agent_id.as_deref().unwrap_or_default();
    match options.envelope {
        Envelope::Plain => (endpoint, input),
        Envelope::CopilotKit => {
            let method = match method {
                Method::Run => "agent/run",
                Method::Connect => "agent/connect",
            };
            (
                endpoint,
                json!({"method": method, "params": {"agentId": agent_id}, "body": input}),
            )
        }
        Envelope::CopilotKitRest => {
            let verb = match method {
                Method::Run => "run",
                Method::Connect => "connect",
            };
            (
                format!(
                    "{}/agent/{}/{verb}",
                    endpoint.trim_end_matches('/'),
                    path_segment(agent_id)
                ),
                input,
            )
        }
    }
}

fn input(
    options: &AguiOptions,
    method: Method,
    conversation: &Conversation,
    news: &News,
    run_id: &str,
) -> Value {
    let is_new = |message: &&Value| {
        news.message_ids
            .iter()
            .any(|id| message["id"] == id.as_str())
    };
    let is_replay = method == Method::Connect && options.envelope != Envelope::Plain;
    let messages: Vec<&Value> = match options.history {
        _ if is_replay => Vec::new(),
        History::Full => conversation.sendable().collect(),
        History::Last => conversation.sendable().filter(is_new).collect(),
    };
    let tools: Vec<Value> = options.tools.iter().map(OfferedTool::offered).collect();
    let state = if conversation.state.is_null() {
        json!({})
    } else {
        conversation.state.clone()
    };
    // All members are always there: servers before 1.0 answer 422 to a body without `tools`, `state` and the like.
    let mut input = Map::new();
    input.insert("threadId".to_owned(), options.thread_id.as_str().into());
    input.insert("runId".to_owned(), run_id.into());
    if options.era == Era::V1 {
        input.insert("protocolVersion".to_owned(), "1.0".into());
    }
    input.insert("state".to_owned(), state);
    input.insert("messages".to_owned(), json!(messages));
    input.insert("tools".to_owned(), tools.into());
    input.insert("context".to_owned(), options.context.clone().into());
    input.insert("forwardedProps".to_owned(), options.forwarded_props.clone());
    if !news.resume.is_empty() {
        input.insert("resume".to_owned(), news.resume.clone().into());
    }
    Value::Object(input)
}

/// Percent-encodes an id so that it stays one path segment.
fn path_segment(id: &str) -> String {
    let mut out = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.extend(
                [byte >> 4, byte & 15]
                    .map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])),
            );
        }
    }
    out
}
