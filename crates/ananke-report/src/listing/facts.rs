//! Facts about planned tests that several listings show.

use ananke_model::plan::{PlannedTest, Protocol, Target};

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
        (None, Protocol::Agui(agui)) => &agui.endpoint.text,
    }
}
