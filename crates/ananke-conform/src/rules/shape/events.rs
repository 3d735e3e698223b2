//! The events: 31 of 1.0, and five that packages before it had.

use super::content_events::{
    MESSAGE_DELTA, MESSAGE_ID, REASONING_ENCRYPTED_VALUE, REASONING_MESSAGE_CHUNK,
    REASONING_MESSAGE_START, TEXT_MESSAGE_CHUNK, TEXT_MESSAGE_START, THINKING_START,
    THINKING_TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS, TOOL_CALL_CHUNK, TOOL_CALL_END,
    TOOL_CALL_RESULT, TOOL_CALL_START,
};
use super::described::{Object, Union, Variant, When, closed, variant};
use super::envelope::BASE;
use super::run_events::{
    RUN_ERROR, RUN_FINISHED, RUN_STARTED, STEP, SUBAGENT_ERROR, SUBAGENT_FINISHED, SUBAGENT_STARTED,
};
use super::state_events::{
    ACTIVITY_DELTA, ACTIVITY_SNAPSHOT, CUSTOM, MESSAGES_SNAPSHOT, RAW, STATE_DELTA, STATE_SNAPSHOT,
};

/// An event of any type.
pub(crate) static EVENT: Union = Union {
    by: "type",
    variants: &[
        variant("RUN_STARTED", &RUN_STARTED),
        variant("RUN_FINISHED", &RUN_FINISHED),
        variant("RUN_ERROR", &RUN_ERROR),
        variant("STEP_STARTED", &closed("`STEP_STARTED`", STEP)),
        variant("STEP_FINISHED", &closed("`STEP_FINISHED`", STEP)),
        variant("TEXT_MESSAGE_START", &TEXT_MESSAGE_START),
        variant(
            "TEXT_MESSAGE_CONTENT",
            &closed("`TEXT_MESSAGE_CONTENT`", MESSAGE_DELTA),
        ),
        variant(
            "TEXT_MESSAGE_END",
            &closed("`TEXT_MESSAGE_END`", MESSAGE_ID),
        ),
        variant("TEXT_MESSAGE_CHUNK", &TEXT_MESSAGE_CHUNK),
        variant("TOOL_CALL_START", &TOOL_CALL_START),
        variant("TOOL_CALL_ARGS", &TOOL_CALL_ARGS),
        variant("TOOL_CALL_END", &TOOL_CALL_END),
        variant("TOOL_CALL_CHUNK", &TOOL_CALL_CHUNK),
        variant("TOOL_CALL_RESULT", &TOOL_CALL_RESULT),
        variant("STATE_SNAPSHOT", &STATE_SNAPSHOT),
        variant("STATE_DELTA", &STATE_DELTA),
        variant("MESSAGES_SNAPSHOT", &MESSAGES_SNAPSHOT),
        variant("ACTIVITY_SNAPSHOT", &ACTIVITY_SNAPSHOT),
        variant("ACTIVITY_DELTA", &ACTIVITY_DELTA),
        variant("RAW", &RAW),
        variant("CUSTOM", &CUSTOM),
        variant("REASONING_START", &closed("`REASONING_START`", MESSAGE_ID)),
        variant("REASONING_END", &closed("`REASONING_END`", MESSAGE_ID)),
        variant("REASONING_MESSAGE_START", &REASONING_MESSAGE_START),
        variant(
            "REASONING_MESSAGE_CONTENT",
            &closed("`REASONING_MESSAGE_CONTENT`", MESSAGE_DELTA),
        ),
        variant(
            "REASONING_MESSAGE_END",
            &closed("`REASONING_MESSAGE_END`", MESSAGE_ID),
        ),
        variant("REASONING_MESSAGE_CHUNK", &REASONING_MESSAGE_CHUNK),
        variant("REASONING_ENCRYPTED_VALUE", &REASONING_ENCRYPTED_VALUE),
        variant("SUBAGENT_STARTED", &SUBAGENT_STARTED),
        variant("SUBAGENT_FINISHED", &SUBAGENT_FINISHED),
        variant("SUBAGENT_ERROR", &SUBAGENT_ERROR),
        retired("THINKING_START", &THINKING_START),
        retired("THINKING_END", &closed("`THINKING_END`", &[BASE])),
        retired(
            "THINKING_TEXT_MESSAGE_START",
            &closed("`THINKING_TEXT_MESSAGE_START`", &[BASE]),
        ),
        retired(
            "THINKING_TEXT_MESSAGE_CONTENT",
            &THINKING_TEXT_MESSAGE_CONTENT,
        ),
        retired(
            "THINKING_TEXT_MESSAGE_END",
            &closed("`THINKING_TEXT_MESSAGE_END`", &[BASE]),
        ),
    ],
};

const fn retired(tag: &'static str, object: &'static Object) -> Variant {
    Variant {
        tag,
        object,
        when: When::Before1,
    }
}
