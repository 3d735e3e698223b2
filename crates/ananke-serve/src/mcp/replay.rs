//! Answers that were recorded, with the id of the request of now.

use std::time::Duration;

use serde_json::{Value, json};

use super::face::{Answer, End, Mcp};
use super::who::{LEGACY, MODERN, Who};
use crate::recorded::{self, Exchange, Face, ForeignAsk, RecordedAgent, Renames, ids_in, key};
use crate::rpc::{self, Call, INVALID_PARAMS, METHOD_NOT_FOUND};
use crate::talk::Fault;

impl Mcp {
    /// Answers from recordings, if the agent does.
    pub(super) fn recorded(&self, call: &Call, who: &Who) -> Option<Answer> {
        let recordings = self.agent.recordings()?;
        if !recordings.has(Face::Mcp) {
            return None;
        }
        let about = recordings.about(Face::Mcp, &who.path);
        let server = about.map(|exchange| exchange.foreign.about.clone());
        let server = server.filter(|server| server["capabilities"].is_object());
        // Of a server that was never connected to nothing is known.
        let server = server.unwrap_or_else(|| {
            let info = json!({"name": "recorded server", "version": "1.0"});
            json!({"capabilities": {"tools": {}}, "serverInfo": info})
        });
        let is_modern = server["protocolVersion"] == MODERN;
        Some(match call.method.as_str() {
            "initialize" => self.initialized_as(call, &server),
            "server/discover" if is_modern => {
                Answer::now(rpc::result(&call.id, discovered_as(&server)))
            }
            "server/discover" => {
                let why = "the recorded server begins with `initialize`";
                Answer::now(rpc::error(&call.id, METHOD_NOT_FOUND, why))
            }
            "ping" | "logging/setLevel" => Answer::now(rpc::result(&call.id, json!({}))),
            _ => self.replayed(recordings, call, who),
        })
    }

    fn replayed(&self, recordings: &RecordedAgent, call: &Call, who: &Who) -> Answer {
        // Where there are no sessions, an id that the client made tells its conversation.
        let made = ids_in(&call.params).first().copied().map(str::to_owned);
        let thread = made.or_else(|| who.session.clone());
        let mut said = match &thread {
            Some(thread) => self.heard().get(thread).cloned().unwrap_or_default(),
            None => Vec::new(),
        };
        said.push(key(&call.method, &call.params));
        let ask = ForeignAsk {
            face: Face::Mcp,
            thread: thread.as_deref(),
            said: &said,
            path: &who.path,
        };
        let exchange = match recordings.play(ask) {
            Ok(exchange) => exchange,
            Err(why) => {
                // Clients list before they ask; that was not always recorded.
                let list = listed_as(recordings, &call.method);
                return Answer::now(match list {
                    Some(list) => rpc::result(&call.id, who.complete(list)),
                    None => rpc::error(&call.id, INVALID_PARAMS, &why),
                });
            }
        };
        if let Some(thread) = &thread {
            let n_bytes = said.iter().map(String::len).sum();
            self.heard().put(thread, said, n_bytes);
        }
        played(exchange, call)
    }

    fn initialized_as(&self, call: &Call, server: &Value) -> Answer {
        let asked = call.params["protocolVersion"].as_str().unwrap_or_default();
        let recorded = server["protocolVersion"].as_str().unwrap_or_default();
        let known = [recorded, asked]
            .into_iter()
            .find(|version| LEGACY.contains(version));
        let mut result = json!({
            "protocolVersion": known.unwrap_or(LEGACY[0]),
            "capabilities": server["capabilities"],
            "serverInfo": server["serverInfo"],
        });
        if let Some(instructions) = server.get("instructions").filter(|text| text.is_string()) {
            result["instructions"] = instructions.clone();
        }
        let session = self.new_session(call.params["capabilities"].clone());
        Answer {
            session: Some(session),
            ..Answer::now(rpc::result(&call.id, result))
        }
    }
}

fn discovered_as(server: &Value) -> Value {
    let mut result = json!({
        "_meta": {"io.modelcontextprotocol/serverInfo": server["serverInfo"]},
        "supportedVersions": [MODERN],
        "capabilities": server["capabilities"],
        "ttlMs": 0,
        "cacheScope": "private",
        "resultType": "complete",
    });
    if let Some(instructions) = server.get("instructions").filter(|text| text.is_string()) {
        result["instructions"] = instructions.clone();
    }
    result
}

/// Returns a list of what the recordings know, where the list itself was not recorded.
fn listed_as(recordings: &RecordedAgent, method: &str) -> Option<Value> {
    let named = |asked: &str, member: &str| {
        let mut names: Vec<String> = Vec::new();
        for exchange in recordings.asked(Face::Mcp) {
            let request = &exchange.foreign.request;
            let name = request["params"][member]
                .as_str()
                .filter(|_| request["method"] == asked);
            if let Some(name) = name.filter(|name| !names.iter().any(|known| known == name)) {
                names.push(name.to_owned());
            }
        }
        names
    };
    Some(match method {
        "tools/list" => {
            let tools = named("tools/call", "name").into_iter();
            let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
            json!({"tools": tools.collect::<Vec<_>>()})
        }
        "resources/list" => {
            let resources = named("resources/read", "uri").into_iter();
            let resources = resources.map(|uri| json!({"uri": uri, "name": uri}));
            json!({"resources": resources.collect::<Vec<_>>()})
        }
        "resources/templates/list" => json!({"resourceTemplates": []}),
        "prompts/list" => {
            let prompts = named("prompts/get", "name").into_iter();
            let prompts = prompts.map(|name| json!({"name": name}));
            json!({"prompts": prompts.collect::<Vec<_>>()})
        }
        _ => return None,
    })
}

fn played(exchange: &Exchange, call: &Call) -> Answer {
    let mut now = Duration::ZERO;
    let mut messages = Vec::with_capacity(exchange.events.len());
    let old_ids = ids_in(&exchange.foreign.request["params"]);
    let renames = Renames::of(old_ids.into_iter().zip(ids_in(&call.params)));
    for (pause, payload) in &exchange.events {
        now = now.saturating_add(*pause);
        let Ok(mut message) = serde_json::from_str::<Value>(&renames.apply(payload)) else {
            continue;
        };
        if message.get("method").is_none() {
            message["id"] = call.id.clone();
        }
        let token = call.params.pointer("/_meta/progressToken");
        if let (Some(own), Some(token)) = (message.pointer_mut("/params/progressToken"), token) {
            *own = token.clone();
        }
        messages.push((now, message));
    }
    let end = match &exchange.end {
        recorded::End::Reset => End::Fault(Fault::Reset),
        recorded::End::Close => End::Fault(Fault::Close),
        recorded::End::Stall => End::Fault(Fault::Stall),
        recorded::End::Http(reply) => {
            let why = format!("HTTP {}: {}", reply.status, reply.body);
            messages.push((now, rpc::error(&call.id, rpc::INTERNAL, &why)));
            End::Done
        }
        recorded::End::Body => End::Done,
    };
    Answer::of(messages, now, end)
}
