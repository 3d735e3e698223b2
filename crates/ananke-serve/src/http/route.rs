//! Reads what a request asks for: a plain run, or one of CopilotKit's envelopes.

use serde::Deserialize;
use serde_json::Value;

use crate::input::{Addressee, RunInput};

/// What a POST asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Route {
    /// `RunAgentInput` by itself.
    Run(RunInput),
    /// A run that a later connect replays.
    EnvelopedRun(RunInput),
    /// The earlier runs of a thread.
    Connect(RunInput),
    /// Which agents there are.
    Info,
}

/// CopilotKit's single route.
#[derive(Deserialize)]
struct SingleRoute {
    method: String,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    body: Value,
}

/// Reads a POST with the given path (without query) and body, or says what is wrong with it.
pub(crate) fn route(path: &str, body: Value) -> Result<Route, String> {
    let mut segments = path.rsplit('/');
    let (last, agent, marker) = (segments.next(), segments.next(), segments.next());
    let input = |body: Value, agent_id: Option<&str>| {
        let mut input = input(body)?;
        input.addressee = Addressee {
            path: path.to_owned(),
            agent_id: agent_id.map(str::to_owned),
        };
        Ok(input)
    };
    match (marker, last) {
        (Some("agent"), Some("run")) => return input(body, agent).map(Route::EnvelopedRun),
        (Some("agent"), Some("connect")) => return input(body, agent).map(Route::Connect),
        _ => {}
    }
    if body.get("method").is_none() || body.get("threadId").is_some() {
        return input(body, None).map(Route::Run);
    }
    let envelope: SingleRoute = serde_json::from_value(body).map_err(|error| error.to_string())?;
    let agent = envelope.params.get("agentId").and_then(Value::as_str);
    match envelope.method.as_str() {
        "agent/run" => input(envelope.body, agent).map(Route::EnvelopedRun),
        "agent/connect" => input(envelope.body, agent).map(Route::Connect),
        "info" => Ok(Route::Info),
        other => Err(format!("unknown method `{other}`")),
    }
}

fn input(body: Value) -> Result<RunInput, String> {
    if !body.is_object() {
        // Serde would take an array for the fields in order.
        return Err("not a RunAgentInput: not an object".to_owned());
    }
    serde_json::from_value(body).map_err(|error| format!("not a RunAgentInput: {error}"))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::{Value, json};

    use super::{Route, route};

    fn read(path: &str, body: Value) -> String {
        match route(path, body) {
            Ok(Route::Run(input)) => format!("run {}", input.run_id),
            Ok(Route::EnvelopedRun(input)) => format!("enveloped run {}", input.run_id),
            Ok(Route::Connect(input)) => format!("connect {}", input.thread_id),
            Ok(Route::Info) => "info".to_owned(),
            Err(message) => format!("error: {message}"),
        }
    }

    #[test]
    fn every_envelope_is_read() {
        let run = || json!({"threadId": "t", "runId": "r", "messages": [], "unknown": {}});
        assert_snapshot!(read("/", run()), @"run r");
        assert_snapshot!(read("/any/path", run()), @"run r");
        assert_snapshot!(read("/base/agent/shop/run", run()), @"enveloped run r");
        assert_snapshot!(read("/agent/shop/connect", run()), @"connect t");
        assert_snapshot!(read("/", json!({"method": "agent/run", "params": {"agentId": "shop"}, "body": run()})), @"enveloped run r");
        assert_snapshot!(read("/", json!({"method": "agent/connect", "body": run()})), @"connect t");
        assert_snapshot!(read("/", json!({"method": "info"})), @"info");
    }

    #[test]
    fn bad_bodies_are_named() {
        assert_snapshot!(read("/", json!([])), @"error: not a RunAgentInput: not an object");
        assert_snapshot!(read("/", json!({"threadId": "t", "runId": 1, "messages": []})), @"error: not a RunAgentInput: invalid type: integer `1`, expected a string");
        assert_snapshot!(read("/", json!({"method": "agent/fly"})), @"error: unknown method `agent/fly`");
        assert_snapshot!(read("/", json!({"method": "agent/run"})), @"error: not a RunAgentInput: not an object");
    }
}
