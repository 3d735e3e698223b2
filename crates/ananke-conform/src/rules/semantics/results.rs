//! Results of calls: whom they answer, how often, and in which form.

use std::collections::{BTreeMap, BTreeSet};

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::held::{beginning, calls_of, id_of};
use super::story::{Step, Story};
use crate::exchange::Exchange;
use crate::rule::{Findings, Rule};

static RESULT_KNOWN_CALL: Rule = Rule {
    id: "semantics.result-known-call",
    layer: Layer::Semantics,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a `TOOL_CALL_RESULT` answers a call of this run or of the request",
    reason: "A client puts a result behind the call that it answers; without the call it is a message that belongs nowhere.",
    section: "Events, tool calls",
    advice: "Use the `toolCallId` under which the call was streamed, and stream the call before its result.",
    needs: "`TOOL_CALL_RESULT`",
};

static RESULT_ONCE: Rule = Rule {
    id: "semantics.result-once",
    layer: Layer::Semantics,
    old: Some(Level::Should),
    v1: Some(Level::Should),
    title: "a call is answered once",
    reason: "Each result becomes a message of its own, and models refuse a history with two answers to one call.",
    section: "Events, tool calls",
    advice: "Send a result only for calls that nobody has answered yet; those that the request answers are done.",
    needs: "`TOOL_CALL_RESULT`",
};

static RESULT_ENCODING: Rule = Rule {
    id: "semantics.result-encoding",
    layer: Layer::Semantics,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "a result that is text is sent as it is, not as a JSON string",
    reason: "`content` is text already; text that is encoded once more reaches users and models in quotes and with escapes.",
    section: "Events, tool calls",
    advice: "Encode a result as JSON only if it is not a string.",
    needs: "`TOOL_CALL_RESULT` with text",
};

/// The rules of this file.
pub(super) const RULES: &[&Rule] = &[&RESULT_KNOWN_CALL, &RESULT_ONCE, &RESULT_ENCODING];

/// Looks at the results in an answer.
pub(super) fn look(_: &Exchange, story: &Story<'_>, found: &mut Findings) {
    let somewhere = calls_told(story);
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut answered: BTreeMap<&str, usize> = BTreeMap::new();
    for told in story.steps() {
        match told.step {
            Step::Call { id, .. } => {
                known.insert(id);
            }
            Step::Snapshot(messages) => {
                known.extend(messages.iter().flat_map(calls_of).filter_map(id_of));
            }
            Step::Answer {
                message_id,
                call_id,
                content,
            } => {
                look_at_encoding(told.event, call_id, content, found);
                if known.contains(call_id) || story.held.call(call_id).is_some() {
                    found.saw(&RESULT_KNOWN_CALL);
                    found.saw(&RESULT_ONCE);
                } else if let Some(told_as) = somewhere.get(call_id) {
                    if *told_as == CallTold::Started {
                        let message =
                            format!("the result answers `{call_id}` before that call is started");
                        found.at(&RESULT_KNOWN_CALL, told.event, message);
                    }
                } else if story.knows_request {
                    let message = format!(
                        "the result answers `{call_id}`, but this run made no such call, and the request holds none"
                    );
                    found.at(&RESULT_KNOWN_CALL, told.event, message);
                }
                if let Some(before) = answered.insert(call_id, told.event) {
                    let message = format!(
                        "`{call_id}` was answered before in this answer, by event {before}"
                    );
                    found.at(&RESULT_ONCE, told.event, message);
                } else if let Some(answer) = story.held.answer_to(call_id)
                    && story.held.message(message_id).is_none()
                {
                    let message = format!(
                        "`{call_id}` is answered as `{message_id}`, but the request holds its answer already: `{answer}`"
                    );
                    found.at(&RESULT_ONCE, told.event, message);
                }
            }
            _ => {}
        }
    }
}

#[derive(PartialEq, Eq)]
enum CallTold {
    Started,
    InSnapshot,
}

/// Returns the calls that an answer tells of at all.
fn calls_told<'a>(story: &Story<'a>) -> BTreeMap<&'a str, CallTold> {
    let mut told_of = BTreeMap::new();
    for (_, messages) in story.snapshots() {
        let calls = messages.iter().flat_map(calls_of).filter_map(id_of);
        told_of.extend(calls.map(|id| (id, CallTold::InSnapshot)));
    }
    for told in story.steps() {
        if let Step::Call { id, .. } = told.step {
            told_of.insert(id, CallTold::Started);
        }
    }
    told_of
}

fn look_at_encoding(at: usize, call_id: &str, content: Option<&Value>, found: &mut Findings) {
    let Some(text) = content.and_then(Value::as_str) else {
        return;
    };
    found.saw(&RESULT_ENCODING);
    if let Ok(Value::String(inner)) = serde_json::from_str(text) {
        let message = format!(
            "the result of `{call_id}` is `{}`, which is text that was encoded as JSON; `{}` would do",
            beginning(text),
            beginning(&inner)
        );
        found.at(&RESULT_ENCODING, at, message);
    }
}
