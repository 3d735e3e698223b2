//! From the bytes of a response body to a folded turn: decode, log, read, fold.

use std::time::Duration;

use ananke_model::recording::EventLog;

use super::chunk::Chunk;
use super::fold::{End, Fold};
use crate::sse::{Decoder, EventTooLarge};

/// What ends a stream; it is a mark and no event.
const DONE: &str = "[DONE]";
/// How long to wait for the end of the body when all was said: the connection can then be used again.
const AFTER_END: Duration = Duration::from_millis(250);
/// How long to wait for the usage and the end mark, which follow the last words at once.
const AFTER_FINISH: Duration = Duration::from_millis(500);

/// A turn's events, whatever number of response bodies they came in.
#[derive(Debug)]
pub(crate) struct Stream<'c> {
    pub(crate) fold: Fold<'c>,
    pub(crate) log: EventLog,
    /// The first event that could not be read; reading goes on, the turn fails.
    pub(crate) bad_event: Option<String>,
    /// When the last of the answer came.
    pub(crate) ended_us: Option<u64>,
    /// Whether the end mark came.
    pub(crate) is_done: bool,
    /// Events of this body.
    pub(crate) n_events: usize,
}

impl<'c> Stream<'c> {
    pub(crate) fn new(fold: Fold<'c>) -> Self {
        Self {
            fold,
            log: EventLog::default(),
            bad_event: None,
            ended_us: None,
            is_done: false,
            n_events: 0,
        }
    }

    /// Begins another response body of the same turn.
    pub(crate) fn next_body(&mut self, message_id: String) {
        self.fold.begin_answer(message_id);
        self.ended_us = None;
        self.is_done = false;
        self.n_events = 0;
    }

    /// Takes bytes of an event stream that arrived `at_us` after the turn began.
    pub(crate) fn push(
        &mut self,
        decoder: &mut Decoder,
        bytes: &[u8],
        at_us: u64,
    ) -> Result<(), EventTooLarge> {
        decoder.push(bytes, |event| {
            self.event(&event.data, event.kind == "error", at_us);
        })
    }

    /// Ends the body of an event stream; notes what was odd about it. `is_whole` tells whether it came to its end, or was
    /// given up.
    pub(crate) fn finish_body(&mut self, decoder: &mut Decoder, is_whole: bool) {
        decoder.finish();
        let odd = decoder.oddities();
        if odd.n_invalid_utf8 > 0 {
            self.fold.warn(format!(
                "{} with bytes that are not UTF-8; they were replaced by U+FFFD",
                counted(odd.n_invalid_utf8, "event came", "events came")
            ));
        }
        if odd.unfinished_event && is_whole {
            self.fold
                .warn("the body ended inside an event: its last blank line is missing".to_owned());
        }
        match (&self.fold.end, self.is_done) {
            (None, true) if self.n_events > 0 => {
                self.fold.end = Some(End::Finished);
                self.fold
                    .warn("the stream ended with [DONE] but without a finish_reason".to_owned());
            }
            (Some(End::Finished | End::Cut), false) if is_whole => {
                self.fold
                    .warn("the stream ended with a finish_reason but without [DONE]".to_owned());
            }
            _ => {}
        }
        self.fold.end_answer();
    }

    /// Takes an answer that was not streamed; `None` if its bytes did not come to their end.
    pub(crate) fn whole(&mut self, body: Option<&str>, at_us: u64) {
        if let Some(body) = body.map(str::trim).filter(|body| !body.is_empty()) {
            self.event(body, false, at_us);
            if self.fold.end.is_none() && self.bad_event.is_none() {
                self.without_finish(body);
            }
        }
        self.fold.end_answer();
    }

    /// Decides about a whole answer that does not say why it ended.
    fn without_finish(&mut self, body: &str) {
        let has_choice = Chunk::read(body, false).is_ok_and(|chunk| !chunk.deltas.is_empty());
        if has_choice {
            self.fold.end = Some(End::Finished);
            self.fold
                .warn("the answer came without a finish_reason".to_owned());
        } else {
            self.bad(body, "it holds no choice with a message");
        }
    }

    /// Returns how long the end of the body may still take, once the answer is there.
    pub(crate) fn patience(&self) -> Option<Duration> {
        match self.fold.end {
            _ if self.is_done => Some(AFTER_END),
            Some(End::Error { .. }) => Some(AFTER_END),
            Some(End::Finished | End::Cut) => Some(AFTER_FINISH),
            None => None,
        }
    }

    fn event(&mut self, payload: &str, is_error: bool, at_us: u64) {
        let is_end_mark = payload.trim() == DONE;
        if is_end_mark && !self.is_done {
            self.is_done = true;
            self.ended_us = Some(at_us);
        }
        // A data line without data keeps the connection alive.
        if is_end_mark || payload.trim().is_empty() {
            return;
        }
        let number = self.log.len();
        self.log.push(payload.as_bytes(), at_us);
        self.n_events += 1;
        if self.is_done {
            self.fold.warn(format!(
                "event {number} came after [DONE]: kept, not folded"
            ));
            return;
        }
        match Chunk::read(payload, is_error) {
            Ok(chunk) => self.fold.take(chunk, number, at_us),
            Err(why) => return self.bad(payload, &why),
        }
        if self.fold.end.is_some() {
            self.ended_us = Some(at_us);
        }
    }

    /// Keeps the first event that cannot be read: the one that was logged last.
    fn bad(&mut self, payload: &str, why: &str) {
        let number = self.log.len().saturating_sub(1);
        let shown: String = payload.trim().chars().take(200).collect();
        self.bad_event
            .get_or_insert_with(|| format!("event {number} cannot be read: {why}: {shown}"));
    }
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
