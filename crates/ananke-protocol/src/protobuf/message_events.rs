//! Tables of the events that build messages: text, tool calls, reasoning, and snapshots of the conversation.

use super::envelope::{base, subagent};
use super::messages::{CONTENT_PART, CONTENT_PARTS, MESSAGE};
use super::schema::{Message, messages, optional_text, text};

pub(super) static TEXT_MESSAGE_START: Message = Message {
    name: "TextMessageStartEvent",
    fields: &[
        base(),
        text(2, "messageId"),
        optional_text(3, "role"),
        optional_text(4, "name"),
        subagent(5),
    ],
};

pub(super) static TEXT_MESSAGE_CONTENT: Message = Message {
    name: "TextMessageContentEvent",
    fields: &[base(), text(2, "messageId"), text(3, "delta"), subagent(4)],
};

pub(super) static TEXT_MESSAGE_END: Message = Message {
    name: "TextMessageEndEvent",
    fields: &[base(), text(2, "messageId"), subagent(3)],
};

pub(super) static TEXT_MESSAGE_CHUNK: Message = Message {
    name: "TextMessageChunkEvent",
    fields: &[
        base(),
        optional_text(2, "messageId"),
        optional_text(3, "role"),
        optional_text(4, "delta"),
        optional_text(5, "name"),
        subagent(6),
    ],
};

pub(super) static TOOL_CALL_START: Message = Message {
    name: "ToolCallStartEvent",
    fields: &[
        base(),
        text(2, "toolCallId"),
        text(3, "toolCallName"),
        optional_text(4, "parentMessageId"),
        subagent(5),
    ],
};

pub(super) static TOOL_CALL_ARGS: Message = Message {
    name: "ToolCallArgsEvent",
    fields: &[base(), text(2, "toolCallId"), text(3, "delta"), subagent(4)],
};

pub(super) static TOOL_CALL_END: Message = Message {
    name: "ToolCallEndEvent",
    fields: &[base(), text(2, "toolCallId"), subagent(3)],
};

pub(super) static TOOL_CALL_CHUNK: Message = Message {
    name: "ToolCallChunkEvent",
    fields: &[
        base(),
        optional_text(2, "toolCallId"),
        optional_text(3, "toolCallName"),
        optional_text(4, "parentMessageId"),
        optional_text(5, "delta"),
        subagent(6),
    ],
};

pub(super) static TOOL_CALL_RESULT: Message = Message {
    name: "ToolCallResultEvent",
    fields: &[
        base(),
        subagent(2),
        text(3, "messageId"),
        text(4, "toolCallId"),
        optional_text(5, "content"),
        optional_text(6, "role"),
        messages(7, CONTENT_PARTS, &CONTENT_PART),
    ],
};

pub(super) static MESSAGES_SNAPSHOT: Message = Message {
    name: "MessagesSnapshotEvent",
    fields: &[base(), messages(2, "messages", &MESSAGE)],
};

pub(super) static REASONING: Message = Message {
    name: "ReasoningEvent",
    fields: &[base(), subagent(2), text(3, "messageId")],
};

pub(super) static REASONING_MESSAGE_START: Message = Message {
    name: "ReasoningMessageStartEvent",
    fields: &[base(), subagent(2), text(3, "messageId"), text(4, "role")],
};

pub(super) static REASONING_MESSAGE_CONTENT: Message = Message {
    name: "ReasoningMessageContentEvent",
    fields: &[base(), subagent(2), text(3, "messageId"), text(4, "delta")],
};

pub(super) static REASONING_MESSAGE_CHUNK: Message = Message {
    name: "ReasoningMessageChunkEvent",
    fields: &[
        base(),
        subagent(2),
        optional_text(3, "messageId"),
        optional_text(4, "delta"),
    ],
};

pub(super) static REASONING_ENCRYPTED_VALUE: Message = Message {
    name: "ReasoningEncryptedValueEvent",
    fields: &[
        base(),
        subagent(2),
        text(3, "subtype"),
        text(4, "entityId"),
        text(5, "encryptedValue"),
    ],
};
