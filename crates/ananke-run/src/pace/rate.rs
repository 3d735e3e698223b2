//! `--rate-limit`: requests of the whole run, evenly spaced.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How many turns may be sent in which time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// So many.
    pub n: u32,
    /// In each stretch of this length.
    pub per: Duration,
}

/// Spaces turns evenly: a burst at the beginning of each minute would keep to the letter of a limit only.
#[derive(Debug)]
pub(crate) struct Rate {
    interval: Duration,
    /// When the next turn may be sent.
    next: Mutex<Option<Instant>>,
}

impl Rate {
    pub(crate) fn new(limit: RateLimit) -> Self {
        Self {
            interval: limit.per / limit.n.max(1),
            next: Mutex::new(None),
        }
    }

    /// Waits until a turn may be sent, or until the run is interrupted.
    pub(crate) async fn wait(&self, cancel: &CancellationToken) {
        let at = self.reserve(Instant::now());
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            () = tokio::time::sleep_until(at) => {}
        }
    }

    fn reserve(&self, now: Instant) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let at = next.map_or(now, |next| next.max(now));
        *next = Some(at + self.interval);
        at
    }
}
