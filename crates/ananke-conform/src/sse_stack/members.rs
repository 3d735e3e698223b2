//! Which members an event has, and whether they are what they should be.
//!
//! Two forms are accepted: AG-UI's, with all members beside `type`, and the envelope `{type, id, seq, ts, data}`. What
//! `data` holds is the server's own affair, but a member with a name of AG-UI has AG-UI's type there too.

use serde_json::Value;

use super::event::Event;
use super::vocabulary::Vocabulary;

/// What a member must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    List,
    Object,
    Number,
    TextOrList,
    Anything,
}

use Kind::{Anything, List, Number, Object, Text, TextOrList};

type Members = &'static [(&'static str, Kind)];

/// Returns everything that is wrong with the form of an event.
pub(super) fn wrong_members(event: Event<'_>, vocabulary: Vocabulary) -> Vec<String> {
    let (required, optional) = members(event.canonical());
    match event.value.get("data") {
        None => flat(event.value, vocabulary, required, optional),
        Some(data) => {
            let mut wrong = envelope(event.value);
            // No nulls here: what is not said is not known to be meant as missing.
            let named = required.iter().chain(optional);
            wrong.extend(named.filter_map(|(name, kind)| {
                let value = data.get(name).filter(|value| !value.is_null())?;
                mismatch(&format!("data.{name}"), *kind, value)
            }));
            wrong
        }
    }
}

fn flat(
    value: &Value,
    vocabulary: Vocabulary,
    required: Members,
    optional: Members,
) -> Vec<String> {
    let is_v1 = vocabulary == Vocabulary::V1;
    let mut wrong = Vec::new();
    for (name, kind) in required {
        match value.get(name) {
            // Before 1.0 a payload that may be anything could be left out.
            None if *kind == Anything && !is_v1 => {}
            None => wrong.push(format!("`{name}` is missing")),
            Some(value) => wrong.extend(mismatch(name, *kind, value)),
        }
    }
    for (name, kind) in optional.iter().chain(&[("timestamp", Number)]) {
        match value.get(name) {
            // Before 1.0 an optional member was often sent as null.
            Some(Value::Null) if !is_v1 => {}
            Some(value) => wrong.extend(mismatch(name, *kind, value)),
            None => {}
        }
    }
    wrong
}

fn envelope(value: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    match value.get("id") {
        None => wrong.push("the envelope has no `id`".to_owned()),
        Some(id) => wrong.extend(mismatch("id", Text, id)),
    }
    match value.get("seq") {
        None => wrong.push("the envelope has no `seq`".to_owned()),
        Some(seq) if seq.is_u64() => {}
        Some(seq) => wrong.push(format!(
            "`seq` should be an integer from 0 on, and is {}",
            shown(seq)
        )),
    }
    match value.get("ts") {
        None => wrong.push("the envelope has no `ts`".to_owned()),
        Some(Value::String(_) | Value::Number(_)) => {}
        Some(ts) => wrong.push(format!("`ts` should be a time, and is {}", shown(ts))),
    }
    if let Some(data) = value.get("data") {
        wrong.extend(mismatch("data", Object, data));
    }
    wrong
}

fn mismatch(name: &str, kind: Kind, value: &Value) -> Option<String> {
    let (fits, wanted) = match kind {
        Text => (value.is_string(), "a string"),
        List => (value.is_array(), "a list"),
        Object => (value.is_object(), "an object"),
        Number => (value.is_number(), "a number"),
        TextOrList => (value.is_string() || value.is_array(), "a string or a list"),
        Anything => (true, "anything"),
    };
    (!fits).then(|| format!("`{name}` should be {wanted}, and is {}", shown(value)))
}

fn shown(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(number) if number.is_i64() && !number.is_u64() => "a negative number",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Returns required and optional members of a type.
fn members(kind: &str) -> (Members, Members) {
    match kind {
        "RUN_STARTED" => (
            &[("threadId", Text), ("runId", Text)],
            &[
                ("parentRunId", Text),
                ("protocolVersion", Text),
                ("input", Object),
            ],
        ),
        "RUN_FINISHED" => (
            &[("threadId", Text), ("runId", Text)],
            &[("outcome", Object), ("usage", List)],
        ),
        "RUN_ERROR" => (&[("message", Text)], &[("code", Text)]),
        "STEP_STARTED" | "STEP_FINISHED" => (&[("stepName", Text)], &[]),
        "TEXT_MESSAGE_START" => (&[("messageId", Text)], &[("role", Text), ("name", Text)]),
        "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" => {
            (&[("messageId", Text), ("delta", Text)], &[])
        }
        "TEXT_MESSAGE_END" | "REASONING_START" | "REASONING_END" | "REASONING_MESSAGE_END" => {
            (&[("messageId", Text)], &[])
        }
        "REASONING_MESSAGE_START" => (&[("messageId", Text)], &[("role", Text)]),
        "TEXT_MESSAGE_CHUNK" | "REASONING_MESSAGE_CHUNK" => {
            (&[], &[("messageId", Text), ("role", Text), ("delta", Text)])
        }
        "TOOL_CALL_START" => (
            &[("toolCallId", Text), ("toolCallName", Text)],
            &[("parentMessageId", Text)],
        ),
        "TOOL_CALL_ARGS" => (&[("toolCallId", Text), ("delta", Text)], &[]),
        "TOOL_CALL_END" => (&[("toolCallId", Text)], &[]),
        "TOOL_CALL_CHUNK" => (
            &[],
            &[
                ("toolCallId", Text),
                ("toolCallName", Text),
                ("parentMessageId", Text),
                ("delta", Text),
            ],
        ),
        "TOOL_CALL_RESULT" => (
            &[
                ("messageId", Text),
                ("toolCallId", Text),
                ("content", TextOrList),
            ],
            &[("role", Text)],
        ),
        "STATE_SNAPSHOT" => (&[("snapshot", Anything)], &[]),
        "STATE_DELTA" => (&[("delta", List)], &[]),
        "MESSAGES_SNAPSHOT" => (&[("messages", List)], &[]),
        "ACTIVITY_SNAPSHOT" => (
            &[
                ("messageId", Text),
                ("activityType", Text),
                ("content", Object),
            ],
            &[],
        ),
        "ACTIVITY_DELTA" => (
            &[("messageId", Text), ("activityType", Text), ("patch", List)],
            &[],
        ),
        "RAW" => (&[("event", Anything)], &[("source", Text)]),
        "CUSTOM" => (&[("name", Text), ("value", Anything)], &[]),
        "REASONING_ENCRYPTED_VALUE" => (
            &[
                ("subtype", Text),
                ("entityId", Text),
                ("encryptedValue", Text),
            ],
            &[],
        ),
        "SUBAGENT_STARTED" => (&[("subagentRunId", Text), ("name", Text)], &[]),
        "SUBAGENT_FINISHED" => (&[("subagentRunId", Text)], &[("outcome", Object)]),
        "SUBAGENT_ERROR" => (
            &[("subagentRunId", Text), ("message", Text)],
            &[("code", Text)],
        ),
        "THINKING_START" => (&[], &[("title", Text)]),
        "THINKING_TEXT_MESSAGE_CONTENT" => (&[("delta", Text)], &[]),
        _ => (&[], &[]),
    }
}
