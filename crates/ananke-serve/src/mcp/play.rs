//! What an answer is made of, one after another: messages as they come due, and the question that an answer may wait for.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::ask::Waiting;
use super::face::{Answer, End, Mcp};
use crate::talk::Fault;

/// How long a client's user may think.
const PATIENCE: Duration = Duration::from_secs(600);

/// An answer that is being given.
#[derive(Debug)]
pub(super) struct Play {
    mcp: Arc<Mcp>,
    started: Instant,
    messages: VecDeque<(Duration, Value)>,
    length: Duration,
    end: Option<End>,
    /// Where the client's answer to a question comes: it may come as soon as the question is sent.
    reply: Option<oneshot::Receiver<Option<Value>>>,
    shutdown: CancellationToken,
}

/// The next thing of an answer.
#[derive(Debug)]
pub(super) enum Next {
    Message(Value),
    Fault(Fault),
    Over,
}

impl Play {
    pub(super) fn new(mcp: Arc<Mcp>, answer: Answer, shutdown: CancellationToken) -> Self {
        let mut play = Self {
            mcp,
            started: Instant::now(),
            messages: VecDeque::new(),
            length: Duration::ZERO,
            end: None,
            reply: None,
            shutdown,
        };
        play.load(answer);
        play
    }

    fn load(&mut self, answer: Answer) {
        self.reply = match &answer.end {
            End::Ask(id, _) => Some(self.mcp.wait_for(id)),
            End::Done | End::Fault(_) => None,
        };
        self.started = Instant::now();
        self.messages = answer.messages.into();
        self.length = answer.length;
        self.end = Some(answer.end);
    }

    /// Waits for what comes next. A server that goes down breaks off.
    pub(super) async fn next(&mut self) -> Next {
        loop {
            if let Some((at, message)) = self.messages.pop_front() {
                return match self.is_due(at).await {
                    true => Next::Message(message),
                    false => Next::Fault(Fault::Close),
                };
            }
            if !self.is_due(self.length).await {
                return Next::Fault(Fault::Close);
            }
            match self.end.take() {
                None | Some(End::Done) => return Next::Over,
                Some(End::Fault(Fault::Stall)) => {
                    self.shutdown.cancelled().await;
                    return Next::Fault(Fault::Stall);
                }
                Some(End::Fault(fault)) => return Next::Fault(fault),
                Some(End::Ask(_, waiting)) => {
                    if !self.ask(*waiting).await {
                        return Next::Fault(Fault::Close);
                    }
                }
            }
        }
    }

    /// Waits for the client's answer, and goes on with it. Tells whether there is more.
    async fn ask(&mut self, waiting: Waiting) -> bool {
        let Some(reply) = self.reply.take() else {
            return false;
        };
        let reply = tokio::select! {
            () = self.shutdown.cancelled() => return false,
            reply = tokio::time::timeout(PATIENCE, reply) => reply.ok().and_then(Result::ok),
        };
        let answer = self.mcp.elicited(waiting, reply.flatten().as_ref());
        self.load(answer);
        true
    }

    /// Waits until this time after the request; tells whether the server is still up.
    async fn is_due(&self, at: Duration) -> bool {
        let left = at.saturating_sub(self.started.elapsed());
        if left.is_zero() {
            return true;
        }
        tokio::select! {
            () = self.shutdown.cancelled() => false,
            () = tokio::time::sleep(left) => true,
        }
    }
}
