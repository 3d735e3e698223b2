//! Chunks: events that start, go on with and end an item by themselves.

use std::collections::BTreeSet;

use ananke_model::conformance::{Layer, Level};

use super::items::{self, CALL, REASONING, TEXT};
use super::reading::Reading;
use crate::rule::{Findings, Profile, Rule};

static FIRST: Rule = Rule {
    id: "sequence.chunk-first",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the first chunk of an item names it",
    reason: "A chunk without an id goes on with what is open; with nothing open there is no item to make.",
    section: "Events, chunks",
    advice: "Give the first chunk the `messageId`, or the `toolCallId` and the `toolCallName`; most events close what chunks have open.",
    needs: "chunk",
};

static AMBIGUOUS: Rule = Rule {
    id: "sequence.chunk-ambiguous",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a chunk without id and tag goes on with one open item, not with one of several",
    reason: "Several subagents may stream at once, and a client must not guess whose words these are.",
    section: "Events, chunks",
    advice: "Repeat the id or the `subagentRunId` on each chunk while several subagents stream.",
    needs: "chunk without an id",
};

static REPEAT: Rule = Rule {
    id: "sequence.chunk-repeat",
    layer: Layer::Sequence,
    old: None,
    v1: Some(Level::Must),
    title: "a later chunk repeats role, name and parent unchanged or not at all",
    reason: "An item has one role, name and parent: those of its first chunk.",
    section: "Events, chunks",
    advice: "Send `role`, `name`, `toolCallName` and `parentMessageId` with the first chunk only.",
    needs: "later chunk that repeats a role, name or parent",
};

static OWNER: Rule = Rule {
    id: "sequence.chunk-owner",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "a later chunk is tagged like the first, or not at all",
    reason: "An item belongs to whoever sent its first chunk.",
    section: "Events, chunks",
    advice: "Tag every chunk of an item with the same `subagentRunId`, or only the first.",
    needs: "later chunk with an id and a tag",
};

static MIXED: Rule = Rule {
    id: "sequence.chunk-mixed",
    layer: Layer::Sequence,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "an item is sent as chunks or with START and END, not both",
    reason: "Any other event ends what chunks have open, so an explicit content or END finds nothing, and a chunk starts an open item again.",
    section: "Events, chunks",
    advice: "Choose one form for each item: chunks alone need no START and no END.",
    needs: "chunk",
};

/// The rules.
pub(super) const RULES: &[&Rule] = &[&FIRST, &AMBIGUOUS, &REPEAT, &OWNER, &MIXED];

/// Looks at chunks.
pub(super) fn look(reading: &Reading<'_>, found: &mut Findings) {
    see(reading, found);
    let kind = |event: usize| reading.kind(event);
    for broken in reading.of("C1") {
        let needs = match kind(broken.event) {
            "TOOL_CALL_CHUNK" => "a `toolCallId` and a `toolCallName`",
            _ => "a `messageId`",
        };
        let message = format!(
            "`{}` goes on with nothing: the first chunk of an item must have {needs}",
            kind(broken.event)
        );
        found.at(&FIRST, broken.event, message);
    }
    for broken in reading.of("C2") {
        let message = format!(
            "`{}` has neither an id nor a `subagentRunId`, and several subagents have an item of its kind open",
            kind(broken.event)
        );
        found.at(&AMBIGUOUS, broken.event, message);
    }
    for broken in reading.broken().iter().filter(|broken| broken.code == "C3") {
        let kind = kind(broken.event);
        let message = repeated(kind, &broken.told).unwrap_or_else(|| broken.told.clone());
        found.at(&REPEAT, broken.event, message);
    }
    for broken in reading.of("C4") {
        let tag = reading.events().get(broken.event);
        let tag = tag
            .and_then(|event| event.text("subagentRunId"))
            .unwrap_or("?");
        let message = format!(
            "`{}` is tagged with subagent `{tag}`, but another owner sent the first chunk of its item",
            kind(broken.event)
        );
        found.at(&OWNER, broken.event, message);
    }
    look_at_mixed(reading, found);
}

/// Puts `KIND for 'id' has the member 'now', but its first chunk had 'then'` into the words of this layer.
fn repeated(kind: &str, told: &str) -> Option<String> {
    let rest = told.strip_prefix(kind)?.strip_prefix(" for '")?;
    let (id, rest) = rest.split_once("' has the ")?;
    let (member, rest) = rest.split_once(" '")?;
    let (now, then) = rest.rsplit_once("', but its first chunk had ")?;
    let then = match then.strip_prefix('\'') {
        Some(then) => format!("`{}`", then.strip_suffix('\'')?),
        None => then.to_owned(),
    };
    Some(format!(
        "`{kind}` for `{id}` has the `{member}` `{now}`, but the first chunk of `{id}` had {then}"
    ))
}

fn look_at_mixed(reading: &Reading<'_>, found: &mut Findings) {
    let mut told = BTreeSet::new();
    for broken in reading.broken().iter().filter(|broken| broken.is_mixed) {
        let Some(family) = items::of_code(&broken.code) else {
            continue;
        };
        // Clients before 1.0 do not follow reasoning.
        let is_followed = found.profile == Profile::V1 || broken.code != "V14";
        if !is_followed || !told.insert(broken.event) {
            continue;
        }
        let (what, kind) = (family.what, reading.kind(broken.event));
        let event = reading.events().get(broken.event);
        let message = match event.and_then(|event| event.text(family.id)) {
            Some(id) if Some(kind) == family.chunk => {
                format!(
                    "`{kind}` for {what} `{id}`, which was begun with `{}`",
                    family.start
                )
            }
            Some(id) => format!("`{kind}` for {what} `{id}`, which is sent as chunks"),
            None => format!("`{kind}` ends a {what} that was sent as chunks and has ended already"),
        };
        found.at(&MIXED, broken.event, message);
    }
}

/// Notes what there was to look at.
fn see(reading: &Reading<'_>, found: &mut Findings) {
    for family in [&TEXT, &CALL, &REASONING] {
        let mut begun: BTreeSet<&str> = BTreeSet::new();
        let chunks = reading.events().iter();
        for chunk in chunks.filter(|event| event.kind() == family.chunk) {
            found.saw(&FIRST);
            found.saw(&MIXED);
            let id = chunk.text(family.id);
            let tag = chunk.text("subagentRunId");
            let is_later = id.map_or(!begun.is_empty(), |id| !begun.insert(id));
            let openers = ["role", "name", "toolCallName", "parentMessageId"];
            if id.is_none() && tag.is_none() {
                found.saw(&AMBIGUOUS);
            }
            if is_later && openers.iter().any(|name| chunk.get(name).is_some()) {
                found.saw(&REPEAT);
            }
            if is_later && id.is_some() && tag.is_some() {
                found.saw(&OWNER);
            }
        }
    }
}
