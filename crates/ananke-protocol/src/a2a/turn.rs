//! One turn: a message, its answer as a stream or as a whole, the task until it is over or waits. Never fails: what went
//! wrong is part of the turn, beside all that was captured before.

use std::time::Duration;

use ananke_model::plan::{Clock, Limits};
use ananke_model::recording::{Trouble, TroubleKind, Turn};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::ending::Kept;
use super::fold::Fold;
use super::options::{A2aOptions, Streaming};
use super::saying;
use super::session::{A2aSession, Peer};
use super::stream::Stream;
use super::wire::{Outgoing, Part, Wire};
use crate::action::Action;
use crate::agui::Conversation;
use crate::http::{Headers, HttpClient};

/// Everything that one turn needs.
#[derive(Debug)]
pub struct A2aTurn<'a> {
    /// The shared client.
    pub client: &'a HttpClient,
    /// What every turn of the test shares.
    pub options: &'a A2aOptions,
    /// The configured headers.
    pub headers: &'a Headers,
    /// What to send.
    pub action: Action,
    /// Which clock timing checks use.
    pub clock: Clock,
    /// Wall-clock limit of the whole turn, the card included.
    pub timeout: Duration,
    /// What is kept at most.
    pub limits: Limits,
    /// Now, in Unix milliseconds.
    pub unix_ms: i64,
    /// Stops the turn when the user stops the run.
    pub cancel: &'a CancellationToken,
}

/// Runs one turn of `session` on `conversation`. `new_id` gives ids for messages.
pub async fn run_turn(
    request: &A2aTurn<'_>,
    session: &mut A2aSession,
    conversation: &mut Conversation,
    new_id: &mut (dyn FnMut() -> String + Send),
) -> Turn {
    let first_message = conversation.messages().len();
    let said = saying::say(&request.action, conversation, new_id);
    let answer_id = new_id();
    let own = saying::own(&request.action).cloned().unwrap_or_default();
    let open_task = session.open_task.clone().filter(|_| !own.new_task);
    let task_id = own.task_id.or(open_task);
    let mut memory = match &task_id {
        Some(_) => std::mem::take(&mut session.memory),
        None => session.memory.for_new_task(),
    };
    if request.options.blocking {
        // An answer that was waited for is new, whatever it repeats.
        memory.waited = None;
    }
    let started = Instant::now();
    let mut driver = Driver {
        request,
        stream: Stream::new(Fold::new(memory, &request.options.tool_calls)),
        session,
        started,
        deadline: started + request.timeout,
        requests: Vec::new(),
        reached: false,
        is_streamed: false,
        sent_context: None,
        connect_us: None,
    };
    let run = match said.parts {
        Ok(parts) => {
            let outgoing = driver.outgoing(said.message_id, task_id, parts);
            let run = driver.run(outgoing).await;
            driver.give_up(&run).await;
            run
        }
        Err(why) => Err(trouble(TroubleKind::BadEvent, why)),
    };
    let first_message = match said.is_kept {
        true => conversation.messages().len().saturating_sub(1),
        false => first_message,
    };
    let kept = Kept {
        conversation,
        first_message,
        answer_id: &answer_id,
    };
    driver.into_turn(kept, said.user, run)
}

/// A turn that is running.
pub(super) struct Driver<'a, 's> {
    pub(super) request: &'a A2aTurn<'a>,
    pub(super) stream: Stream<'a>,
    pub(super) session: &'s mut A2aSession,
    /// What times are counted from: the card and the opening of a connection come before.
    pub(super) started: Instant,
    pub(super) deadline: Instant,
    pub(super) requests: Vec<Value>,
    pub(super) reached: bool,
    pub(super) is_streamed: bool,
    /// The conversation's id as it was sent.
    pub(super) sent_context: Option<String>,
    pub(super) connect_us: Option<u64>,
}

impl Driver<'_, '_> {
    fn outgoing(&self, message_id: String, task_id: Option<String>, parts: Vec<Part>) -> Outgoing {
        let options = self.request.options;
        let own = saying::own(&self.request.action)
            .cloned()
            .unwrap_or_default();
        let context_id = own.context_id.or_else(|| self.session.context_id.clone());
        Outgoing {
            message_id,
            context_id: context_id.or_else(|| options.context_id.clone()),
            task_id,
            parts,
            metadata: own.metadata,
            accepted_output_modes: options.accepted_output_modes.clone(),
            history_length: options.history_length,
            is_blocking: options.blocking,
            request_metadata: options.metadata.clone(),
        }
    }

