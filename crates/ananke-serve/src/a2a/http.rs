//! Requests and answers as HTTP carries them, over both bindings.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde_json::{Value, json};

use super::face::{A2a, Outcome, cut};
use super::method::{Place, Version, check_version, method, rest};
use super::old;
use super::play::{Waited, broken, events, wait};
use super::task::Form;
use crate::http::{Incoming, is_json, plain, query, refuse};
use crate::rpc::{
    self, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, Message, PARSE_ERROR, Refused,
};

const JSON: &str = "application/json";
const OWN_JSON: &str = "application/a2a+json";

/// Answers a request whose path is one of A2A.
pub(crate) async fn answer(a2a: &A2a, place: Place, request: &Incoming) -> Response {
    match place {
        Place::Card(path) => {
            if request.method != Method::GET {
                return only("GET");
            }
            let base = format!("http://{}{path}", host(request));
            json_answer(StatusCode::OK, JSON, &a2a.card(&base, &path))
        }
        Place::Rpc => {
            if request.method != Method::POST {
                return only("POST");
            }
            if !is_json(&request.headers) {
                return wrong_type();
            }
            match rpc::parse(&request.body) {
                Ok(body) => answer_rpc(a2a, body, request).await,
                Err(refused) => json_answer(StatusCode::OK, JSON, &refused.answer(&Value::Null)),
            }
        }
        Place::Rest(path) => over_http(a2a, &path, request).await,
    }
}

/// Answers JSON-RPC.
pub(crate) async fn answer_rpc(a2a: &A2a, body: Value, request: &Incoming) -> Response {
    let id = body.get("id").filter(|id| id.is_string() || id.is_number());
    let id = id.cloned().unwrap_or_default();
    let refusal = |refused: &Refused| json_answer(StatusCode::OK, JSON, &refused.answer(&id));
    let call = match rpc::read(body) {
        Ok(Message::Call(call)) => call,
        Ok(_) => {
            let why = "expected a request with a `method` and an `id`";
            return refusal(&Refused::new(INVALID_REQUEST, why));
        }
        Err(refused) => return refusal(&refused),
    };
    a2a.agent().observe(&request.received(&request.body));
    let asked = method(&call.method, version(&request.headers));
    let asked = match asked {
        Ok(asked) => asked,
        Err(refused) => return refusal(&refused),
    };
    let outcome = match a2a.ask(asked, &call.params, request.uri.path()) {
        Ok(outcome) => outcome,
        Err(refused) => return refusal(&refused),
    };
    let binding = Binding {
        version: asked.0,
        rpc_id: Some(id.clone()),
    };
    respond(outcome, binding, request).await
}

/// How answers are written.
#[derive(Clone, Debug)]
struct Binding {
    version: Version,
    /// The id of the request, where answers are in envelopes.
    rpc_id: Option<Value>,
}

impl Binding {
    /// Writes an event of a task, or the answer to a message.
    fn event(&self, event: Value, form: Form) -> Value {
        if let Some(error) = event.get("error") {
            return match &self.rpc_id {
                Some(id) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
                None => event,
            };
        }
        self.enveloped(match (self.version, form) {
            (Version::New, _) => event,
            (Version::Old, Form::New) => old::event(event),
            (Version::Old, Form::Old) => inner(event),
        })
    }

    /// Writes a task that was asked for.
    fn task(&self, task: Value, form: Form) -> Value {
        self.enveloped(match (self.version, form) {
            (Version::Old, Form::New) => old::task(task),
            _ => task,
        })
    }

    fn enveloped(&self, value: Value) -> Value {
        match &self.rpc_id {
            Some(id) => rpc::result(id, value),
            None => value,
        }
    }

    fn whole(&self, body: &Value) -> Response {
        let code = body.pointer("/error/code").and_then(Value::as_u64);
        let code = code.filter(|_| self.rpc_id.is_none());
        let status = code.and_then(|code| StatusCode::from_u16(u16::try_from(code).ok()?).ok());
        json_answer(status.unwrap_or(StatusCode::OK), self.media_type(), body)
    }

    fn media_type(&self) -> &'static str {
        match self.rpc_id {
            Some(_) => JSON,
            None => OWN_JSON,
        }
    }
}

fn inner(event: Value) -> Value {
    match event {
        Value::Object(members) => members
            .into_iter()
            .next()
            .map_or(Value::Null, |(_, inner)| inner),
        other => other,
    }
}

