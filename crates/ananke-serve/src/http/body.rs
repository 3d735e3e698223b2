//! Plays wire actions as a response body.

use std::io;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::listener::ResetSwitch;
use crate::engine::Action;

/// How long bytes get to leave before the connection is reset; a reset drops what is still queued.
const FLUSH_TIME: Duration = Duration::from_millis(20);

/// Returns a body that plays `actions` until they end, the client leaves, or `shutdown`.
pub(super) fn play(actions: Vec<Action>, switch: ResetSwitch, shutdown: CancellationToken) -> Body {
    let player = Player {
        actions: actions.into_iter(),
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
                    if self.is_shut_down_within(time).await {
                        return Some(Err(io::ErrorKind::Interrupted.into()));
                    }
                }
                Action::Reset => {
                    tokio::time::sleep(FLUSH_TIME).await;
                    self.switch.turn_on();
                    return Some(Err(io::ErrorKind::ConnectionReset.into()));
                }
                Action::Stall => {
                    self.shutdown.cancelled().await;
                    return Some(Err(io::ErrorKind::Interrupted.into()));
                }
            }
        }
    }

    async fn is_shut_down_within(&self, time: Duration) -> bool {
        tokio::time::timeout(time, self.shutdown.cancelled())
            .await
            .is_ok()
    }
}
