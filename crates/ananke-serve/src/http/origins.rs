//! Which web pages may read the answers (CORS): none, unless somebody says so.

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

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

/// Answers questions of browsers, and marks answers that pages may read.
pub(super) async fn mark(State(origins): State<Origins>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let origin = headers.get(ORIGIN).filter(|origin| origins.allow(origin));
    let Some(origin) = origin.cloned() else {
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
        let methods = HeaderValue::from_static("GET, POST");
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
        if let Some(asked) = asked {
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked);
        }
    }
    response
}
