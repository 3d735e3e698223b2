//! Plays wire actions as a response body.

use std::io;
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::listener::ResetSwitch;
use crate::engine::Action;

/// What a timer cannot tell from now: it counts in milliseconds, and a shorter wait would take longer than asked for.
const SHORTEST_WAIT: Duration = Duration::from_micros(500);

/// Returns a body that plays `actions` until they end, the client leaves, or `shutdown`.
///
/// Waits are counted from `started`, when the request came: thousands of short ones take as long as they say in all,
/// however coarse the timer is.
pub(crate) fn play(
    actions: Vec<Action>,
    started: Instant,
    switch: ResetSwitch,
    shutdown: CancellationToken,
) -> Body {
    let player = Player {
        actions: actions.into_iter(),
        started,
        due: Duration::ZERO,
        switch,
        shutdown,
    };
    Body::from_stream(stream::unfold(player, async |mut player| {
        let item = player.next().await?;
        Some((item, player))
    }))
}

struct Player {
    actions: std::vec::IntoIter<Action>,
    started: Instant,
    /// When the next thing happens, after the start.
    due: Duration,
    switch: ResetSwitch,
    shutdown: CancellationToken,
}

impl Player {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        // Being asked again while not ready is what makes hyper flush: each action leaves at once.
        tokio::task::yield_now().await;
        loop {
            match self.actions.next()? {
                Action::Send(bytes) if bytes.is_empty() => {}
                Action::Send(bytes) => return Some(Ok(bytes)),
                Action::Wait(time) => {
                    self.due = self.due.saturating_add(time);
                    if self.is_shut_down_before_due().await {
                        return Some(Err(io::ErrorKind::Interrupted.into()));
                    }
                }
                Action::Reset => {
                    self.switch.turn_on_soon().await;
                    return Some(Err(io::ErrorKind::ConnectionReset.into()));
                }
                Action::Close => return Some(Err(io::ErrorKind::UnexpectedEof.into())),
                Action::Stall => {
                    self.shutdown.cancelled().await;
                    return Some(Err(io::ErrorKind::Interrupted.into()));
                }
            }
        }
    }

    async fn is_shut_down_before_due(&self) -> bool {
        let left = self.due.saturating_sub(self.started.elapsed());
        if left < SHORTEST_WAIT {
            return false;
        }
        tokio::time::timeout(left, self.shutdown.cancelled())
            .await
            .is_ok()
    }
}
