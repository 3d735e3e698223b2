//! `target`: an agent and how to talk to it.

use super::assert_shapes::ASSERT;
use super::identity_shapes::IDENTITY;
use super::shape::{Field, FieldKind, Shape};

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

/// A target.
pub(crate) static TARGET: Shape = Shape {
    name: "Target",
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
        Field::optional(
            "headers",
            FieldKind::ScalarMap,
            "{Authorization: \"Bearer ${ENV.TOKEN:-none}\"}",
            "Additional request headers.",
        ),
        Field::optional(
            "timeout_ms",
            FieldKind::Millis,
            "120000",
            "Wall-clock limit of a turn (default 120000).",
        ),
        Field::optional(
            "connect_timeout_ms",
            FieldKind::Millis,
            "10000",
            "Limit for reaching the server (default 10000).",
        ),
        Field::optional(
            "assert",
            FieldKind::Object(&ASSERT),
            "{timing: {max_duration_ms: 60000}}",
            "What every test of this target demands.",
        ),
        Field::optional(
            "forwardedProps",
            FieldKind::Json,
            "{customField: value}",
            "`forwardedProps` of every request.",
        ),
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
        Field::optional(
            "tools",
            FieldKind::Objects(&CLIENT_TOOL),
            "[{name: confirm, description: Asks the user, result: yes}]",
            "Tools that the client offers to the agent, with scripted answers.",
        ),
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
        Field::optional(
            "tls",
            FieldKind::Object(&TLS),
            "{insecure: true}",
            "How TLS certificates are checked.",
        ),
        Field::optional(
            "limits",
            FieldKind::Object(&LIMITS),
            "{event_bytes: 1048576}",
            "What is kept of an answer at most.",
        ),
        Field::optional(
            "concurrency",
            FieldKind::Positive,
            "2",
            "Tests that may talk to this target at once, whatever `--parallel` says.",
        ),
        Field::optional(
            "group",
            FieldKind::Text,
            "\"shared-quota\"",
            "Targets with the same group share one limit, the smallest `concurrency` among them, and wait together.",
        ),
        Field::optional(
            "backoff_ms",
            FieldKind::Millis,
            "30000",
            "How long a turn may wait in all when the agent answers 429, or 503 with Retry-After. Without it nothing is sent again.",
        ),
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

/// An entry of `context`.
pub(crate) static CONTEXT: Shape = Shape {
    name: "Context",
    title: "a context entry",
    doc: "Something the agent is told with every request.",
    fields: &[
        Field::required("description", FieldKind::Text, "locale", "What it is."),
        Field::required("value", FieldKind::AnyText, "en", "What the agent is told."),
    ],
    elsewhere: &[],
};

/// An entry of `tools` in a target.
pub(crate) static CLIENT_TOOL: Shape = Shape {
    name: "ClientTool",
    title: "a client tool",
    doc: "A tool that the client offers to the agent.",
    fields: &[
        Field::required("name", FieldKind::Text, "confirm", "Its name."),
        Field::optional(
            "description",
            FieldKind::AnyText,
            "Asks the user",
            "What it is for.",
        ),
        Field::optional(
            "parameters",
            FieldKind::Json,
            "{type: object}",
            "A JSON Schema of its arguments.",
        ),
        Field::optional(
            "result",
            FieldKind::Json,
            "{confirmed: true}",
            "The answer that is sent when the agent calls it; a call stays pending without one.",
        ),
    ],
    elsewhere: &[],
};

/// `tls`.
pub(crate) static TLS: Shape = Shape {
    name: "Tls",
    title: "`tls`",
    doc: "How TLS certificates are checked.",
    fields: &[
        Field::optional(
            "ca",
            FieldKind::Text,
            "certs/ca.pem",
            "A PEM file with the authorities to trust in addition.",
        ),
        Field::optional(
            "insecure",
            FieldKind::Bool,
            "true",
            "Accept any certificate.",
        ),
    ],
    elsewhere: &[],
};

/// `limits`.
pub(crate) static LIMITS: Shape = Shape {
    name: "Limits",
    title: "`limits`",
    doc: "What is kept of an answer at most, in bytes.",
    fields: &[
        Field::optional(
            "event_bytes",
            FieldKind::Bytes,
            "16777216",
            "One event (default 16 MiB).",
        ),
        Field::optional(
            "turn_bytes",
            FieldKind::Bytes,
            "268435456",
            "One turn, decompressed (default 256 MiB). Holding it may take half as much again.",
        ),
    ],
    elsewhere: &[],
};
