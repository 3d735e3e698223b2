//! The events of AG-UI: the 31 types of 1.0, and the retired ones of 0.x translated into them.

use std::borrow::Cow;

use serde_json::Value;

use super::fields::{FieldError, Fields, Key};

type Text<'a> = Cow<'a, str>;

/// One event with the members that folding and the sequence rules need.
#[derive(Clone, Debug)]
pub(crate) enum Event<'a> {
    RunStarted {
        input: Option<Value>,
    },
    RunFinished {
        outcome: Value,
        usage: Value,
    },
    RunError {
        message: Text<'a>,
        code: Option<Text<'a>>,
        usage: Value,
    },
    StepStarted {
        name: Text<'a>,
    },
    StepFinished {
        name: Text<'a>,
    },
    TextStart {
        id: Text<'a>,
        role: Option<Text<'a>>,
        name: Option<Text<'a>>,
    },
    TextContent {
        id: Text<'a>,
        delta: Text<'a>,
    },
    TextEnd {
        id: Text<'a>,
    },
    TextChunk {
        id: Option<Text<'a>>,
        role: Option<Text<'a>>,
        name: Option<Text<'a>>,
        delta: Option<Text<'a>>,
    },
    ToolStart {
        id: Text<'a>,
        name: Text<'a>,
        parent: Option<Text<'a>>,
    },
    ToolArgs {
        id: Text<'a>,
        delta: Text<'a>,
    },
    ToolEnd {
        id: Text<'a>,
    },
    ToolChunk {
        id: Option<Text<'a>>,
        name: Option<Text<'a>>,
        parent: Option<Text<'a>>,
        delta: Option<Text<'a>>,
    },
    ToolResult {
        message_id: Option<Text<'a>>,
        id: Text<'a>,
        content: Value,
        error: Option<Text<'a>>,
    },
    StateSnapshot {
        snapshot: Value,
    },
    StateDelta {
        delta: Value,
    },
    MessagesSnapshot {
        messages: Value,
    },
    ActivitySnapshot {
        id: Text<'a>,
        activity_type: Text<'a>,
        content: Value,
        replace: bool,
    },
    ActivityDelta {
        id: Text<'a>,
        activity_type: Text<'a>,
        patch: Value,
    },
    ReasoningStart {
        id: Text<'a>,
    },
    ReasoningEnd {
        id: Text<'a>,
    },
    ReasoningMessageStart {
        id: Text<'a>,
    },
    ReasoningContent {
        id: Text<'a>,
        delta: Text<'a>,
    },
    ReasoningMessageEnd {
        id: Text<'a>,
    },
    ReasoningChunk {
        id: Option<Text<'a>>,
        delta: Option<Text<'a>>,
    },
    ReasoningEncrypted {
        subtype: Text<'a>,
        entity: Text<'a>,
        value: Text<'a>,
    },
    SubagentStarted {
        name: Option<Text<'a>>,
        parent: Option<Text<'a>>,
    },
    SubagentFinished {
        outcome: Value,
    },
    SubagentError {
        message: Option<Text<'a>>,
    },
    /// Kept in the log, folded into nothing.
    Raw,
    /// Kept in the log, folded into nothing.
    Custom,
    /// A retired THINKING_* type, to be translated by the stream.
    Thinking(Thinking<'a>),
    /// A type that AG-UI 1.0 does not describe.
    Unknown,
}

/// The retired types. They carry no ids.
#[derive(Clone, Debug)]
pub(crate) enum Thinking<'a> {
    Start { has_title: bool },
    End,
    MessageStart,
    Content { delta: Text<'a> },
    MessageEnd,
}

/// An event with its envelope.
#[derive(Clone, Debug)]
pub(crate) struct Envelope<'a> {
    /// The type on the wire.
    pub(crate) kind: Text<'a>,
    pub(crate) event: Event<'a>,
    /// `subagentRunId`: who owns the item; `None` is the parent run.
    pub(crate) owner: Option<Text<'a>>,
    pub(crate) timestamp: Option<f64>,
    /// Members of rule V5 that are `null` where absent was meant.
    pub(crate) nulls: Vec<&'static str>,
}

