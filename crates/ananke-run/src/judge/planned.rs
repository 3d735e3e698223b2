//! A test as it is now: what it says, and what it sends beside that.

use ananke_model::plan::PlannedTest;
use ananke_model::recording::Turn;
use ananke_model::result::{CUT_SHORT, TestResult};
use ananke_model::variables::Variables;
use ananke_protocol::agui::Action;

use super::difference::{Said, both};
use super::sent::Sent;
use crate::session::{Resolved, Stopped, resolve};

/// What a test says and sends, references resolved.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) name: String,
    pub(super) actions: Vec<Action>,
    sent: Sent,
}

impl Planned {
    /// Resolves a test.
    pub(super) fn new(test: &PlannedTest, variables: &Variables) -> Result<Self, Stopped> {
        match (resolve(test, variables), Sent::planned(test, variables)) {
            (Ok(Resolved { name, actions }), Ok(sent)) => Ok(Self {
                name,
                actions,
                sent,
            }),
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
        let differs = self.sent.difference(number, action, recorded)?;
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
