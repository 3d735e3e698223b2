//! Servers and events that the tests of faults start from.

use std::io::Write as _;

use ananke_testkit::{RawServer, ok_sse_headers};
use serde_json::{Value, json};

/// Starts a server that answers every request with these bytes and closes.
pub(crate) fn answers(bytes: impl Into<Vec<u8>>) -> RawServer {
    let bytes = bytes.into();
    RawServer::start(move |_, _, stream| {
        // The client may have heard enough and left.
        stream.write_all(&bytes).ok();
    })
}

/// Starts a server that answers every request with this event stream and closes.
pub(crate) fn sends(body: impl AsRef<[u8]>) -> RawServer {
    answers([ok_sse_headers().as_bytes(), body.as_ref()].concat())
}

/// Returns the event that begins a run.
pub(crate) fn started() -> Value {
    json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
}

/// Returns the event that ends a run.
pub(crate) fn finished() -> Value {
    json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"})
}

/// Returns an assistant message in one event.
pub(crate) fn text(delta: &str) -> Value {
    json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": delta})
}

/// Returns a whole tool call in one event.
pub(crate) fn call(id: &str, name: &str, args: &str) -> Value {
    json!({"type": "TOOL_CALL_CHUNK", "toolCallId": id, "toolCallName": name, "delta": args})
}
