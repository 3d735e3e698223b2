//! Which web pages may talk to the agent and read its answers: none, unless somebody says so.
//!
//! CORS keeps pages of other origins from reading. A page whose own name was made to point at this machine (DNS
//! rebinding) is of the same origin for the browser; it is told by the name that it asks for.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, HOST, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::server::refuse;

/// The origins of pages that may read answers, such as `http://localhost:3000`; `*` stands for all.
#[derive(Clone, Debug, Default)]
pub struct Origins(pub Vec<String>);

impl Origins {
    fn allow(&self, origin: &HeaderValue) -> bool {
        let asked = origin.as_bytes();
        let fits = |known: &String| known == "*" || known.as_bytes() == asked;
        self.0.iter().any(fits)
    }
}

/// What decides about requests of browsers.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) origins: Origins,
    /// Whether only this machine can reach the server.
    pub(super) is_local: bool,
}

/// Answers questions of browsers, and marks answers that pages may read.
pub(super) async fn mark(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let origin = headers
        .get(ORIGIN)
        .filter(|origin| gate.origins.allow(origin));
    let Some(origin) = origin.cloned() else {
        if gate.is_local && is_of_browser(headers) && !names_this_machine(headers) {
            return refuse(
                StatusCode::MISDIRECTED_REQUEST,
                "a web page reaches this agent as localhost or 127.0.0.1 only; --allow-origin lets pages of an origin use other names",
            );
        }
        return next.run(request).await;
    };
    let is_question =
        request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let asked = headers.get(ACCESS_CONTROL_REQUEST_HEADERS).cloned();
    let mut response = if is_question {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(VARY, HeaderValue::from_static("Origin"));
    if is_question {
        let methods = HeaderValue::from_static("GET, POST, DELETE");
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
        if let Some(asked) = asked {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
    }
    response
}

/// Refuses pages of other origins that are not let in, where a face is not AG-UI: MCP demands it.
pub(super) fn refuse_foreign(gate: &Gate, headers: &HeaderMap) -> Option<Response> {
    let origin = headers.get(ORIGIN)?;
    if gate.origins.allow(origin) {
        return None;
    }
    let name = origin.to_str().unwrap_or_default().split_once("://");
    let is_own = name.is_some_and(|(_, name)| is_this_machine(name));
    if gate.is_local && is_own {
        return None;
    }
    let why = "pages of this origin may not talk to the agent; --allow-origin lets them in";
    Some(refuse(StatusCode::FORBIDDEN, why))
}

/// Tells whether a browser sent this: only it says which page asks.
fn is_of_browser(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key("sec-fetch-site")
}

/// Tells whether `Host` is a name that always means this machine, with whatever port.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    is_this_machine(host.unwrap_or_default())
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(address) => address.split(']').next(),
        None => host.split(':').next(),
    };
    let name = name.unwrap_or_default();
    let is_loopback = |address: IpAddr| address.is_loopback();
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(is_loopback)
}
