//! A test as it is now: what it says, and what it sends beside that.

use std::sync::Arc;

use ananke_model::case::{Attachment, Case};
use ananke_model::plan::{PlannedTest, TurnAction};
use ananke_model::recording::Turn;
use ananke_model::result::{CUT_SHORT, TestResult};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;

use super::difference::{Said, both};
use super::messages;
use super::sent::{Sent, input};
use crate::session::{Resolved, Stopped, resolve};

/// What a test says and sends, references resolved.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) name: String,
    pub(super) actions: Vec<Action>,
    pub(super) case: Option<Arc<Case>>,
    /// The files that go with the messages of the first turn.
    attachments: Vec<Attachment>,
    sent: Sent,
}

impl Planned {
    /// Resolves a test.
    pub(super) fn new(test: &PlannedTest, variables: &Variables) -> Result<Self, Stopped> {
        match (resolve(test, variables), Sent::planned(test, variables)) {
            (Ok(resolved), Ok(sent)) => {
                let Resolved {
                    name,
                    actions,
                    case,
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
        let action = self.actions.get(number.checked_sub(1)?)?;
        let (now, then) = (Said::planned(action), Said::recorded(recorded));
        if now != then {
            return Some(both(number, now, then));
        }
        let in_messages = || match (action, recorded.requests.first()) {
            // Later requests hold what the agent said, too.
            (Action::Messages(list), Some(body)) if number == 1 => {
                messages::difference(list, &self.attachments, &input(body)["messages"])
            }
            _ => None,
        };
        let differs = in_messages().or_else(|| self.sent.difference(number, action, recorded))?;
        Some(both(number, differs.now, differs.recorded))
    }

    /// Tells whether a recording is one of this test as it is now. One that ended early, or before its first turn, holds
    /// what there was to record.
    pub(super) fn is_recorded_in(&self, recorded: &TestResult) -> bool {
        let (n_recorded, n_now) = (recorded.turns.len(), self.actions.len());
        let ended_early = n_recorded < recorded.n_turns && recorded.n_turns == n_now;
        let is_cut = recorded.reason.as_deref() == Some(CUT_SHORT);
        let mut turns = (1..).zip(&recorded.turns);
        (n_recorded == n_now || ended_early || is_cut)
            && turns.all(|(number, judged)| self.difference(number, &judged.turn).is_none())
    }
}
