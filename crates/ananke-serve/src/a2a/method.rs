//! What is asked, by method or by path.

use serde_json::{Value, json};

use crate::rpc::{METHOD_NOT_FOUND, Refused};

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// 1.0.
    New,
    /// 0.3.
    Old,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Send,
    Stream,
    Get,
    List,
    Cancel,
    Subscribe,
    Push,
    Card,
}

const METHODS: [(&str, Version, Operation); 20] = [
    ("SendMessage", Version::New, Operation::Send),
    ("SendStreamingMessage", Version::New, Operation::Stream),
    ("GetTask", Version::New, Operation::Get),
    ("ListTasks", Version::New, Operation::List),
    ("CancelTask", Version::New, Operation::Cancel),
    ("SubscribeToTask", Version::New, Operation::Subscribe),
    (
        "CreateTaskPushNotificationConfig",
        Version::New,
        Operation::Push,
    ),
    (
        "GetTaskPushNotificationConfig",
        Version::New,
        Operation::Push,
    ),
    (
        "ListTaskPushNotificationConfigs",
        Version::New,
        Operation::Push,
    ),
    (
        "DeleteTaskPushNotificationConfig",
        Version::New,
        Operation::Push,
    ),
    ("GetExtendedAgentCard", Version::New, Operation::Card),
    ("message/send", Version::Old, Operation::Send),
    ("message/stream", Version::Old, Operation::Stream),
    ("tasks/get", Version::Old, Operation::Get),
    ("tasks/cancel", Version::Old, Operation::Cancel),
    ("tasks/resubscribe", Version::Old, Operation::Subscribe),
    (
        "tasks/pushNotificationConfig/set",
        Version::Old,
        Operation::Push,
    ),
    (
        "tasks/pushNotificationConfig/get",
        Version::Old,
        Operation::Push,
    ),
    (
        "tasks/pushNotificationConfig/list",
        Version::Old,
        Operation::Push,
    ),
    (
        "agent/getAuthenticatedExtendedCard",
        Version::Old,
        Operation::Card,
    ),
];

/// The version is not spoken here.
const VERSION_NOT_SUPPORTED: i64 = -32009;

/// Tells whether a method of JSON-RPC is one of A2A.
pub(crate) fn is_method(name: &str) -> bool {
    METHODS.iter().any(|(known, ..)| *known == name)
}

/// Reads a method; `version` is what the header names.
pub(super) fn method(name: &str, version: Option<&str>) -> Result<(Version, Operation), Refused> {
    check_version(version)?;
    let known = METHODS.iter().find(|(known, ..)| *known == name);
    let Some((_, spoken, operation)) = known else {
        let why = format!("there is no method `{name}`");
        return Err(Refused::new(METHOD_NOT_FOUND, why));
    };
    match (spoken, version) {
        (Version::Old, Some(version)) if version.starts_with("1.") => Err(Refused::new(
            METHOD_NOT_FOUND,
            format!("`{name}` is a method of 0.3, and `A2A-Version` names {version}"),
        )),
        (Version::New, Some(version)) if version.starts_with("0.3") => Err(Refused::new(
            VERSION_NOT_SUPPORTED,
            format!("`{name}` is a method of 1.0, and `A2A-Version` names {version}"),
        )),
        _ => Ok((*spoken, *operation)),
    }
}

/// Refuses a version that is not spoken here.
pub(super) fn check_version(version: Option<&str>) -> Result<(), Refused> {
    let is_known = |version: &str| {
        let mut numbers = version.trim().split('.');
        let numbers = (numbers.next(), numbers.next());
        matches!(numbers, (Some("1"), Some("0")) | (Some("0"), Some("3")))
    };
    match version.filter(|version| !version.is_empty() && !is_known(version)) {
        None => Ok(()),
        Some(version) => Err(Refused::new(
            VERSION_NOT_SUPPORTED,
            format!("`A2A-Version` names {version}; this agent speaks 1.0 and 0.3"),
        )),
    }
}

/// Where a request goes, if its path is one of A2A.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// The agent card, below this path.
    Card(String),
    /// JSON-RPC.
    Rpc,
    /// HTTP+JSON: the path behind `/a2a/v1`.
    Rest(String),
}

/// Reads a path.
pub(crate) fn place(path: &str) -> Option<Place> {
    for name in ["/.well-known/agent-card.json", "/.well-known/agent.json"] {
        if let Some(base) = path.strip_suffix(name) {
            return Some(Place::Card(base.to_owned()));
        }
    }
    if path.trim_end_matches('/').ends_with("/a2a") {
        return Some(Place::Rpc);
    }
    let (_, rest) = path.rsplit_once("/a2a/v1/")?;
    Some(Place::Rest(rest.trim_end_matches('/').to_owned()))
}

/// Reads a request of HTTP+JSON: what is asked, and its parameters as JSON-RPC has them.
pub(super) fn rest(
    verb: &str,
    path: &str,
    query: &[(String, String)],
    body: Value,
) -> Option<(Operation, Value)> {
    let mut params = match body {
        Value::Object(body) => Value::Object(body),
        _ => json!({}),
    };
    for (name, value) in query {
        params[name] = serde_json::from_str(value).unwrap_or_else(|_| value.as_str().into());
    }
    let operation = match (verb, path) {
        ("POST", "message:send") => Operation::Send,
        ("POST", "message:stream") => Operation::Stream,
        ("GET", "tasks") => Operation::List,
        ("GET", "extendedAgentCard" | "card") => Operation::Card,
        _ => {
            let task = path.strip_prefix("tasks/")?;
            if task.contains("/pushNotificationConfigs") {
                return Some((Operation::Push, params));
            }
            let (task, operation) = match (verb, task.rsplit_once(':')) {
                ("POST", Some((task, "cancel"))) => (task, Operation::Cancel),
                ("GET" | "POST", Some((task, "subscribe"))) => (task, Operation::Subscribe),
                ("GET", _) => (task, Operation::Get),
                _ => return None,
            };
            params["id"] = task.into();
            operation
        }
    };
    Some((operation, params))
}
