//! `type: openai`, and the connectors that such targets share.

use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{
    ASSERT_OF_TARGET, BACKOFF_MS_OF_CHAT, CLIENT_TOOLS, CONCURRENCY, CONNECT_TIMEOUT_MS, GROUP,
    HEADERS, LIMITS_OF_TARGET, TIMEOUT_MS, TLS_OF_TARGET,
};

/// The words of `key_header`.
pub(crate) const KEY_HEADER: &[&str] = &["bearer", "api-key", "x-api-key"];
/// The types of connectors.
pub(crate) const CONNECTOR_TYPES: &[&str] = &["openai"];
/// Who can say a prompt.
pub(crate) const PROMPT_ROLES: &[&str] = &["system", "developer", "user", "assistant"];
/// How often a request is sent again at most.
pub(crate) const MAX_RETRIES: u64 = 10;

const HOST: Field = Field::optional(
    "host",
    FieldKind::Text,
    "\"http://localhost:11434\"",
    "The host, or the whole URL (default https://api.openai.com).",
);
const KEY: Field = Field::optional(
    "key",
    FieldKind::Text,
    "\"${ENV.OPENAI_API_KEY:-none}\"",
    "The key; needed for the default host.",
);
const KEY_HEADER_FIELD: Field = Field::optional(
    "key_header",
    FieldKind::Choice(KEY_HEADER),
    "api-key",
    "In which header the key is sent: `Authorization: Bearer`, `api-key` or `x-api-key` (default bearer).",
);
/// `options`.
pub(super) const OPTIONS: Field = Field::optional(
    "options",
    FieldKind::JsonMap,
    "{temperature: 0}",
    "Further members of each request.",
);
/// `stream`.
pub(super) const STREAM: Field = Field::optional(
    "stream",
    FieldKind::Bool,
    "false",
    "Whether the answer comes in pieces (default true).",
);
/// `retries`.
pub(super) const RETRIES: Field = Field::optional(
    "retries",
    FieldKind::Whole(0, MAX_RETRIES),
    "2",
    "How often a request is sent again that was refused with 429 or 5xx (default 2).",
);

/// A target with a chat endpoint.
pub(crate) static OPENAI_TARGET: Shape = Shape {
    name: "OpenAiTarget",
    title: "an `openai` target",
    doc: "A chat endpoint of the OpenAI kind, with the prompts that make an agent of it.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["openai"]),
            "openai",
            "The protocol the agent speaks.",
        ),
        Field::optional(
            "connector",
            FieldKind::Text,
            "fast",
            "One of the config's `connectors`, used if no other is chosen. The keys of the target override it.",
        ),
        HOST,
        Field::optional(
            "model",
            FieldKind::Text,
            "gpt-5-mini",
            "The model; needed unless the connector has one.",
        ),
        KEY,
        KEY_HEADER_FIELD,
        HEADERS,
        OPTIONS,
        Field::optional(
            "system",
            FieldKind::TextOr(&FieldKind::Objects(&PROMPT)),
            "\"You are a patient user. {{persona}}\"",
            "The system prompt, or a list of messages before the conversation. `{{name}}` stands for what the call says.",
        ),
        CLIENT_TOOLS,
        Field::optional(
            "json",
            FieldKind::Bool,
            "true",
            "Whether the answer has to be JSON (default false).",
        ),
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
        ("url", "write `host`"),
        ("endpoint", "write `host`"),
        ("proxy", "write `host`"),
        ("base_url", "write `host`"),
        ("api_key", "write `key`"),
        ("auth_mode", "write `key_header`"),
        ("prompt", "write `system`"),
        ("prompts", "write `system`"),
        ("temperature", "write it under `options`"),
        ("max_tokens", "write it under `options`"),
        (
            "response_format",
            "write `json: true`, or write it under `options`",
        ),
        ("connectors", "write `connectors` at the root of the config"),
        (
            "identity",
            "a chat endpoint is not told who asks; write what it has to know in `system`",
        ),
    ],
};

/// A message before the conversation.
pub(crate) static PROMPT: Shape = Shape {
    name: "SystemMessage",
    title: "a prompt",
    doc: "A message before the conversation.",
    fields: &[
        Field::required(
            "role",
            FieldKind::Choice(PROMPT_ROLES),
            "system",
            "Who says it.",
        ),
        Field::required(
            "content",
            FieldKind::Text,
            "You are a patient user.",
            "What is said. `{{name}}` stands for what the call says.",
        ),
        Field::optional("name", FieldKind::Text, "guide", "The name of who says it."),
    ],
    elsewhere: &[("text", "write `content`")],
};

/// An entry of `connectors` in the config.
pub(crate) static CONNECTOR: Shape = Shape {
    name: "Connector",
    title: "a connector",
    doc: "A model and how to reach it, shared by targets and agents.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(CONNECTOR_TYPES),
            "openai",
            "The protocol the endpoint speaks.",
        ),
        HOST,
        Field::optional(
            "proxy",
            FieldKind::Text,
            "\"https://gateway.example/v1\"",
            "Another name of `host`.",
        ),
        Field::optional(
            "model",
            FieldKind::Text,
            "gpt-5-mini",
            "The model; needed unless every target that uses the connector has one.",
        ),
        KEY,
        KEY_HEADER_FIELD,
        Field::optional(
            "auth_mode",
            FieldKind::Choice(KEY_HEADER),
            "bearer",
            "Another name of `key_header`.",
        ),
        HEADERS,
        OPTIONS,
        Field::optional(
            "label",
            FieldKind::Text,
            "Small and fast",
            "What people call it.",
        ),
    ],
    elsewhere: &[
        ("url", "write `host`"),
        (
            "endpoint",
            "write `host`; what an `agui` target does with a connector stands in its own `connectors`",
        ),
        ("base_url", "write `host`"),
        ("api_key", "write `key`"),
        ("temperature", "write it under `options`"),
        ("max_tokens", "write it under `options`"),
        ("timeout_ms", "write it in the target"),
    ],
};
