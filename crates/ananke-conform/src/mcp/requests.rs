//! Requests of MCP over streamable HTTP, in both eras.

use ananke_protocol::http::Ask;
use serde_json::{Value, json};

use super::asked::McpAsked;
use super::era::{self, Era, LEGACY, NEVER};
use crate::drive::DriveError;
use crate::exchange::{Answer, Asked, Observed};
use crate::rpc::{Driver, Until};

/// What clients accept, as the protocol wants it.
const ACCEPT: &str = "application/json, text/event-stream";

/// Returns the parameters of a handshake.
pub(super) fn handshake(version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "ananke", "version": "1"},
    })
}

/// A request that is to be sent.
#[derive(Clone, Debug)]
pub(super) struct Request<'a> {
    pub(super) asked: McpAsked,
    /// `None` before anything was agreed on.
    pub(super) era: Option<&'a Era>,
    pub(super) method: &'a str,
    pub(super) params: Value,
}

impl Request<'_> {
    /// Sends it and keeps the answer.
    pub(super) async fn send<'d>(
        mut self,
        driver: &'d mut Driver<'_>,
    ) -> Result<&'d Answer, DriveError> {
        let asked = self.asked;
        let is_modern = matches!(self.era, Some(Era::Modern));
        if is_modern {
            let version = match asked {
                McpAsked::DiscoverVersion => NEVER,
                _ => era::MODERN,
            };
            self.params["_meta"] = era::meta(version);
        }
        let mut own = vec![("accept", ACCEPT.to_owned())];
        own.extend(self.own_headers());
        let id = match asked {
            McpAsked::Initialized | McpAsked::Get | McpAsked::Delete | McpAsked::BadJson => None,
            _ => Some(driver.next_id()),
        };
        let message = self.message(id);
        let body = match (asked, &message) {
            (McpAsked::BadJson, _) => Some(br#"{"jsonrpc": "2.0", "id": "#.to_vec()),
            (_, message) => message
                .as_ref()
                .map(|message| message.to_string().into_bytes()),
        };
        if body.is_some() {
            let media = match asked {
                McpAsked::ContentType => "text/plain",
                _ => "application/json",
            };
            own.push(("content-type", media.to_owned()));
        }
        let own: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, &**value)).collect();
        let ask = Ask {
            method: match asked {
                McpAsked::Get => "GET",
                McpAsked::Delete => "DELETE",
                _ => "POST",
            },
            url: driver.target.url.clone(),
            headers: driver.target.headers(&own),
            body,
        };
        let is_response = move |event: &Observed| {
            let is_it = |value: &Value| {
                let has = |name| value.get(name).is_some();
                !has("method") && (has("result") || has("error"))
            };
            event.value.as_ref().is_ok_and(is_it)
        };
        let until = match asked {
            McpAsked::Get => Until::Head,
            _ => Until::Event(&is_response),
        };
        let step = match is_modern {
            true => format!("{} ({})", asked.name(), era::MODERN),
            false => asked.name().to_owned(),
        };
        driver
            .ask(step, Asked::Mcp(asked), message, &ask, until)
            .await
    }

    fn message(&self, id: Option<u64>) -> Option<Value> {
        if matches!(
            self.asked,
            McpAsked::Get | McpAsked::Delete | McpAsked::BadJson
        ) {
            return None;
        }
        let mut message = json!({"jsonrpc": "2.0", "method": self.method});
        if let Some(id) = id {
            message["id"] = id.into();
        }
        let is_empty = self
            .params
            .as_object()
            .is_none_or(serde_json::Map::is_empty);
        if !is_empty || id.is_some() {
            message["params"] = self.params.clone();
        }
        Some(message)
    }

    fn own_headers(&self) -> Vec<(&'static str, String)> {
        let mut own = Vec::new();
        match self.era {
            None => {}
            Some(Era::Modern) => {
                let version = match self.asked {
                    McpAsked::DiscoverVersion => NEVER,
                    _ => era::MODERN,
                };
                own.push(("mcp-protocol-version", version.to_owned()));
                own.push(("mcp-method", self.method.to_owned()));
                let name = self.params.get("name").and_then(Value::as_str);
                own.extend(name.map(|name| ("mcp-name", name.to_owned())));
            }
            Some(legacy @ Era::Legacy { session, .. }) => {
                let version = match self.asked {
                    McpAsked::BadVersionHeader => NEVER,
                    _ => legacy.version(),
                };
                own.push(("mcp-protocol-version", version.to_owned()));
                let session = session.as_ref();
                let session = session.filter(|_| self.asked != McpAsked::NoSession);
                own.extend(session.map(|session| ("mcp-session-id", session.clone())));
            }
        }
        if self.asked == McpAsked::ForeignOrigin {
            own.push(("origin", "http://evil.example".to_owned()));
        }
        own
    }
}

/// Shakes hands; returns the era if the server agrees.
pub(super) async fn initialize(driver: &mut Driver<'_>) -> Result<Option<Era>, DriveError> {
    let request = Request {
        asked: McpAsked::Initialize,
        era: None,
        method: "initialize",
        params: handshake(LEGACY),
    };
    let answer = request.send(driver).await?;
    let result = crate::rpc::response(answer).and_then(|reply| reply.result());
    let version = result.and_then(|result| result.get("protocolVersion")?.as_str());
    let Some(version) = version.map(str::to_owned) else {
        return Ok(None);
    };
    // One that no header can hold is told by a rule, and cannot be sent.
    let session = answer.header("mcp-session-id");
    let session = session.filter(|id| id.bytes().all(|byte| (0x21..=0x7e).contains(&byte)));
    let era = Era::Legacy {
        session: session.map(str::to_owned),
        version,
    };
    let ready = Request {
        asked: McpAsked::Initialized,
        era: Some(&era),
        method: "notifications/initialized",
        params: json!({}),
    };
    ready.send(driver).await?;
    Ok(Some(era))
}
