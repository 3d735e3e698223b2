//! The HTTP server: one fallback handler, because any path is an agent.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::body::play;
use super::listener::{ResetSwitch, ResettableListener};
use super::origins::{Gate, Origins, mark};
use super::route::{Route, route};
use super::threads::Threads;
use crate::agent::{Agent, Received};
use crate::engine::{HttpReply, Reply};

/// The largest request that is read.
const MAX_REQUEST_BYTES: usize = 64 << 20;
/// How long connections get to end after shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// Serves `agent` on `listener` until `shutdown`, which also cuts the streams that are under way. Web pages of `origins`
/// may read the answers.
pub async fn serve(
    agent: Arc<dyn Agent>,
    listener: TcpListener,
    origins: Origins,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let gate = Gate {
        origins,
        is_local: listener.local_addr()?.ip().is_loopback(),
    };
    let server = Server {
        agent,
        threads: Arc::default(),
        shutdown: shutdown.clone(),
    };
    let app = Router::new()
        .fallback(answer)
        .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
        .layer(from_fn_with_state(gate, mark))
        .with_state(server)
        .into_make_service_with_connect_info::<ResetSwitch>();
    let serving = axum::serve(ResettableListener(listener), app)
        .with_graceful_shutdown(shutdown.clone().cancelled_owned());
    tokio::select! {
        end = serving => end,
        // A client that never finishes its request must not keep the server alive.
        () = grace_is_over(&shutdown) => Ok(()),
    }
}

async fn grace_is_over(shutdown: &CancellationToken) {
    shutdown.cancelled().await;
    tokio::time::sleep(SHUTDOWN_GRACE).await;
}

#[derive(Clone)]
struct Server {
    agent: Arc<dyn Agent>,
    threads: Arc<Threads>,
    shutdown: CancellationToken,
}

async fn answer(
    State(server): State<Server>,
    ConnectInfo(switch): ConnectInfo<ResetSwitch>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    if method == Method::GET && uri.path().ends_with("/info") {
        return info();
    }
    if method != Method::POST {
        let refusal = refuse(StatusCode::METHOD_NOT_ALLOWED, "only POST is answered");
        return ([(ALLOW, "POST")], refusal).into_response();
    }
    if !is_json(&headers) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be application/json",
        );
    }
    let body: Value = match serde_json::from_slice(&body) {
        Ok(body) => body,
        Err(error) => {
            return refuse(
                StatusCode::BAD_REQUEST,
                &format!("the body is not JSON: {error}"),
            );
        }
    };
    server.agent.observe(&received(&uri, &headers, &body));
    let actions = match route(uri.path(), body) {
        Ok(Route::Info) => return info(),
        Ok(Route::Connect(input)) => match server.agent.connect(&input) {
            Some(Reply::Http(reply)) => return plain(reply, &server.shutdown).await,
            Some(Reply::Stream(actions)) => actions,
            None => server.threads.replay(&input.thread_id),
        },
        Ok(Route::Run(input)) => match server.agent.reply(&input) {
            Reply::Http(reply) => return plain(reply, &server.shutdown).await,
            Reply::Stream(actions) => actions,
        },
        Ok(Route::EnvelopedRun(input)) => match server.agent.reply(&input) {
            Reply::Http(reply) => return plain(reply, &server.shutdown).await,
            Reply::Stream(actions) => {
                server.threads.remember(&input.thread_id, &actions);
                actions
            }
        },
        Err(message) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, &message),
    };
    stream(play(actions, started, switch, server.shutdown))
}

fn stream(body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, body).into_response()
}

async fn plain(reply: HttpReply, shutdown: &CancellationToken) -> Response {
    if !reply.after.is_zero() {
        // Either way the answer is sent; a server that is going down just answers sooner.
        tokio::time::timeout(reply.after, shutdown.cancelled())
            .await
            .ok();
    }
    let mut builder = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        builder = builder.header(name, value);
    }
    builder
        .body(Body::from(reply.body))
        .unwrap_or_else(|error| {
            refuse(
                StatusCode::INTERNAL_SERVER_ERROR,
                &format!("the script's `http` step is not valid: {error}"),
            )
        })
}

/// Lists the agents, as CopilotKit does. There is only one, and it answers to any name.
fn info() -> Response {
    axum::Json(json!({"agents": {"default": {"name": "default", "description": "scripted agent"}}}))
        .into_response()
}

pub(super) fn refuse(status: StatusCode, message: &str) -> Response {
    (status, axum::Json(json!({"error": message}))).into_response()
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

fn received(uri: &Uri, headers: &HeaderMap, body: &Value) -> Received {
    Received {
        path: uri
            .path_and_query()
            .map_or("/", |path| path.as_str())
            .to_owned(),
        headers: headers
            .iter()
            .map(|(name, value)| {
                (
                    name.as_str().to_owned(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect(),
        body: body.clone(),
    }
}
