//! One question to the server, and the rounds that it takes: a server of the modern era may want to know something first.

use std::time::Duration;

use ananke_model::plan::McpListed;
use ananke_model::recording::{Trouble, TroubleKind};
use rmcp::model::ClientRequest;
use rmcp::service::{PeerRequestOptions, ServiceError};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

use super::action::Listed as _;
use super::connect::Connection;
use super::noted::Reply;
use super::options::is_modern;
use super::refused::transport;
use super::shape::no_list;
use super::turn::trouble;
use super::words::shortened;

/// How often a server may ask something back.
const MAX_ROUNDS: usize = 10;
/// How many pages a list may have.
const MAX_PAGES: usize = 100;
/// How long a server that wants to be asked again is left alone.
const PAUSE: Duration = Duration::from_millis(50);
/// How long telling a server that nobody waits any more may take.
const TELLING: Duration = Duration::from_millis(100);
/// The code of what a server wanted to know and was not told.
const INPUT_REQUIRED: &str = "input_required";
/// Where a request of the modern era says how much of the log is to come with its answer; nothing comes without it.
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

impl Connection {
    /// Asks, tells the server what it wants to know, and returns its answer.
    pub(super) async fn ask(
        &self,
        method: &str,
        mut params: Value,
        deadline: Instant,
        cancel: &CancellationToken,
    ) -> Result<Reply, Trouble> {
        if self.logs_on_demand() {
            params["_meta"] = json!({LOG_LEVEL: "info"});
        }
        for _ in 0..MAX_ROUNDS {
            let mut reply = self.ask_once(method, &params, deadline, cancel).await?;
            let Ok(result) = &reply.outcome else {
                return Ok(reply);
            };
            if result["resultType"] != INPUT_REQUIRED {
                return Ok(reply);
            }
            let asked = result["inputRequests"].as_object();
            let asked = asked.filter(|asked| !asked.is_empty());
            match asked.map(|asked| self.inputs(asked)).transpose() {
                Ok(Some(inputs)) => params["inputResponses"] = Value::Object(inputs),
                Ok(None) => sleep(PAUSE).await,
                Err(why) => {
                    reply.outcome = Err(json!({"code": INPUT_REQUIRED, "message": why}));
                    return Ok(reply);
                }
            }
            if let Some(state) = result.get("requestState") {
                params["requestState"] = state.clone();
            }
        }
        Err(trouble(
            TroubleKind::Limit,
            format!("the server asked for input in {MAX_ROUNDS} answers one after another"),
        ))
    }

    /// Tells whether the server writes a log for those who ask for it.
    fn logs_on_demand(&self) -> bool {
        let version = self.server["protocolVersion"].as_str();
        version.is_some_and(is_modern) && self.server["capabilities"].get("logging").is_some()
    }

    /// Answers what the server wants to know, by the names that it gave.
    fn inputs(&self, asked: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let answer = |(name, request): (&String, &Value)| {
            let method = request["method"].as_str().unwrap_or_default();
            let answer = self.answers.answer(method, &request["params"]);
            answer
                .map(|answer| (name.clone(), answer))
                .map_err(|refused| {
                    format!(
                        "the server needs `{}`: {}",
                        shortened(method),
                        refused.message
                    )
                })
        };
        asked.iter().map(answer).collect()
    }

    async fn ask_once(
        &self,
        method: &str,
        params: &Value,
        deadline: Instant,
        cancel: &CancellationToken,
    ) -> Result<Reply, Trouble> {
        let request: ClientRequest = serde_json::from_value(
            json!({"method": method, "params": params}),
        )
        .map_err(|error| {
            trouble(
                TroubleKind::BadEvent,
                format!("`{method}` cannot be asked: {error}"),
            )
        })?;
        let options = PeerRequestOptions::no_options();
        let sent = self.running.send_request_with_option(request, options);
        let mut handle = sent.await.map_err(|error| self.lost(&error))?;
        let id = serde_json::to_value(&handle.id).unwrap_or_default();
        let waited = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(trouble(TroubleKind::Cancelled, "interrupted")),
            flooded = self.tape.flooded() => Err(flooded),
            waited = timeout_at(deadline, &mut handle.rx) => {
                waited.map_err(|_| trouble(TroubleKind::Timeout, "no answer came in time"))
            }
        };
        let answered = match waited {
            Ok(answered) => answered,
            Err(given_up) => {
                self.tape.give_up(&id);
                let why = match given_up.kind {
                    TroubleKind::Timeout => "timeout",
                    TroubleKind::Limit => "too much",
                    _ => "interrupted",
                };
                let telling = handle.cancel(Some(why.to_owned()));
                tokio::time::timeout(TELLING, telling).await.ok();
                return Err(given_up);
            }
        };
        if let Some(reply) = self.tape.take_reply(&id) {
            return Ok(reply);
        }
        Err(match answered {
            Ok(Err(error)) => self.lost(&error),
            Ok(Ok(_)) | Err(_) => self.lost(&ServiceError::TransportClosed),
        })
    }

    /// Says why there is no answer.
    fn lost(&self, error: &ServiceError) -> Trouble {
        // A limit closes the connection, which may be noticed first.
        if let Some(why) = self.tape.overflow() {
            return trouble(TroubleKind::Limit, why);
        }
        match error {
            ServiceError::TransportClosed | ServiceError::Cancelled { .. } => trouble(
                TroubleKind::Transport,
                "the connection closed before the answer came",
            ),
            ServiceError::TransportSend(error) => transport(error.error.as_ref()),
            other => trouble(TroubleKind::Transport, shortened(&other.to_string())),
        }
    }

    /// Lists something to its end; a JSON-RPC error is the inner error.
    pub(super) async fn pages(
        &self,
        listed: McpListed,
        deadline: Instant,
        cancel: &CancellationToken,
    ) -> Result<Result<Vec<Value>, Value>, Trouble> {
        let mut entries = Vec::new();
        let mut params = json!({});
        for _ in 0..MAX_PAGES {
            let asked = self.ask(listed.method(), params.clone(), deadline, cancel);
            let page = match asked.await?.outcome {
                Ok(page) => page,
                Err(error) => return Ok(Err(error)),
            };
            if let Some(error) = no_list(listed, &page) {
                return Ok(Err(error));
            }
            let more = page[listed.member()].as_array();
            entries.extend(more.cloned().unwrap_or_default());
            let cursor = page.get("nextCursor").filter(|cursor| !cursor.is_null());
            match cursor {
                None => return Ok(Ok(entries)),
                Some(cursor) if *cursor == params["cursor"] => break,
                Some(cursor) => params = json!({"cursor": cursor}),
            }
        }
        self.tape.note(format!(
            "`{}` does not come to an end: it was left after {} entries",
            listed.method(),
            entries.len()
        ));
        Ok(Ok(entries))
    }
}
