//! The body of an answer: read piece by piece within the limits, as a stream or as a whole.

use ananke_model::recording::{Trouble, TroubleKind};
use tokio::time::Instant;

use super::tool_calls::too_many_calls;
use super::turn::{Driver, trouble};
use crate::http::{Answer, cause};
use crate::sse::Decoder;

const SSE: &str = "text/event-stream";
/// What events and calls cost in memory beside their bytes.
const EVENT_COST: usize = 48;
const CALL_COST: usize = 2048;
/// How many bytes are folded before the clock is looked at again.
const PIECE: usize = 16 << 10;

impl Driver<'_, '_> {
    /// Reads an answer to its end and folds it.
    pub(super) async fn read(&mut self, mut answer: Answer) -> Result<(), Trouble> {
        let media_type = answer.media_type.as_str();
        if media_type == SSE {
            let mut decoder = Decoder::new(self.request.limits.event_bytes);
            let read = self.read_stream(&mut answer, &mut decoder).await;
            let is_whole = read
                .as_ref()
                .err()
                .is_none_or(|trouble| trouble.kind == TroubleKind::Truncated);
            self.stream.finish_body(&mut decoder, is_whole);
            if read.is_ok() {
                self.check_stream_end()?;
            }
            return read;
        }
        if media_type == "application/json" || media_type.ends_with("+json") {
            return self.read_whole(&mut answer).await;
        }
        let expected = if self.is_streamed {
            SSE
        } else {
            "application/json"
        };
        let wrong = answer.wrong_type(expected);
        let (trouble, _) = self.bounded(self.deadline, wrong).await?;
        Err(trouble)
    }

    /// A stream that ends while its task goes on was cut: the task is not asked for again, since what it said is lost.
    fn check_stream_end(&self) -> Result<(), Trouble> {
        match self.stream.error {
            Some(_) => Ok(()),
            None => self.check_end(),
        }
    }

    async fn read_stream(
        &mut self,
        answer: &mut Answer,
        decoder: &mut Decoder,
    ) -> Result<(), Trouble> {
        let mut n_bytes = self.stream.log.n_bytes();
        let mut close_by: Option<Instant> = None;
        loop {
            let until = close_by.map_or(self.deadline, |at| at.min(self.deadline));
            let chunk = match self.bounded(until, answer.response.chunk()).await {
                Ok(Ok(chunk)) => chunk,
                // After the answer the end of the connection is nobody's concern.
                _ if close_by.is_some() => {
                    self.stream.left_open();
                    return Ok(());
                }
                Ok(Err(error)) => {
                    let why = cause(&error);
                    return Err(trouble(
                        TroubleKind::Truncated,
                        format!("truncated: the stream broke off before the task ended: {why}"),
                    ));
                }
                Err(trouble) => return Err(trouble),
            };
            let Some(bytes) = chunk else { return Ok(()) };
            let at_us = self.elapsed_us();
            n_bytes += bytes.len();
            self.check_size(n_bytes)?;
            for piece in bytes.chunks(PIECE) {
                let pushed = self.stream.push(decoder, piece, at_us);
                pushed.map_err(|error| {
                    trouble(TroubleKind::Limit, format!("{error} (limits.event_bytes)"))
                })?;
                self.look_around()?;
            }
            // More words after a question or a message are waited for anew; after the end they are not.
            close_by = self
                .stream
                .patience()
                .map(|patience| Instant::now() + patience);
        }
    }

    /// Reads an answer that is not streamed.
    async fn read_whole(&mut self, answer: &mut Answer) -> Result<(), Trouble> {
        let limits = self.request.limits;
        let mut body = Vec::new();
        loop {
            let chunk = match self.bounded(self.deadline, answer.response.chunk()).await? {
                Ok(chunk) => chunk,
                Err(error) => {
                    let why = format!("the answer ended before it was whole: {}", cause(&error));
                    return Err(trouble(TroubleKind::Truncated, why));
                }
            };
            let Some(bytes) = chunk else { break };
            body.extend_from_slice(&bytes);
            if body.len() > limits.event_bytes {
                let limit = limits.event_bytes;
                let why = format!("the answer is larger than {limit} bytes (limits.event_bytes)");
                return Err(trouble(TroubleKind::Limit, why));
            }
            self.check_size(self.stream.log.n_bytes() + body.len())?;
        }
        let at_us = self.elapsed_us();
        self.stream.whole(&String::from_utf8_lossy(&body), at_us);
        self.look_around()
    }

    /// Ends a turn whose folding took too long, or brought too much.
    pub(super) fn look_around(&self) -> Result<(), Trouble> {
        if Instant::now() >= self.deadline {
            return Err(self.late());
        }
        if self.stream.fold.calls.is_too_many {
            return Err(trouble(TroubleKind::Limit, too_many_calls()));
        }
        Ok(())
    }

    /// Ends a turn that brought more than is kept. Half as much again may be needed to hold it.
    pub(super) fn check_size(&self, n_bytes: usize) -> Result<(), Trouble> {
        let limit = self.request.limits.turn_bytes;
        let n_held =
            EVENT_COST * self.stream.log.len() + CALL_COST * self.stream.fold.calls.list.len();
        if n_bytes > limit || n_bytes + n_held > limit + limit / 2 {
            return Err(trouble(
                TroubleKind::Limit,
                format!("the turn's answer needs more than {limit} bytes (limits.turn_bytes)"),
            ));
        }
        Ok(())
    }
}
