//! A client that leaves does not break the server.

use ananke_model::conformance::{Layer, Level};

use crate::case::Case;
use crate::exchange::{Answer, Asked, Ending};
use crate::rule::{Findings, Rule};

static ABORT: Rule = Rule {
    id: "behaviour.abort",
    layer: Layer::Behaviour,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "after a client left a run, the server answers the next request",
    reason: "Users close tabs in the middle of an answer, and that must not stop the server for everybody else.",
    section: "HTTP binding: the consumer closes the connection",
    advice: "Cancel the run when the connection is closed, and free what it holds: locks, the thread, the model's connection.",
    needs: "run that the client left, with a request after it",
};

pub(super) const RULES: &[&Rule] = &[&ABORT];

pub(super) fn look_at_all(case: &Case, found: &mut Findings) {
    for (number, exchange) in case.exchanges.iter().enumerate() {
        // A run that was over before we could leave shows nothing.
        let was_left = matches!(exchange.answer.ending, Ending::GivenUp(_));
        if exchange.asked != Asked::Abort || !was_left {
            continue;
        }
        let mut later = case.exchanges.iter().skip(number + 1);
        let Some(next) = later.find(|next| matches!(next.asked, Asked::Run | Asked::Resume(_)))
        else {
            continue;
        };
        found.enter(number);
        match trouble(&next.answer) {
            Some(trouble) => {
                let message = format!(
                    "after the client left this run, the next request (`{}`, {}) {trouble}",
                    next.scenario, next.step
                );
                found.whole(&ABORT, message);
            }
            None if next.answer.status.is_some() => found.saw(&ABORT),
            None => {}
        }
    }
}

fn trouble(answer: &Answer) -> Option<String> {
    match (&answer.ending, answer.status) {
        (Ending::NoAnswer(why), _) => Some(format!("got no answer: {why}")),
        (_, Some(status)) if status >= 500 => Some(format!("got the status {status}")),
        _ => {
            let why = answer.unended()?;
            Some(format!("got no end: {why}"))
        }
    }
}
