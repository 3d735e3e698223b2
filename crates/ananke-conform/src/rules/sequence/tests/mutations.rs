//! One thing wrong with a legal stream is found, and called by its name.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::grammar::{End, Run, runs, told};
use super::{exchange, look};
use crate::rule::Profile;

/// Returns the rules that are broken, each once.
fn rules(events: &[Value]) -> Vec<&'static str> {
    let found = look(&exchange(events), Profile::V1);
    let mut rules: Vec<&str> = Vec::new();
    for found in found.in_order() {
        let rule = found.rule.trim_start_matches("sequence.");
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

fn kind(event: &Value) -> &str {
    event["type"].as_str().unwrap()
}

/// Returns where events that pass are.
fn places(events: &[Value], passes: impl Fn(&Value) -> bool) -> Vec<usize> {
    (0..events.len())
        .filter(|at| passes(&events[*at]))
        .collect()
}

fn is_end(event: &Value) -> bool {
    kind(event).ends_with("_END") || matches!(kind(event), "STEP_FINISHED" | "SUBAGENT_FINISHED")
}

fn is_start(event: &Value) -> bool {
    kind(event).ends_with("_START") || matches!(kind(event), "STEP_STARTED" | "SUBAGENT_STARTED")
}

/// The rule that an item breaks when it is started twice, and when it was never started.
fn of_start(event: &Value) -> (&'static str, &'static str) {
    match kind(event) {
        "TEXT_MESSAGE_START" => ("text-start", "text-open"),
        "TOOL_CALL_START" => ("call-start", "call-open"),
        "REASONING_START" => ("reasoning-span", "reasoning-span"),
        "REASONING_MESSAGE_START" => ("reasoning-message", "reasoning-message"),
        "STEP_STARTED" => ("step", "step"),
        "SUBAGENT_STARTED" => ("subagent-start", "subagent-end"),
        other => panic!("{other} starts nothing"),
    }
}

/// Only ends that clients look at: nothing needs to be closed at `RUN_ERROR`.
fn finished(mut runs: Vec<Run>) -> Vec<Run> {
    for (_, _, end) in &mut runs {
        *end = End::Finished;
    }
    runs
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_end_is_missing(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&finished(runs));
        let ends = places(&events, is_end);
        prop_assume!(!ends.is_empty());
        events.remove(*at.get(&ends));
        prop_assert_eq!(rules(&events), ["open-at-finish"]);
    }

    #[test]
    fn a_start_is_missing(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&runs);
        // A subagent inside it would have an unknown parent too.
        let is_parent = |start: &Value, events: &[Value]| events
            .iter()
            .any(|event| event["parentSubagentRunId"] == start["subagentRunId"]);
        let starts = places(&events, |event| is_start(event)
            && (kind(event) != "SUBAGENT_STARTED" || !is_parent(event, &events)));
        prop_assume!(!starts.is_empty());
        let start = events.remove(*at.get(&starts));
        prop_assert_eq!(rules(&events), [of_start(&start).1]);
    }

    #[test]
    fn a_start_comes_twice(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&runs);
        let starts = places(&events, is_start);
        prop_assume!(!starts.is_empty());
        let start = *at.get(&starts);
        events.insert(start, events[start].clone());
        prop_assert_eq!(rules(&events), [of_start(&events[start]).0]);
    }

    #[test]
    fn content_comes_before_the_start(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&runs);
        let contents = places(&events, |event| kind(event).ends_with("_CONTENT") || kind(event) == "TOOL_CALL_ARGS");
        prop_assume!(!contents.is_empty());
        let content = *at.get(&contents);
        let is_its_start = |event: &Value| kind(event).ends_with("_START")
            && kind(event) != "REASONING_START"
            && event["messageId"] == events[content]["messageId"]
            && event["toolCallId"] == events[content]["toolCallId"];
        let start = (0..content).rev().find(|at| is_its_start(&events[*at])).unwrap();
        let rule = of_start(&events[start]).1;
        let moved = events.remove(content);
        events.insert(start, moved);
        prop_assert_eq!(rules(&events), [rule]);
    }

    #[test]
    fn the_start_of_a_run_is_missing(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&runs);
        let starts = places(&events, |event| kind(event) == "RUN_STARTED");
        let start = *at.get(&starts);
        events.remove(start);
        let next = kind(&events[start]).to_owned();
        let expected: &[&str] = match start.checked_sub(1).map(|before| kind(&events[before])) {
            None if next == "RUN_ERROR" => &[],
            None => &["first-event"],
            Some("RUN_FINISHED") if next == "RUN_ERROR" => &[],
            Some("RUN_FINISHED") => &["after-finish"],
            Some(_) => &["after-error"],
        };
        // Then the first run may be another than the one that was asked for.
        let found: Vec<&str> = rules(&events).into_iter().filter(|rule| *rule != "run-id").collect();
        // An error that takes the place of a run hides that the next event is behind the end.
        if expected.is_empty() {
            prop_assert!(found.iter().all(|rule| *rule == "after-error"), "{found:?}");
        } else {
            prop_assert_eq!(found.first(), expected.first());
        }
    }

    #[test]
    fn the_end_of_a_run_is_missing(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&finished(runs));
        let ends = places(&events, |event| kind(event) == "RUN_FINISHED");
        let end = *at.get(&ends);
        events.remove(end);
        let expected = if end == events.len() { "terminal" } else { "nested-run" };
        prop_assert_eq!(rules(&events), [expected]);
    }

    #[test]
    fn a_run_is_finished_twice(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&finished(runs));
        let ends = places(&events, |event| kind(event) == "RUN_FINISHED");
        let end = *at.get(&ends);
        events.insert(end, events[end].clone());
        prop_assert_eq!(rules(&events), ["after-finish"]);
    }

    #[test]
    fn somebody_else_goes_on(runs in runs(), at in any::<prop::sample::Index>()) {
        let mut events = told(&runs);
        let contents = places(&events, |event| kind(event).ends_with("_CONTENT") || kind(event) == "TOOL_CALL_ARGS");
        prop_assume!(!contents.is_empty());
        events[*at.get(&contents)]["subagentRunId"] = json!("nobody");
        prop_assert_eq!(rules(&events), ["owner"]);
    }

    #[test]
    fn nothing_panics_when_events_are_lost(runs in runs(), keep in proptest::collection::vec(any::<bool>(), 1..50)) {
        let events = told(&runs);
        let kept: Vec<Value> = events
            .into_iter()
            .enumerate()
            .filter(|(at, _)| keep[at % keep.len()])
            .map(|(_, event)| event)
            .collect();
        rules(&kept);
    }
}
