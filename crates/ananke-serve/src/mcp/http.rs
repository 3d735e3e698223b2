//! Streamable HTTP: one message in, its answer as JSON or as a stream.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{ACCEPT, ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream;
use serde_json::Value;

use super::face::{Answer, End, Mcp};
use super::play::{Next, Play};
use super::who::{LEGACY, Who, named_version};
use crate::engine::Action;
use crate::http::{Incoming, is_json, play, refuse};
use crate::rpc::{self, Call, INVALID_REQUEST, METHOD_NOT_FOUND, Message, Refused};
use crate::talk::Fault;

const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";
const EVENTS: &str = "text/event-stream";
/// A header says something else than the message.
const HEADER_MISMATCH: i64 = -32020;

/// Tells whether a path is that of MCP.
pub(crate) fn is_place(path: &str) -> bool {
    path.trim_end_matches('/').ends_with("/mcp")
}

/// Answers a request whose path is that of MCP.
pub(crate) async fn answer(mcp: &Arc<Mcp>, request: &Incoming) -> Response {
    match request.method {
        Method::POST => {}
        Method::DELETE => {
            let session = header(&request.headers, SESSION).unwrap_or_default();
            return match mcp.end_session(session) {
                true => StatusCode::NO_CONTENT.into_response(),
                false => refuse(StatusCode::NOT_FOUND, "there is no such session"),
            };
        }
        _ => {
            // Nothing is ever told to clients unasked, so there is no stream to open.
            let refusal = refuse(
                StatusCode::METHOD_NOT_ALLOWED,
                "only POST and DELETE are answered",
            );
            return ([(ALLOW, "POST, DELETE")], refusal).into_response();
        }
    }
    if !is_json(&request.headers) {
        let why = "the body must be application/json";
        return refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            &Refused::new(INVALID_REQUEST, why),
        );
    }
    match rpc::parse(&request.body) {
        Ok(body) => answer_message(mcp, body, request).await,
        Err(why) => refused(StatusCode::BAD_REQUEST, &why),
    }
}

/// Answers a message.
pub(crate) async fn answer_message(mcp: &Arc<Mcp>, body: Value, request: &Incoming) -> Response {
    mcp.agent.observe(&request.received(&request.body));
    let call = match rpc::read(body) {
        Ok(Message::Call(call)) => call,
        Ok(Message::Notification(_)) => return StatusCode::ACCEPTED.into_response(),
        Ok(Message::Answer(id, result)) => {
            mcp.answered(&id, result);
            return StatusCode::ACCEPTED.into_response();
        }
        Err(why) => return refused(StatusCode::BAD_REQUEST, &why),
    };
    let who = match who(mcp, &call, request) {
        Ok(who) => who,
        Err((status, why)) => return json(status, &why.answer(&call.id)),
    };
    let can_hear = who.can_hear;
    let is_modern = named_version(&call).is_some();
    let mut answer = mcp.call(&call, who);
    let session = answer.session.take();
    let is_plain = answer.messages.len() == 1 && matches!(answer.end, End::Done);
    let mut response = if can_hear && !is_plain {
        streamed(mcp, answer, request)
    } else {
        whole(mcp, answer, is_modern, request).await
    };
    if let Some(session) = session.and_then(|session| session.parse().ok()) {
        response.headers_mut().insert(SESSION, session);
    }
    response
}

