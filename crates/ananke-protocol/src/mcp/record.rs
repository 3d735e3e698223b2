//! Everything that goes over the wire, stamped: the event log of a turn, the answers by their ids, and what is odd.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ananke_model::plan::Limits;
use ananke_model::recording::{EventLog, Trouble, TroubleKind};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::noted::{Head, Heard, MAX_JUNK, Noted, Reply, Taken, key};
use super::turn::trouble;

/// The record of a connection, shared by those who send, receive and ask.
#[derive(Clone, Debug)]
pub(super) struct Tape {
    inner: Arc<Mutex<Noted>>,
    /// Wakes whoever waits when a limit is passed.
    flood: CancellationToken,
}

impl Tape {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            inner: Arc::new(Mutex::new(Noted::new(limits))),
            flood: CancellationToken::new(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, Noted> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what it means that something is no message, where messages are lines of a program.
    pub(super) fn of_lines(&self) {
        self.inner().junk_is =
            "printed a line that is no message to its stdout, where only messages may be";
    }

    /// Forgets the messages of the connection's beginning; what was odd about them is kept.
    pub(super) fn forget_messages(&self) {
        let mut inner = self.inner();
        inner.taken.sent.clear();
        inner.taken.log = EventLog::default();
    }

    /// Begins a turn: from now on times are counted.
    pub(super) fn begin(&self, at: Instant) {
        let mut inner = self.inner();
        inner.began = Some(at);
        inner.n_bytes = 0;
        inner.replies.clear();
    }

    /// Ends a turn.
    pub(super) fn take(&self) -> Taken {
        let mut inner = self.inner();
        inner.began = None;
        let n_more = inner.n_junk.saturating_sub(MAX_JUNK);
        inner.n_junk = 0;
        let mut taken = std::mem::take(&mut inner.taken);
        if n_more > 0 {
            taken.notes.push(format!(
                "the server sent {n_more} more things that are no messages"
            ));
        }
        taken
    }

    /// Notes a message that is sent.
    pub(super) fn sent(&self, message: &Value) {
        let mut inner = self.inner();
        if message.get("method").is_some() {
            inner.open.extend(message.get("id").map(key));
        }
        inner.taken.sent.push(message.clone());
    }

    /// Notes a message that came, if it is one.
    pub(super) fn received(&self, text: &str) -> Option<Heard> {
        let mut inner = self.inner();
        if !inner.has_room(text.len()) {
            self.flood.cancel();
            return None;
        }
        if !text.trim_start().starts_with('{') {
            inner.junk(text);
            return None;
        }
        match serde_json::from_str::<Head>(text) {
            Ok(head) => Some(inner.message(text, head)),
            Err(error) => {
                inner.not_understood(text, &error);
                None
            }
        }
    }

    /// Notes that a message cannot be understood.
    pub(super) fn not_understood(&self, text: &str, why: &dyn std::fmt::Display) {
        self.inner().not_understood(text, why);
    }

    /// Notes that one message was larger than may be.
    pub(super) fn too_large(&self) {
        let mut inner = self.inner();
        let limit = inner.limits.event_bytes;
        inner.overflow = Some(format!(
            "the server sent a message of more than {limit} bytes (limits.event_bytes)"
        ));
        self.flood.cancel();
    }

    /// Waits until a limit is passed, and says which.
    pub(super) async fn flooded(&self) -> Trouble {
        self.flood.cancelled().await;
        trouble(TroubleKind::Limit, self.overflow().unwrap_or_default())
    }

    /// Returns which limit was passed, if one was. Nothing is read after that.
    pub(super) fn overflow(&self) -> Option<String> {
        self.inner().overflow.clone()
    }

    /// Notes that somebody is there, although no message came yet.
    pub(super) fn answered(&self) {
        self.inner().is_heard = true;
    }

    /// Tells whether the server ever sent a message, or answered at all.
    pub(super) fn is_heard(&self) -> bool {
        self.inner().is_heard
    }

    /// Tells whether the server showed that it begins without a handshake.
    pub(super) fn is_modern(&self) -> bool {
        self.inner().is_modern
    }

    /// Returns how many messages came in this turn.
    pub(super) fn n_events(&self) -> usize {
        self.inner().taken.log.len()
    }

    /// Takes the answer to the request with this id.
    pub(super) fn take_reply(&self, id: &Value) -> Option<Reply> {
        self.inner().replies.remove(&key(id))
    }

    /// Notes that nobody waits any more for the answer to the request with this id.
    pub(super) fn give_up(&self, id: &Value) {
        self.inner().open.remove(&key(id));
    }

    /// Adds an oddity.
    pub(super) fn note(&self, note: String) {
        self.inner().note(note);
    }
}
