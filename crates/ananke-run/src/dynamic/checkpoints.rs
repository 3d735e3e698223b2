//! Which checkpoints are reached, turn by turn.

use ananke_assert::{BudgetExceeded, CompiledBlock, compile};
use ananke_model::agent::{Checkpoint, CheckpointResult, Dynamic};
use ananke_model::diagnostic::Diagnostic;
use ananke_model::recording::{Turn, TurnStatus};
use ananke_model::result::{CheckResult, Outcome, TestStatus};
use ananke_model::variables::Variables;

use super::ending::{MAX_TURNS, missing};
use crate::session::Stopped;

/// The checkpoints of a conversation, and how far it has come.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    /// As written.
    all: Vec<State>,
    /// The order in which they are looked at: as written, but each behind those that it comes after.
    order: Vec<usize>,
    max_turns: usize,
    /// The turn that is looked at, counted from 1.
    number: usize,
    /// How many of `order` have been looked at in this turn.
    n_seen: usize,
    /// Whether this turn's error is what a checkpoint wants.
    is_error_wanted: bool,
    /// The first required one that could not be decided.
    undecided: Option<usize>,
}

#[derive(Debug)]
struct State {
    result: CheckpointResult,
    block: CompiledBlock,
    /// Positions of those that it comes after.
    after: Vec<usize>,
}

impl State {
    fn is_reached(&self) -> bool {
        self.result.reached_at_turn.is_some()
    }
}

impl Checkpoints {
    /// Makes the blocks of all checkpoints ready.
    pub(crate) fn compile(
        dynamic: &Dynamic,
        variables: &Variables,
    ) -> Result<Self, Vec<Diagnostic>> {
        let planned = &dynamic.checkpoints;
        let position = |id: &String| planned.iter().position(|one| one.id == *id);
        let mut mistakes = Vec::new();
        let mut all = Vec::with_capacity(planned.len());
        for one in planned {
            match compile(&one.block, variables) {
                Ok(block) => all.push(State {
                    result: unreached(one),
                    block,
                    after: one.after.iter().filter_map(position).collect(),
                }),
                Err(found) => mistakes.extend(found),
            }
        }
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        Ok(Self {
            order: order(&all),
            all,
            max_turns: dynamic.max_turns as usize,
            number: 1,
            n_seen: 0,
            is_error_wanted: false,
            undecided: None,
        })
    }

    /// Returns the block of the next checkpoint that `turn` may reach; nothing once all have been looked at. What judges
    /// have to say about it has to be in the turn before [`Self::judge`] goes on.
    pub(crate) fn next(&mut self, turn: &Turn) -> Option<&CompiledBlock> {
        if self.undecided.is_some() {
            return None;
        }
        while let Some(at) = self.order.get(self.n_seen) {
            let state = &self.all[*at];
            let is_due = !state.is_reached()
                && state
                    .after
                    .iter()
                    .all(|before| self.all[*before].is_reached())
                && match turn.status {
                    TurnStatus::Finished => true,
                    // An answer that broke off halfway is no evidence of anything else.
                    TurnStatus::RunError { .. } => state.block.expects_error(turn),
                    TurnStatus::Broken(_) => false,
                };
            if is_due {
                return Some(&self.all[*at].block);
            }
            self.n_seen += 1;
        }
        None
    }

    /// Judges the checkpoint that [`Self::next`] returned.
    pub(crate) fn judge(&mut self, turn: &Turn) {
        let Some(at) = self.order.get(self.n_seen).copied() else {
            return;
        };
        self.n_seen += 1;
        let state = &mut self.all[at];
        let mut checks = state.block.judge_turn(turn);
        // An optional one that cannot be decided stays pending too: the case does not depend on it.
        let undecided = state.result.required.then_some(at);
        if checks.iter().any(is_given_up) {
            self.undecided = undecided;
        } else if checks.iter().any(CheckResult::is_failure) {
            // It stays pending.
        } else if checks.iter().all(|check| check.outcome == Outcome::Passed) && !checks.is_empty()
        {
            state.result.reached_at_turn = Some(self.number);
            self.is_error_wanted |= state.block.expects_error(turn);
            // A text is what it is once the turn is over: then the turn's end is what tells.
            let end = turn.events.len().checked_sub(1);
            for check in &mut checks {
                check.event = check.event.or(end);
            }
        } else {
            self.undecided = undecided;
        }
        state.result.checks = checks;
    }

