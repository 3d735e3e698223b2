//! Tool calls: started once, only then written to, and owned by whoever owns the message that they are in.

use ananke_model::conformance::{Layer, Level};

use super::items::CALL;
use super::reading::Reading;
use crate::exchange::Observed;
use crate::rule::{Findings, Rule};

static START: Rule = Rule {
    id: "sequence.call-start",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a tool call is not started while it is open",
    reason: "A second start with the same id leaves it open whose arguments follow, and clients end the run.",
    section: "Events, tool calls",
    advice: "Give each call its own id, and send `TOOL_CALL_END` before an id is started again.",
    needs: "TOOL_CALL_START",
};

static OPEN: Rule = Rule {
    id: "sequence.call-open",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "arguments and end of a tool call come while it is open",
    reason: "Clients add arguments to the open call with that id; without one they end the run.",
    section: "Events, tool calls",
    advice: "Send `TOOL_CALL_START` with the same id first, and nothing for the call after its `TOOL_CALL_END` but the result.",
    needs: "TOOL_CALL_ARGS or TOOL_CALL_END",
};

static OWNER: Rule = Rule {
    id: "sequence.call-owner",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a tool call belongs to the owner of its parent message",
    reason: "A call is kept inside its message and has no owner of its own there, so another tag would be lost.",
    section: "Subagents, attribution",
    advice: "Tag the call as its parent message is tagged, or leave the tag or the `parentMessageId` out.",
    needs: "tool call with a parentMessageId beside subagents",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&START, &OPEN, &OWNER];

/// Looks at tool calls.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    if reading.has(&[CALL.start]) {
        found.saw(&START);
    }
    if CALL.needs_open(reading) {
        found.saw(&OPEN);
    }
    let mut events = reading.events().iter();
    let is_tagged = events.any(|event| event.text("subagentRunId").is_some());
    if is_tagged && reading.events().iter().any(has_parent) {
        found.saw(&OWNER);
    }
    for broken in reading.of("V9") {
        found.at(&START, broken.event, CALL.started_twice(reading, broken));
    }
    for broken in reading.of("V10") {
        found.at(&OPEN, broken.event, CALL.not_open(reading, broken));
    }
    for broken in reading.of("V11") {
        let Some(event) = reading.events().get(broken.event) else {
            continue;
        };
        let parent = event.text("parentMessageId").unwrap_or("?");
        let owner = match event.text("subagentRunId") {
            Some(tag) => format!("is tagged with subagent `{tag}`"),
            None => "was started by another owner before".to_owned(),
        };
        let id = CALL.id_in(reading, broken);
        let message = format!(
            "tool call `{id}` {owner}, but its parent message `{parent}` does not belong to that owner"
        );
        found.at(&OWNER, broken.event, message);
    }
}

fn has_parent(event: &Observed) -> bool {
    matches!(event.kind(), Some("TOOL_CALL_START" | "TOOL_CALL_CHUNK"))
        && event.text("parentMessageId").is_some()
}