/// Why an event cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadEvent {
    #[error("not a JSON object: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{kind}: {error}")]
    Field { kind: String, error: FieldError },
    #[error("the event has no `type`")]
    NoType,
}

/// Reads one event from its members.
pub(crate) fn decode<'a>(fields: &Fields<'a>) -> Result<Envelope<'a>, BadEvent> {
    let kind = fields.text(Key::Type).map_err(|_| BadEvent::NoType)?;
    let read = || -> Result<Envelope<'a>, FieldError> {
        Ok(Envelope {
            event: event(&kind, fields)?,
            owner: fields.optional_text(Key::SubagentRunId)?,
            timestamp: fields.timestamp(),
            nulls: nulls(&kind, fields),
            kind: kind.clone(),
        })
    };
    read().map_err(|error| BadEvent::Field {
        kind: kind.to_string(),
        error,
    })
}

fn event<'a>(kind: &str, fields: &Fields<'a>) -> Result<Event<'a>, FieldError> {
    let text = |key| fields.text(key);
    let optional = |key| fields.optional_text(key);
    Ok(match kind {
        "TEXT_MESSAGE_CONTENT" => Event::TextContent {
            id: text(Key::MessageId)?,
            delta: text(Key::Delta)?,
        },
        "TOOL_CALL_ARGS" => Event::ToolArgs {
            id: text(Key::ToolCallId)?,
            delta: text(Key::Delta)?,
        },
        "REASONING_MESSAGE_CONTENT" => Event::ReasoningContent {
            id: text(Key::MessageId)?,
            delta: text(Key::Delta)?,
        },
        "TEXT_MESSAGE_CHUNK" => Event::TextChunk {
            id: optional(Key::MessageId)?,
            role: optional(Key::Role)?,
            name: optional(Key::Name)?,
            delta: optional(Key::Delta)?,
        },
        "TOOL_CALL_CHUNK" => Event::ToolChunk {
            id: optional(Key::ToolCallId)?,
            name: optional(Key::ToolCallName)?,
            parent: optional(Key::ParentMessageId)?,
            delta: optional(Key::Delta)?,
        },
        "REASONING_MESSAGE_CHUNK" => Event::ReasoningChunk {
            id: optional(Key::MessageId)?,
            delta: optional(Key::Delta)?,
        },
        "RUN_STARTED" => {
            text(Key::ThreadId)?;
            text(Key::RunId)?;
            let input = fields.value(Key::Input)?;
            Event::RunStarted {
                input: (!input.is_null()).then_some(input),
            }
        }
        "RUN_FINISHED" => {
            text(Key::ThreadId)?;
            text(Key::RunId)?;
            Event::RunFinished {
                outcome: fields.value(Key::Outcome)?,
                usage: fields.value(Key::Usage)?,
            }
        }
        "RUN_ERROR" => Event::RunError {
            message: text(Key::Message)?,
            code: optional(Key::Code)?,
            usage: fields.value(Key::Usage)?,
        },
        "STEP_STARTED" => Event::StepStarted {
            name: text(Key::StepName)?,
        },
        "STEP_FINISHED" => Event::StepFinished {
            name: text(Key::StepName)?,
        },
        "TEXT_MESSAGE_START" => Event::TextStart {
            id: text(Key::MessageId)?,
            role: optional(Key::Role)?,
            name: optional(Key::Name)?,
        },
        "TEXT_MESSAGE_END" => Event::TextEnd {
            id: text(Key::MessageId)?,
        },
        "TOOL_CALL_START" => Event::ToolStart {
            id: text(Key::ToolCallId)?,
            name: text(Key::ToolCallName)?,
            parent: optional(Key::ParentMessageId)?,
        },
        "TOOL_CALL_END" => Event::ToolEnd {
            id: text(Key::ToolCallId)?,
        },
        "TOOL_CALL_RESULT" => tool_result(fields)?,
        "STATE_SNAPSHOT" => Event::StateSnapshot {
            snapshot: fields.value(Key::Snapshot)?,
        },
        "STATE_DELTA" => Event::StateDelta {
            delta: array(fields, Key::Delta)?,
        },
        "MESSAGES_SNAPSHOT" => Event::MessagesSnapshot {
            messages: array(fields, Key::Messages)?,
        },
        "ACTIVITY_SNAPSHOT" => Event::ActivitySnapshot {
            id: text(Key::MessageId)?,
            activity_type: text(Key::ActivityType)?,
            content: object(fields, Key::Content)?,
            replace: fields.raw(Key::Replace) != Some("false"),
        },
        "ACTIVITY_DELTA" => Event::ActivityDelta {
            id: text(Key::MessageId)?,
            activity_type: text(Key::ActivityType)?,
            patch: array(fields, Key::Patch)?,
        },
        "RAW" => Event::Raw,
        "CUSTOM" => Event::Custom,
        "REASONING_START" => Event::ReasoningStart {
            id: text(Key::MessageId)?,
        },
        "REASONING_END" => Event::ReasoningEnd {
            id: text(Key::MessageId)?,
        },
        "REASONING_MESSAGE_START" => Event::ReasoningMessageStart {
            id: text(Key::MessageId)?,
        },
        "REASONING_MESSAGE_END" => Event::ReasoningMessageEnd {
            id: text(Key::MessageId)?,
        },
        "REASONING_ENCRYPTED_VALUE" => Event::ReasoningEncrypted {
            subtype: text(Key::Subtype)?,
            entity: text(Key::EntityId)?,
            value: text(Key::EncryptedValue)?,
        },
        "SUBAGENT_STARTED" => Event::SubagentStarted {
            name: optional(Key::Name)?,
            parent: optional(Key::ParentSubagentRunId)?,
        },
        "SUBAGENT_FINISHED" => Event::SubagentFinished {
            outcome: fields.value(Key::Outcome)?,
        },
        "SUBAGENT_ERROR" => Event::SubagentError {
            message: optional(Key::Message)?,
        },
        "THINKING_START" => Event::Thinking(Thinking::Start {
            has_title: fields.raw(Key::Title).is_some(),
        }),
        "THINKING_END" => Event::Thinking(Thinking::End),
        "THINKING_TEXT_MESSAGE_START" => Event::Thinking(Thinking::MessageStart),
        "THINKING_TEXT_MESSAGE_CONTENT" => Event::Thinking(Thinking::Content {
            delta: text(Key::Delta)?,
        }),
        "THINKING_TEXT_MESSAGE_END" => Event::Thinking(Thinking::MessageEnd),
        _ => Event::Unknown,
    })
}