    /// Judges what is left to be judged in `turn`, and tells whether its error, if it has one, is wanted.
    pub(crate) fn finish(&mut self, turn: &Turn) -> bool {
        while self.next(turn).is_some() {
            self.judge(turn);
        }
        self.is_error_wanted
    }

    /// Goes on to the next turn; tells how the conversation ends if it does: well, or with this reason.
    pub(crate) fn end_turn(&mut self, turn: &Turn) -> Option<Result<(), Stopped>> {
        let number = self.number;
        self.number += 1;
        self.n_seen = 0;
        self.is_error_wanted = false;
        let left = self.missing();
        if left.is_empty() {
            return Some(Ok(()));
        }
        if let Some(at) = self.undecided {
            return Some(Err(undecided(&self.all[at].result)));
        }
        let simulated = turn.simulated.as_ref();
        if let Some(goal) = simulated.filter(|simulated| simulated.goal_achieved) {
            return Some(Err(missing(&left, goal.reasoning.as_deref())));
        }
        if number >= self.max_turns {
            let max = self.max_turns;
            let stopped = Stopped {
                status: TestStatus::Failed,
                reason: format!("{MAX_TURNS}({max}) exceeded"),
                details: Vec::new(),
            };
            return Some(Err(stopped.details([missing(&left, None).reason])));
        }
        None
    }

    /// Returns the ids of those that are required and not reached.
    pub(crate) fn missing(&self) -> Vec<&str> {
        let missing = |state: &&State| state.result.required && !state.is_reached();
        let states = self.all.iter().filter(missing);
        states.map(|state| state.result.id.as_str()).collect()
    }

    /// Returns the ids of those that are reached, or of those that are not.
    pub(crate) fn ids(&self, is_reached: bool) -> Vec<&str> {
        let states = self.all.iter();
        let states = states.filter(|state| state.is_reached() == is_reached);
        states.map(|state| state.result.id.as_str()).collect()
    }

    /// Returns the turn that comes next, counted from 1.
    pub(crate) fn turn_number(&self) -> usize {
        self.number
    }

    /// Returns after how many turns the case has failed.
    pub(crate) fn max_turns(&self) -> usize {
        self.max_turns
    }

    /// Returns what came of all of them, as written.
    pub(crate) fn into_results(self) -> Vec<CheckpointResult> {
        self.all.into_iter().map(|state| state.result).collect()
    }
}

fn unreached(checkpoint: &Checkpoint) -> CheckpointResult {
    CheckpointResult {
        id: checkpoint.id.clone(),
        description: checkpoint.description.clone(),
        required: checkpoint.required,
        reached_at_turn: None,
        checks: Vec::new(),
    }
}

/// Returns the positions so that each stands behind those that it comes after, and otherwise as written.
fn order(all: &[State]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(all.len());
    while order.len() < all.len() {
        let is_ready = |at: &usize| {
            let is_placed = |at: &usize| order.contains(at);
            !is_placed(at) && all[*at].after.iter().all(is_placed)
        };
        let ready = (0..all.len()).find(is_ready);
        // A plan has no circles. If it had, nothing in them could be reached.
        let Some(ready) = ready else { break };
        order.push(ready);
    }
    order
}

/// Tells whether a check could not be carried out, which it says by failing.
fn is_given_up(check: &CheckResult) -> bool {
    check.is_failure() && check.actual == BudgetExceeded.to_string()
}

/// Says that a checkpoint could be neither reached nor missed.
fn undecided(result: &CheckpointResult) -> Stopped {
    let is_open =
        |check: &&CheckResult| is_given_up(check) || check.outcome == Outcome::Inconclusive;
    let open = result.checks.iter().find(is_open);
    let (why, details) = match open {
        Some(check) => (
            format!("{}: {}", check.check, check.actual),
            check.details.clone(),
        ),
        None => ("it has no check".to_owned(), Vec::new()),
    };
    let status = match open {
        Some(check) if check.is_failure() => TestStatus::Error,
        _ => TestStatus::Inconclusive,
    };
    Stopped {
        status,
        reason: format!("checkpoint {} failed: {why}", result.id),
        details,
    }
}
