//! Tables of the events about the run: its start and end, steps, subagents, state, activities, raw and custom events.

use super::envelope::{base, subagent};
use super::messages::{INTERRUPT, PATCH_OPERATION, RUN_AGENT_INPUT, USAGE};
use super::schema::{Kind, Message, messages, optional, optional_text, repeated, text};

pub(super) static STATE_SNAPSHOT: Message = Message {
    name: "StateSnapshotEvent",
    fields: &[base(), optional(2, "snapshot", Kind::Json), subagent(3)],
};

pub(super) static STATE_DELTA: Message = Message {
    name: "StateDeltaEvent",
    fields: &[base(), messages(2, "delta", &PATCH_OPERATION), subagent(3)],
};

pub(super) static ACTIVITY_SNAPSHOT: Message = Message {
    name: "ActivitySnapshotEvent",
    fields: &[
        base(),
        subagent(2),
        text(3, "messageId"),
        text(4, "activityType"),
        optional(5, "content", Kind::Object),
        optional(6, "replace", Kind::Flag),
    ],
};

pub(super) static ACTIVITY_DELTA: Message = Message {
    name: "ActivityDeltaEvent",
    fields: &[
        base(),
        subagent(2),
        text(3, "messageId"),
        text(4, "activityType"),
        messages(5, "patch", &PATCH_OPERATION),
    ],
};

pub(super) static RAW: Message = Message {
    name: "RawEvent",
    fields: &[
        base(),
        optional(2, "event", Kind::Json),
        optional_text(3, "source"),
        subagent(4),
    ],
};

pub(super) static CUSTOM: Message = Message {
    name: "CustomEvent",
    fields: &[
        base(),
        text(2, "name"),
        optional(3, "value", Kind::Json),
        subagent(4),
    ],
};

pub(super) static RUN_STARTED: Message = Message {
    name: "RunStartedEvent",
    fields: &[
        base(),
        text(2, "threadId"),
        text(3, "runId"),
        optional_text(4, "parentRunId"),
        optional(5, "input", Kind::Message(&RUN_AGENT_INPUT)),
        optional_text(6, "protocolVersion"),
    ],
};

pub(super) static RUN_FINISHED: Message = Message {
    name: "RunFinishedEvent",
    fields: &[
        base(),
        text(2, "threadId"),
        text(3, "runId"),
        optional(4, "result", Kind::Json),
        text(5, "outcome"),
        messages(6, "interrupts", &INTERRUPT),
        messages(7, "usage", &USAGE),
        repeated(8, "pendingToolCallIds", Kind::Text),
    ],
};

pub(super) static RUN_ERROR: Message = Message {
    name: "RunErrorEvent",
    fields: &[
        base(),
        optional_text(2, "code"),
        text(3, "message"),
        messages(4, "usage", &USAGE),
    ],
};

pub(super) static STEP: Message = Message {
    name: "StepEvent",
    fields: &[base(), text(2, "stepName"), subagent(3)],
};

pub(super) static SUBAGENT_STARTED: Message = Message {
    name: "SubagentStartedEvent",
    fields: &[
        base(),
        text(2, "subagentRunId"),
        text(3, "name"),
        optional_text(4, "description"),
        optional_text(5, "parentSubagentRunId"),
        optional_text(6, "parentToolCallId"),
        optional_text(7, "parentMessageId"),
    ],
};

pub(super) static SUBAGENT_FINISHED: Message = Message {
    name: "SubagentFinishedEvent",
    fields: &[
        base(),
        text(2, "subagentRunId"),
        optional(3, "result", Kind::Json),
        text(4, "outcome"),
        repeated(5, "interruptIds", Kind::Text),
    ],
};

pub(super) static SUBAGENT_ERROR: Message = Message {
    name: "SubagentErrorEvent",
    fields: &[
        base(),
        text(2, "subagentRunId"),
        text(3, "message"),
        optional_text(4, "code"),
    ],
};
