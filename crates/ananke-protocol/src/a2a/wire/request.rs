//! Requests: one message, a question about a task, the end of one; in both versions and over both bindings.

use reqwest::Url;
use serde_json::{Map, Value, json};

use super::part::Part;
use super::version::{Binding, Form, Operation, Version};

/// Where and how an agent is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wire {
    pub(crate) url: String,
    pub(crate) version: Version,
    pub(crate) binding: Binding,
    pub(crate) tenant: Option<String>,
}

impl Wire {
    /// Returns how events and messages are written.
    pub(crate) fn form(&self) -> Form {
        Form::of(self.version, self.binding)
    }
}

/// A message to be sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outgoing {
    pub(crate) message_id: String,
    pub(crate) context_id: Option<String>,
    pub(crate) task_id: Option<String>,
    pub(crate) parts: Vec<Part>,
    /// Of the message.
    pub(crate) metadata: Option<Value>,
    pub(crate) accepted_output_modes: Vec<String>,
    pub(crate) history_length: Option<u64>,
    pub(crate) is_blocking: bool,
    /// Of the request.
    pub(crate) request_metadata: Option<Value>,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Query<'a> {
    Send(&'a Outgoing),
    Stream(&'a Outgoing),
    Get {
        task_id: &'a str,
        history_length: Option<u64>,
    },
    Cancel {
        task_id: &'a str,
    },
}

/// A request as HTTP carries it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Built {
    pub(crate) method: &'static str,
    pub(crate) url: String,
    pub(crate) body: Option<Value>,
}

/// Builds a request; `rpc_id` is its id where the binding has one.
pub(crate) fn build(wire: &Wire, query: Query<'_>, rpc_id: u64) -> Result<Built, String> {
    let operation = match query {
        Query::Send(_) => Operation::Send,
        Query::Stream(_) => Operation::Stream,
        Query::Get { .. } => Operation::Get,
        Query::Cancel { .. } => Operation::Cancel,
    };
    let mut params = params(wire, query);
    if wire.binding == Binding::HttpJson {
        return over_http(wire, query, params);
    }
    if let Some(tenant) = &wire.tenant {
        params.insert("tenant".to_owned(), tenant.as_str().into());
    }
    Ok(Built {
        method: "POST",
        url: wire.url.clone(),
        body: Some(json!({
            "jsonrpc": "2.0",
            "id": rpc_id,
            "method": operation.method(wire.version),
            "params": params,
        })),
    })
}

fn over_http(wire: &Wire, query: Query<'_>, params: Map<String, Value>) -> Result<Built, String> {
    let mut url: Url = wire
        .url
        .parse()
        .map_err(|error| format!("the URL `{}` is wrong: {error}", wire.url))?;
    let (method, last) = match query {
        Query::Send(_) => ("POST", vec!["message:send".to_owned()]),
        Query::Stream(_) => ("POST", vec!["message:stream".to_owned()]),
        Query::Get { task_id, .. } => ("GET", vec!["tasks".to_owned(), task_id.to_owned()]),
        Query::Cancel { task_id } => (
            "POST",
            vec!["tasks".to_owned(), format!("{task_id}:cancel")],
        ),
    };
    let is_versioned = wire.version == Version::V03;
    let has_version = url.path().trim_end_matches('/').ends_with("/v1");
    {
        let mut path = url
            .path_segments_mut()
            .map_err(|()| format!("the URL `{}` cannot have a path", wire.url))?;
        path.pop_if_empty();
        if is_versioned && !has_version {
            path.push("v1");
        }
        // A tenant is part of the path, and does not stand in the body as well.
        if let Some(tenant) = &wire.tenant {
            path.push(tenant);
        }
        path.extend(last);
    }
    if let Query::Get {
        history_length: Some(length),
        ..
    } = query
    {
        url.query_pairs_mut()
            .append_pair("historyLength", &length.to_string());
    }
    let body = match query {
        Query::Send(_) | Query::Stream(_) => Some(Value::Object(params)),
        Query::Get { .. } => None,
        Query::Cancel { .. } => Some(Value::Object(Map::new())),
    };
    Ok(Built {
        method,
        url: url.to_string(),
        body,
    })
}

fn params(wire: &Wire, query: Query<'_>) -> Map<String, Value> {
    let mut params = Map::new();
    match query {
        Query::Send(outgoing) | Query::Stream(outgoing) => {
            params.insert("message".to_owned(), message(wire.form(), outgoing));
            let is_stream = matches!(query, Query::Stream(_));
            let configuration = configuration(wire.version, outgoing, is_stream);
            if !configuration.is_empty() {
                params.insert("configuration".to_owned(), configuration.into());
            }
            if let Some(metadata) = &outgoing.request_metadata {
                params.insert("metadata".to_owned(), metadata.clone());
            }
        }
        Query::Get {
            task_id,
            history_length,
        } => {
            params.insert("id".to_owned(), task_id.into());
            if let Some(length) = history_length {
                params.insert("historyLength".to_owned(), length.into());
            }
        }
        Query::Cancel { task_id } => {
            params.insert("id".to_owned(), task_id.into());
        }
    }
    params
}

fn message(form: Form, outgoing: &Outgoing) -> Value {
    let mut message = Map::new();
    if form == Form::Named {
        message.insert("kind".to_owned(), "message".into());
    }
    message.insert("messageId".to_owned(), outgoing.message_id.as_str().into());
    let (role, parts_name) = match form {
        Form::New => ("ROLE_USER", "parts"),
        Form::Named => ("user", "parts"),
        Form::Proto => ("ROLE_USER", "content"),
    };
    message.insert("role".to_owned(), role.into());
    let parts = outgoing.parts.iter().map(|part| part.sent(form));
    message.insert(parts_name.to_owned(), parts.collect());
    for (name, id) in [
        ("contextId", &outgoing.context_id),
        ("taskId", &outgoing.task_id),
    ] {
        if let Some(id) = id {
            message.insert(name.to_owned(), id.as_str().into());
        }
    }
    if let Some(metadata) = &outgoing.metadata {
        message.insert("metadata".to_owned(), metadata.clone());
    }
    Value::Object(message)
}

fn configuration(version: Version, outgoing: &Outgoing, is_stream: bool) -> Map<String, Value> {
    let mut configuration = Map::new();
    if !outgoing.accepted_output_modes.is_empty() {
        let modes = outgoing.accepted_output_modes.clone();
        configuration.insert("acceptedOutputModes".to_owned(), modes.into());
    }
    if let Some(length) = outgoing.history_length {
        configuration.insert("historyLength".to_owned(), length.into());
    }
    // Blocking has no effect on streams, and 1.0 blocks unless it is told not to.
    match version {
        _ if is_stream => {}
        Version::V03 => {
            configuration.insert("blocking".to_owned(), outgoing.is_blocking.into());
        }
        Version::V1 if outgoing.is_blocking => {}
        Version::V1 => {
            configuration.insert("returnImmediately".to_owned(), true.into());
        }
    }
    configuration
}
