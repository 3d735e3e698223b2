//! One turn of a live session: wait for its turn, send, and send again if the agent was busy and that is wanted.

use std::time::Duration;

use ananke_model::plan::PlannedTurn;
use ananke_model::recording::{TroubleKind, Turn, TurnStatus};
use ananke_protocol::agui::{Action, Conversation};
use tokio::time::Instant;

use super::attachments::keep_short;
use super::backoff::{Backoff, Decision, refusal};
use super::limit;
use super::run_test::Session;
use crate::speakers::{Bounds, Speaker};

/// How a limit is named that is neither that of a turn nor that of a test.
const CONNECTING: &str = "(connect_timeout_ms)";

impl Session<'_> {
    /// Runs one turn on `conversation`. Waiting is neither the test's time nor the turn's. If the agent was too busy, also
    /// says why it was not waited for: that is no part of what the agent said.
    pub(super) async fn run_turn(
        &mut self,
        speaker: &Speaker,
        planned: &PlannedTurn,
        action: &Action,
        conversation: &mut Conversation,
    ) -> (Turn, Option<String>) {
        let context = self.context;
        let own = self.test.target.backoff_ms.map(Duration::from_millis);
        let limit = own.or(context.world.backoff);
        let before = limit.map(|_| conversation.clone());
        let mut backoff = Backoff::new(limit);
        loop {
            let since = Instant::now();
            let sending = context.pace.enter(self.group, &context.world.cancel).await;
            if let Some(rate) = &context.world.rate {
                rate.wait(&context.world.cancel).await;
            }
            self.waited += since.elapsed();
            let action = action.clone();
            let mut turn = self.send(speaker, planned, action, conversation).await;
            let Some(refusal) = refusal(&turn) else {
                if !matches!(turn.status, TurnStatus::Broken(_)) {
                    context.pace.succeeded(self.group);
                }
                turn.warnings.extend(backoff.warning());
                return (turn, None);
            };
            match (backoff.refused(refusal), &before) {
                (Decision::Wait(wait), Some(before)) => {
                    context.pace.refused(self.group, wait);
                    drop(sending);
                    let since = Instant::now();
                    tokio::select! {
                        // The turn then ends as interrupted.
                        () = context.world.cancel.cancelled() => {}
                        () = tokio::time::sleep(wait) => {}
                    }
                    self.waited += since.elapsed();
                    conversation.clone_from(before);
                }
                (Decision::Wait(_), None) => return (turn, None),
                (Decision::GiveUp(why), _) => return (turn, Some(why)),
            }
        }
    }

    async fn send(
        &self,
        speaker: &Speaker,
        planned: &PlannedTurn,
        action: Action,
        conversation: &mut Conversation,
    ) -> Turn {
        let own = limit::of_turn(self.test, planned);
        let is_long = matches!(action, Action::Messages(_) | Action::Send(_));
        let whole = self.deadline().saturating_duration_since(Instant::now());
        let bounds = Bounds {
            timeout: own.min(whole),
            whole,
            unix_ms: (self.context.world.unix_ms)(),
            cancel: &self.context.world.cancel,
        };
        let mut turn = speaker.turn(action, conversation, bounds).await;
        if is_long {
            keep_short(&mut turn);
        }
        if let TurnStatus::Broken(trouble) = &mut turn.status
            && trouble.kind == TroubleKind::Timeout
            && !trouble.message.contains(CONNECTING)
        {
            let is_whole = bounds.timeout < own || Instant::now() >= self.deadline();
            let limit = if is_whole { self.limit() } else { own };
            if self.test.case.is_some() {
                trouble.message = limit::case_timeout(limit);
            } else if is_whole {
                trouble.message = limit::test_timeout(limit);
            }
        }
        turn
    }
}