/// Reads from headers who asks, and whether they fit the message.
fn who(mcp: &Mcp, call: &Call, request: &Incoming) -> Result<Who, (StatusCode, Refused)> {
    let headers = &request.headers;
    let accept = header(headers, ACCEPT.as_str()).unwrap_or_default();
    let mut who = Who {
        can_hear: accept.contains(EVENTS) || accept.contains("*/*"),
        path: request.uri.path().to_owned(),
        ..Who::default()
    };
    let bad = |code: i64, why: String| Err((StatusCode::BAD_REQUEST, Refused::new(code, why)));
    if let Some(version) = named_version(call) {
        let name = call.params.get("name").or(call.params.get("uri"));
        let name = name.and_then(Value::as_str);
        let told = [
            (VERSION, Some(version)),
            ("mcp-method", Some(call.method.as_str())),
            ("mcp-name", name),
        ];
        for (header_name, in_message) in told {
            let in_header = header(headers, header_name).filter(|text| !text.starts_with("=?"));
            if let (Some(in_header), Some(in_message)) = (in_header, in_message)
                && in_header != in_message
            {
                return bad(
                    HEADER_MISMATCH,
                    format!(
                        "the header `{header_name}` says `{in_header}`, the message `{in_message}`"
                    ),
                );
            }
        }
        return Ok(who);
    }
    if call.method == "initialize" {
        return Ok(who);
    }
    if let Some(version) = header(headers, VERSION).filter(|version| !LEGACY.contains(version)) {
        return bad(
            INVALID_REQUEST,
            format!(
                "the header `{VERSION}` says `{version}`, which no request without `_meta` can have"
            ),
        );
    }
    if let Some(session) = header(headers, SESSION) {
        let Some(capabilities) = mcp.session(session) else {
            let why = "there is no such session: begin again with `initialize`";
            return Err((StatusCode::NOT_FOUND, Refused::new(INVALID_REQUEST, why)));
        };
        who.capabilities = capabilities;
        who.session = Some(session.to_owned());
    }
    Ok(who)
}

/// Answers with a stream that ends after the answer.
fn streamed(mcp: &Arc<Mcp>, answer: Answer, request: &Incoming) -> Response {
    let playing = Play::new(Arc::clone(mcp), answer, request.shutdown.clone());
    let player = (playing, request.clone(), false);
    let body = stream::unfold(player, async |(mut playing, request, is_broken)| {
        // Being asked again while not ready is what makes hyper flush: each message leaves at once.
        tokio::task::yield_now().await;
        if is_broken {
            return None;
        }
        let item: io::Result<Bytes> = match playing.next().await {
            Next::Over => return None,
            Next::Message(message) => {
                Ok(Bytes::from(format!("event: message\ndata: {message}\n\n")))
            }
            Next::Fault(Fault::Reset) => {
                request.switch.turn_on_soon().await;
                Err(io::ErrorKind::ConnectionReset.into())
            }
            Next::Fault(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        let is_broken = item.is_err();
        Some((item, (playing, request, is_broken)))
    });
    let headers = [(CONTENT_TYPE, EVENTS), (CACHE_CONTROL, "no-cache")];
    (headers, Body::from_stream(body)).into_response()
}

/// Answers with the last message alone.
async fn whole(mcp: &Arc<Mcp>, answer: Answer, is_modern: bool, request: &Incoming) -> Response {
    let mut playing = Play::new(Arc::clone(mcp), answer, request.shutdown.clone());
    let mut last = None;
    loop {
        match playing.next().await {
            Next::Message(message) => last = Some(message),
            Next::Over => break,
            Next::Fault(fault) => {
                let action = match fault {
                    Fault::Reset => Action::Reset,
                    Fault::Close | Fault::Stall => Action::Close,
                };
                let now = std::time::Instant::now();
                let body = play(
                    vec![action],
                    now,
                    request.switch.clone(),
                    request.shutdown.clone(),
                );
                return ([(CONTENT_TYPE, "application/json")], body).into_response();
            }
        }
    }
    let last = last.unwrap_or_default();
    let status = match last.pointer("/error/code").and_then(Value::as_i64) {
        Some(METHOD_NOT_FOUND) if is_modern => StatusCode::NOT_FOUND,
        Some(-32022 | -32021 | HEADER_MISMATCH) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    json(status, &last)
}

fn refused(status: StatusCode, why: &Refused) -> Response {
    json(status, &why.answer(&Value::Null))
}

fn json(status: StatusCode, body: &Value) -> Response {
    (
        status,
        [(CONTENT_TYPE, "application/json")],
        body.to_string(),
    )
        .into_response()
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
