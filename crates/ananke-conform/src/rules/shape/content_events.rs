//! Events of text, tool calls and reasoning.

use super::described::{Kind, Member, Object, closed, once_nullable, optional, required};
use super::envelope::{BASE, OWNER};
use super::messages::RESULT;

pub(super) const MESSAGE_ID: &[&[Member]] = &[BASE, OWNER, &[required("messageId", Kind::Text)]];

pub(super) const MESSAGE_DELTA: &[&[Member]] = &[
    BASE,
    OWNER,
    &[
        required("messageId", Kind::Text),
        required("delta", Kind::Text),
    ],
];

/// Text can have any of these roles.
const TEXT_ROLE: Kind = Kind::OneOf(&["developer", "system", "assistant", "user"]);

pub(super) static TEXT_MESSAGE_START: Object = closed(
    "`TEXT_MESSAGE_START`",
    &[
        BASE,
        OWNER,
        &[
            required("messageId", Kind::Text),
            optional("role", TEXT_ROLE),
            optional("name", Kind::Text),
        ],
    ],
);

pub(super) static TEXT_MESSAGE_CHUNK: Object = closed(
    "`TEXT_MESSAGE_CHUNK`",
    &[
        BASE,
        OWNER,
        &[
            optional("messageId", Kind::Text),
            optional("role", TEXT_ROLE),
            optional("delta", Kind::Text),
            optional("name", Kind::Text),
        ],
    ],
);

pub(super) static TOOL_CALL_START: Object = closed(
    "`TOOL_CALL_START`",
    &[
        BASE,
        OWNER,
        &[
            required("toolCallId", Kind::Text),
            required("toolCallName", Kind::Text),
            once_nullable("parentMessageId", Kind::Text),
        ],
    ],
);

pub(super) static TOOL_CALL_ARGS: Object = closed(
    "`TOOL_CALL_ARGS`",
    &[
        BASE,
        OWNER,
        &[
            required("toolCallId", Kind::Text),
            required("delta", Kind::Text),
        ],
    ],
);

pub(super) static TOOL_CALL_END: Object = closed(
    "`TOOL_CALL_END`",
    &[BASE, OWNER, &[required("toolCallId", Kind::Text)]],
);

pub(super) static TOOL_CALL_CHUNK: Object = closed(
    "`TOOL_CALL_CHUNK`",
    &[
        BASE,
        OWNER,
        &[
            optional("toolCallId", Kind::Text),
            optional("toolCallName", Kind::Text),
            once_nullable("parentMessageId", Kind::Text),
            optional("delta", Kind::Text),
        ],
    ],
);

pub(super) static TOOL_CALL_RESULT: Object = closed(
    "`TOOL_CALL_RESULT`",
    &[
        BASE,
        OWNER,
        &[
            required("messageId", Kind::Text),
            required("toolCallId", Kind::Text),
            required("content", RESULT),
            optional("role", Kind::OneOf(&["tool"])),
        ],
    ],
);

pub(super) static REASONING_MESSAGE_START: Object = closed(
    "`REASONING_MESSAGE_START`",
    &[
        BASE,
        OWNER,
        &[
            required("messageId", Kind::Text),
            required("role", REASONING_ROLE),
        ],
    ],
);

/// Early packages had other words; the last one before 1.0 takes this one only.
const REASONING_ROLE: Kind = Kind::OneOf(&["reasoning"]);

pub(super) static REASONING_MESSAGE_CHUNK: Object = closed(
    "`REASONING_MESSAGE_CHUNK`",
    &[
        BASE,
        OWNER,
        &[
            optional("messageId", Kind::Text),
            optional("delta", Kind::Text),
        ],
    ],
);

pub(super) static REASONING_ENCRYPTED_VALUE: Object = closed(
    "`REASONING_ENCRYPTED_VALUE`",
    &[
        BASE,
        OWNER,
        &[
            required("subtype", Kind::OneOf(&["tool-call", "message"])),
            required("entityId", Kind::Text),
            required("encryptedValue", Kind::Text),
        ],
    ],
);

pub(super) static THINKING_START: Object = closed(
    "`THINKING_START`",
    &[BASE, &[optional("title", Kind::Text)]],
);

pub(super) static THINKING_TEXT_MESSAGE_CONTENT: Object = closed(
    "`THINKING_TEXT_MESSAGE_CONTENT`",
    &[BASE, &[required("delta", Kind::Text)]],
);
