//! By what two results can be compared. Two targets may show different things of the same behavior: what one of them never
//! shows says nothing about the other.

use serde_json::Value;

use super::side::{SideTest, SideTurn};

/// What counts as behavior between two sides of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    /// Whether both sides asked the same target: events, white space and the words of errors count too.
    pub(super) is_same_target: bool,
    /// Whether tool calls count.
    pub(super) calls: bool,
    /// Whether the shared state counts.
    pub(super) states: bool,
    /// Whether results of tools count.
    pub(super) results: bool,
    /// Whether interrupts count.
    pub(super) interrupts: bool,
    /// Whether states of tasks count.
    pub(super) tasks: bool,
}

impl Measure {
    /// Everything counts.
    pub(super) const FULL: Self = Self {
        is_same_target: true,
        calls: true,
        states: true,
        results: true,
        interrupts: true,
        tasks: true,
    };

    /// Returns what counts between the results of two sides: of two targets, what both show at all.
    pub(super) fn between(a: &[&SideTest], b: &[&SideTest]) -> Self {
        let is_same = a.iter().zip(b).all(|(a, b)| !are_other_targets(a, b));
        if is_same {
            return Self::FULL;
        }
        let both = |shows: &dyn Fn(&SideTurn) -> bool| {
            let any = |tests: &[&SideTest]| tests.iter().flat_map(|test| &test.turns).any(shows);
            any(a) && any(b)
        };
        Self {
            is_same_target: false,
            calls: hides_calls(a).is_none() && hides_calls(b).is_none(),
            states: both(&|turn| !is_nothing(&turn.state)),
            results: both(&|turn| {
                let mut calls = turn.calls.iter();
                calls.any(|call| call.result.is_some() || call.error.is_some())
            }),
            interrupts: both(&|turn| !turn.interrupts.is_empty()),
            tasks: both(&|turn| turn.task.is_some()),
        }
    }
}

/// Returns why these results show no tool call, if that says nothing about the agent.
pub(super) fn hides_calls<'t>(tests: &[&'t SideTest]) -> Option<&'t str> {
    let turns = || tests.iter().flat_map(|test| &test.turns);
    let has_calls = turns().any(|turn| !turn.calls.is_empty());
    let mut reasons = turns().filter_map(|turn| turn.no_calls_because.as_deref());
    reasons.next().filter(|_| !has_calls)
}

/// Tells whether two results are of targets with different names. An address may change from run to run with the same agent
/// behind it, so a target without a name is never another one.
pub(super) fn are_other_targets(a: &SideTest, b: &SideTest) -> bool {
    is_name(&a.target) && is_name(&b.target) && a.target != b.target
}

/// Tells whether this names a target; one without a name is shown by its address.
pub(super) fn is_name(target: &str) -> bool {
    !target.is_empty() && !target.contains("://")
}

fn is_nothing(state: &Value) -> bool {
    match state {
        Value::Null => true,
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
