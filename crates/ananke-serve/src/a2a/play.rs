//! Sends the events of a task as they come due.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::task::Task;
use crate::engine::Action;
use crate::http::{Incoming, play};
use crate::talk::Fault;

/// How an event is written.
pub(super) type Write = Box<dyn Fn(Value) -> Bytes + Send + Sync>;

/// Returns a body that sends `first` and then the events after `from`, as they come due, until the task is over or canceled.
pub(super) fn events(
    task: Arc<Task>,
    first: Option<Value>,
    from: Option<Duration>,
    write: Write,
    request: &Incoming,
) -> Body {
    let next = task.timeline.events.iter();
    let next = next
        .take_while(|(at, _)| from.is_some_and(|from| *at <= from))
        .count();
    let player = Player {
        task,
        first: first.map(|first| serde_json::json!({"task": first})),
        next,
        is_over: false,
        write,
        shutdown: request.shutdown.clone(),
        request: request.clone(),
    };
    Body::from_stream(stream::unfold(player, async |mut player| {
        let item = player.next().await?;
        Some((item, player))
    }))
}

struct Player {
    task: Arc<Task>,
    first: Option<Value>,
    next: usize,
    is_over: bool,
    write: Write,
    shutdown: CancellationToken,
    request: Incoming,
}

impl Player {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        // Being asked again while not ready is what makes hyper flush: each event leaves at once.
        tokio::task::yield_now().await;
        if let Some(first) = self.first.take() {
            return Some(Ok((self.write)(first)));
        }
        if self.is_over {
            return None;
        }
        let next = self.task.timeline.events.get(self.next);
        let due = next.map_or(self.task.timeline.length, |(at, _)| *at);
        match wait(&self.task, due, &self.shutdown).await {
            Waited::Due => {}
            Waited::Canceled => {
                self.is_over = true;
                return Some(Ok((self.write)(self.task.canceled()?)));
            }
            Waited::ShutDown => return Some(Err(io::ErrorKind::Interrupted.into())),
        }
        if let Some((_, event)) = next {
            self.next += 1;
            return Some(Ok((self.write)(event.clone())));
        }
        self.is_over = true;
        match self.task.timeline.fault? {
            Fault::Reset => {
                self.request.switch.turn_on_soon().await;
                Some(Err(io::ErrorKind::ConnectionReset.into()))
            }
            Fault::Close => Some(Err(io::ErrorKind::UnexpectedEof.into())),
            Fault::Stall => match wait(&self.task, Duration::MAX, &self.shutdown).await {
                Waited::Canceled => Some(Ok((self.write)(self.task.canceled()?))),
                _ => Some(Err(io::ErrorKind::Interrupted.into())),
            },
        }
    }
}

/// What came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    Due,
    Canceled,
    ShutDown,
}

/// Waits until the task is so old, is canceled, or the server goes down.
pub(super) async fn wait(task: &Task, due: Duration, shutdown: &CancellationToken) -> Waited {
    if task.cancel.is_cancelled() {
        return Waited::Canceled;
    }
    let left = due.saturating_sub(task.started.elapsed());
    if left.is_zero() {
        return Waited::Due;
    }
    tokio::select! {
        () = shutdown.cancelled() => Waited::ShutDown,
        () = task.cancel.cancelled() => Waited::Canceled,
        () = tokio::time::sleep(left) => Waited::Due,
    }
}

/// Returns a body that breaks as an answer does, without a word before.
pub(super) fn broken(fault: Fault, request: &Incoming) -> Body {
    let action = match fault {
        Fault::Reset => Action::Reset,
        Fault::Close => Action::Close,
        Fault::Stall => Action::Stall,
    };
    let now = std::time::Instant::now();
    play(
        vec![action],
        now,
        request.switch.clone(),
        request.shutdown.clone(),
    )
}
