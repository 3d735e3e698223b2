//! What goes over the wire, and when.

use std::time::Duration;

use bytes::Bytes;

/// The answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A plain HTTP response.
    Http(HttpReply),
    /// An event stream. The body ends cleanly after the last action.
    Stream(Vec<Action>),
}

/// A plain HTTP response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpReply {
    /// How long it takes to answer.
    pub after: Duration,
    /// The status.
    pub status: u16,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// One thing that happens in an event stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// These bytes are sent at once.
    Send(Bytes),
    /// Nothing happens for a while, counted from when the last wait should have ended.
    Wait(Duration),
    /// The connection is reset.
    Reset,
    /// The connection is closed in the middle of the body.
    Close,
    /// Nothing happens any more.
    Stall,
}
