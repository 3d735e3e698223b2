//! The body of a request: the conversation in the words of a chat endpoint, the tools, and what the user adds.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::parts;
use crate::agui::{Conversation, OfferedTool};

/// What every request of a test shares; references are resolved.
#[derive(Clone, Debug)]
pub struct OpenAiOptions {
    /// Where to send requests: the complete URL, as [`super::chat_url`] gives it.
    pub url: String,
    /// The model.
    pub model: String,
    /// Messages put in front of the conversation, such as system prompts, in the form of the endpoint.
    pub before: Vec<Value>,
    /// Further members of the body, such as `temperature` and `response_format`. The members of `extra_body` are put
    /// beside the others. `null` leaves a member out, `stream_options` for example. `model`, `messages` and `stream` are
    /// decided elsewhere, and left out here.
    pub parameters: Map<String, Value>,
    /// Tools that are offered, with scripted answers or without.
    pub tools: Vec<OfferedTool>,
    /// Whether the answer is to come in pieces.
    pub stream: bool,
    /// How often a request is sent again at most: after 429, 5xx, or a connection that ended without an answer.
    pub retries: usize,
}

/// A body, and what is odd about it.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) body: Value,
    pub(crate) warnings: Vec<String>,
}

/// Returns the body for a conversation; says which of its messages cannot be sent.
pub(crate) fn build(options: &OpenAiOptions, conversation: &Conversation) -> Result<Built, String> {
    let mut messages = options.before.clone();
    for held in conversation.sendable() {
        messages.extend(message(held)?);
    }
    let mut body = Map::new();
    body.insert("model".to_owned(), options.model.as_str().into());
    let warnings = unanswered(&messages);
    body.insert("messages".to_owned(), messages.into());
    if !options.tools.is_empty() {
        let tools: Vec<Value> = options.tools.iter().map(offered).collect();
        body.insert("tools".to_owned(), tools.into());
    }
    body.insert("stream".to_owned(), options.stream.into());
    if options.stream {
        // Without this the tokens of a streamed answer are not told.
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    for (name, value) in &options.parameters {
        match value {
            Value::Object(more) if name == "extra_body" => {
                for (name, value) in more {
                    add(&mut body, name, value);
                }
            }
            value => add(&mut body, name, value),
        }
    }
    Ok(Built {
        body: Value::Object(body),
        warnings,
    })
}

/// Returns what every body holds beside its messages.
pub fn shared_members(options: &OpenAiOptions) -> Map<String, Value> {
    let before = Vec::new();
    let options = OpenAiOptions {
        before,
        ..options.clone()
    };
    match build(&options, &Conversation::default()).map(|built| built.body) {
        Ok(Value::Object(mut members)) => {
            members.remove("messages");
            members
        }
        _ => Map::new(),
    }
}

/// Returns messages in the form of AG-UI as a body holds them; says which of them cannot be sent.
pub fn wire_messages(messages: &[Value]) -> Result<Vec<Value>, String> {
    let mut sent = Vec::with_capacity(messages.len());
    for held in messages {
        sent.extend(message(held)?);
    }
    Ok(sent)
}

/// Adds what the user wants in the body. Tools join those that are offered.
fn add(body: &mut Map<String, Value>, name: &str, value: &Value) {
    match (name, value, body.get_mut(name)) {
        ("model" | "messages" | "stream", ..) => {}
        (_, Value::Null, _) => {
            body.remove(name);
        }
        ("tools", Value::Array(more), Some(Value::Array(tools))) => tools.extend_from_slice(more),
        _ => {
            body.insert(name.to_owned(), value.clone());
        }
    }
}

fn offered(tool: &OfferedTool) -> Value {
    let mut function = Map::from_iter([("name".to_owned(), tool.name.as_str().into())]);
    if !tool.description.is_empty() {
        function.insert("description".to_owned(), tool.description.as_str().into());
    }
    if !tool.parameters.is_null() {
        function.insert("parameters".to_owned(), tool.parameters.clone());
    }
    json!({"type": "function", "function": function})
}

/// Returns a message as the endpoint takes it; `None` for reasoning, which it does not take.
fn message(held: &Value) -> Result<Option<Value>, String> {
    let role = held["role"].as_str().unwrap_or_default();
    if matches!(role, "reasoning" | "activity") {
        return Ok(None);
    }
    let mut sent = Map::from_iter([("role".to_owned(), role.into())]);
    let calls = held["toolCalls"].as_array();
    let calls = calls.filter(|calls| !calls.is_empty());
    let content = match &held["content"] {
        // A message that only calls tools says nothing, which is not the same as saying "".
        Value::Null => calls.map_or_else(|| Value::from(""), |_| Value::Null),
        Value::String(text) if text.is_empty() && role == "tool" => {
            held["error"].as_str().unwrap_or_default().into()
        }
        content => parts::content(content)?,
    };
    sent.insert("content".to_owned(), content);
    if let Some(name) = held["name"].as_str() {
        sent.insert("name".to_owned(), name.into());
    }
    if let Some(calls) = calls {
        let calls: Vec<Value> = calls
            .iter()
            .map(|call| json!({"id": call["id"], "type": "function", "function": call["function"]}))
            .collect();
        sent.insert("tool_calls".to_owned(), calls.into());
    }
    if let Some(id) = held["toolCallId"].as_str() {
        sent.insert("tool_call_id".to_owned(), id.into());
    }
    Ok(Some(Value::Object(sent)))
}

/// Warns of calls that no message answers: they are sent as they are, and the endpoint may refuse them.
fn unanswered(messages: &[Value]) -> Vec<String> {
    let answered: HashSet<&str> = messages
        .iter()
        .filter_map(|message| message["tool_call_id"].as_str())
        .collect();
    let calls = messages
        .iter()
        .filter_map(|message| message["tool_calls"].as_array())
        .flatten();
    let names: Vec<String> = calls
        .filter(|call| call["id"].as_str().is_none_or(|id| !answered.contains(id)))
        .map(|call| {
            format!(
                "`{}`",
                call["function"]["name"].as_str().unwrap_or_default()
            )
        })
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "the conversation holds calls that nobody answered ({}): most chat endpoints refuse that; give the tools a `result`",
        names.join(", ")
    )]
}
