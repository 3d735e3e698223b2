//! The rules of the layer.

use ananke_model::conformance::{Layer, Level};

use crate::rule::Rule;

pub(super) const RULES: &[&Rule] = &[
    &JSON,
    &SURROGATE,
    &TYPE,
    &RETIRED,
    &REQUIRED,
    &NULL,
    &UNKNOWN_MEMBER,
    &MEMBER_TYPE,
    &ENUM,
    &INTEGER,
    &EMPTY,
    &POINTER,
];

/// Data that is one object.
pub(super) static JSON: Rule = Rule {
    id: "shape.json",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the data of every event is one JSON object",
    reason: "Clients parse the data of each event as JSON and end the run when they cannot.",
    section: "HTTP binding, framing",
    advice: "Write each event with a JSON library, one object per server-sent event; send keep-alives as comments.",
    needs: "event of a text stream",
};

/// Text that is whole.
pub(super) static SURROGATE: Rule = Rule {
    id: "shape.surrogate",
    layer: Layer::Shape,
    old: Some(Level::Convention),
    v1: Some(Level::Convention),
    title: "text is cut between characters, not inside of one",
    reason: "Half a character such as `\"\\ud83d\"` is JSON by its grammar, but strict readers refuse it and others show a replacement character.",
    section: "RFC 8259, characters; RFC 7493",
    advice: "Cut deltas between Unicode characters, not between the UTF-16 units of one: an emoji has two.",
    needs: "event of a text stream that is JSON",
};

/// Types that are described.
pub(super) static TYPE: Rule = Rule {
    id: "shape.type",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every event has a type that the protocol describes",
    reason: "Clients of 1.0 drop events of other types, and clients before it end the run, so what such an event says is lost.",
    section: "Events, event types",
    advice: "Send what is your own as `CUSTOM` with a prefixed name, and what comes from a framework as `RAW`.",
    needs: "event of a version that is judged",
};

/// No types that 1.0 took away.
pub(super) static RETIRED: Rule = Rule {
    id: "shape.retired",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "a server that declares 1.0 sends no retired event types",
    reason: "The `THINKING_*` events are no part of 1.0, and clients translate them only until their shims expire.",
    section: "Events, retired types",
    advice: "Send `REASONING_START`, `REASONING_MESSAGE_*` and `REASONING_END`, each with its id, instead of `THINKING_*`.",
    needs: "stream that declares a protocol version",
};

/// Members that must be there.
pub(super) static REQUIRED: Rule = Rule {
    id: "shape.required",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every required member is there",
    reason: "A known event without a required member is malformed, and clients end the run at it.",
    section: "Events, schema",
    advice: "Fill the member, or do not send the event; a required payload that is empty is sent as `null`.",
    needs: "object with a required member",
};

/// Nothing is null to say that it is absent.
pub(super) static NULL: Rule = Rule {
    id: "shape.null",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "an optional member is left out, never null",
    reason: "Absent has one spelling in 1.0, and clients, older ones too, end the run at most nulls that stand for it.",
    section: "Events, absent members",
    advice: "Leave members without a value out when you write JSON, such as with `exclude_none=True` in Pydantic.",
    needs: "described object",
};

/// Nothing that is not described.
pub(super) static UNKNOWN_MEMBER: Rule = Rule {
    id: "shape.unknown-member",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "objects have no members that the protocol does not describe",
    reason: "Objects of 1.0 are closed: clients strip other members, so nobody can rely on them; clients before 1.0 end the run at one in an outcome.",
    section: "Schema, closed objects",
    advice: "Put what is your own into `metadata`, or into a `CUSTOM` event.",
    needs: "closed object of a version that is judged",
};

/// Members of the right kind.
pub(super) static MEMBER_TYPE: Rule = Rule {
    id: "shape.member-type",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "every member has the described JSON type",
    reason: "A known member with a value of another type is malformed, and clients end the run at it.",
    section: "Events, schema",
    advice: "Convert the value before it is written: ids, deltas and arguments are strings, lists are lists even when empty.",
    needs: "described member",
};

/// Words that are described.
pub(super) static ENUM: Rule = Rule {
    id: "shape.enum",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "roles, outcomes and other words are among those described",
    reason: "A client that meets another word strips the value or ends the run, so it never has the meaning you gave it.",
    section: "Schema, enumerations and unions",
    advice: "Use one of the words that the finding lists; say more in `metadata`.",
    needs: "role, outcome or other fixed word of a version that is judged",
};

/// Numbers that survive.
pub(super) static INTEGER: Rule = Rule {
    id: "shape.integer",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "timestamps and counts are integers that JSON readers keep exactly",
    reason: "Readers keep integers up to 2^53 - 1; fractions and larger numbers are refused, and counts are never negative.",
    section: "Events, envelope; token usage",
    advice: "Round timestamps to whole milliseconds, and send counts as plain integers.",
    needs: "timestamp or count",
};

/// Lists that say something.
pub(super) static EMPTY: Rule = Rule {
    id: "shape.empty",
    layer: Layer::Shape,
    old: Some(Level::Must),
    v1: Some(Level::Must),
    title: "the outcome `interrupt` holds at least one interrupt",
    reason: "A run that is interrupted by nothing can never be resumed, because there is nothing to answer.",
    section: "Interrupts, run outcome",
    advice: "List what the run waits for, or end it with another outcome.",
    needs: "outcome `interrupt`",
};

/// Pointers that can be read.
pub(super) static POINTER: Rule = Rule {
    id: "shape.pointer",
    layer: Layer::Shape,
    old: None,
    v1: Some(Level::Must),
    title: "paths of JSON Patch operations are JSON pointers",
    reason: "Anything that is no pointer names no place, so the whole patch is refused.",
    section: "State, JSON Patch; RFC 6901",
    advice: "Begin every key with `/`, and write `~` as `~0` and `/` as `~1` inside of keys.",
    needs: "path of a JSON Patch operation",
};
