//! Facts about planned tests that several listings show.

use ananke_model::plan::{PlannedTest, Target};

use crate::count::count;
use crate::naming::shown_name;
use crate::style::Style;

/// Returns the name of a test, escaped; what it asks if it is a case without a name.
pub(super) fn name(test: &PlannedTest, style: &Style) -> String {
    shown_name(&test.name.text, test.case.as_deref(), style)
}

/// Returns how much a test says to the agent: `2 turns`, or `3 messages` for a case.
pub(super) fn said(test: &PlannedTest) -> String {
    match &test.case {
        Some(case) => count(case.n_messages, "message"),
        None => count(test.turns.len(), "turn"),
    }
}

/// Returns how many checks a test will make.
pub(super) fn n_checks(test: &PlannedTest) -> usize {
    let of_turns = test.turns.iter().filter_map(|turn| turn.block.as_ref());
    of_turns
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
