//! What was noted of a connection: the log of a turn, answers by their ids, and what was odd.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::plan::Limits;
use ananke_model::recording::EventLog;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use super::turn::since_us;
use super::words::{notification, shortened};

/// How many oddities a turn tells.
const MAX_NOTES: usize = 100;
/// How many lines that are no messages are shown.
pub(super) const MAX_JUNK: usize = 10;

/// The JSON-RPC code of a server that speaks other revisions, which only servers of the modern era know.
const UNSUPPORTED_VERSION: i64 = -32022;

/// What a server answered to a request.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    /// The result, or the JSON-RPC error.
    pub(super) outcome: Result<Value, Value>,
    /// When it came, in microseconds since the turn began.
    pub(super) at_us: u64,
    /// The number of its event.
    pub(super) event: usize,
}

/// A message that came.
#[derive(Debug)]
pub(super) struct Heard {
    /// The id of the request that it answers, if it answers one.
    pub(super) reply_to: Option<Value>,
}

/// What a turn takes from the tape.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) sent: Vec<Value>,
    pub(super) log: EventLog,
    pub(super) notes: Vec<String>,
}

/// All that was noted.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) limits: Limits,
    /// When the turn began that is running, if one is.
    pub(super) began: Option<Instant>,
    pub(super) taken: Taken,
    /// Ids of requests that wait for an answer.
    pub(super) open: BTreeSet<String>,
    pub(super) replies: BTreeMap<String, Reply>,
    /// How junk comes, in words.
    pub(super) junk_is: &'static str,
    pub(super) n_junk: usize,
    /// Bytes that came since the last turn began, junk included.
    pub(super) n_bytes: usize,
    pub(super) is_heard: bool,
    pub(super) is_modern: bool,
    pub(super) overflow: Option<String>,
}

/// The members by which messages are told apart. What is inside of them is not looked at.
#[derive(Deserialize)]
pub(super) struct Head {
    id: Option<Value>,
    method: Option<String>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
}

impl Noted {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            began: None,
            taken: Taken::default(),
            open: BTreeSet::new(),
            replies: BTreeMap::new(),
            junk_is: "sent something that is no message",
            n_junk: 0,
            n_bytes: 0,
            is_heard: false,
            is_modern: false,
            overflow: None,
        }
    }

    /// Tells whether so many bytes more may come.
    pub(super) fn has_room(&mut self, n_bytes: usize) -> bool {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        if self.n_bytes > self.limits.turn_bytes {
            let limit = self.limits.turn_bytes;
            self.overflow.get_or_insert_with(|| {
                format!("the server sent more than {limit} bytes (limits.turn_bytes)")
            });
        }
        self.overflow.is_none()
    }

    /// Adds an oddity, if there are not too many.
    pub(super) fn note(&mut self, note: String) {
        if self.taken.notes.len() < MAX_NOTES {
            self.taken.notes.push(note);
        }
    }

    /// Notes what is no message.
    pub(super) fn junk(&mut self, text: &str) {
        self.n_junk += 1;
        if self.n_junk <= MAX_JUNK {
            let shown = shortened(text);
            let how = self.junk_is;
            self.note(format!("the server {how}: `{shown}`"));
        }
    }

    /// Notes a message that cannot be read.
    pub(super) fn not_understood(&mut self, text: &str, why: &dyn std::fmt::Display) {
        let shown = shortened(text);
        self.note(format!(
            "a message of the server cannot be read ({why}): `{shown}`"
        ));
    }

    /// Notes a message.
    pub(super) fn message(&mut self, text: &str, head: Head) -> Heard {
        self.is_heard = true;
        // What comes between two turns counts as having come with the next.
        let at_us = self.began.map_or(0, since_us);
        let event = self.taken.log.len();
        self.taken.log.push(text.as_bytes(), at_us);
        if let Some(method) = head.method {
            let params = head.params.unwrap_or_default();
            if let Some(note) = notification(&method, &params).filter(|_| head.id.is_none()) {
                self.note(note);
            }
            return Heard { reply_to: None };
        }
        let id = head.id.unwrap_or_default();
        let outcome = match (head.result, head.error) {
            (_, Some(error)) => Err(error),
            (result, None) => Ok(result.unwrap_or_default()),
        };
        self.is_modern |= match &outcome {
            Ok(result) => result.get("supportedVersions").is_some(),
            Err(error) => error["code"] == UNSUPPORTED_VERSION,
        };
        if self.open.remove(&key(&id)) {
            let reply = Reply {
                outcome,
                at_us,
                event,
            };
            self.replies.insert(key(&id), reply);
            return Heard { reply_to: Some(id) };
        }
        let shown = shortened(&id.to_string());
        self.note(format!(
            "the server answered a request with the id `{shown}`, which is not open"
        ));
        Heard { reply_to: None }
    }
}

/// Returns an id as text; servers turn numbers into strings.
pub(super) fn key(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}
