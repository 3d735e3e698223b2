//! A test file, `*.test.yaml`.

use super::a2a_turn_shapes::TURN_SEND;
use super::agent_shapes::TARGETS;
use super::assert_shapes::ASSERT;
use super::mcp_turn_shapes::{TURN_CALL, TURN_LIST, TURN_PROMPT, TURN_READ};
use super::shape::{Field, FieldKind, Shape};

/// The words of `type` in a turn.
pub(crate) const TURN_TYPES: &[&str] = &[
    "user",
    "agui:connect",
    "agui:resume",
    "a2a:send",
    "mcp:call",
    "mcp:list",
    "mcp:read",
    "mcp:prompt",
];
/// The words of `status` in an `agui:resume` turn.
pub(crate) const RESUME_STATUS: &[&str] = &["resolved", "cancelled"];

/// The test file.
pub(crate) static TEST: Shape = Shape {
    name: "Test",
    title: "a test file",
    doc: "A test: a conversation with the agent, and what must hold.",
    fields: &[
        Field::required(
            "version",
            FieldKind::Version,
            "\"1.0\"",
            "The version of this format.",
        ),
        Field::required(
            "name",
            FieldKind::Text,
            "checkout flow",
            "What the test is called; unique in the project.",
        ),
        Field::optional(
            "hooks",
            FieldKind::Objects(&HOOK),
            "[{cmd: [bash, scripts/setup.sh]}]",
            "Commands that run before the first turn; the JSON object they print gives variables.",
        ),
        Field::required(
            "turns",
            FieldKind::Turns(&[
                &TURN_USER,
                &TURN_CONNECT,
                &TURN_RESUME,
                &TURN_SEND,
                &TURN_CALL,
                &TURN_LIST,
                &TURN_READ,
                &TURN_PROMPT,
            ]),
            "[{user: Hello}]",
            "The conversation.",
        ),
        Field::optional(
            "assert",
            FieldKind::Object(&ASSERT),
            "{text: {must_not_match: [error]}}",
            "What the whole test demands, judged after the last turn.",
        ),
        Field::optional("tags", FieldKind::TextList, "[smoke]", "Words for `--tag`."),
        Field::optional(
            "skip",
            FieldKind::Text,
            "waits for the new cart",
            "Why this test is not to be run.",
        ),
        Field::optional(
            "timeout_ms",
            FieldKind::Millis,
            "60000",
            "Wall-clock limit of each turn of this test.",
        ),
        Field::optional(
            "target",
            FieldKind::TargetPick(TARGETS),
            "{headers: {X-Client: mobile}}",
            "The name of one of the config's `targets`, or keys that override the config's target.",
        ),
        Field::optional(
            "targets",
            FieldKind::TextList,
            "[local, staging]",
            "Names of several of the config's `targets`: the test is run against each of them.",
        ),
    ],
    elsewhere: &[
        ("steps", "the conversation is written under `turns`"),
        ("expect", "what must hold is written under `assert`"),
        (
            "assertions",
            "named blocks belong in the config file; what must hold is written under `assert`",
        ),
        ("server", "`server` belongs in the config file"),
        (
            "tools",
            "write `tools` under `assert` to demand calls, under `target` to offer client tools",
        ),
        ("text", "write `text` under `assert`"),
        ("timing", "write `timing` under `assert`"),
    ],
};

/// An entry of `hooks`.
pub(crate) static HOOK: Shape = Shape {
    name: "Hook",
    title: "a hook",
    doc: "A command that prepares a test. Its output is one JSON object, or nothing.",
    fields: &[
        Field::required(
            "cmd",
            FieldKind::Command,
            "[bash, scripts/setup.sh]",
            "Program and arguments; no shell.",
        ),
        Field::optional(
            "timeout_ms",
            FieldKind::Millis,
            "15000",
            "Wall-clock limit (default 30000).",
        ),
        Field::optional(
            "env",
            FieldKind::ScalarMap,
            "{MODE: test}",
            "Additional environment variables.",
        ),
    ],
    elsewhere: &[],
};

const TURN_ASSERT: Field = Field::optional(
    "assert",
    FieldKind::Object(&ASSERT),
    "{tools: {require: [{name: search}]}}",
    "What this turn demands, judged at once; a turn without it is not judged by itself.",
);
const TURN_TIMEOUT: Field = Field::optional(
    "timeout_ms",
    FieldKind::Millis,
    "30000",
    "Wall-clock limit of this turn.",
);

/// A `user` turn.
pub(crate) static TURN_USER: Shape = Shape {
    name: "UserTurn",
    title: "a `user` turn",
    doc: "Sends a user message.",
    fields: &[
        Field::optional(
            "type",
            FieldKind::Choice(&["user"]),
            "user",
            "The kind of turn (default user).",
        ),
        Field::required("user", FieldKind::Text, "Hello", "The message."),
        TURN_ASSERT,
        TURN_TIMEOUT,
    ],
    elsewhere: &[
        ("message", "the message is written under `user`"),
        ("expect", "what must hold is written under `assert`"),
    ],
};

/// An `agui:connect` turn.
pub(crate) static TURN_CONNECT: Shape = Shape {
    name: "ConnectTurn",
    title: "an `agui:connect` turn",
    doc: "Attaches to the thread without a message.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["agui:connect"]),
            "agui:connect",
            "The kind of turn.",
        ),
        Field::optional(
            "allow_empty",
            FieldKind::Bool,
            "true",
            "Tells that an empty replay is fine.",
        ),
        TURN_ASSERT,
        TURN_TIMEOUT,
    ],
    elsewhere: &[("user", "an `agui:connect` turn sends no message")],
};

/// An `agui:resume` turn.
pub(crate) static TURN_RESUME: Shape = Shape {
    name: "ResumeTurn",
    title: "an `agui:resume` turn",
    doc: "Answers the interrupts that the last run ended with.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["agui:resume"]),
            "agui:resume",
            "The kind of turn.",
        ),
        Field::optional(
            "status",
            FieldKind::Choice(RESUME_STATUS),
            "resolved",
            "Whether the user decided (default resolved).",
        ),
        Field::optional(
            "payload",
            FieldKind::Json,
            "{approved: true}",
            "What is handed to the agent.",
        ),
        TURN_ASSERT,
        TURN_TIMEOUT,
    ],
    elsewhere: &[("user", "an `agui:resume` turn sends no message")],
};
