//! `task.states`: these states came one after another; others may stand between them.

use crate::evidence::Evidence;
use crate::shown::{listed, shorten};
use crate::tasks::{no_task, records};
use crate::verdict::Verdict;

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
        let mut left = seen.iter();
        let mut found: Option<&String> = None;
        for wanted in &self.states {
            if !left.any(|state| state == wanted) {
                let missing = match found {
                    Some(before) => format!("{wanted} did not come after {before}"),
                    None => format!("{wanted} did not come"),
                };
                return Ok(Verdict::failed(actual).details([missing]));
            }
            found = Some(wanted);
        }
        Ok(Verdict::passed(actual))
    }
}
