//! Tables of the messages that events carry: conversation messages, content parts, run input, usage, interrupts.

use super::schema::{
    Field, Kind, Message, Presence, field, messages, optional, optional_text, text,
};

/// The name of the field that holds the parts of a message or of a tool result.
pub(super) const CONTENT_PARTS: &str = "contentParts";
/// The name of the field that holds the content of an activity message.
pub(super) const ACTIVITY_CONTENT: &str = "activityContent";

pub(super) static USAGE: Message = Message {
    name: "Usage",
    fields: &[
        optional_text(1, "provider"),
        optional_text(2, "model"),
        optional(3, "inputTokens", Kind::Integer),
        optional(4, "outputTokens", Kind::Integer),
        optional(5, "totalTokens", Kind::Integer),
        optional(6, "reasoningTokens", Kind::Integer),
        optional(7, "cachedInputTokens", Kind::Integer),
        optional(8, "cacheWriteInputTokens", Kind::Integer),
    ],
};

pub(super) static INTERRUPT: Message = Message {
    name: "Interrupt",
    fields: &[
        text(1, "id"),
        text(2, "reason"),
        optional_text(3, "message"),
        optional_text(4, "toolCallId"),
        optional(5, "responseSchema", Kind::Json),
        optional_text(6, "expiresAt"),
        optional(7, "metadata", Kind::Json),
        optional_text(8, "subagentRunId"),
    ],
};

pub(super) static PATCH_OPERATION: Message = Message {
    name: "JsonPatchOperation",
    fields: &[
        field(1, "op", Kind::PatchOp, Presence::Implicit),
        text(2, "path"),
        optional_text(3, "from"),
        optional(4, "value", Kind::Json),
    ],
};

pub(super) static MESSAGE: Message = Message {
    name: "Message",
    fields: &[
        text(1, "id"),
        text(2, "role"),
        optional_text(3, "content"),
        optional_text(4, "name"),
        messages(5, "toolCalls", &TOOL_CALL),
        optional_text(6, "toolCallId"),
        optional_text(7, "error"),
        messages(8, CONTENT_PARTS, &CONTENT_PART),
        optional(9, "metadata", Kind::Object),
        optional_text(10, "subagentRunId"),
        optional_text(11, "encryptedValue"),
        optional_text(12, "activityType"),
        optional(13, ACTIVITY_CONTENT, Kind::Object),
    ],
};

static TOOL_CALL: Message = Message {
    name: "ToolCall",
    fields: &[
        text(1, "id"),
        text(2, "type"),
        optional(3, "function", Kind::Message(&FUNCTION)),
        optional(4, "metadata", Kind::Object),
        optional_text(5, "encryptedValue"),
    ],
};

static FUNCTION: Message = Message {
    name: "ToolCall.Function",
    fields: &[text(1, "name"), text(2, "arguments")],
};

/// One of the fields is set: its name is the part's type.
pub(super) static CONTENT_PART: Message = Message {
    name: "InputContent",
    fields: &[
        optional(1, "text", Kind::Message(&TEXT_PART)),
        optional(2, "image", Kind::Message(&MEDIA_PART)),
        optional(3, "audio", Kind::Message(&MEDIA_PART)),
        optional(4, "video", Kind::Message(&MEDIA_PART)),
        optional(5, "document", Kind::Message(&MEDIA_PART)),
    ],
};

static TEXT_PART: Message = Message {
    name: "TextInputPart",
    fields: &[
        text(1, "text"),
        optional_text(2, "id"),
        optional(3, "metadata", Kind::Json),
    ],
};

/// Image, audio, video and document parts have the same fields.
static MEDIA_PART: Message = Message {
    name: "media part",
    fields: &[
        optional(1, "source", Kind::Message(&SOURCE)),
        optional(2, "metadata", Kind::Json),
        optional_text(3, "id"),
    ],
};

/// One of the fields is set: its name is the source's type.
static SOURCE: Message = Message {
    name: "InputContentSource",
    fields: &[
        optional(1, "data", Kind::Message(&DATA_SOURCE)),
        optional(2, "url", Kind::Message(&URL_SOURCE)),
        optional(3, "file", Kind::Message(&FILE_SOURCE)),
    ],
};

static DATA_SOURCE: Message = Message {
    name: "InputContentDataSource",
    fields: &[text(1, "value"), text(2, "mimeType")],
};

static URL_SOURCE: Message = Message {
    name: "InputContentUrlSource",
    fields: &[text(1, "value"), optional_text(2, "mimeType")],
};

static FILE_SOURCE: Message = Message {
    name: "InputContentFileSource",
    fields: &[
        text(1, "value"),
        optional_text(2, "provider"),
        optional_text(3, "mimeType"),
    ],
};

/// The echo of the request in `RUN_STARTED`. Its lists are always shown: the wire cannot tell absent from empty.
pub(super) static RUN_AGENT_INPUT: Message = Message {
    name: "RunAgentInput",
    fields: &[
        text(1, "threadId"),
        text(2, "runId"),
        optional_text(3, "parentRunId"),
        optional(4, "state", Kind::Json),
        messages(5, "messages", &MESSAGE),
        messages(6, "tools", &TOOL),
        messages(7, "context", &CONTEXT),
        optional(8, "forwardedProps", Kind::Json),
        messages(9, "resume", &RESUME_ENTRY),
        optional_text(10, "protocolVersion"),
    ],
};

static TOOL: Message = Message {
    name: "Tool",
    fields: &[
        text(1, "name"),
        text(2, "description"),
        optional(3, "parameters", Kind::Json),
        METADATA,
    ],
};

static CONTEXT: Message = Message {
    name: "Context",
    fields: &[text(1, "description"), text(2, "value")],
};

static RESUME_ENTRY: Message = Message {
    name: "ResumeEntry",
    fields: &[
        text(1, "interruptId"),
        text(2, "status"),
        optional(3, "payload", Kind::Json),
        METADATA,
    ],
};

/// The field 4 that tools and resume entries share.
const METADATA: Field = optional(4, "metadata", Kind::Object);
