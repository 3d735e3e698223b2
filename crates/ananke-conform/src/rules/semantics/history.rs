//! The conversation that a client holds after a run is one that a model accepts: each call is followed by its result.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use ananke_protocol::agui::{Conversation, observe};
use serde_json::Value;

use super::held::{answered_by, calls_of, id_of, name_of, role_of};
use super::story::{End, Step, Story, Told};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static HISTORY: Rule = Rule {
    id: "semantics.history",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "after a run each call in the client's history is followed by its result",
    reason: "The history is the next request, and models refuse one in which something stands between a call and its result, or the result never comes.",
    section: "Messages, reconciling snapshots",
    advice: "Keep ids stable, so that snapshots replace results in place; answer resumed calls with a TOOL_CALL_RESULT.",
    needs: "result of a call in a run that finished",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&HISTORY];

/// How many calls and results are put in their places. Each is looked for among all others, and no real run has so many.
const MAX_CALLS: usize = 2_000;

/// How many subagents are followed. The chunks of each may go on at any time.
const MAX_OWNERS: usize = 1_000;

/// Assembles the history as a client does and looks at what is new in it.
pub(super) fn look(exchange: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let Some((at, end)) = story.runs.last().and_then(|run| run.end.as_ref()) else {
        return;
    };
    if !story.knows_request || *end == End::Other {
        return;
    }
    let is_about_calls = |told: &&Told<'_>| {
        let step = &told.step;
        matches!(step, Step::Call { .. } | Step::Answer { .. })
    };
    let n_calls = story.steps().filter(is_about_calls).count();
    let has_snapshot = story.snapshots().next().is_some();
    let owners: BTreeSet<_> = story.steps().map(|told| told.owner).collect();
    let is_plain = n_calls == 0 && !has_snapshot && !is_resume(exchange);
    if is_plain || n_calls > MAX_CALLS || owners.len() > MAX_OWNERS {
        return;
    }
    let mut conversation = Conversation::new(Value::Null);
    for message in exchange.sent_messages() {
        if id_of(message).is_some() {
            conversation.put(message.clone());
        }
    }
    let events = exchange.answer.events.iter();
    observe(&mut conversation, events.map(|event| event.data.as_str()));
    let history: Vec<&Value> = conversation
        .messages()
        .iter()
        .map(AsRef::as_ref)
        .filter(|message| !matches!(role_of(message), "reasoning" | "activity"))
        .collect();
    look_at_places(*at, &history, story, found);
    if matches!(end, End::Success { .. }) && is_resume(exchange) {
        look_at_resumed(*at, exchange, &history, story, found);
    }
}

/// Each result stands behind its call, with nothing but other results between them.
fn look_at_places(at: usize, history: &[&Value], story: &Story<'_>, found: &mut Findings) {
    let mut callers: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, message) in history.iter().enumerate() {
        callers.extend(calls_of(message).filter_map(id_of).map(|id| (id, place)));
    }
    // What such an event answers is told by rules about results.
    let streamed: BTreeSet<&str> = story
        .steps()
        .filter_map(|told| match told.step {
            Step::Answer { call_id, .. } => Some(call_id),
            _ => None,
        })
        .collect();
    // The last message before each place that is no result.
    let mut last_other = None;
    for (place, message) in history.iter().enumerate() {
        let (Some(call_id), Some(id)) = (answered_by(message), id_of(message)) else {
            last_other = Some(place);
            continue;
        };
        if story.held.message(id).is_some() {
            continue;
        }
        let Some(caller) = callers.get(call_id).copied() else {
            if !streamed.contains(call_id) {
                let wrong = format!(
                    "the result `{id}` answers `{call_id}`, but no message of the history makes that call"
                );
                found.at(&HISTORY, at, wrong);
            }
            continue;
        };
        found.saw(&HISTORY);
        let name = |place: usize| {
            history
                .get(place)
                .and_then(|message| id_of(message))
                .unwrap_or("?")
        };
        if caller > place {
            let wrong = format!(
                "the result `{id}` stands before `{}`, which makes the call `{call_id}`",
                name(caller)
            );
            found.at(&HISTORY, at, wrong);
        } else if let Some(between) = last_other.filter(|other| *other != caller) {
            let wrong = format!(
                "the result `{id}` does not follow `{}`, which makes the call `{call_id}`: `{}` stands between them",
                name(caller),
                name(between)
            );
            found.at(&HISTORY, at, wrong);
        }
    }
}

/// A call for which the run before was interrupted has a result when the resumed run ends as success.
fn look_at_resumed(
    at: usize,
    exchange: &Exchange,
    history: &[&Value],
    story: &Story<'_>,
    found: &mut Findings,
) {
    let answered: BTreeSet<&str> = history
        .iter()
        .filter_map(|message| answered_by(message))
        .collect();
    let offered = exchange.offered_tools();
    for (id, call) in story.held.calls() {
        let is_ours = name_of(call).is_some_and(|name| offered.contains(&name));
        if is_ours || story.held.answer_to(id).is_some() {
            continue;
        }
        found.saw(&HISTORY);
        if !answered.contains(id) {
            let wrong = format!(
                "the request resumes a run that waited with the call `{id}`; the run ends as success, and `{id}` has no result"
            );
            found.at(&HISTORY, at, wrong);
        }
    }
}

fn is_resume(exchange: &Exchange) -> bool {
    let request = exchange.request.as_ref();
    let resume = request.and_then(|input| input.get("resume")?.as_array());
    resume.is_some_and(|entries| !entries.is_empty())
}
