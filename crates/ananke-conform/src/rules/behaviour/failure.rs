//! A run that fails says so.

use ananke_model::conformance::{Layer, Level};

use crate::exchange::{Asked, Exchange, Observed};
use crate::rule::{Findings, Rule};
use crate::rules::semantics::run::{Outcome, runs};

static REPORTED: Rule = Rule {
    id: "behaviour.error-reported",
    layer: Layer::Behaviour,
    // An agent that does not understand the prompt may have nothing to say: so it is no more than advice.
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "a run that fails ends with RUN_ERROR, or is refused with an HTTP error",
    reason: "A client that reads success, or nothing at all, shows an empty answer and tells nobody that something went wrong.",
    section: "Run lifecycle: RUN_ERROR; HTTP binding, failures",
    advice: "Catch what the agent throws, send RUN_ERROR with a message, and close the body.",
    needs: "run that fails",
};

pub(super) const RULES: &[&Rule] = &[&REPORTED];

/// Kinds of events that show that the agent said or did something.
const CONTENT: [&str; 8] = [
    "TEXT_MESSAGE_",
    "TOOL_CALL_",
    "REASONING_",
    "STATE_",
    "MESSAGES_",
    "ACTIVITY_",
    "CUSTOM",
    "SUBAGENT_",
];

pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let answer = &exchange.answer;
    if exchange.asked != Asked::Error {
        return;
    }
    if answer.status.is_some_and(|status| status >= 400) {
        found.saw(&REPORTED);
        return;
    }
    if !answer.is_stream() {
        return;
    }
    let runs = runs(answer);
    let run = runs.last();
    // A stream that just ends is told by the rules of sequence.
    let Some(end) = run.and_then(|run| run.end()) else {
        return;
    };
    match end.outcome {
        Outcome::Error(_) => found.saw(&REPORTED),
        // An agent that answers has not failed: the scenario was not shown.
        Outcome::Success if run.is_some_and(|run| !run.events.iter().any(says_something)) => {
            let message = "the run was to fail, and it finished as success without a word";
            found.at(&REPORTED, end.at, message);
        }
        Outcome::Success | Outcome::Interrupt(_) | Outcome::Cancelled | Outcome::Unreadable => {}
    }
}

fn says_something(event: &Observed) -> bool {
    let kind = event.kind().unwrap_or_default();
    CONTENT.iter().any(|beginning| kind.starts_with(beginning)) || event.get("result").is_some()
}
