//! A test as it is now: what it says, and what it sends beside that.

use std::sync::Arc;

use ananke_model::agent::SimulatedBy;
use ananke_model::case::{Attachment, Case};
use ananke_model::plan::{PlannedTest, TurnAction};
use ananke_model::recording::Turn;
use ananke_model::result::{CUT_SHORT, TestResult};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;

use super::difference::{Said, both};
use super::{messages, sent};
use crate::session::{Resolved, Stopped, resolve};
use crate::speakers::Sent;

/// What a test says and sends, references resolved.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) name: String,
    pub(super) actions: Vec<Action>,
    pub(super) case: Option<Arc<Case>>,
    /// The files that go with the messages of the first turn.
    attachments: Vec<Attachment>,
    sent: Sent,
    /// Whether a simulator leads the conversation; there is then one action at most.
    is_led: bool,
    /// Who leads it.
    pub(super) by: Option<SimulatedBy>,
}

impl Planned {
    /// Resolves a test.
    pub(super) fn new(test: &PlannedTest, variables: &Variables) -> Result<Self, Stopped> {
        let resolved = resolve(test, variables);
        // Without what is known of the case its other mistakes are told all the same.
        let case = match &resolved {
            Ok(resolved) => resolved.case.as_deref(),
            Err(_) => test.case.as_deref(),
        };
        let sent = Sent::planned(test, case, variables).map_err(Stopped::error);
        match (resolved, sent) {
            (Ok(resolved), Ok(sent)) => {
                let Resolved {
                    name,
                    actions,
                    case,
                    told,
                } = resolved;
                let attachments = match test.turns.first().map(|turn| &turn.action) {
                    Some(TurnAction::Messages(messages)) => messages.attachments.clone(),
                    _ => Vec::new(),
                };
                Ok(Self {
                    name,
                    actions,
                    case,
                    attachments,
                    sent,
                    is_led: test.dynamic.is_some(),
                    by: test
                        .dynamic
                        .as_deref()
                        .map(|dynamic| told.by(&dynamic.simulator.key())),
                })
            }
            (resolved, sent) => {
                let reasons = [resolved.err(), sent.err()];
                Err(Stopped::all(reasons).expect("one of them is there"))
            }
        }
    }

    /// Returns lines that set a turn against a recorded one, if they differ. Turns are counted from 1.
    pub(super) fn difference(&self, number: usize, recorded: &Turn) -> Option<[String; 2]> {
        if self.is_led && self.actions.is_empty() {
            return self.begins_otherwise(number, recorded);
        }
        let action = self.actions.get(number.checked_sub(1)?)?;
        let (now, then) = (Said::planned(action), Said::recorded(recorded));
        if now != then {
            return Some(both(number, now, then));
        }
        let in_messages = || match (action, recorded.requests.first()) {
            // Later requests hold what the agent said, too.
            (Action::Messages(list), Some(body)) if number == 1 => {
                messages::difference(&self.sent, list, &self.attachments, body)
            }
            _ => None,
        };
        let differs =
            in_messages().or_else(|| sent::difference(&self.sent, number, action, recorded))?;
        Some(both(number, differs.now, differs.recorded))
    }

    /// Returns what was otherwise in a conversation that the simulator begins now.
    fn begins_otherwise(&self, number: usize, recorded: &Turn) -> Option<[String; 2]> {
        if number != 1 {
            return None;
        }
        let then = Said::recorded(recorded);
        if recorded.simulated.is_none() {
            return Some(both(number, "what the simulator says", then));
        }
        let said = Action::User(recorded.user.clone().unwrap_or_default());
        let differs = sent::difference(&self.sent, number, &said, recorded)?;
        Some(both(number, differs.now, differs.recorded))
    }

    /// Tells whether a recording is one of this test as it is now. One that ended early, or before its first turn, holds
    /// what there was to record.
    pub(super) fn is_recorded_in(&self, recorded: &TestResult) -> bool {
        if self.is_led {
            let first = recorded.turns.first();
            return first.is_none_or(|judged| self.difference(1, &judged.turn).is_none());
        }
        let (n_recorded, n_now) = (recorded.turns.len(), self.actions.len());
        let ended_early = n_recorded < recorded.n_turns && recorded.n_turns == n_now;
        let is_cut = recorded.reason.as_deref() == Some(CUT_SHORT);
        let mut turns = (1..).zip(&recorded.turns);
        (n_recorded == n_now || ended_early || is_cut)
            && turns.all(|(number, judged)| self.difference(number, &judged.turn).is_none())
    }
}
