//! Keys that targets of several types have.

use super::assert_shapes::ASSERT;
use super::shape::{Field, FieldKind, Shape};

/// `headers`.
pub(super) const HEADERS: Field = Field::optional(
    "headers",
    FieldKind::ScalarMap,
    "{Authorization: \"Bearer ${ENV.TOKEN:-none}\"}",
    "Additional request headers.",
);

/// `timeout_ms`.
pub(super) const TIMEOUT_MS: Field = Field::optional(
    "timeout_ms",
    FieldKind::Millis,
    "120000",
    "Wall-clock limit of a turn (default 120000).",
);

/// `connect_timeout_ms`.
pub(super) const CONNECT_TIMEOUT_MS: Field = Field::optional(
    "connect_timeout_ms",
    FieldKind::Millis,
    "10000",
    "Limit for reaching the server (default 10000).",
);

/// `assert`.
pub(super) const ASSERT_OF_TARGET: Field = Field::optional(
    "assert",
    FieldKind::Object(&ASSERT),
    "{timing: {max_duration_ms: 60000}}",
    "What every test of this target demands.",
);

/// `forwardedProps`.
pub(super) const FORWARDED_PROPS: Field = Field::optional(
    "forwardedProps",
    FieldKind::Json,
    "{customField: value}",
    "`forwardedProps` of every request.",
);

/// `tools`.
pub(super) const CLIENT_TOOLS: Field = Field::optional(
    "tools",
    FieldKind::Objects(&CLIENT_TOOL),
    "[{name: confirm, description: Asks the user, result: yes}]",
    "Tools that the client offers to the agent, with scripted answers.",
);

/// `tls`.
pub(super) const TLS_OF_TARGET: Field = Field::optional(
    "tls",
    FieldKind::Object(&TLS),
    "{insecure: true}",
    "How TLS certificates are checked.",
);

/// `limits`.
pub(super) const LIMITS_OF_TARGET: Field = Field::optional(
    "limits",
    FieldKind::Object(&LIMITS),
    "{event_bytes: 1048576}",
    "What is kept of an answer at most.",
);

/// `concurrency`.
pub(super) const CONCURRENCY: Field = Field::optional(
    "concurrency",
    FieldKind::Positive,
    "2",
    "Tests that may talk to this target at once, whatever `--parallel` says.",
);

/// `group`.
pub(super) const GROUP: Field = Field::optional(
    "group",
    FieldKind::Text,
    "\"shared-quota\"",
    "Targets with the same group share one limit, the smallest `concurrency` among them, and wait together.",
);

/// `backoff_ms`.
pub(super) const BACKOFF_MS: Field = Field::optional(
    "backoff_ms",
    FieldKind::Millis,
    "30000",
    "How long a turn may wait in all when the agent answers 429, or 503 with Retry-After. Without it nothing is sent again.",
);

/// `backoff_ms` of targets that send refused requests again by themselves.
pub(super) const BACKOFF_MS_OF_CHAT: Field = Field::optional(
    "backoff_ms",
    FieldKind::Millis,
    "30000",
    "How long a turn may wait in all when the endpoint still answers 429, or 503 with Retry-After, after its `retries`. Without it only `retries` count.",
);

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
