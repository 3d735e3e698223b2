//! The ids of a run: those of the request, and the same from start to end.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use crate::exchange::{Exchange, Observed};
use crate::rule::{Findings, Rule};

static RUN_ID: Rule = Rule {
    id: "sequence.run-id",
    layer: Layer::Sequence,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "the run that was asked for carries the `runId` of the request",
    reason: "A client knows by it which of its requests is answered.",
    section: "RunAgentInput",
    advice: "Copy `runId` of the request into `RUN_STARTED` instead of making a new one.",
    needs: "RUN_STARTED in answer to a request that is known",
};

static THREAD_ID: Rule = Rule {
    id: "sequence.thread-id",
    layer: Layer::Sequence,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "every run of an answer carries the `threadId` of the request",
    reason: "An answer belongs to one conversation: the one that was asked about.",
    section: "RunAgentInput",
    advice: "Copy `threadId` of the request into every `RUN_STARTED`.",
    needs: "RUN_STARTED in answer to a request that is known",
};

static FINISH_IDS: Rule = Rule {
    id: "sequence.finish-ids",
    layer: Layer::Sequence,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "`RUN_FINISHED` carries the ids of its `RUN_STARTED`",
    reason: "It says which run is over; with other ids it speaks of a run that never began.",
    section: "Events, run lifecycle",
    advice: "Send the `threadId` and `runId` that `RUN_STARTED` had.",
    needs: "RUN_FINISHED of a run that began",
};

static REUSED: Rule = Rule {
    id: "sequence.run-id-reused",
    layer: Layer::Sequence,
    old: Some(Level::Convention),
    v1: Some(Level::Must),
    title: "each run on a stream has a `runId` of its own",
    reason: "A `runId` stands for one run of its thread and is not used again.",
    section: "Identifiers",
    advice: "Make a new `runId` for a further run on the stream.",
    needs: "second run on a stream",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&RUN_ID, &THREAD_ID, &FINISH_IDS, &REUSED];

/// Looks at ids. What is no text is a matter of shape.
pub(super) fn look(exchange: &Exchange, found: &mut Findings) {
    let asked = |name: &str| exchange.request.as_ref()?.get(name).and_then(Value::as_str);
    look_at_run(exchange, asked("runId"), found);
    if let Some(thread) = asked("threadId") {
        for (number, event) in exchange.answer.of_kind("RUN_STARTED") {
            let Some(seen) = event.text("threadId") else {
                continue;
            };
            found.saw(&THREAD_ID);
            if seen != thread {
                let message =
                    format!("the request has the `threadId` `{thread}`, but this run has `{seen}`");
                found.at(&THREAD_ID, number, message);
            }
        }
    }
    look_at_finish(exchange, found);
    look_at_reuse(exchange, found);
}

/// A stream may carry other runs beside the one that was asked for.
fn look_at_run(exchange: &Exchange, asked: Option<&str>, found: &mut Findings) {
    let answer = &exchange.answer;
    let mut starts = answer
        .of_kind("RUN_STARTED")
        .filter_map(|(number, event)| Some((number, event.text("runId")?)));
    let (Some(asked), Some((first, seen))) = (asked, starts.next()) else {
        return;
    };
    if seen == asked || starts.any(|(_, run)| run == asked) {
        found.saw(&RUN_ID);
    } else if answer.is_whole() {
        let message = format!("the request has the `runId` `{asked}`, but the run has `{seen}`");
        found.at(&RUN_ID, first, message);
    }
}

fn look_at_finish(exchange: &Exchange, found: &mut Findings) {
    let mut start: Option<&Observed> = None;
    for (number, event) in exchange.answer.events.iter().enumerate() {
        match event.kind() {
            Some("RUN_STARTED") => start = Some(event),
            Some("RUN_ERROR") => start = None,
            Some("RUN_FINISHED") => {
                // A second `RUN_FINISHED` is no end of this run.
                let Some(start) = start.take() else { continue };
                for name in ["threadId", "runId"] {
                    let (Some(begun), Some(ended)) = (start.text(name), event.text(name)) else {
                        continue;
                    };
                    found.saw(&FINISH_IDS);
                    if begun != ended {
                        let message = format!(
                            "`RUN_STARTED` has the `{name}` `{begun}`, but `RUN_FINISHED` has `{ended}`"
                        );
                        found.at(&FINISH_IDS, number, message);
                    }
                }
            }
            _ => {}
        }
    }
}

fn look_at_reuse(exchange: &Exchange, found: &mut Findings) {
    let mut seen: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut is_over = true;
    for (number, event) in exchange.answer.events.iter().enumerate() {
        match event.kind() {
            Some("RUN_FINISHED" | "RUN_ERROR") => is_over = true,
            Some("RUN_STARTED") => {
                // A start inside a run is told as such.
                let is_new = std::mem::replace(&mut is_over, false);
                let (Some(thread), Some(run)) = (event.text("threadId"), event.text("runId"))
                else {
                    continue;
                };
                if is_new && !seen.is_empty() {
                    found.saw(&REUSED);
                    if seen.contains(&(thread, run)) {
                        let message =
                            format!("another run before this one had the `runId` `{run}`");
                        found.at(&REUSED, number, message);
                    }
                }
                seen.insert((thread, run));
            }
            _ => {}
        }
    }
}
