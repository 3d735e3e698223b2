//! `type: command`, `type: scripted` and `type: assistant`: agents that ananke runs itself.

use super::a2a_shapes::A2A_TARGET;
use super::chat_shapes::{OPENAI_TARGET, OPTIONS, RETRIES, STREAM};
use super::mcp_shapes::MCP_TARGET;
use super::script_check_shapes::SCRIPT_TARGET;
use super::script_shapes::INLINE_SCRIPT;
use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{
    ASSERT_OF_TARGET, BACKOFF_MS_OF_CHAT, CONCURRENCY, CONNECT_TIMEOUT_MS, FORWARDED_PROPS, GROUP,
    HEADERS, LIMITS_OF_TARGET, TIMEOUT_MS, TLS_OF_TARGET,
};
use super::target_shapes::TARGET;

/// The types that a target can have.
pub(crate) const TARGET_TYPES: &[&str] = &[
    "agui",
    "openai",
    "command",
    "scripted",
    "assistant",
    "script",
    "a2a",
    "mcp",
];

/// The shapes of all types.
pub(crate) static TARGETS: &[&Shape] = &[
    &TARGET,
    &OPENAI_TARGET,
    &COMMAND_TARGET,
    &SCRIPTED_TARGET,
    &ASSISTANT_TARGET,
    &SCRIPT_TARGET,
    &A2A_TARGET,
    &MCP_TARGET,
];

/// A target that is a program.
pub(crate) static COMMAND_TARGET: Shape = Shape {
    name: "CommandTarget",
    title: "a `command` target",
    doc: "A program that gets one JSON object on stdin and answers with one on stdout.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["command"]),
            "command",
            "The agent is a program.",
        ),
        Field::required(
            "cmd",
            FieldKind::Command,
            "[node, agent.js]",
            "Program and arguments; no shell. It runs in the folder of the config, once for each turn.",
        ),
        Field::optional(
            "env",
            FieldKind::ScalarMap,
            "{MODE: test}",
            "Additional environment variables.",
        ),
        TIMEOUT_MS,
        LIMITS_OF_TARGET,
        ASSERT_OF_TARGET,
        CONCURRENCY,
        GROUP,
    ],
    elsewhere: &[
        ("command", "write `cmd`"),
        ("args", "write them in `cmd`"),
        ("backoff_ms", "leave it out: a program does not ask to wait"),
    ],
};

/// A target that follows a script.
pub(crate) static SCRIPTED_TARGET: Shape = Shape {
    name: "ScriptedTarget",
    title: "a `scripted` target",
    doc: "An agent that follows a script inside ananke, with no model and no network.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["scripted"]),
            "scripted",
            "The agent is a script.",
        ),
        Field::required(
            "script",
            FieldKind::TextOr(&FieldKind::Object(&INLINE_SCRIPT)),
            "{rules: [{reply: [{text: Hello}]}]}",
            "The script, or the path of its file from the folder of the config.",
        ),
        FORWARDED_PROPS,
        TIMEOUT_MS,
        LIMITS_OF_TARGET,
        ASSERT_OF_TARGET,
        CONCURRENCY,
        GROUP,
    ],
    elsewhere: &[
        ("backoff_ms", "leave it out: a script does not ask to wait"),
        ("rules", "write them under `script`"),
        ("file", "write `script`"),
        ("forwarded_props", "write `forwardedProps`"),
    ],
};

/// A target that is an assistant folder.
pub(crate) static ASSISTANT_TARGET: Shape = Shape {
    name: "AssistantTarget",
    title: "an `assistant` target",
    doc: "An assistant folder, the one that holds `package.yao`: its prompts, sent to its connector.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["assistant"]),
            "assistant",
            "The agent is a folder.",
        ),
        Field::optional(
            "folder",
            FieldKind::Text,
            "assistants/shop/refund",
            "The folder, from the folder of the config. Either this or `id`.",
        ),
        Field::optional(
            "id",
            FieldKind::Text,
            "shop.refund",
            "The path below `assistants`, with dots.",
        ),
        Field::optional(
            "connector",
            FieldKind::Text,
            "fast",
            "The connector instead of the folder's own, used if no other is chosen.",
        ),
        Field::optional(
            "preset",
            FieldKind::Text,
            "chat.friendly",
            "The prompts below `prompts` that are used instead of the default ones.",
        ),
        HEADERS,
        OPTIONS,
        STREAM,
        RETRIES,
        TIMEOUT_MS,
        CONNECT_TIMEOUT_MS,
        TLS_OF_TARGET,
        LIMITS_OF_TARGET,
        ASSERT_OF_TARGET,
        CONCURRENCY,
        GROUP,
        BACKOFF_MS_OF_CHAT,
    ],
    elsewhere: &[
        ("path", "write `folder`"),
        ("model", "the connector says which model it is"),
        ("connectors", "write `connectors` at the root of the config"),
        ("system", "the folder says it, in `prompts.yml`"),
    ],
};
