//! Subagents: their beginning and end, and whose an item is.

use ananke_model::conformance::{Layer, Level};
use serde_json::Value;

use super::items::{Past, SUBAGENT};
use super::reading::{Broken, Reading};
use crate::exchange::Observed;
use crate::rule::{Findings, Profile, Rule};
use crate::rules::shape::check_event;

static START: Rule = Rule {
    id: "sequence.subagent-start",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a subagent is started once, under a parent that was started",
    reason: "A `subagentRunId` stands for one invocation in its run; with two starts nobody can tell whose events follow.",
    section: "Subagents, lifecycle",
    advice: "Make a new `subagentRunId` for every invocation, and send `SUBAGENT_STARTED` of a parent before that of its children.",
    needs: "SUBAGENT_STARTED",
};

static END: Rule = Rule {
    id: "sequence.subagent-end",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "only a subagent that is active ends",
    reason: "An end without a start, or a second end, belongs to no invocation.",
    section: "Subagents, lifecycle",
    advice: "Send one of `SUBAGENT_FINISHED` and `SUBAGENT_ERROR` for each `SUBAGENT_STARTED`, with its id.",
    needs: "SUBAGENT_FINISHED or SUBAGENT_ERROR",
};

static NULL_OWNER: Rule = Rule {
    id: "sequence.null-owner",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: None,
    title: "an event that belongs to nobody has no `subagentRunId`, not even `null`",
    reason: "Clients look for the owner of every event and end the run at `null`, also where the event describes no such member.",
    section: "Subagents, attribution",
    advice: "Leave `subagentRunId` out of `RUN_*` and `MESSAGES_SNAPSHOT` events, and wherever the agent itself speaks.",
    needs: "subagentRunId",
};

static OWNER: Rule = Rule {
    id: "sequence.owner",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "what goes on with an item is tagged like its start, or not at all",
    reason: "Items belong to whoever started them for the whole run; another tag would put words in another agent's mouth.",
    section: "Subagents, attribution",
    advice: "Tag content and end with the `subagentRunId` of the start, or leave the tag out; do not tag what the agent itself began.",
    needs: "tagged event that goes on with an item",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&START, &END, &NULL_OWNER, &OWNER];

/// Looks at subagents.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    see(reading, found);
    for broken in reading.of("V16") {
        for message in wrong_start(reading, broken) {
            found.at(&START, broken.event, message);
        }
    }
    for broken in reading.of("V17") {
        if let Some(message) = wrong_end(reading, broken) {
            found.at(&END, broken.event, message);
        }
    }
    // V6, what can be wrong with an outcome, is a matter of its shape; so are nulls of described members.
    for broken in reading.of("V5") {
        let Some(Ok(event)) = reading.events().get(broken.event).map(|event| &event.value) else {
            continue;
        };
        if !check_event(event, Profile::Old).is_empty() {
            continue;
        }
        let kind = reading.kind(broken.event);
        let message = match broken.told.strip_prefix(kind) {
            Some(rest) => format!("`{kind}`{rest}"),
            None => format!("`{kind}`: {}", broken.told),
        };
        found.at(&NULL_OWNER, broken.event, message);
    }
    for broken in reading.of("V15") {
        let Some(event) = reading.events().get(broken.event) else {
            continue;
        };
        let tag = event.text("subagentRunId").unwrap_or("?");
        let item = ["messageId", "toolCallId", "entityId"];
        let item = item
            .into_iter()
            .find_map(|name| event.text(name))
            .unwrap_or("?");
        let message = format!(
            "`{}` for `{item}` is tagged with subagent `{tag}`, but another owner started that item",
            reading.kind(broken.event)
        );
        found.at(&OWNER, broken.event, message);
    }
}

/// Notes what there was to look at.
fn see(reading: &Reading<'_>, found: &mut Findings) {
    for event in reading.events() {
        let kind = event.kind().unwrap_or_default();
        if kind == SUBAGENT.start {
            found.saw(&START);
        }
        if SUBAGENT.ends.contains(&kind) {
            found.saw(&END);
        }
        if names_owner(event) {
            found.saw(&NULL_OWNER);
        }
        let goes_on = kind.ends_with("_CONTENT")
            || (kind.ends_with("_END") && !kind.starts_with("THINKING_"))
            || matches!(
                kind,
                "TOOL_CALL_ARGS" | "ACTIVITY_DELTA" | "REASONING_ENCRYPTED_VALUE"
            );
        if goes_on && event.text("subagentRunId").is_some() {
            found.saw(&OWNER);
        }
    }
}

/// Tells whether `subagentRunId` is said anywhere in the event, `null` or not.
fn names_owner(event: &Observed) -> bool {
    let nested = |list: Option<&Value>| {
        let mut entries = list.and_then(Value::as_array).into_iter().flatten();
        entries.any(|entry| entry.get("subagentRunId").is_some())
    };
    let of = |name: &str, inner: &str| event.get(name).and_then(|value| value.get(inner));
    event.get("subagentRunId").is_some()
        || nested(event.get("messages"))
        || nested(of("input", "messages"))
        || nested(of("outcome", "interrupts"))
}

/// Says what is wrong with a start. What it lacks is a matter of its shape.
fn wrong_start(reading: &Reading<'_>, broken: &Broken) -> Vec<String> {
    let Some(event) = reading.events().get(broken.event) else {
        return Vec::new();
    };
    let Some(id) = event.text("subagentRunId") else {
        return Vec::new();
    };
    let past = |id: &str| SUBAGENT.past(reading.events(), id, broken.event);
    let twice = match past(id) {
        Past::Started(number) => Some(format!(
            "subagent `{id}` is started again, but it is active since event {number}"
        )),
        Past::Ended(number) => Some(format!(
            "subagent `{id}` is started again, but it ended at event {number}: an id is for one invocation"
        )),
        Past::Never | Past::Chunked(_) => None,
    };
    let parent = event.text("parentSubagentRunId");
    let orphan = parent
        .filter(|parent| past(parent) == Past::Never)
        .map(|parent| {
            format!(
                "subagent `{id}` names the parent `{parent}`, which was not started in this run"
            )
        });
    twice.into_iter().chain(orphan).collect()
}

/// Says what is wrong with an end.
fn wrong_end(reading: &Reading<'_>, broken: &Broken) -> Option<String> {
    let event = reading.events().get(broken.event)?;
    let id = event.text("subagentRunId")?;
    let why = match SUBAGENT.past(reading.events(), id, broken.event) {
        Past::Never => "it was not started in this run".to_owned(),
        Past::Ended(number) => format!("it ended at event {number}"),
        Past::Started(_) | Past::Chunked(_) => return None,
    };
    let kind = reading.kind(broken.event);
    Some(format!(
        "`{kind}` for subagent `{id}`, which is not active: {why}"
    ))
}
