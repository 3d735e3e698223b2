//! Streamable HTTP over the client that all targets share. `rmcp` decides what is sent when, in both eras; what goes over
//! the wire is read here, because its own HTTP client reads answers without a limit and does not keep them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ananke_model::recording::{Trouble, TroubleKind};
use futures_util::stream::BoxStream;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use serde_json::Value;
use sse_stream::Sse;
use tokio_util::sync::CancellationToken;

use super::http_body::{EVENT_STREAM, JSON, begins_with, events, media_type, whole};
use super::lines::{substitute, understood};
use super::options::McpEndpoint;
use super::record::Tape;
use super::refused::{HttpError, NotThrough, next_step, no_answer, with_status};
use super::turn::trouble;
use super::words::{rpc_error, shortened};

const SESSION: &str = "mcp-session-id";
const LAST_EVENT: &str = "last-event-id";
/// Headers that belong to the protocol.
const RESERVED: [&str; 4] = ["accept", SESSION, "mcp-protocol-version", LAST_EVENT];
/// How much of a refusal is read, in bytes.
const MAX_REFUSAL: usize = 64 << 10;
/// How long the first request of a session waits until the server's own stream is open. Servers exist that open it without
/// a word before the first message.
const LISTENING: Duration = Duration::from_millis(500);

type Headers = HashMap<HeaderName, HeaderValue>;

/// The wire to a server.
#[derive(Clone, Debug)]
pub(super) struct Wire {
    client: Client,
    tape: Tape,
    max_message: usize,
    /// Cancelled when the stream of a session was answered, or is no longer waited for.
    listens: CancellationToken,
}

/// Returns a transport to an endpoint.
pub(super) fn transport(
    endpoint: &McpEndpoint,
    tape: Tape,
    max_message: usize,
) -> Result<StreamableHttpClientTransport<Wire>, Trouble> {
    let mut headers = Headers::new();
    for (name, value) in &endpoint.headers.0 {
        if RESERVED.contains(&name.as_str()) {
            return Err(trouble(
                TroubleKind::BadEvent,
                format!("the header `{name}` belongs to the protocol and cannot be set"),
            ));
        }
        headers.insert(name.clone(), value.clone());
    }
    let mut config = StreamableHttpClientTransportConfig::with_uri(endpoint.url.as_str());
    config.custom_headers = headers;
    // A session that the server lost is news: it is not opened again without a word.
    config.reinit_on_expired_session = false;
    let wire = Wire {
        client: endpoint.client.pooled.clone(),
        tape,
        max_message,
        listens: CancellationToken::new(),
    };
    Ok(StreamableHttpClientTransport::with_client(wire, config))
}

