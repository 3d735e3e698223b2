//! What an ananke run recorded: every turn with its requests and events.

use ananke_model::recording::{Trouble, TroubleKind, Turn, TurnStatus};
use ananke_model::result::TestResult;
use ananke_store::Bundle;
use serde_json::Value;

use super::file::exchange;
use crate::case::Case;
use crate::exchange::{Answer, Ending, Exchange, Framing, Observed};

/// Reads the turns of a bundle. Turns with agents that speak no AG-UI are left out, and counted in a note.
pub fn from_bundle(shown: &str, bundle: &Bundle) -> Result<Case, String> {
    let mut exchanges = Vec::new();
    let mut n_other = 0;
    for result in bundle.recorded() {
        for (number, turn) in result.turns.iter().enumerate() {
            let before = exchanges.len();
            turn_exchanges(result, number, &turn.turn, &mut exchanges);
            n_other += usize::from(exchanges.len() == before);
        }
    }
    if exchanges.is_empty() {
        return Err("it holds no turn with an agent that speaks AG-UI".to_owned());
    }
    let notes = (n_other > 0)
        .then(|| format!("{n_other} turns were left out: they are no recorded AG-UI runs"));
    Ok(Case {
        subject: shown.to_owned(),
        exchanges,
        notes: notes.into_iter().collect(),
        ..Case::default()
    })
}

fn turn_exchanges(result: &TestResult, number: usize, turn: &Turn, out: &mut Vec<Exchange>) {
    let requests: Vec<&Value> = turn.requests.iter().filter_map(run_input).collect();
    if requests.is_empty() || turn.kind == "agui:connect" {
        return;
    }
    let mut bodies = split(turn, &requests);
    let n_bodies = bodies.len();
    for (part, (request, events)) in requests.into_iter().zip(bodies.drain(..)).enumerate() {
        let mut step = format!("{}, turn {}", result.short_id(), number + 1);
        if n_bodies > 1 {
            step = format!("{step}, request {}", part + 1);
        }
        let answer = Answer {
            events,
            ..Answer::default()
        };
        let mut exchange = exchange(step, Some(request.clone()), answer);
        if let (TurnStatus::Broken(trouble), true) = (&turn.status, part + 1 == n_bodies) {
            broken(&mut exchange.answer, trouble);
        }
        out.push(exchange);
    }
}

/// Says what is known of an answer that did not come to its end.
fn broken(answer: &mut Answer, trouble: &Trouble) {
    let message = trouble.message.clone();
    match trouble.kind {
        TroubleKind::Unreachable => {
            answer.framing = Framing::None;
            answer.ending = Ending::NoAnswer(message);
        }
        TroubleKind::Transport if answer.events.is_empty() => {
            answer.framing = Framing::None;
            answer.ending = Ending::NoAnswer(message);
        }
        TroubleKind::Transport => answer.ending = Ending::Broken(message),
        TroubleKind::Redirect | TroubleKind::HttpStatus | TroubleKind::ContentType => {
            answer.framing = Framing::None;
            answer.status = trouble.refusal.map(|refusal| refusal.status);
            answer.text = message;
        }
        TroubleKind::Timeout | TroubleKind::Limit | TroubleKind::Cancelled => {
            answer.ending = Ending::GivenUp(message);
        }
        // The server ended it; what is missing is for the rules to say.
        TroubleKind::Empty
        | TroubleKind::NothingToReplay
        | TroubleKind::Truncated
        | TroubleKind::BadEvent => {}
    }
}

/// Returns the `RunAgentInput` of a body, out of its envelope.
fn run_input(body: &Value) -> Option<&Value> {
    let input = if body.get("method").is_some() && body.get("threadId").is_none() {
        body.get("body")?
    } else {
        body
    };
    (input.get("threadId").is_some() && input.get("messages").is_some()).then_some(input)
}

/// Gives each request its events: a new answer begins with the `RUN_STARTED` that comes after an end.
fn split(turn: &Turn, requests: &[&Value]) -> Vec<Vec<Observed>> {
    let mut bodies: Vec<Vec<Observed>> = vec![Vec::new()];
    let mut is_over = false;
    for (payload, at_us) in turn.events.iter() {
        let event = Observed::new(String::from_utf8_lossy(payload), at_us);
        let starts = event.kind() == Some("RUN_STARTED");
        if starts && is_over && bodies.len() < requests.len() {
            bodies.push(Vec::new());
            is_over = false;
        }
        is_over |= matches!(event.kind(), Some("RUN_FINISHED" | "RUN_ERROR"));
        if let Some(body) = bodies.last_mut() {
            body.push(event);
        }
    }
    bodies
}
