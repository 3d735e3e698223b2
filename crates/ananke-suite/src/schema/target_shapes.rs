//! `type: agui`: an agent that speaks AG-UI.

use super::identity_shapes::IDENTITY;
use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{
    ASSERT_OF_TARGET, BACKOFF_MS, CLIENT_TOOLS, CONCURRENCY, CONNECT_TIMEOUT_MS, CONTEXT,
    FORWARDED_PROPS, GROUP, HEADERS, LIMITS_OF_TARGET, TIMEOUT_MS, TLS_OF_TARGET,
};

/// The words of `envelope`.
pub(crate) const ENVELOPE: &[&str] = &["plain", "copilotkit", "copilotkit-rest"];
/// The words of `history`.
pub(crate) const HISTORY: &[&str] = &["full", "last"];
/// The words of `era`.
pub(crate) const ERA: &[&str] = &["1.0", "0.x"];
/// The words of `encoding`.
pub(crate) const ENCODING: &[&str] = &["sse", "protobuf"];
/// The words of `clock`.
pub(crate) const CLOCK: &[&str] = &["arrival", "event"];

/// An AG-UI target.
pub(crate) static TARGET: Shape = Shape {
    name: "AguiTarget",
    title: "a target",
    doc: "An agent and how to talk to it.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["agui"]),
            "agui",
            "The protocol the agent speaks.",
        ),
        Field::required(
            "endpoint",
            FieldKind::Text,
            "\"http://localhost:8000/agent\"",
            "The URL that requests are sent to.",
        ),
        Field::optional(
            "agentId",
            FieldKind::Text,
            "my-agent",
            "The agent's id; required where the envelope sends it.",
        ),
        Field::optional(
            "threadId",
            FieldKind::Text,
            "\"thread-1\"",
            "The thread; generated for each test if absent.",
        ),
        HEADERS,
        TIMEOUT_MS,
        CONNECT_TIMEOUT_MS,
        ASSERT_OF_TARGET,
        FORWARDED_PROPS,
        Field::optional(
            "state",
            FieldKind::Json,
            "{key: value}",
            "The state before the first turn.",
        ),
        Field::optional(
            "context",
            FieldKind::Objects(&CONTEXT),
            "[{description: locale, value: en}]",
            "`context` of every request.",
        ),
        CLIENT_TOOLS,
        Field::optional(
            "envelope",
            FieldKind::Choice(ENVELOPE),
            "plain",
            "How the request is wrapped (default plain).",
        ),
        Field::optional(
            "history",
            FieldKind::Choice(HISTORY),
            "full",
            "Send the whole conversation each turn, or only the last message (default full).",
        ),
        Field::optional(
            "era",
            FieldKind::Choice(ERA),
            "\"1.0\"",
            "Which generation of AG-UI is spoken (default 1.0).",
        ),
        Field::optional(
            "encoding",
            FieldKind::Choice(ENCODING),
            "sse",
            "Which encoding of events is asked for (default sse).",
        ),
        Field::optional(
            "clock",
            FieldKind::Choice(CLOCK),
            "arrival",
            "Which clock timing checks use (default arrival).",
        ),
        TLS_OF_TARGET,
        LIMITS_OF_TARGET,
        CONCURRENCY,
        GROUP,
        BACKOFF_MS,
        Field::optional(
            "identity",
            FieldKind::OrBool(&FieldKind::Object(&IDENTITY)),
            "{headers: {X-User: user_id}}",
            "How the agent is told who asks. `false` tells it nothing, `true` tells it in YAML tests too.",
        ),
        Field::optional(
            "connectors",
            FieldKind::OverrideMap(&TARGET),
            "{fast: {forwardedProps: {model: small}}}",
            "The connectors that `-c` and a case's `options.connector` can choose, each with the keys of the target that differ.",
        ),
        Field::optional(
            "connector",
            FieldKind::Text,
            "fast",
            "The connector that is used if no other is chosen.",
        ),
    ],
    elsewhere: &[
        ("url", "write `endpoint`"),
        ("agent_id", "write `agentId`"),
        ("thread_id", "write `threadId`"),
        ("forwarded_props", "write `forwardedProps`"),
        ("parallel", "write `concurrency`, or use `--parallel`"),
        ("backoff", "write `backoff_ms`, in milliseconds"),
    ],
};
