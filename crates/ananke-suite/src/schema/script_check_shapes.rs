//! Functions of scripts: `type: script` among the checks, `script` in a block, `type: script` targets, and `scripts` of the
//! config.

use super::check_shapes::{MESSAGE, NEGATE};
use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{ASSERT_OF_TARGET, CONCURRENCY, GROUP, LIMITS_OF_TARGET, TIMEOUT_MS};

const VALUE: Field = Field::optional(
    "value",
    FieldKind::Json,
    "{min: 100}",
    "The third argument of the function, instead of what the case expects.",
);
const METADATA: Field = Field::optional(
    "metadata",
    FieldKind::JsonMap,
    "{min_amount: 100}",
    "What the function is told beside the output, the input and what is expected.",
);
const TIMEOUT: Field = Field::optional(
    "timeout",
    FieldKind::Duration,
    "30s",
    "How long the function may take (default 30s).",
);

/// `type: script`.
pub(crate) static CHECK_SCRIPT: Shape = Shape {
    name: "CheckScript",
    title: "a `script` check",
    doc: "A function accepts the output: it returns `true`, `false`, or `{pass, message}`. Without a verdict the check is inconclusive.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["script"]),
            "script",
            "The kind of check.",
        ),
        Field::optional(
            "script",
            FieldKind::Text,
            "scripts.test.Assert",
            "The function: the file below `scripts` and its name, or a path. Either this or `use`.",
        ),
        Field::optional(
            "use",
            FieldKind::Text,
            "\"scripts:test.Assert\"",
            "The same: `scripts:` and the file, with or without the function.",
        ),
        VALUE,
        Field::optional(
            "options",
            FieldKind::Object(&SCRIPT_OPTIONS),
            "{metadata: {min_amount: 100}}",
            "How the function is called.",
        ),
        TIMEOUT,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        ("name", "the function is written under `script`"),
        (
            "function",
            "write it behind the file: `scripts.test.Assert`",
        ),
        ("metadata", "write `metadata` under `options`"),
        ("path", "a script sees the whole output"),
        (
            "timeout_ms",
            "write `timeout` with a unit, such as `\"30s\"`",
        ),
        ("samples", "a script is asked once"),
    ],
};

/// `options` of a `script` check.
pub(crate) static SCRIPT_OPTIONS: Shape = Shape {
    name: "ScriptOptions",
    title: "the `options` of a `script` check",
    doc: "How the function is called.",
    fields: &[METADATA, TIMEOUT],
    elsewhere: &[
        ("connector", "a script has no connector"),
        (
            "timeout_ms",
            "write `timeout` with a unit, such as `\"30s\"`",
        ),
    ],
};

/// `script` in a block.
pub(crate) static SCRIPT_DEMAND: Shape = Shape {
    name: "ScriptDemand",
    title: "`script`",
    doc: "A function accepts the output: the same as a check of `type: script`.",
    fields: &[
        Field::required(
            "use",
            FieldKind::Text,
            "scripts.test.Assert",
            "The function: the file below `scripts` and its name, or a path.",
        ),
        VALUE,
        METADATA,
        TIMEOUT,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        ("script", "the function is written under `use`"),
        ("name", "the function is written under `use`"),
        (
            "function",
            "write it behind the file: `scripts.test.Assert`",
        ),
        (
            "options",
            "write `metadata` and `timeout` in `script` itself",
        ),
        (
            "timeout_ms",
            "write `timeout` with a unit, such as `\"30s\"`",
        ),
        ("type", "a `script` in a block has no type"),
    ],
};

/// A target whose answers a function gives.
pub(crate) static SCRIPT_TARGET: Shape = Shape {
    name: "ScriptTarget",
    title: "a `script` target",
    doc: "An agent whose answers a function of a script gives, inside ananke.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["script"]),
            "script",
            "The agent is a function.",
        ),
        Field::required(
            "script",
            FieldKind::Text,
            "scripts.test.Assert",
            "The function: the file below `scripts` and its name, or a path from the folder of the config.",
        ),
        TIMEOUT_MS,
        LIMITS_OF_TARGET,
        ASSERT_OF_TARGET,
        CONCURRENCY,
        GROUP,
    ],
    elsewhere: &[
        ("use", "write `script`"),
        ("file", "write `script`"),
        (
            "function",
            "write it behind the file: `scripts.helpers.Simulate`",
        ),
        ("backoff_ms", "leave it out: a script does not ask to wait"),
    ],
};

/// What scripts may touch.
pub(crate) static SCRIPTS: Shape = Shape {
    name: "Scripts",
    title: "`scripts`",
    doc: "What scripts may touch; nothing else by default.",
    fields: &[
        Field::optional(
            "net",
            FieldKind::Texts,
            "[api.example.com, \"localhost:8080\"]",
            "Hosts that `fetch` and `http` may reach: a host, a host and a port, `*.example.com`, or `*` for all.",
        ),
        Field::optional(
            "fs",
            FieldKind::Texts,
            "[fixtures]",
            "Folders and files that may be read and written, from the folder of the config.",
        ),
        Field::optional(
            "env",
            FieldKind::Texts,
            "[API_TOKEN]",
            "Environment variables that may be read.",
        ),
    ],
    elsewhere: &[
        ("network", "write `net`"),
        ("hosts", "write `net`"),
        ("files", "write `fs`"),
        ("paths", "write `fs`"),
        ("environment", "write `env`"),
        ("timeout", "`--timeout` limits test functions"),
    ],
};
