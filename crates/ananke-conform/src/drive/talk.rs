//! One request and its answer, within time and limits.

use std::time::Duration;

use ananke_protocol::http::{Ask, HttpClient, NoAnswer, Opened, Piece};
use tokio::time::Instant;

use crate::body::{BodyReader, Limits};
use crate::exchange::{Answer, CLIENT_LEFT, Ending, Framing, LIMIT_REACHED, TIME_IS_OVER};

/// Media type of the binary form.
pub(super) const PROTOBUF: &str = "application/vnd.ag-ui.event+proto";
/// Media type of event streams.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

/// How long a body may stay open after the run has ended.
pub(super) const CLOSING_TIME: Duration = Duration::from_secs(3);
/// How long the end is waited for once a server is known to let bodies open.
const CLOSING_TIME_KNOWN: Duration = Duration::from_millis(50);

/// How long and how far an answer is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// For all of it but the end of a body whose run has ended.
    pub(super) timeout: Duration,
    /// What is read.
    pub(super) limits: Limits,
    /// The client goes away after so many events.
    pub(super) leave_after: Option<usize>,
    /// How long the body may stay open after the run has ended; `None` if the server is known to let bodies open.
    pub(super) closing: Option<Duration>,
}

/// Sends a request and reads its answer. What keeps the request from reaching a server comes back as well.
pub(super) async fn talk(
    client: &HttpClient,
    ask: &Ask,
    reading: Reading,
) -> (Answer, Option<NoAnswer>) {
    let started = Instant::now();
    let deadline = started + reading.timeout;
    match client.open(ask, deadline).await {
        Ok(opened) => (read(opened, started, reading).await, None),
        Err(reason) => {
            let why = match &reason {
                NoAnswer::Wrong(why) | NoAnswer::Unreachable(why) | NoAnswer::Broken(why) => {
                    why.clone()
                }
                NoAnswer::TooLate => format!("nothing came in {} ms", reading.timeout.as_millis()),
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

async fn read(mut opened: Opened, started: Instant, reading: Reading) -> Answer {
    let mut answer = Answer {
        status: Some(opened.status),
        headers: std::mem::take(&mut opened.headers),
        ..Answer::default()
    };
    answer.framing = framing(&answer);
    let mut reader = BodyReader::new(answer.framing, reading.limits);
    let deadline = started + reading.timeout;
    let closing = reading.closing.unwrap_or(CLOSING_TIME_KNOWN);
    let mut until = deadline;
    // When the last word came, and which event it was.
    let mut ended: Option<(usize, Instant)> = None;
    let mut n_bytes = 0;
    answer.ending = loop {
        let piece = opened.next(until).await;
        match piece {
            Piece::End => break Ending::Closed,
            Piece::Broken(why) => break Ending::Broken(why),
            Piece::TooLate => break too_late(&reader, reading),
            Piece::Bytes(bytes) => {
                n_bytes += bytes.len() as u64;
                if let Err(why) = reader.push(&bytes, micros(started)) {
                    let limits = reading.limits;
                    let is_full =
                        reader.n_events() >= limits.max_events || n_bytes >= limits.max_bytes;
                    break cut_short(is_full, answer.framing, why);
                }
                // Whoever leaves after the last event has left nothing.
                let leave_after = reading.leave_after.filter(|n| reader.n_events() >= *n);
                if let Some(n) = leave_after.filter(|_| !has_ended(&reader)) {
                    break Ending::GivenUp(format!("{CLIENT_LEFT} after {n} events"));
                }
                // Whoever has said the last word has little left to do. It gets the time for that however late it is, and
                // bytes that are no event give it no more.
                until = if has_ended(&reader) {
                    let n_events = reader.n_events();
                    let known = ended.filter(|(number, _)| *number == n_events);
                    let (_, at) = *ended.insert(known.unwrap_or((n_events, Instant::now())));
                    (at + closing).min(deadline + closing)
                } else {
                    deadline
                };
            }
        }
    };
    // Going away is part of some scenarios: the connection must be gone before the next request.
    drop(opened);
    (answer.events, answer.wire, answer.text) = reader.finish();
    answer.duration_us = micros(started);
    answer
}

fn has_ended(reader: &BodyReader) -> bool {
    let kind = reader.last().and_then(|event| event.kind());
    matches!(kind, Some("RUN_FINISHED" | "RUN_ERROR"))
}

fn too_late(reader: &BodyReader, reading: Reading) -> Ending {
    let ms = reading.timeout.as_millis();
    let why = match reading.closing {
        _ if !has_ended(reader) => format!("{TIME_IS_OVER}: {ms} ms"),
        Some(closing) => {
            let ms = closing.as_millis();
            format!("{TIME_IS_OVER}: the body was still open {ms} ms after the run had ended")
        }
        None => "the end of the body was not waited for".to_owned(),
    };
    Ending::GivenUp(why)
}

/// Tells limits, which are ours, from bytes that nobody can read.
fn cut_short(is_full: bool, framing: Framing, why: String) -> Ending {
    if framing == Framing::Protobuf && !is_full {
        return Ending::Broken(format!("a frame cannot be read: {why}"));
    }
    Ending::GivenUp(format!("{LIMIT_REACHED}: {why}"))
}

fn framing(answer: &Answer) -> Framing {
    if answer.status != Some(200) {
        return Framing::None;
    }
    match answer.media_type().as_deref() {
        Some(EVENT_STREAM) => Framing::Sse,
        Some(PROTOBUF) => Framing::Protobuf,
        _ => Framing::None,
    }
}

fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
