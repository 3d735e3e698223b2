//! What a server repeats of the request: `parentRunId` and `input` of `RUN_STARTED`.

use std::collections::BTreeMap;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use crate::exchange::{Exchange, Observed};
use crate::rule::{Findings, Rule};

static ECHO: Rule = Rule {
    id: "sequence.input-echo",
    layer: Layer::Sequence,
    old: Some(Level::Convention),
    v1: Some(Level::Should),
    title: "what `RUN_STARTED` repeats of the request agrees with it",
    reason: "`input` is an echo of `RunAgentInput`: stored runs are read and continued by it, without the request.",
    section: "Events, run lifecycle",
    advice: "Copy `parentRunId` and `input` from the request, or leave them out.",
    needs: "RUN_STARTED that repeats something of a request that is known",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&ECHO];

/// Looks at the run that was asked for: others on the stream have requests of their own.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let Some(request) = &exchange.request else {
        return;
    };
    let run = request["runId"].as_str();
    for (number, event) in exchange.answer.of_kind("RUN_STARTED") {
        if run.is_none() || event.text("runId") != run {
            continue;
        }
        let seen = repeated(event, request);
        if !seen.is_empty() {
            found.saw(&ECHO);
        }
        for told in seen.iter().filter(|told| told.sent != told.seen) {
            let message = format!(
                "`{}` is `{}`, but the request has `{}`",
                told.place, told.seen, told.sent
            );
            found.at(&ECHO, number, message);
        }
    }
}

/// Something that the request says and `RUN_STARTED` repeats.
struct Repeated<'a> {
    place: String,
    sent: &'a str,
    seen: &'a str,
}

/// Returns what both say as text. What is left out, or is new in the echo, contradicts nothing.
fn repeated<'a>(event: &'a Observed, request: &'a Value) -> Vec<Repeated<'a>> {
    let mut all = Vec::new();
    let mut compare = |place: String, sent: &'a Value, seen: &'a Value| {
        if let (Some(sent), Some(seen)) = (sent.as_str(), seen.as_str()) {
            all.push(Repeated { place, sent, seen });
        }
    };
    if let Some(parent) = event.get("parentRunId") {
        compare("parentRunId".to_owned(), &request["parentRunId"], parent);
    }
    let Some(input) = event.get("input") else {
        return all;
    };
    for name in ["threadId", "runId", "parentRunId"] {
        compare(format!("input.{name}"), &request[name], &input[name]);
    }
    let messages = |of: &'a Value| of["messages"].as_array().into_iter().flatten();
    let by_id: BTreeMap<&str, &Value> = messages(request)
        .filter_map(|message| Some((message["id"].as_str()?, message)))
        .collect();
    for message in messages(input) {
        let Some((id, sent)) = message["id"]
            .as_str()
            .and_then(|id| by_id.get_key_value(id))
        else {
            continue;
        };
        for name in ["role", "content"] {
            let place = format!("{name}` of message `{id}` in `input");
            compare(place, &sent[name], &message[name]);
        }
    }
    all
}
