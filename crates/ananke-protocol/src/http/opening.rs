//! Watches connections being opened: when, by whom, and not too many at once.
//!
//! A server may close an idle connection at the very moment a request is sent over it. Such a request can be sent again;
//! one that a fresh connection swallowed cannot, because the agent may have acted on it. And a turn is timed from sending
//! its request, so the time that opening took must be known.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;
use tower_layer::Layer;
use tower_service::Service;

/// Connections that may be opened at once before openings are spread out.
const BURST: u32 = 16;
/// How far openings are spread. A thousand at the same moment would make each wait for all the others, and the waiting
/// would be measured as the agent's.
const SPACING: Duration = Duration::from_micros(300);

/// What a request has had to do to get a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Nothing: an earlier request had used it.
    Reused,
    /// It began to open one.
    Begun,
    /// It opened one, which was ready then.
    Ready(Instant),
}

tokio::task_local! {
    /// How far the request under way has come. The client opens connections inside the future of the request.
    static OPENING: Cell<Opening>;
}

/// Waits for a request; also tells how it got its connection.
pub(super) async fn watch<T>(request: impl Future<Output = T>) -> (T, Opening) {
    let watched = async {
        let done = request.await;
        (done, OPENING.get().get())
    };
    OPENING
        .scope(Cell::new(Opening::Reused), Box::pin(watched))
        .await
}

/// Notes openings, and spreads them out.
#[derive(Clone, Debug, Default)]
pub(super) struct WatchOpening {
    /// When the next opening would be on time if they were evenly spaced.
    schedule: Arc<Mutex<Option<Instant>>>,
}

impl WatchOpening {
    /// Returns when the next connection may be opened.
    fn slot(&self) -> Instant {
        let now = Instant::now();
        let mut schedule = self.schedule.lock().unwrap_or_else(PoisonError::into_inner);
        let due = schedule.map_or(now, |due| due.max(now));
        *schedule = Some(due + SPACING);
        due.checked_sub(SPACING * BURST).unwrap_or(now)
    }
}

impl<S> Layer<S> for WatchOpening {
    type Service = Watched<S>;

    fn layer(&self, inner: S) -> Watched<S> {
        Watched {
            inner,
            openings: self.clone(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Watched<S> {
    inner: S,
    openings: WatchOpening,
}

impl<S, R> Service<R> for Watched<S>
where
    S: Service<R> + Clone + Send + 'static,
    S::Future: Send,
    R: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        note(Opening::Begun);
        let slot = self.openings.slot();
        // The service that was polled ready is used; a fresh clone stays behind.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        Box::pin(async move {
            if slot > Instant::now() {
                tokio::time::sleep_until(slot).await;
            }
            let connection = inner.call(request).await;
            note(Opening::Ready(Instant::now()));
            connection
        })
    }
}

/// Outside of [`watch`] there is nobody to tell.
fn note(opening: Opening) {
    OPENING.try_with(|cell| cell.set(opening)).ok();
}
