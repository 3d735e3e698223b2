//! `task.state`: the last state of the task is one of these.

use ananke_model::recording::TaskRecord;

use crate::evidence::Evidence;
use crate::shown::{listed, shorten};
use crate::tasks::last_state;
use crate::verdict::Verdict;

/// Demands a state.
#[derive(Clone, Debug)]
pub(super) struct TaskState {
    /// The states of which one is enough.
    pub(super) states: Vec<String>,
}

impl TaskState {
    /// Judges the evidence: over a whole test, the last task counts.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let (record, state) = last_state(evidence)?;
        let actual = format!("{}{}", shorten(state), before(record));
        if self.states.iter().any(|wanted| wanted == state) {
            return Ok(Verdict::passed(actual));
        }
        let said = record.error.iter();
        let said = said.map(|error| format!("the agent says: {}", shorten(&error.message)));
        let waits = match state {
            "input-required" => Some("the agent waits for an answer, which a further turn gives"),
            "auth-required" => Some("the agent waits for credentials"),
            _ => None,
        };
        Ok(Verdict::failed(actual)
            .details(said)
            .details(waits.map(str::to_owned)))
    }
}

/// Returns the states that came before the last one: ` (after submitted, working)`.
fn before(record: &TaskRecord) -> String {
    let earlier = record.states.split_last().map_or(&[][..], |(_, rest)| rest);
    if earlier.is_empty() {
        return String::new();
    }
    let states = listed(earlier.iter().map(|one| shorten(&one.state).into_owned()));
    format!(" (after {})", states.join(", "))
}
