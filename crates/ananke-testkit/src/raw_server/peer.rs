//! Ways to misbehave on a connection. Each ends when the peer leaves, the server stops, or its time is over.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Keeps the connection open and silent for at most `time`; what the peer sends meanwhile is dropped.
pub fn hold(stream: &mut TcpStream, time: Duration) {
    let deadline = Instant::now() + time;
    let mut buffer = [0; 1024];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        // An end and a failure are the peer's leaving; a time-out is the end of ours.
        if !matches!(stream.read(&mut buffer), Ok(1..)) {
            return;
        }
    }
}

/// Writes one piece after another with a pause before each, until the peer leaves.
pub fn drip<'a>(
    stream: &mut TcpStream,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    pause: Duration,
) {
    for piece in pieces {
        hold(stream, pause);
        if stream.write_all(piece).is_err() {
            return;
        }
    }
}

/// Makes the connection end with a reset (RST) instead of a polite close (FIN) when it is dropped.
///
/// `SO_LINGER` with a time of zero does that. Dropping a socket with unread data would too, but only by accident of what
/// has arrived; std's own setter is not stable, so rustix sets it.
pub fn reset_on_close(stream: &TcpStream) {
    rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO))
        .expect("a connected socket takes SO_LINGER");
}
