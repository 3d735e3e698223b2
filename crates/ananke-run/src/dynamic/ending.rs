//! How a conversation ends without another turn. The recording keeps it as the reason of the result: nothing else tells
//! what a simulator did last.

use ananke_model::recording::TurnStatus;
use ananke_model::result::{INTERRUPTED, TestResult, TestStatus};

use crate::session::Stopped;

/// How the reason begins if the simulator thinks that its goal is achieved, and it is not.
const MISSING: &str = "missing checkpoints: ";
/// How the reason begins if there were too many turns.
pub(super) const MAX_TURNS: &str = "max turns ";
/// How the reason begins if the simulator could not be asked.
const ERROR: &str = "simulator error: ";
/// How the reason begins if the simulator answers something else than was agreed.
const BREACH: &str = "the simulator broke its contract: ";
/// How the reason begins if the case took too long.
const TIMEOUT: &str = "timeout after ";
/// How the reason begins if the user stopped the run while the simulator was asked, and while a judge was.
const STOPPED: [&str; 2] = ["simulator: ", "judge: "];

/// How a recorded conversation ended after its last turn, if it was not the turn that ended it.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The simulator thought that its goal is achieved; with what it said about it.
    Goal(Vec<String>),
    /// There was no next message, for this reason.
    Stopped(Stopped),
}

impl Ending {
    /// Returns how a recorded conversation ended.
    pub(crate) fn of(recorded: &TestResult) -> Option<Self> {
        let reason = recorded.reason.clone()?;
        let status = recorded.status;
        let begins = |words: &str| reason.starts_with(words);
        let details = recorded.reason_details.clone();
        if status == TestStatus::Failed && begins(MISSING) {
            return Some(Self::Goal(details));
        }
        let is_known = match status {
            TestStatus::Error => begins(ERROR),
            TestStatus::Inconclusive => begins(BREACH),
            TestStatus::Timeout => begins(TIMEOUT),
            TestStatus::Skipped => STOPPED.into_iter().any(begins),
            TestStatus::Passed | TestStatus::Failed => false,
        };
        is_known.then_some(Self::Stopped(Stopped {
            status,
            reason,
            details,
        }))
    }
}

/// Says that checkpoints were not reached, and what the simulator said about it.
pub(super) fn missing(ids: &[&str], reasoning: Option<&str>) -> Stopped {
    goal(ids, reasoning.map(reasoning_line).into_iter().collect())
}

/// Says that checkpoints were not reached though the simulator thinks that its goal is achieved.
pub(crate) fn goal(missing: &[&str], details: Vec<String>) -> Stopped {
    Stopped {
        status: TestStatus::Failed,
        reason: format!("{MISSING}{}", missing.join(", ")),
        details,
    }
}

/// Returns the line that repeats what a simulator said about itself.
pub(crate) fn reasoning_line(reasoning: &str) -> String {
    format!("the simulator: {reasoning}")
}

/// Says that the simulator could not be asked.
pub(crate) fn simulator_error(message: &str) -> Stopped {
    Stopped::error(format!("{ERROR}{message}"))
}

/// Says that the simulator answered something else than was agreed.
pub(crate) fn breach(why: &str, reply: Option<&str>) -> Stopped {
    Stopped {
        status: TestStatus::Inconclusive,
        reason: format!("{BREACH}{why}"),
        details: reply
            .map(|reply| format!("its reply: {reply}"))
            .into_iter()
            .collect(),
    }
}

/// Says that the user stopped the run while the simulator was asked.
pub(crate) fn interrupted() -> Stopped {
    stopped_while(STOPPED[0])
}

/// Says that the user stopped the run while a judge was asked.
pub(crate) fn judge_interrupted() -> Stopped {
    stopped_while(STOPPED[1])
}

fn stopped_while(asked: &str) -> Stopped {
    Stopped {
        status: TestStatus::Skipped,
        reason: format!("{asked}{INTERRUPTED}"),
        details: Vec::new(),
    }
}

/// Returns why a recorded test ended while judges were asked, if it did: its last turn did not.
pub(crate) fn cut_short(recorded: &TestResult) -> Option<Stopped> {
    let last = recorded.turns.last()?;
    let reason = recorded.reason.clone()?;
    let is_cut = match recorded.status {
        TestStatus::Timeout => reason.starts_with(TIMEOUT),
        TestStatus::Skipped => reason.starts_with(STOPPED[1]),
        _ => false,
    };
    let is_broken = matches!(last.turn.status, TurnStatus::Broken(_));
    (is_cut && !is_broken).then(|| Stopped {
        status: recorded.status,
        reason,
        details: recorded.reason_details.clone(),
    })
}