    async fn run(&mut self, outgoing: Outgoing) -> Result<(), Trouble> {
        self.make_ready().await?;
        self.started = Instant::now();
        self.sent_context.clone_from(&outgoing.context_id);
        let mut is_version_tried = false;
        loop {
            let peer = self.peer()?;
            let is_stream = match self.request.options.stream {
                Streaming::Always => true,
                Streaming::Never => false,
                Streaming::Auto => peer.streams.unwrap_or(true),
            };
            self.is_streamed = is_stream;
            self.exchange(&outgoing, is_stream).await?;
            let Some(error) = self.stream.error.clone() else {
                if let Some(peer) = &mut self.session.peer {
                    peer.is_version_settled = true;
                }
                break;
            };
            let is_first = self.stream.n_folded == 0;
            if !is_first || !self.may_go_on(&error, is_stream, &mut is_version_tried) {
                return Ok(());
            }
        }
        self.follow_task().await?;
        self.check_end()
    }

    pub(super) fn peer(&self) -> Result<&Peer, Trouble> {
        let peer = self.session.peer.as_ref();
        peer.ok_or_else(|| trouble(TroubleKind::BadEvent, "nothing is known of the agent"))
    }

    pub(super) fn wire(&self) -> Result<Wire, Trouble> {
        self.peer().map(|peer| peer.wire.clone())
    }

    /// Says why what came is not the end of an answer.
    pub(super) fn check_end(&self) -> Result<(), Trouble> {
        if let Some(bad) = &self.stream.bad_event {
            return Err(trouble(TroubleKind::BadEvent, bad.clone()));
        }
        if self.stream.error.is_some() || self.stream.fold.is_done() {
            return Ok(());
        }
        let n_events = self.stream.log.len();
        if n_events == 0 {
            let why = "the answer is empty: the server sent no event at all";
            return Err(trouble(TroubleKind::Empty, why));
        }
        if self.stream.n_folded == 0 {
            let why = self
                .stream
                .fold
                .warnings
                .last()
                .cloned()
                .unwrap_or_default();
            let why = format!("the answer holds no event that is known: {why}");
            return Err(trouble(TroubleKind::BadEvent, why));
        }
        let state = self
            .stream
            .fold
            .state()
            .map_or("no state", |state| state.name());
        Err(trouble(
            TroubleKind::Truncated,
            format!(
                "truncated: the stream ended before the task did, after {}; the last state is `{state}`",
                counted(n_events)
            ),
        ))
    }

    pub(super) fn hidden(&self, text: String) -> String {
        self.request.options.auth.hidden(text, self.session.token())
    }

    /// Waits for `future` or the user, whichever comes first.
    pub(super) async fn unless_stopped<T>(
        &self,
        future: impl Future<Output = T>,
    ) -> Result<T, Trouble> {
        tokio::select! {
            biased;
            () = self.request.cancel.cancelled() => Err(trouble(TroubleKind::Cancelled, "interrupted")),
            done = future => Ok(done),
        }
    }

    /// Waits for `future`, the deadline or the user, whichever comes first.
    pub(super) async fn bounded<T>(
        &self,
        until: Instant,
        future: impl Future<Output = T>,
    ) -> Result<T, Trouble> {
        // A body that is always ready would never let `timeout_at` look at the clock.
        if Instant::now() >= until {
            return Err(self.late());
        }
        let done = self.unless_stopped(timeout_at(until, future)).await?;
        done.map_err(|_| self.late())
    }

    pub(super) fn late(&self) -> Trouble {
        let limit = self.request.timeout.as_millis();
        let state = self.stream.fold.state();
        let so_far = match (self.stream.log.len(), state) {
            (0, _) if self.reached => "no event came before".to_owned(),
            (0, _) => "no response came before".to_owned(),
            (n, None) => format!("{} came before", counted(n)),
            (n, Some(state)) => {
                format!(
                    "{} came before, the last state is `{}`",
                    counted(n),
                    state.name()
                )
            }
        };
        trouble(
            TroubleKind::Timeout,
            format!("timeout after {limit}ms (timeout_ms): {so_far}"),
        )
    }

    pub(super) fn elapsed_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

fn counted(n_events: usize) -> String {
    match n_events {
        1 => "1 event".to_owned(),
        n => format!("{n} events"),
    }
}

pub(super) fn trouble(kind: TroubleKind, message: impl Into<String>) -> Trouble {
    Trouble {
        kind,
        message: message.into(),
        refusal: None,
    }
}