impl StreamableHttpClient for Wire {
    type Error = NotThrough;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let message = serde_json::to_value(&message)?;
        let is_request = message.get("method").is_some() && message.get("id").is_some();
        if is_request && session_id.is_some() {
            self.listen().await;
        }
        self.tape.sent(&message);
        let request = self.client.post(uri.as_ref()).body(message.to_string());
        let request = request.header(CONTENT_TYPE, JSON);
        let request = with_headers(request, session_id.as_deref(), custom_headers);
        let response = self.send(&uri, request).await?;
        let status = response.status();
        let session = response.headers().get(SESSION);
        let session = session.and_then(|id| id.to_str().ok()).map(str::to_owned);
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refused(&message, response, session).await;
        }
        let media = media_type(&response);
        if !is_request || matches!(status.as_u16(), 202 | 204) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if begins_with(&media, EVENT_STREAM) {
            let events = events(response, self.tape.clone(), self.max_message);
            return Ok(StreamableHttpPostResponse::Sse(events, session));
        }
        if !begins_with(&media, JSON) {
            let media = shortened(&media);
            return Err(failed(trouble(
                TroubleKind::ContentType,
                format!(
                    "the server answers with `{media}`, which is neither JSON nor an event stream"
                ),
            )));
        }
        let body = whole(response, self.max_message, &self.tape).await;
        let body = body.map_err(failed)?;
        match understood(&self.tape, &body) {
            Some(answer) => Ok(StreamableHttpPostResponse::Json(answer, session)),
            None => Err(failed(trouble(
                TroubleKind::BadEvent,
                format!("the answer is no message: `{}`", shortened(&body)),
            ))),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), HttpError> {
        let request = self.client.delete(uri.as_ref());
        let request = with_headers(request, Some(&session_id), custom_headers);
        // Whatever it answers: a server need not know how to end sessions.
        self.send(&uri, request).await.map(|_| ())
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        let mut request = self.client.get(uri.as_ref());
        if let Some(id) = last_event_id {
            request = request.header(LAST_EVENT, id);
        }
        let request = with_headers(request, session_id.as_deref(), custom_headers);
        let response = self.send(&uri, request).await;
        self.listens.cancel();
        let response = response?;
        let is_stream = begins_with(&media_type(&response), EVENT_STREAM);
        if response.status().is_success() && is_stream {
            return Ok(events(response, self.tape.clone(), self.max_message));
        }
        if response.status().is_server_error() {
            return Err(failed(with_status(&response)));
        }
        // Asking again would change nothing.
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

impl Wire {
    /// Waits until the server can ask: what it asks before its stream is open is lost, and the call waits for ever.
    async fn listen(&self) {
        if tokio::time::timeout(LISTENING, self.listens.cancelled())
            .await
            .is_err()
        {
            // Once is enough.
            self.listens.cancel();
        }
    }

    async fn send(&self, url: &str, request: RequestBuilder) -> Result<Response, HttpError> {
        let sent = request.send().await;
        sent.map_err(|error| failed(no_answer(url, &error)))
    }

    /// Makes an answer of a status that is none, where the server said more than that.
    async fn refused(
        &self,
        message: &Value,
        response: Response,
        session: Option<String>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let status = response.status();
        let found = with_status(&response);
        if status.is_redirection() {
            return Err(failed(found));
        }
        let body = whole(response, MAX_REFUSAL, &self.tape).await;
        let body = body.unwrap_or_default();
        let said: Value = serde_json::from_str(&body).unwrap_or_default();
        let is_locked = matches!(status.as_u16(), 401 | 403);
        if said.get("error").is_some() && said["id"] == message["id"] && !is_locked {
            let answer = understood(&self.tape, &body);
            return answer
                .map(|answer| StreamableHttpPostResponse::Json(answer, session))
                .ok_or_else(|| failed(found));
        }
        let is_probe = message["method"] == "server/discover";
        let is_busy = status == StatusCode::TOO_MANY_REQUESTS;
        if is_probe && status.is_client_error() && !is_locked && !is_busy {
            // A server of the legacy era refuses what it does not know as it likes.
            let answer = substitute(&message["id"], "not understood");
            return answer
                .map(|answer| StreamableHttpPostResponse::Json(answer, session))
                .ok_or_else(|| failed(found));
        }
        let words = match said.get("error") {
            Some(error) if error.is_object() => rpc_error(error).0,
            _ => body,
        };
        let words = match words.trim() {
            "" => String::new(),
            words => format!(": {}", shortened(words)),
        };
        Err(failed(Trouble {
            message: format!("{}{words}{}", found.message, next_step(status)),
            ..found
        }))
    }
}

fn with_headers(
    request: RequestBuilder,
    session: Option<&str>,
    headers: Headers,
) -> RequestBuilder {
    let mut request = request.header(ACCEPT, format!("{JSON}, {EVENT_STREAM}"));
    if let Some(session) = session {
        request = request.header(SESSION, session);
    }
    request.headers(headers.into_iter().collect())
}

fn failed(trouble: Trouble) -> HttpError {
    StreamableHttpError::Client(NotThrough(trouble))
}