async fn respond(outcome: Outcome, binding: Binding, request: &Incoming) -> Response {
    let (task, shown, until) = match outcome {
        Outcome::List(list) => return binding.whole(&binding.enveloped(list)),
        Outcome::Now(task, shown) => {
            return binding.whole(&binding.task(cut(task.now(), shown), task.form));
        }
        Outcome::Http(reply) => return plain(reply, &request.shutdown).await,
        Outcome::Stream(task, first, from) => {
            let form = task.form;
            let write = Box::new(move |event| data(&binding.event(event, form)));
            return stream(events(task, first, from, write, request));
        }
        Outcome::First(task, shown) => {
            let first = task
                .timeline
                .events
                .first()
                .map_or(Duration::ZERO, |(at, _)| *at);
            (task, shown, first)
        }
        Outcome::Whole(task, shown) => {
            let end = task.timeline.length;
            (task, shown, end)
        }
    };
    let waited = wait(&task, until, &request.shutdown).await;
    if waited == Waited::ShutDown {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "the server is going down");
    }
    let is_end = until == task.timeline.length && waited == Waited::Due;
    if let Some(fault) = task.timeline.fault.filter(|_| is_end) {
        return (
            [(CONTENT_TYPE, binding.media_type())],
            broken(fault, request),
        )
            .into_response();
    }
    let mut answer = task.answer(until);
    if let Some(whole) = answer.get_mut("task") {
        *whole = cut(whole.take(), shown);
    }
    binding.whole(&binding.event(answer, task.form))
}

/// Answers HTTP+JSON, which is spoken in 1.0 only.
async fn over_http(a2a: &A2a, path: &str, request: &Incoming) -> Response {
    let has_body = request.method == Method::POST && !request.body.is_empty();
    if has_body && !is_json(&request.headers) {
        return wrong_type();
    }
    let body = match has_body.then(|| rpc::parse(&request.body)).transpose() {
        Ok(body) => body.unwrap_or_default(),
        Err(refused) => return http_error(&refused),
    };
    if has_body && !body.is_object() {
        return http_error(&Refused::new(INVALID_REQUEST, "the body must be an object"));
    }
    if let Err(refused) = check_version(version(&request.headers)) {
        return http_error(&refused);
    }
    if body.pointer("/message/content").is_some() {
        let why = "HTTP+JSON is answered in 1.0 only, and this is a message of 0.3";
        return http_error(&Refused::new(-32009, why));
    }
    a2a.agent().observe(&request.received(&request.body));
    let asked = rest(request.method.as_str(), path, &query(&request.uri), body);
    let Some((operation, params)) = asked else {
        let why = format!("there is no `{} {path}`", request.method);
        return http_error(&Refused::new(METHOD_NOT_FOUND, why));
    };
    match a2a.ask((Version::New, operation), &params, request.uri.path()) {
        Ok(outcome) => {
            let binding = Binding {
                version: Version::New,
                rpc_id: None,
            };
            respond(outcome, binding, request).await
        }
        Err(refused) => http_error(&refused),
    }
}

/// The errors of HTTP+JSON: the status that fits, and the reason in the words of the protocol.
fn http_error(refused: &Refused) -> Response {
    let (status, name, reason) = match refused.code {
        -32001 => (404, "NOT_FOUND", "TASK_NOT_FOUND"),
        -32002 => (409, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"),
        -32003 => (400, "UNIMPLEMENTED", "PUSH_NOTIFICATION_NOT_SUPPORTED"),
        -32004 => (400, "UNIMPLEMENTED", "UNSUPPORTED_OPERATION"),
        -32007 => (
            400,
            "FAILED_PRECONDITION",
            "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
        ),
        -32009 => (400, "UNIMPLEMENTED", "VERSION_NOT_SUPPORTED"),
        METHOD_NOT_FOUND => (404, "NOT_FOUND", "METHOD_NOT_FOUND"),
        PARSE_ERROR => (400, "INVALID_ARGUMENT", "PARSE_ERROR"),
        INVALID_REQUEST | INVALID_PARAMS => (400, "INVALID_ARGUMENT", "INVALID_PARAMS"),
        _ => (500, "INTERNAL", "INTERNAL_ERROR"),
    };
    let info = json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "a2a-protocol.org",
    });
    let error = json!({
        "error": {"code": status, "status": name, "message": refused.message, "details": [info]},
    });
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    json_answer(status, JSON, &error)
}

fn wrong_type() -> Response {
    let why = "the body must be application/json";
    let error = rpc::error(&Value::Null, -32005, why);
    json_answer(StatusCode::UNSUPPORTED_MEDIA_TYPE, JSON, &error)
}

fn only(verb: &'static str) -> Response {
    let refusal = refuse(
        StatusCode::METHOD_NOT_ALLOWED,
        &format!("only {verb} is answered"),
    );
    ([(ALLOW, verb)], refusal).into_response()
}

fn json_answer(status: StatusCode, media_type: &'static str, body: &Value) -> Response {
    (status, [(CONTENT_TYPE, media_type)], body.to_string()).into_response()
}

fn stream(body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, body).into_response()
}

fn data(event: &Value) -> Bytes {
    Bytes::from(format!("data: {event}\n\n"))
}

fn version(headers: &HeaderMap) -> Option<&str> {
    headers.get("a2a-version")?.to_str().ok()
}

/// Returns the name under which the client reaches this server.
fn host(request: &Incoming) -> String {
    let host = request
        .headers
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let is_name = |host: &&str| {
        !host.is_empty()
            && host
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || ".-:[]_".contains(c))
    };
    match host.filter(is_name) {
        Some(host) => host.to_owned(),
        None => request.address.to_string(),
    }
}
