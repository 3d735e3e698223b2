//! Facts about planned tests that several listings show.

use ananke_model::agent::Dynamic;
use ananke_model::plan::{PlannedTest, Target};

use crate::count::count;
use crate::escape::cut;
use crate::naming::shown_name;
use crate::style::Style;

/// How much is shown of what a simulator is after.
const GOAL_CHARS: usize = 50;

/// Returns the name of a test, escaped; what it asks if it is a case without a name.
pub(super) fn name(test: &PlannedTest, style: &Style) -> String {
    let name = shown_name(&test.name.text, test.case.as_deref(), style);
    match &test.dynamic {
        Some(dynamic) if name.is_empty() => cut(goal(dynamic), GOAL_CHARS, style.ellipsis()),
        _ => name,
    }
}

/// Returns what a simulator is after, in as few words as there are.
fn goal(dynamic: &Dynamic) -> &str {
    let first = dynamic.input.as_ref().map(|input| input.text.as_str());
    let metadata = dynamic.simulator.metadata.as_ref();
    let goal = || metadata?.value.get("goal")?.as_str();
    first.or_else(goal).unwrap_or("led by a simulator")
}

/// Returns how much a test says to the agent: `2 turns`, or `3 messages` for a case; `dynamic, 3 checkpoints` if that is up
/// to a simulator.
pub(super) fn said(test: &PlannedTest) -> String {
    match &test.case {
        _ if test.dynamic.is_some() => {
            let dynamic = test.dynamic.iter();
            let n_checkpoints: usize = dynamic.map(|dynamic| dynamic.checkpoints.len()).sum();
            format!("dynamic, {}", count(n_checkpoints, "checkpoint"))
        }
        Some(case) => count(case.n_messages, "message"),
        None => count(test.turns.len(), "turn"),
    }
}

/// Returns how many checks a test will make.
pub(super) fn n_checks(test: &PlannedTest) -> usize {
    let of_turns = test.turns.iter().filter_map(|turn| turn.block.as_ref());
    let dynamic = test.dynamic.iter();
    let checkpoints = dynamic.flat_map(|dynamic| &dynamic.checkpoints);
    of_turns
        .chain(checkpoints.map(|checkpoint| &checkpoint.block))
        .chain([&test.block])
        .map(|block| block.demands.len())
        .sum()
}

/// Returns the name of a target, or where it is if it has none.
pub(super) fn target(target: &Target) -> &str {
    match (&target.name, &target.protocol) {
        (Some(name), _) => name,
        (None, protocol) => protocol.address().map_or("script", |address| &address.text),
    }
}
