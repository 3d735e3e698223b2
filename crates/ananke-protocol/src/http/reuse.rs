//! Tells whether a request went over a connection that an earlier request had used.
//!
//! A server may close an idle connection at the very moment a request is sent over it. Such a request can be sent again;
//! one that a fresh connection swallowed cannot, because the agent may have acted on it.

use std::cell::Cell;
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    /// Whether the request under way has begun to open a connection.
    static OPENED: Cell<bool>;
}

/// Waits for a request; also tells whether it used a connection that was there before.
pub(super) async fn watch<T>(request: impl Future<Output = T>) -> (T, bool) {
    let watched = async {
        let done = request.await;
        (done, !OPENED.get().get())
    };
    OPENED.scope(Cell::new(false), Box::pin(watched)).await
}

/// Notes that a connection is opened. The client opens it inside the future of the request that needs it.
#[derive(Clone, Debug)]
pub(super) struct NoteOpening;

impl<S> Layer<S> for NoteOpening {
    type Service = Noted<S>;

    fn layer(&self, inner: S) -> Noted<S> {
        Noted(inner)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Noted<S>(S);

impl<S: Service<R>, R> Service<R> for Noted<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        // Outside of `watch` there is nobody to tell.
        OPENED.try_with(|opened| opened.set(true)).ok();
        self.0.call(request)
    }
}
