//! Recorded turns of A2A and MCP, cut into exchanges: a message and what came for it, a request and its answer.

use std::time::Duration;

use ananke_model::recording::Turn;
use serde_json::{Map, Value, json};

use super::exchange::{Ask, End, Exchange};
use crate::a2a::said_in;
use crate::input::{Addressee, Message, RunInput};

/// What was spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    Agui,
    A2a,
    Mcp,
}

/// What an exchange of A2A or MCP has beside its events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreign {
    /// The body that was sent.
    pub(crate) request: Value,
    /// The ids that the agent gave: of the conversation and of the task.
    pub(crate) context: Option<String>,
    pub(crate) task: Option<String>,
    /// The version that was spoken.
    pub(crate) version: String,
    /// What the agent says of itself: its card, or what a server said when it was connected to.
    pub(crate) about: Value,
}

impl Face {
    /// Tells what was spoken in a turn.
    pub(super) fn of(turn: &Turn) -> Self {
        let is_rpc = |request: &Value| request["jsonrpc"] == "2.0";
        if turn.task.is_some() {
            Self::A2a
        } else if turn.requests.first().is_some_and(is_rpc) {
            Self::Mcp
        } else {
            Self::Agui
        }
    }
}

/// Returns what tells a request of MCP from others: everything but who asks.
pub(crate) fn key(method: &str, params: &Value) -> String {
    let mut params = params.as_object().cloned().unwrap_or_default();
    params.remove("_meta");
    params.remove("requestState");
    let params: Map<String, Value> = params
        .into_iter()
        .filter(|(_, value)| !value.is_null() && *value != json!({}))
        .collect();
    if params.is_empty() {
        return method.to_owned();
    }
    format!("{method} {}", sorted(without_ids(Value::Object(params))))
}

/// Returns the ids among the arguments of a request: a client makes new ones each time, to say which conversation is meant.
pub(crate) fn ids_in(params: &Value) -> Vec<&str> {
    let arguments = params["arguments"].as_object().into_iter().flatten();
    let texts = arguments.filter_map(|(_, value)| value.as_str());
    texts.filter(|text| is_id(text)).collect()
}

/// Puts one word in the place of every id among the arguments.
fn without_ids(mut params: Value) -> Value {
    let arguments = params.get_mut("arguments").and_then(Value::as_object_mut);
    for (_, value) in arguments.into_iter().flatten() {
        if value.as_str().is_some_and(is_id) {
            *value = "(id)".into();
        }
    }
    params
}

/// Tells whether a text is a UUID.
fn is_id(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths = groups.iter().map(|group| group.len());
    lengths.eq([8, 4, 4, 4, 12]) && groups.concat().chars().all(|c| c.is_ascii_hexdigit())
}

/// Puts the members of objects into one order.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> = members.into_iter().collect();
            members.sort_by(|(left, _), (right, _)| left.cmp(right));
            let members = members.into_iter();
            Value::Object(members.map(|(name, value)| (name, sorted(value))).collect())
        }
        Value::Array(values) => values.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// Returns the message that a request of A2A carries, over either binding.
pub(crate) fn message_of(request: &Value) -> &Value {
    let message = request.pointer("/params/message");
    message.unwrap_or(&request["message"])
}

/// Returns a request of another protocol as if it were one of AG-UI: what was said so far.
pub(crate) fn input(thread: &str, said: &[String], path: &str) -> RunInput {
    let messages = said.iter().map(|text| Message {
        id: Value::Null,
        role: "user".to_owned(),
        content: text.as_str().into(),
        tool_calls: None,
        tool_call_id: None,
    });
    RunInput {
        thread_id: thread.to_owned(),
        run_id: String::new(),
        messages: messages.collect(),
        protocol_version: None,
        state: Value::Null,
        forwarded_props: Value::Null,
        context: Value::Null,
        tools: Value::Null,
        resume: None,
        addressee: Addressee {
            path: path.to_owned(),
            agent_id: None,
        },
    }
}

