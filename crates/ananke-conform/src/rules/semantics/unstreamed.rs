//! Calls that only a snapshot tells of: they need a result like any other.

use std::collections::BTreeSet;

use serde_json::Value;

use super::calls::{BACKEND_CALL_ANSWERED, is_approval};
use super::held::{answered_by, calls_of, id_of, name_of};
use super::story::{Run, Step, Story};
use crate::exchange::Exchange;
use crate::rule::Findings;

/// Looks at calls that were not streamed, but stand in the last snapshot of a run that ended as success.
pub(super) fn look(
    exchange: &Exchange,
    story: &Story<'_>,
    run: &Run<'_>,
    at: usize,
    found: &mut Findings,
) {
    let mut snapshots = run.steps.iter().filter_map(|told| match told.step {
        Step::Snapshot(messages) => Some(messages),
        _ => None,
    });
    let Some(snapshot) = snapshots.next_back().filter(|_| !is_approval(exchange)) else {
        return;
    };
    // A server may know more of the thread than the request. What stands behind all that was sent is of this run.
    let is_sent =
        |message: &Value| id_of(message).is_some_and(|id| story.held.message(id).is_some());
    let Some(last_sent) = snapshot.iter().rposition(is_sent) else {
        return;
    };
    let mut elsewhere: BTreeSet<&str> = snapshot.iter().filter_map(answered_by).collect();
    elsewhere.extend(story.steps().filter_map(|told| match told.step {
        Step::Call { id, .. } => Some(id),
        Step::Answer { call_id, .. } => Some(call_id),
        _ => None,
    }));
    let offered: BTreeSet<&str> = exchange.offered_tools().into_iter().collect();
    for call in snapshot.iter().skip(last_sent + 1).flat_map(calls_of) {
        let (Some(id), Some(name)) = (id_of(call), name_of(call)) else {
            continue;
        };
        let is_told = story.held.call(id).is_some() || elsewhere.contains(id);
        if !is_told && !offered.contains(name) {
            let message = format!(
                "`{id}`, which only a MESSAGES_SNAPSHOT has, calls `{name}`, which the request does not offer, and the run \
                 ends as success without a result for it"
            );
            found.at(&BACKEND_CALL_ANSWERED, at, message);
        }
    }
}
