//! The envelope of a frame: its arms, one per event type, and the base that all events share.

use super::message_events::{
    MESSAGES_SNAPSHOT, REASONING, REASONING_ENCRYPTED_VALUE, REASONING_MESSAGE_CHUNK,
    REASONING_MESSAGE_CONTENT, REASONING_MESSAGE_START, TEXT_MESSAGE_CHUNK, TEXT_MESSAGE_CONTENT,
    TEXT_MESSAGE_END, TEXT_MESSAGE_START, TOOL_CALL_ARGS, TOOL_CALL_CHUNK, TOOL_CALL_END,
    TOOL_CALL_RESULT, TOOL_CALL_START,
};
use super::run_events::{
    ACTIVITY_DELTA, ACTIVITY_SNAPSHOT, CUSTOM, RAW, RUN_ERROR, RUN_FINISHED, RUN_STARTED,
    STATE_DELTA, STATE_SNAPSHOT, STEP, SUBAGENT_ERROR, SUBAGENT_FINISHED, SUBAGENT_STARTED,
};
use super::schema::{Field, Kind, Message, optional, optional_text};

/// Describes one arm of the envelope, that is one event type.
#[derive(Debug)]
pub(super) struct Arm {
    /// The field number in the envelope.
    pub(super) number: u32,
    pub(super) event_type: &'static str,
    /// The number of the type in the enum of the base, which is counted differently.
    pub(super) type_code: i64,
    pub(super) message: &'static Message,
}

/// Returns the arm with this field number.
pub(super) fn arm(number: u32) -> Option<&'static Arm> {
    ARMS.iter().find(|arm| arm.number == number)
}

const fn event(
    number: u32,
    type_code: i64,
    event_type: &'static str,
    message: &'static Message,
) -> Arm {
    Arm {
        number,
        event_type,
        type_code,
        message,
    }
}

static ARMS: &[Arm] = &[
    event(1, 0, "TEXT_MESSAGE_START", &TEXT_MESSAGE_START),
    event(2, 1, "TEXT_MESSAGE_CONTENT", &TEXT_MESSAGE_CONTENT),
    event(3, 2, "TEXT_MESSAGE_END", &TEXT_MESSAGE_END),
    event(4, 3, "TOOL_CALL_START", &TOOL_CALL_START),
    event(5, 4, "TOOL_CALL_ARGS", &TOOL_CALL_ARGS),
    event(6, 5, "TOOL_CALL_END", &TOOL_CALL_END),
    event(7, 6, "STATE_SNAPSHOT", &STATE_SNAPSHOT),
    event(8, 7, "STATE_DELTA", &STATE_DELTA),
    event(9, 8, "MESSAGES_SNAPSHOT", &MESSAGES_SNAPSHOT),
    event(10, 9, "RAW", &RAW),
    event(11, 10, "CUSTOM", &CUSTOM),
    event(12, 11, "RUN_STARTED", &RUN_STARTED),
    event(13, 12, "RUN_FINISHED", &RUN_FINISHED),
    event(14, 13, "RUN_ERROR", &RUN_ERROR),
    event(15, 14, "STEP_STARTED", &STEP),
    event(16, 15, "STEP_FINISHED", &STEP),
    event(17, 19, "TEXT_MESSAGE_CHUNK", &TEXT_MESSAGE_CHUNK),
    event(18, 20, "TOOL_CALL_CHUNK", &TOOL_CALL_CHUNK),
    event(19, 16, "SUBAGENT_STARTED", &SUBAGENT_STARTED),
    event(20, 17, "SUBAGENT_FINISHED", &SUBAGENT_FINISHED),
    event(21, 18, "SUBAGENT_ERROR", &SUBAGENT_ERROR),
    event(22, 21, "TOOL_CALL_RESULT", &TOOL_CALL_RESULT),
    event(23, 22, "ACTIVITY_SNAPSHOT", &ACTIVITY_SNAPSHOT),
    event(24, 23, "ACTIVITY_DELTA", &ACTIVITY_DELTA),
    event(25, 24, "REASONING_START", &REASONING),
    event(26, 25, "REASONING_MESSAGE_START", &REASONING_MESSAGE_START),
    event(
        27,
        26,
        "REASONING_MESSAGE_CONTENT",
        &REASONING_MESSAGE_CONTENT,
    ),
    event(28, 27, "REASONING_MESSAGE_END", &REASONING),
    event(29, 28, "REASONING_MESSAGE_CHUNK", &REASONING_MESSAGE_CHUNK),
    event(30, 29, "REASONING_END", &REASONING),
    event(
        31,
        30,
        "REASONING_ENCRYPTED_VALUE",
        &REASONING_ENCRYPTED_VALUE,
    ),
];

/// The name of the field that holds the base of an event.
pub(super) const BASE_EVENT: &str = "baseEvent";

/// What all events have: type, timestamp, raw event and metadata.
static BASE: Message = Message {
    name: "BaseEvent",
    fields: &[
        optional(1, "type", Kind::Integer),
        optional(2, "timestamp", Kind::Integer),
        optional(3, "rawEvent", Kind::Json),
        optional(4, "metadata", Kind::Object),
    ],
};

/// Field 1 of every event.
pub(super) const fn base() -> Field {
    optional(1, BASE_EVENT, Kind::Message(&BASE))
}

/// The id of the subagent that an event belongs to.
pub(super) const fn subagent(number: u32) -> Field {
    optional_text(number, "subagentRunId")
}
