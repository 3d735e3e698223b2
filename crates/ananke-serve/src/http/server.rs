//! The HTTP server: one fallback handler, because any path is an agent, whatever it speaks.

use std::io;
use std::net::SocketAddr;
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
use super::incoming::{Incoming, is_json};
use super::listener::{ResetSwitch, ResettableListener};
use super::origins::{Gate, Origins, mark, refuse_foreign};
use super::route::{Route, route};
use super::threads::Threads;
use crate::a2a::{self, A2a};
use crate::agent::Agent;
use crate::engine::{HttpReply, Reply};
use crate::mcp::{self, Mcp};

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
    let address = listener.local_addr()?;
    let gate = Gate {
        origins,
        is_local: address.ip().is_loopback(),
    };
    let server = Server {
        a2a: Arc::new(A2a::new(Arc::clone(&agent))),
        mcp: Arc::new(Mcp::new(Arc::clone(&agent))),
        agent,
        threads: Arc::default(),
        gate: gate.clone(),
        address,
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
    a2a: Arc<A2a>,
    mcp: Arc<Mcp>,
    gate: Gate,
    address: SocketAddr,
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
    let request = Incoming {
        method,
        uri,
        headers,
        body,
        switch,
        address: server.address,
        shutdown: server.shutdown.clone(),
    };
    let path = request.uri.path();
    if let Some(place) = a2a::place(path) {
        if let Some(refusal) = refuse_foreign(&server.gate, &request.headers) {
            return refusal;
        }
        return Box::pin(a2a::answer(&server.a2a, place, &request)).await;
    }
    if mcp::is_place(path) {
        if let Some(refusal) = refuse_foreign(&server.gate, &request.headers) {
            return refusal;
        }
        return Box::pin(mcp::answer(&server.mcp, &request)).await;
    }
    Box::pin(any_path(&server, &request)).await
}

/// Answers where the path does not say what is spoken: the message does.
async fn any_path(server: &Server, request: &Incoming) -> Response {
    let started = Instant::now();
    let path = request.uri.path();
    if request.method == Method::GET && path.ends_with("/info") {
        return info();
    }
    if request.method != Method::POST {
        let refusal = refuse(StatusCode::METHOD_NOT_ALLOWED, "only POST is answered");
        return ([(ALLOW, "POST")], refusal).into_response();
    }
    if !is_json(&request.headers) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be application/json",
        );
    }
    let body: Value = match serde_json::from_slice(&request.body) {
        Ok(body) => body,
        Err(error) => {
            return refuse(
                StatusCode::BAD_REQUEST,
                &format!("the body is not JSON: {error}"),
            );
        }
    };
    if body["jsonrpc"] == "2.0" && body.get("threadId").is_none() {
        if let Some(refusal) = refuse_foreign(&server.gate, &request.headers) {
            return refusal;
        }
        let method = body["method"].as_str().unwrap_or_default();
        return match a2a::is_method(method) {
            true => a2a::answer_rpc(&server.a2a, body, request).await,
            false => mcp::answer_message(&server.mcp, body, request).await,
        };
    }
    agui(server, body, request, started).await
}

async fn agui(server: &Server, body: Value, request: &Incoming, started: Instant) -> Response {
    server.agent.observe(&request.received_as(body.clone()));
    let actions = match route(request.uri.path(), body) {
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
    let switch = request.switch.clone();
    stream(play(actions, started, switch, server.shutdown.clone()))
}

fn stream(body: Body) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, body).into_response()
}

pub(crate) async fn plain(reply: HttpReply, shutdown: &CancellationToken) -> Response {
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

pub(crate) fn refuse(status: StatusCode, message: &str) -> Response {
    (status, axum::Json(json!({"error": message}))).into_response()
}
