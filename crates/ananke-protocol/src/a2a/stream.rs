//! From the bytes of response bodies to a folded turn: decode, log, read, fold.

use std::time::Duration;

use ananke_model::recording::EventLog;
use serde_json::Value;

use super::fold::Fold;
use super::wire::{Form, RpcError, decode, unwrap};
use crate::agui::tree;
use crate::auth::beginning_of;
use crate::sse::{Decoder, EventTooLarge};

/// How long to wait for the end of the body after the task's last state.
const AFTER_END: Duration = Duration::from_millis(250);
/// How long to wait for more where nothing says that it was the last: after a question of the agent, or a message.
const AFTER_WORDS: Duration = Duration::from_secs(2);

/// A turn's events, whatever number of response bodies they came in.
#[derive(Debug)]
pub(super) struct Stream<'a> {
    pub(super) fold: Fold<'a>,
    pub(super) log: EventLog,
    /// The first event that could not be read; reading goes on, the turn fails.
    pub(super) bad_event: Option<String>,
    /// What the server said went wrong.
    pub(super) error: Option<RpcError>,
    /// When the last of the answer came.
    pub(super) ended_us: Option<u64>,
    /// Events that were folded.
    pub(super) n_folded: usize,
    /// How events are expected to be written, and the id of the request in flight.
    pub(super) form: Form,
    pub(super) rpc_id: u64,
    last_whole: Value,
}

impl<'a> Stream<'a> {
    pub(super) fn new(fold: Fold<'a>) -> Self {
        Self {
            fold,
            log: EventLog::default(),
            bad_event: None,
            error: None,
            ended_us: None,
            n_folded: 0,
            form: Form::New,
            rpc_id: 0,
            last_whole: Value::Null,
        }
    }

    /// Begins to read the answer to another message.
    pub(super) fn next_answer(&mut self, form: Form, rpc_id: u64) {
        self.form = form;
        self.rpc_id = rpc_id;
        self.error = None;
        self.last_whole = Value::Null;
    }

    /// Takes bytes of an event stream that arrived `at_us` after the turn began.
    pub(super) fn push(
        &mut self,
        decoder: &mut Decoder,
        bytes: &[u8],
        at_us: u64,
    ) -> Result<(), EventTooLarge> {
        decoder.push(bytes, |event| {
            self.payload(&event.data, event.kind == "error", at_us);
        })
    }

    /// Ends the body of an event stream; notes what was odd about it. `is_whole` tells whether it came to its end, or was
    /// given up.
    pub(super) fn finish_body(&mut self, decoder: &mut Decoder, is_whole: bool) {
        decoder.finish();
        let odd = decoder.oddities();
        if odd.n_invalid_utf8 > 0 {
            self.fold.warn(format!(
                "{} events came with bytes that are not UTF-8; they were replaced by U+FFFD",
                odd.n_invalid_utf8
            ));
        }
        if odd.unfinished_event && is_whole {
            self.fold
                .warn("the body ended inside an event: its last blank line is missing".to_owned());
        }
    }

    /// Takes an answer that was not streamed. The same answer again, as a task is asked for again and again, is no event.
    pub(super) fn whole(&mut self, body: &str, at_us: u64) {
        let mut answer = tree(body).unwrap_or_default();
        if let Some(members) = answer.as_object_mut() {
            // Every request has an id of its own.
            members.remove("id");
        }
        if self.last_whole.is_null() || self.last_whole != answer {
            self.payload(body, false, at_us);
            self.last_whole = answer;
        }
    }

    /// Returns how long the end of the body may still take, once the answer is there.
    pub(super) fn patience(&self) -> Option<Duration> {
        match self.fold.state() {
            _ if self.error.is_some() => Some(AFTER_END),
            Some(state) if state.is_terminal() => Some(AFTER_END),
            Some(state) if state.is_interrupted() => Some(AFTER_WORDS),
            // Words beside a task that goes on are not its end.
            Some(_) => None,
            None => self.fold.has_message().then_some(AFTER_WORDS),
        }
    }

    /// Notes that a stream was left although more might have come.
    pub(super) fn left_open(&mut self) {
        if self.patience() == Some(AFTER_WORDS) {
            let seconds = AFTER_WORDS.as_secs();
            self.fold.warn(format!(
                "the stream stayed open after the answer: it was left after {seconds}s"
            ));
        }
    }

    fn payload(&mut self, payload: &str, is_error: bool, at_us: u64) {
        // A data line without data keeps the connection alive.
        if payload.trim().is_empty() {
            return;
        }
        let number = self.log.len();
        self.log.push(payload.as_bytes(), at_us);
        let Some(answer) = tree(payload) else {
            return self.bad(payload, "it is not JSON");
        };
        self.check_id(&answer);
        let found = if is_error && answer["error"].is_null() {
            Err(RpcError::of(&answer))
        } else {
            unwrap(answer)
        };
        let value = match found {
            Ok(value) => value,
            Err(error) => {
                self.ended_us = Some(at_us);
                self.error.get_or_insert(error);
                return;
            }
        };
        let decoded = match decode(&value, self.form) {
            Ok(decoded) => decoded,
            Err(why) => {
                self.fold
                    .warn(format!("event {number} is kept, not folded: {why}"));
                return;
            }
        };
        if decoded.is_other_form {
            let (seen, spoken) = match self.form {
                Form::Named => ("1.0", "0.3"),
                Form::New | Form::Proto => ("0.3 over JSON-RPC", "another"),
            };
            self.fold.warn_once(&format!(
                "the agent answers in the form of {seen} although {spoken} was spoken"
            ));
        }
        if let Some(state) = &decoded.unknown_state {
            let message = format!("event {number} names the state `{state}`, which is not known");
            self.fold.warn(message);
        }
        self.n_folded += 1;
        let is_taken = self.fold.take(decoded.event, number, at_us);
        if is_taken && self.fold.is_done() {
            self.ended_us = Some(at_us);
        }
    }

    /// Responses have the id of their request; one that has another is taken all the same.
    fn check_id(&mut self, answer: &Value) {
        if answer["jsonrpc"].is_null() {
            return;
        }
        let expected = self.rpc_id;
        let is_same = match &answer["id"] {
            Value::Number(id) => id.as_f64() == Some(expected as f64),
            Value::String(id) => *id == expected.to_string(),
            // An error about a request that could not be read has none.
            Value::Null => answer.get("error").is_some(),
            _ => false,
        };
        if !is_same {
            let shown: String = answer["id"].to_string().chars().take(100).collect();
            self.fold.warn_once(&format!(
                "a response has the id {shown} although the request had {expected}"
            ));
        }
    }

    /// Keeps the first event that cannot be read: the one that was logged last.
    fn bad(&mut self, payload: &str, why: &str) {
        let number = self.log.len().saturating_sub(1);
        let shown = beginning_of(payload);
        self.bad_event
            .get_or_insert_with(|| format!("event {number} cannot be read: {why}: {shown}"));
    }
}
