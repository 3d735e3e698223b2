//! Reads answers within limits: as much of a stream as is wanted, or the beginning of a short answer.

use std::time::Duration;

use ananke_protocol::http::{Opened, Piece};
use tokio::time::Instant;

use super::event::is_over;
use super::frames::{Frame, FrameReader};
use super::seen::{Answered, Ending, Short};

/// Bytes of one frame.
const MAX_FRAME_BYTES: usize = 1 << 20;
/// Bytes of a stream, comments included.
const MAX_STREAM_BYTES: usize = 64 << 20;
/// How much of a short answer is kept.
const MAX_TEXT_BYTES: usize = 4096;

/// When to stop reading a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    /// No later than this.
    pub(super) deadline: Instant,
    /// After this time without anything new once a run is over; servers of this kind never close.
    pub(super) quiet: Duration,
    /// After this many frames.
    pub(super) max_frames: usize,
}

/// Reads a stream until it ends, the limits are met, or the frames are enough.
pub(super) async fn read_stream(
    mut opened: Opened,
    until: Until,
    is_enough: impl Fn(&[Frame]) -> bool,
) -> Answered {
    let begun = Instant::now();
    let mut reader = FrameReader::new(MAX_FRAME_BYTES);
    let mut n_bytes = 0;
    let ending = loop {
        if opened.status != 200 {
            break Ending::NotRead;
        }
        if reader.frames().len() >= until.max_frames || is_enough(reader.frames()) {
            break Ending::Enough;
        }
        let quiet = Instant::now() + until.quiet;
        let is_waiting_for_quiet = is_over(reader.frames()) && quiet < until.deadline;
        let patience = if is_waiting_for_quiet {
            quiet
        } else {
            until.deadline
        };
        match opened.next(patience).await {
            Piece::Bytes(bytes) => {
                n_bytes += bytes.len();
                if reader.push(&bytes).is_err() || n_bytes > MAX_STREAM_BYTES {
                    break Ending::TooLarge;
                }
                // A server that never stops talking would keep every wait short.
                if Instant::now() >= until.deadline {
                    break Ending::TooLate;
                }
            }
            Piece::End => break Ending::Closed,
            Piece::Broken(why) => break Ending::Broken(why),
            Piece::TooLate if is_waiting_for_quiet => break Ending::Quiet,
            Piece::TooLate => break Ending::TooLate,
        }
    };
    let (mut frames, leftover) = reader.finish();
    frames.truncate(until.max_frames);
    Answered {
        status: opened.status,
        headers: std::mem::take(&mut opened.headers),
        is_http1: opened.is_http1,
        frames,
        leftover,
        ending,
        duration_ms: millis(begun.elapsed()),
    }
}

/// Reads the beginning of a short answer; of a stream that was opened nothing.
pub(super) async fn read_short(mut opened: Opened, deadline: Instant, reads_body: bool) -> Short {
    let mut bytes = Vec::new();
    while reads_body && opened.status != 200 && bytes.len() < MAX_TEXT_BYTES {
        let Piece::Bytes(more) = opened.next(deadline).await else {
            break;
        };
        bytes.extend_from_slice(&more);
    }
    bytes.truncate(MAX_TEXT_BYTES);
    let mut headers = opened.headers.iter();
    let www_authenticate = headers.find(|(name, _)| name == "www-authenticate");
    Short {
        status: opened.status,
        www_authenticate: www_authenticate
            .map(|(_, value)| value.clone())
            .unwrap_or_default(),
        text: String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// Returns whole milliseconds.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
