//! Messages, tool calls and content parts.

use super::described::{
    Kind, Member, Object, Union, Variant, When, closed, late, optional, required, variant,
};

/// A message of any role.
pub(super) static MESSAGE: Kind = Kind::Union(&Union {
    by: "role",
    variants: &[
        variant("developer", &closed("a developer message", INSTRUCTION)),
        variant("system", &closed("a system message", INSTRUCTION)),
        variant("assistant", &ASSISTANT),
        variant("user", &USER),
        variant("tool", &TOOL),
        variant("activity", &ACTIVITY),
        variant("reasoning", &REASONING),
    ],
});

const IDENTITY: &[Member] = &[
    required("id", Kind::Text),
    optional("subagentRunId", Kind::Text),
    optional("metadata", Kind::Data),
];
const ENCRYPTED: &[Member] = &[optional("encryptedValue", Kind::Text)];
const NAMED: &[Member] = &[optional("name", Kind::Text)];

const INSTRUCTION: &[&[Member]] = &[
    IDENTITY,
    ENCRYPTED,
    NAMED,
    &[required("content", Kind::Text)],
];

static ASSISTANT: Object = closed(
    "an assistant message",
    &[
        IDENTITY,
        ENCRYPTED,
        NAMED,
        &[
            optional("content", Kind::Text),
            optional("toolCalls", Kind::List(&Kind::Object(&TOOL_CALL))),
        ],
    ],
);

static USER: Object = closed(
    "a user message",
    &[
        IDENTITY,
        ENCRYPTED,
        NAMED,
        &[required("content", Kind::TextOrList(&PART))],
    ],
);

static TOOL: Object = closed(
    "a tool message",
    &[
        IDENTITY,
        ENCRYPTED,
        &[
            required("content", RESULT),
            required("toolCallId", Kind::Text),
            optional("error", Kind::Text),
        ],
    ],
);

static ACTIVITY: Object = closed(
    "an activity message",
    &[
        IDENTITY,
        &[
            required("activityType", Kind::Text),
            required("content", Kind::Data),
        ],
    ],
);

static REASONING: Object = closed(
    "a reasoning message",
    &[IDENTITY, ENCRYPTED, &[required("content", Kind::Text)]],
);

static TOOL_CALL: Object = closed(
    "a tool call",
    &[
        ENCRYPTED,
        &[
            required("id", Kind::Text),
            required("type", Kind::OneOf(&["function"])),
            required("function", Kind::Object(&FUNCTION)),
            optional("metadata", Kind::Data),
        ],
    ],
);

static FUNCTION: Object = closed(
    "the function of a tool call",
    &[&[
        required("name", Kind::Text),
        required("arguments", Kind::Text),
    ]],
);

/// What a tool returned: before 1.0 it was text only.
pub(super) const RESULT: Kind = Kind::Changed {
    old: &Kind::Text,
    v1: &Kind::TextOrList(&PART),
};

/// A content part.
static PART: Kind = Kind::Union(&Union {
    by: "type",
    variants: &[
        variant("text", &TEXT),
        variant("image", &closed("an image part", MEDIA)),
        variant("audio", &closed("an audio part", MEDIA)),
        variant("video", &closed("a video part", MEDIA)),
        variant("document", &closed("a document part", MEDIA)),
        Variant {
            tag: "binary",
            object: &BINARY,
            when: When::Before1,
        },
    ],
});

const PART_ID: &[Member] = &[late("id", Kind::Text)];

static TEXT: Object = closed(
    "a text part",
    &[
        PART_ID,
        &[required("text", Kind::Text), late("metadata", Kind::Value)],
    ],
);

const MEDIA: &[&[Member]] = &[
    PART_ID,
    &[
        required("source", Kind::Union(&SOURCE)),
        optional("metadata", Kind::Value),
    ],
];

static BINARY: Object = Object {
    one_of: &["id", "url", "data"],
    ..closed(
        "a binary part",
        &[&[
            required("mimeType", Kind::Text),
            optional("id", Kind::Text),
            optional("url", Kind::Text),
            optional("data", Kind::Text),
            optional("filename", Kind::Text),
        ]],
    )
};

static SOURCE: Union = Union {
    by: "type",
    variants: &[
        variant(
            "data",
            &closed(
                "a data source",
                &[&[
                    required("value", Kind::Text),
                    required("mimeType", Kind::Text),
                ]],
            ),
        ),
        variant(
            "url",
            &closed(
                "a url source",
                &[&[
                    required("value", Kind::Text),
                    optional("mimeType", Kind::Text),
                ]],
            ),
        ),
        Variant {
            tag: "file",
            object: &FILE,
            when: When::Since1,
        },
    ],
};

static FILE: Object = closed(
    "a file source",
    &[&[
        required("value", Kind::Text),
        optional("provider", Kind::Text),
        optional("mimeType", Kind::Text),
    ]],
);
