//! The body of an answer: read piece by piece within the limits, as a stream or as a whole.

use ananke_model::recording::{Trouble, TroubleKind};
use tokio::time::Instant;

use super::fold::too_many_calls;
use super::turn::{Driver, trouble};
use crate::http::{Answer, cause};
use crate::sse::Decoder;

const SSE: &str = "text/event-stream";
pub(super) const JSON: &str = "application/json";
/// What events, calls and messages cost in memory beside their bytes, and how often text and arguments are held at once,
/// reports included.
const EVENT_COST: usize = 48;
const CALL_COST: usize = 2048;
const TEXT_COST: usize = 6;
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
            return read;
        }
        if media_type == JSON || media_type.ends_with("+json") {
            return self.read_whole(&mut answer).await;
        }
        let wrong = answer.wrong_type(SSE);
        let (trouble, _) = self.bounded(self.deadline, wrong).await?;
        Err(trouble)
    }

    async fn read_stream(
        &mut self,
        answer: &mut Answer,
        decoder: &mut Decoder,
    ) -> Result<(), Trouble> {
        let max_turn_bytes = self.request.limits.turn_bytes;
        let mut n_bytes = self.stream.log.n_bytes();
        let mut close_by: Option<Instant> = None;
        loop {
            let until = close_by.map_or(self.deadline, |at| at.min(self.deadline));
            let chunk = match self.bounded(until, answer.response.chunk()).await {
                Ok(Ok(chunk)) => chunk,
                // After the answer the end of the connection is nobody's concern.
                _ if close_by.is_some() => return Ok(()),
                Ok(Err(error)) => {
                    let why = cause(&error);
                    return Err(trouble(
                        TroubleKind::Truncated,
                        format!("the stream ended before a finish_reason: {why}"),
                    ));
                }
                Err(trouble) => return Err(trouble),
            };
            let Some(bytes) = chunk else { return Ok(()) };
            let at_us = self.elapsed_us();
            n_bytes += bytes.len();
            // Half as much again may be needed to hold it: a limit on what comes alone would not bound the memory.
            let is_costly = n_bytes + self.n_held() > max_turn_bytes + max_turn_bytes / 2;
            if n_bytes > max_turn_bytes || is_costly {
                return Err(self.too_much());
            }
            for piece in bytes.chunks(PIECE) {
                let pushed = self.stream.push(decoder, piece, at_us);
                pushed.map_err(|error| {
                    trouble(TroubleKind::Limit, format!("{error} (limits.event_bytes)"))
                })?;
                self.look_around()?;
            }
            let now = Instant::now();
            close_by = self.stream.patience().map(|patience| {
                let at = now + patience;
                close_by.map_or(at, |sooner| sooner.min(at))
            });
        }
    }

    /// Reads an answer that is not streamed.
    async fn read_whole(&mut self, answer: &mut Answer) -> Result<(), Trouble> {
        let limits = self.request.limits;
        let mut body = Vec::new();
        let read = loop {
            let chunk = match self.bounded(self.deadline, answer.response.chunk()).await {
                Ok(Ok(chunk)) => chunk,
                Ok(Err(error)) => {
                    let why = format!("the answer ended before it was whole: {}", cause(&error));
                    break Err(trouble(TroubleKind::Truncated, why));
                }
                Err(trouble) => break Err(trouble),
            };
            let Some(bytes) = chunk else { break Ok(()) };
            body.extend_from_slice(&bytes);
            if body.len() > limits.event_bytes {
                let limit = limits.event_bytes;
                let why = format!("the answer is larger than {limit} bytes (limits.event_bytes)");
                break Err(trouble(TroubleKind::Limit, why));
            }
            if self.stream.log.n_bytes() + body.len() > limits.turn_bytes {
                break Err(self.too_much());
            }
        };
        let at_us = self.elapsed_us();
        let text = String::from_utf8_lossy(&body);
        self.stream.whole(read.is_ok().then_some(&*text), at_us);
        read?;
        self.look_around()
    }

    /// Ends a turn whose folding took too long, or brought too much.
    fn look_around(&self) -> Result<(), Trouble> {
        if Instant::now() >= self.deadline {
            return Err(self.late());
        }
        if self.stream.fold.has_too_many_calls {
            return Err(trouble(TroubleKind::Limit, too_many_calls()));
        }
        Ok(())
    }

    fn too_much(&self) -> Trouble {
        let limit = self.request.limits.turn_bytes;
        trouble(
            TroubleKind::Limit,
            format!("the turn's answer needs more than {limit} bytes (limits.turn_bytes)"),
        )
    }

    /// Returns about how much memory is held beside the bytes that came.
    fn n_held(&self) -> usize {
        let fold = &self.stream.fold;
        EVENT_COST * self.stream.log.len()
            + CALL_COST * fold.calls.len()
            + TEXT_COST * fold.n_text_bytes
    }
}