/// The protocol's member is `content`; some servers call it `result`.
fn tool_result<'a>(fields: &Fields<'a>) -> Result<Event<'a>, FieldError> {
    let key = if fields.raw(Key::Content).is_some() {
        Key::Content
    } else {
        Key::Result
    };
    Ok(Event::ToolResult {
        message_id: fields.optional_text(Key::MessageId)?,
        id: fields.text(Key::ToolCallId)?,
        content: fields.required_value(key).map_err(|error| match error {
            FieldError::Missing(_) => FieldError::Missing("content"),
            other => other,
        })?,
        error: fields.optional_text(Key::Error)?,
    })
}

fn array(fields: &Fields<'_>, key: Key) -> Result<Value, FieldError> {
    let value = fields.required_value(key)?;
    if value.is_array() {
        Ok(value)
    } else {
        Err(FieldError::WrongType(key.name(), "an array"))
    }
}

fn object(fields: &Fields<'_>, key: Key) -> Result<Value, FieldError> {
    let value = fields.required_value(key)?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(FieldError::WrongType(key.name(), "an object"))
    }
}

/// Lists the members that rule V5 does not allow to be `null`.
fn nulls(kind: &str, fields: &Fields<'_>) -> Vec<&'static str> {
    let mut keys = Vec::new();
    if fields.is_null(Key::SubagentRunId) {
        keys.push(Key::SubagentRunId.name());
    }
    if kind.starts_with("SUBAGENT_") {
        let more = [
            Key::Description,
            Key::ParentSubagentRunId,
            Key::ParentToolCallId,
            Key::ParentMessageId,
            Key::Outcome,
            Key::Code,
        ];
        keys.extend(
            more.into_iter()
                .filter(|key| fields.is_null(*key))
                .map(Key::name),
        );
    }
    keys
}
