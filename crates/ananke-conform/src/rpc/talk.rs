//! One request and its answer, within time and limits. A JSON document counts as one event, so that rules see both alike.

use std::time::Duration;

use ananke_protocol::http::{Ask, HttpClient, NoAnswer, Opened, Piece};
use tokio::time::Instant;

use crate::body::{BodyReader, Limits};
use crate::exchange::{Answer, Ending, Framing, LIMIT_REACHED, Observed, TIME_IS_OVER};

/// How long a stream may stay open after its last word.
const CLOSING_TIME: Duration = Duration::from_secs(3);
/// How much of a document is read.
const MAX_DOCUMENT: usize = 8 << 20;
/// How much of a body that is no document is kept as text.
const MAX_TEXT: usize = 4096;

/// Sends requests.
#[derive(Debug)]
pub(crate) struct Talker {
    /// The client.
    pub(crate) client: HttpClient,
    /// For each request, its answer included.
    pub(crate) timeout: Duration,
    /// What is read of a stream.
    pub(crate) limits: Limits,
}

/// How far a stream is read.
#[derive(Clone, Copy)]
pub(crate) enum Until<'a> {
    /// Only its head is looked at.
    Head,
    /// Until this event, with which everything is said.
    Event(&'a dyn Fn(&Observed) -> bool),
    /// To its end; after an event like this it should come soon.
    End(&'a dyn Fn(&Observed) -> bool),
}

impl Talker {
    /// Sends a request and reads its answer. What keeps the request from reaching a server comes back as well.
    pub(crate) async fn talk(&self, ask: &Ask, until: Until<'_>) -> (Answer, Option<NoAnswer>) {
        let started = Instant::now();
        let deadline = started + self.timeout;
        match self.client.open(ask, deadline).await {
            Ok(opened) => (self.read(opened, started, until).await, None),
            Err(reason) => {
                let why = match &reason {
                    NoAnswer::Wrong(why) | NoAnswer::Unreachable(why) | NoAnswer::Broken(why) => {
                        why.clone()
                    }
                    NoAnswer::TooLate => format!("nothing came in {} ms", self.timeout.as_millis()),
                };
                let answer = Answer {
                    framing: Framing::None,
                    ending: Ending::NoAnswer(why),
                    duration_us: micros(started),
                    ..Answer::default()
                };
                (answer, Some(reason))
            }
        }
    }

    async fn read(&self, mut opened: Opened, started: Instant, until: Until<'_>) -> Answer {
        let mut answer = Answer {
            status: Some(opened.status),
            headers: std::mem::take(&mut opened.headers),
            framing: Framing::None,
            ..Answer::default()
        };
        if answer.media_type().as_deref() == Some("text/event-stream") {
            answer.framing = Framing::Sse;
            self.read_stream(&mut opened, started, until, &mut answer)
                .await;
        } else {
            self.read_document(&mut opened, started, &mut answer).await;
        }
        // A stream that is left must be gone before the next request.
        drop(opened);
        answer.duration_us = micros(started);
        answer
    }

    async fn read_stream(
        &self,
        opened: &mut Opened,
        started: Instant,
        until: Until<'_>,
        answer: &mut Answer,
    ) {
        if let Until::Head = until {
            answer.ending = Ending::GivenUp("only its head was looked at".to_owned());
            return;
        }
        let deadline = started + self.timeout;
        let mut reader = BodyReader::new(Framing::Sse, self.limits);
        let mut closing: Option<(usize, Instant)> = None;
        answer.ending = loop {
            let wait = closing.map_or(deadline, |(_, at)| at.min(deadline));
            match opened.next(wait).await {
                Piece::End => break Ending::Closed,
                Piece::Broken(why) => break Ending::Broken(why),
                Piece::TooLate => {
                    let ms = match closing {
                        Some(_) => CLOSING_TIME.as_millis(),
                        None => self.timeout.as_millis(),
                    };
                    break Ending::GivenUp(format!("{TIME_IS_OVER}: {ms} ms"));
                }
                Piece::Bytes(bytes) => {
                    if let Err(why) = reader.push(&bytes, micros(started)) {
                        break Ending::GivenUp(format!("{LIMIT_REACHED}: {why}"));
                    }
                }
            }
            match (until, reader.last()) {
                (Until::Event(is_it), Some(event)) if is_it(event) => {
                    break Ending::GivenUp("all that was waited for had come".to_owned());
                }
                // Bytes that are no event give the server no more time.
                (Until::End(is_last), Some(event)) if is_last(event) => {
                    let n_events = reader.n_events();
                    if closing.is_none_or(|(number, _)| number != n_events) {
                        closing = Some((n_events, Instant::now() + CLOSING_TIME));
                    }
                }
                _ => closing = None,
            }
        };
        (answer.events, answer.wire, answer.text) = reader.finish();
    }

    async fn read_document(&self, opened: &mut Opened, started: Instant, answer: &mut Answer) {
        let deadline = started + self.timeout;
        let mut bytes: Vec<u8> = Vec::new();
        answer.ending = loop {
            match opened.next(deadline).await {
                Piece::End => break Ending::Closed,
                Piece::Broken(why) => break Ending::Broken(why),
                Piece::TooLate => {
                    let ms = self.timeout.as_millis();
                    break Ending::GivenUp(format!("{TIME_IS_OVER}: {ms} ms"));
                }
                Piece::Bytes(more) if bytes.len() + more.len() > MAX_DOCUMENT => {
                    break Ending::GivenUp(format!(
                        "{LIMIT_REACHED}: {MAX_DOCUMENT} bytes were read"
                    ));
                }
                Piece::Bytes(more) => bytes.extend_from_slice(&more),
            }
        };
        answer.wire.n_bytes = bytes.len() as u64;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (beginning, _) = text.split_at(text.floor_char_boundary(MAX_TEXT));
        answer.text = beginning.to_owned();
        if !text.trim().is_empty() {
            answer.events = vec![Observed::new(text, micros(started))];
        }
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
