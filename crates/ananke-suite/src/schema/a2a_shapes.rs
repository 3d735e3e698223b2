//! `type: a2a`.

use super::auth_shapes::AUTH_OF_TARGET;
use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{
    ASSERT_OF_TARGET, BACKOFF_MS, CONCURRENCY, CONNECT_TIMEOUT_MS, GROUP, HEADERS,
    LIMITS_OF_TARGET, TIMEOUT_MS, TLS_OF_TARGET,
};

/// The words of `protocolVersion`.
const A2A_VERSIONS: &[&str] = &["auto", "1.0", "0.3"];
/// The words of `binding`.
pub(crate) const A2A_BINDINGS: &[&str] = &["auto", "JSONRPC", "HTTP+JSON"];

/// A target that is an A2A agent.
pub(crate) static A2A_TARGET: Shape = Shape {
    name: "A2aTarget",
    title: "an `a2a` target",
    doc: "An agent that speaks A2A: it works on tasks, and a card says what it can do.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["a2a"]),
            "a2a",
            "The protocol the agent speaks. Needs `version: \"1.1\"`.",
        ),
        Field::optional(
            "agentCardUrl",
            FieldKind::Text,
            "\"http://localhost:9999\"",
            "Where the card is: the agent's base URL, or the URL of the card itself.",
        ),
        Field::optional(
            "agentCard",
            FieldKind::JsonMap,
            "{name: Shop, url: \"http://localhost:9999\"}",
            "The card itself, in place of `agentCardUrl`.",
        ),
        Field::optional(
            "endpoint",
            FieldKind::Text,
            "\"http://localhost:9999/a2a\"",
            "Where to speak to the agent, whatever its card says. It needs no card.",
        ),
        Field::optional(
            "protocolVersion",
            FieldKind::Choice(A2A_VERSIONS),
            "auto",
            "The version to speak (default auto: as the card says).",
        ),
        Field::optional(
            "binding",
            FieldKind::Choice(A2A_BINDINGS),
            "auto",
            "How the protocol is carried (default auto: as the card prefers).",
        ),
        Field::optional(
            "tenant",
            FieldKind::Text,
            "shop-1",
            "The tenant, in place of the card's.",
        ),
        Field::optional(
            "extensions",
            FieldKind::TextList,
            "[\"https://example.com/ext/trace\"]",
            "URIs of extensions to ask for.",
        ),
        Field::optional(
            "contextId",
            FieldKind::Text,
            "\"context-1\"",
            "The conversation; the agent makes one for each test if it is absent.",
        ),
        Field::optional(
            "blocking",
            FieldKind::Bool,
            "false",
            "Whether an answer that is not streamed comes when the task is done (default true); otherwise the task is asked for every `poll_ms`.",
        ),
        Field::optional(
            "stream",
            FieldKind::OrBool(&FieldKind::Choice(&["auto"])),
            "auto",
            "Whether answers are streamed (default auto: as the card says).",
        ),
        Field::optional(
            "poll_ms",
            FieldKind::Millis,
            "500",
            "How long to wait before a task is asked for again (default 500).",
        ),
        Field::optional(
            "acceptedOutputModes",
            FieldKind::TextList,
            "[text/plain, application/json]",
            "Media types that the client takes.",
        ),
        Field::optional(
            "historyLength",
            FieldKind::Count,
            "10",
            "How many messages of its history a task is to bring.",
        ),
        Field::optional(
            "metadata",
            FieldKind::JsonMap,
            "{locale: en}",
            "`metadata` of every request.",
        ),
        Field::optional(
            "allowOtherOrigin",
            FieldKind::Bool,
            "true",
            "Whether the card may lead to another origin than its own, credentials included (default false).",
        ),
        Field::optional(
            "toolCalls",
            FieldKind::Objects(&CALL_RULE),
            "[{when: {metadata.type: tool_call}, name: data.name, args: data.args}]",
            "How the agent tells of its tool calls, beside the conventions that are known.",
        ),
        AUTH_OF_TARGET,
        HEADERS,
        TIMEOUT_MS,
        CONNECT_TIMEOUT_MS,
        TLS_OF_TARGET,
        LIMITS_OF_TARGET,
        ASSERT_OF_TARGET,
        CONCURRENCY,
        GROUP,
        BACKOFF_MS,
    ],
    elsewhere: &[
        ("url", "write `agentCardUrl`, or `endpoint`"),
        (
            "card",
            "write `agentCardUrl`, or `agentCard` for the card itself",
        ),
        ("agent_card_url", "write `agentCardUrl`"),
        ("cardUrl", "write `agentCardUrl`"),
        ("context_id", "write `contextId`"),
        ("protocol_version", "write `protocolVersion`"),
        ("transport", "write `binding`"),
        ("streaming", "write `stream`"),
        ("tool_calls", "write `toolCalls`"),
        (
            "connectors",
            "an `a2a` target has no connectors; write another target",
        ),
        (
            "identity",
            "an `a2a` target is not told who asks; write what it has to know in `metadata`",
        ),
    ],
};

/// An entry of `toolCalls`.
pub(crate) static CALL_RULE: Shape = Shape {
    name: "CallRule",
    title: "a rule of `toolCalls`",
    doc: "How the agent tells of a call. Paths lead into a part, as `data.…`, `text` or `metadata.…`; or into the metadata of a status, a message or an artifact, as `metadata.…`.",
    fields: &[
        Field::optional(
            "when",
            FieldKind::JsonMap,
            "{metadata.type: tool_call}",
            "What must stand where for the rule to apply; nothing applies always.",
        ),
        Field::optional(
            "id",
            FieldKind::Text,
            "data.id",
            "Where the id of the call is.",
        ),
        Field::optional(
            "name",
            FieldKind::Text,
            "data.name",
            "Where the name of the tool is; may be left out where `result` or `error` is found by `id`.",
        ),
        Field::optional(
            "args",
            FieldKind::Text,
            "data.args",
            "Where the arguments are.",
        ),
        Field::optional(
            "result",
            FieldKind::Text,
            "data.result",
            "Where the result is.",
        ),
        Field::optional(
            "error",
            FieldKind::Text,
            "data.error",
            "Where the error is.",
        ),
    ],
    elsewhere: &[("tool", "write `name`"), ("arguments", "write `args`")],
};