/// Adds the exchange of a turn of A2A. Where a message was sent again in another way, the last way counts.
pub(super) fn cut_task(turn: &Turn, end: End, of: &Exchange, exchanges: &mut Vec<Exchange>) {
    let Some(request) = turn.requests.last() else {
        return;
    };
    let mut said = of.said.clone();
    said.push(said_in(message_of(request)));
    let mut events = with_pauses(turn);
    // Each earlier way left at most the error that ended it.
    let n_ways = turn.requests.len();
    let is_error = |(_, payload): &(Duration, String)| {
        let event: Value = serde_json::from_str(payload).unwrap_or_default();
        event.get("error").is_some()
    };
    let n_errors = events
        .iter()
        .take(n_ways - 1)
        .take_while(|e| is_error(e))
        .count();
    if n_errors < events.len() {
        events.drain(..n_errors);
    }
    let task = turn.task.as_deref();
    let spoken = task.and_then(|task| task.spoken.as_ref());
    exchanges.push(Exchange {
        face: Face::A2a,
        foreign: Foreign {
            request: request.clone(),
            context: task.and_then(|task| task.context_id.clone()),
            task: task.and_then(|task| task.id.clone()),
            version: spoken.map_or_else(String::new, |spoken| spoken.version.clone()),
            about: task
                .and_then(|task| task.card.as_deref().cloned())
                .unwrap_or_default(),
        },
        input: input("", &said, ""),
        said,
        events,
        end,
        ..of.bare()
    });
}

/// Adds the exchanges of a turn of MCP: each request with the messages that came until its answer.
pub(super) fn cut_calls(turn: &Turn, end: End, of: &Exchange, exchanges: &mut Vec<Exchange>) {
    let mut said = of.said.clone();
    let mut events = with_pauses(turn).into_iter();
    let server = turn.server.clone();
    let calls = turn.requests.iter().filter(|request| {
        request["method"].is_string() && request.get("id").is_some_and(|id| !id.is_null())
    });
    for request in calls {
        let method = request["method"].as_str().unwrap_or_default();
        said.push(key(method, &request["params"]));
        let mut own = Vec::new();
        let mut is_answered = false;
        for event in events.by_ref() {
            let message: Value = serde_json::from_str(&event.1).unwrap_or_default();
            is_answered =
                message.get("method").is_none() && is_same_id(&message["id"], &request["id"]);
            own.push(event);
            if is_answered {
                break;
            }
        }
        exchanges.push(Exchange {
            face: Face::Mcp,
            foreign: Foreign {
                request: request.clone(),
                version: server["protocolVersion"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                about: server.clone(),
                ..Foreign::default()
            },
            input: input("", &said, ""),
            said: said.clone(),
            events: own,
            end: if is_answered { End::Body } else { end.clone() },
            ..of.bare()
        });
    }
}

/// Servers turn numbers into strings.
fn is_same_id(left: &Value, right: &Value) -> bool {
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    text(left) == text(right)
}

fn with_pauses(turn: &Turn) -> Vec<(Duration, String)> {
    let mut before_us = 0;
    let events = turn.events.iter().map(|(payload, at_us)| {
        let pause = Duration::from_micros(at_us.saturating_sub(before_us));
        before_us = at_us;
        (pause, String::from_utf8_lossy(payload).into_owned())
    });
    events.collect()
}

impl Exchange {
    /// Returns an exchange of the same recording, with nothing in it.
    fn bare(&self) -> Self {
        Self {
            recording: self.recording,
            test: self.test.clone(),
            target: self.target.clone(),
            ask: Ask::Message,
            said: Vec::new(),
            is_case: false,
            input: input("", &[], ""),
            events: Vec::new(),
            end: End::Body,
            gist: self.gist,
            face: self.face,
            foreign: Foreign::default(),
        }
    }
}
