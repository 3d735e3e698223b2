//! `task.states`: these states came one after another; others may stand between them.

use ananke_model::recording::TaskRecord;

use crate::evidence::Evidence;
use crate::shown::{listed, shorten};
use crate::tasks::{no_task, records};
use crate::verdict::Verdict;

/// States that a task only passes through.
const ON_THE_WAY: [&str; 2] = ["submitted", "working"];

/// Demands states in an order.
#[derive(Clone, Debug)]
pub(super) struct TaskStates {
    /// The states, first to last.
    pub(super) states: Vec<String>,
}

impl TaskStates {
    /// Says what is demanded.
    pub(super) fn expected(&self) -> String {
        match self.states.as_slice() {
            [only] => format!("the state {only}"),
            states => format!("the states {}", states.join(", then ")),
        }
    }

    /// Judges the evidence: over a whole test, the states of all turns laid end to end.
    pub(super) fn judge(&self, evidence: &Evidence<'_>) -> Result<Verdict, Verdict> {
        let records = records(evidence)?;
        let changes = records.iter().flat_map(|record| &record.states);
        let seen: Vec<&str> = changes.map(|change| change.state.as_str()).collect();
        if seen.is_empty() {
            return Err(no_task(&records));
        }
        let actual = listed(seen.iter().map(|state| shorten(state).into_owned())).join(", ");
        let was_streamed = |record: &&TaskRecord| {
            let spoken = record.spoken.as_ref();
            spoken.is_none_or(|spoken| spoken.streamed)
        };
        let are_all_shown = records.iter().all(was_streamed);
        let mut left = seen.iter();
        let mut found: Option<&String> = None;
        let mut unseen = None;
        for wanted in &self.states {
            let mut ahead = left.clone();
            if ahead.any(|state| state == wanted) {
                left = ahead;
                found = Some(wanted);
                continue;
            }
            let missing = match found {
                Some(before) => format!("{wanted} did not come after {before}"),
                None => format!("{wanted} did not come"),
            };
            if are_all_shown || !ON_THE_WAY.contains(&wanted.as_str()) {
                return Ok(Verdict::failed(actual).details([missing]));
            }
            unseen = Some(missing);
        }
        if let Some(missing) = unseen {
            let why = "without a stream only the state in which the task is left can be seen";
            return Ok(Verdict::inconclusive(actual).details([missing, why.to_owned()]));
        }
        Ok(Verdict::passed(actual))
    }
}
