//! Bodies of HTTP answers: whole messages and event streams, within limits, every message noted.

use std::collections::VecDeque;

use ananke_model::recording::{Trouble, TroubleKind};
use futures_util::StreamExt as _;
use futures_util::stream::{BoxStream, unfold};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::Sse;

use super::lines::understood;
use super::record::Tape;
use super::turn::trouble;
use crate::http::cause;
use crate::sse::Decoder;

pub(super) const EVENT_STREAM: &str = "text/event-stream";
pub(super) const JSON: &str = "application/json";

/// Returns the content type of an answer, empty if it has none.
pub(super) fn media_type(response: &Response) -> String {
    let media = response.headers().get(CONTENT_TYPE);
    let media = media.map(|media| String::from_utf8_lossy(media.as_bytes()).into_owned());
    media.unwrap_or_default()
}

/// Tells whether a content type is `expected`, whatever its parameters.
pub(super) fn begins_with(media: &str, expected: &str) -> bool {
    let own = media.split(';').next().unwrap_or_default();
    own.trim().eq_ignore_ascii_case(expected)
}

/// Reads a body of at most `limit` bytes.
pub(super) async fn whole(
    mut response: Response,
    limit: usize,
    tape: &Tape,
) -> Result<String, Trouble> {
    let mut body = Vec::new();
    loop {
        let bytes = match response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(String::from_utf8_lossy(&body).into_owned()),
            Err(error) => {
                let why = format!("the answer broke off: {}", cause(&error));
                return Err(trouble(TroubleKind::Truncated, why));
            }
        };
        if body.len() + bytes.len() > limit {
            tape.too_large();
            return Err(trouble(
                TroubleKind::Limit,
                tape.overflow().unwrap_or_default(),
            ));
        }
        body.extend_from_slice(&bytes);
    }
}

/// An event stream that is being read.
struct Reading {
    response: Response,
    decoder: Decoder,
    tape: Tape,
    ready: VecDeque<Result<Sse, SseError>>,
    is_over: bool,
}

/// Returns the events of a body as `rmcp` wants them.
pub(super) fn events(
    response: Response,
    tape: Tape,
    max_event: usize,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let reading = Reading {
        response,
        decoder: Decoder::new(max_event),
        tape,
        ready: VecDeque::new(),
        is_over: false,
    };
    unfold(reading, async |mut reading| {
        while reading.ready.is_empty() && !reading.is_over {
            reading.more().await;
        }
        let next = reading.ready.pop_front()?;
        Some((next, reading))
    })
    .boxed()
}

impl Reading {
    async fn more(&mut self) {
        let bytes = match self.response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                self.is_over = true;
                return;
            }
            Err(error) => return self.fail(error),
        };
        let known_id = self.decoder.last_event_id().to_owned();
        let known_retry = self.decoder.retry_ms();
        let mut decoded = Vec::new();
        let pushed = self.decoder.push(&bytes, |event| {
            let id = event.last_event_id.to_owned();
            decoded.push((event.kind.to_owned(), event.data.into_owned(), id));
        });
        for (kind, data, id) in decoded {
            let sse = Sse {
                event: (kind != "message").then_some(kind),
                data: Some(data),
                id: Some(id).filter(|id| !id.is_empty()),
                retry: self.decoder.retry_ms(),
            };
            self.ready.extend(self.readable(sse).map(Ok));
        }
        if let Err(error) = pushed {
            self.tape.too_large();
            return self.fail(error);
        }
        // Without data there is no event, but where to go on from, and when, counts all the same.
        let (id, retry) = (self.decoder.last_event_id(), self.decoder.retry_ms());
        if self.ready.is_empty() && (id != known_id || retry != known_retry) {
            self.ready.push_back(Ok(Sse {
                event: None,
                data: None,
                id: Some(id.to_owned()).filter(|id| !id.is_empty()),
                retry,
            }));
        }
    }

    /// Notes the message of an event; leaves out what is none.
    fn readable(&self, mut event: Sse) -> Option<Sse> {
        let data = event.data.as_deref().unwrap_or_default();
        if event.event.is_some() || data.trim().is_empty() {
            return Some(event);
        }
        let message = understood(&self.tape, data)?;
        // What `rmcp` cannot read it is told in other words.
        if serde_json::from_str::<rmcp::model::ServerJsonRpcMessage>(data).is_err() {
            event.data = serde_json::to_string(&message).ok();
        }
        Some(event)
    }

    fn fail(&mut self, error: impl std::error::Error + Send + Sync + 'static) {
        self.ready.push_back(Err(SseError::Body(Box::new(error))));
        self.is_over = true;
    }
}
