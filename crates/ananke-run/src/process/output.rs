//! What a child prints: always drained, kept up to a limit.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long something in the background may keep the pipes of a process open after its end.
const DRAIN: Duration = Duration::from_millis(200);

/// The beginning of a stream, and whether there was more.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    pub(crate) overflowed: bool,
}

/// Output that is read by a task and looked at by another.
pub(crate) type Shared<T> = Arc<Mutex<T>>;

/// Reads `stream` to its end, keeping the first `limit` bytes; cancels `flood` when there are more.
pub(crate) async fn keep_head(
    mut stream: impl AsyncRead + Unpin,
    limit: usize,
    head: Shared<Head>,
    flood: CancellationToken,
) {
    let mut buffer = vec![0; 8192];
    while let Ok(n @ 1..) = stream.read(&mut buffer).await {
        let mut head = head.lock().unwrap_or_else(PoisonError::into_inner);
        let room = limit.saturating_sub(head.bytes.len());
        head.overflowed |= n > room;
        head.bytes.extend_from_slice(&buffer[..n.min(room)]);
        if head.overflowed {
            flood.cancel();
        }
    }
}

/// Reads `stream` to its end, keeping the last `limit` bytes.
pub(crate) async fn keep_tail(
    mut stream: impl AsyncRead + Unpin,
    limit: usize,
    tail: Shared<Vec<u8>>,
) {
    let mut buffer = vec![0; 8192];
    while let Ok(n @ 1..) = stream.read(&mut buffer).await {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..n]);
        if tail.len() > 2 * limit {
            let surplus = tail.len() - limit;
            tail.drain(..surplus);
        }
    }
}

/// Waits a moment for the end of the pipes, which something in the background may hold open.
pub(crate) async fn drain(readers: &mut JoinSet<()>) {
    let ends = async { while readers.join_next().await.is_some() {} };
    tokio::time::timeout(DRAIN, ends).await.ok();
}

/// Returns the last lines of what was kept.
pub(crate) fn last_lines(tail: &Shared<Vec<u8>>, n_lines: usize) -> Vec<String> {
    let tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
    let text = String::from_utf8_lossy(&tail);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let begin = lines.len().saturating_sub(n_lines);
    lines[begin..]
        .iter()
        .map(|line| line.chars().take(500).collect())
        .collect()
}
