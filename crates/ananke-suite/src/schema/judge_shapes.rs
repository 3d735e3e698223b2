//! What other agents judge: `type: agent` among the checks, and `judge` in a block.

use super::check_shapes::{MESSAGE, NEGATE};
use super::shape::{Field, FieldKind, Shape};

const USE: Field = Field::required(
    "use",
    FieldKind::Text,
    "\"agents:judge\"",
    "The judge: `agents:` and its id.",
);
const SAMPLES: Field = Field::optional(
    "samples",
    FieldKind::Whole(1, 15),
    "3",
    "How often it is asked; more than half of the answers decide (default 1).",
);
const METADATA: Field = Field::optional(
    "metadata",
    FieldKind::JsonMap,
    "{tone: friendly}",
    "What the judge is told beside the output, the input and the criteria.",
);
const CONNECTOR: Field = Field::optional(
    "connector",
    FieldKind::Text,
    "fast",
    "Which connector the judge uses instead of its own.",
);
const TIMEOUT: Field = Field::optional(
    "timeout",
    FieldKind::Duration,
    "30s",
    "How long one answer may take (default 60s).",
);

/// `type: agent`.
pub(crate) static CHECK_AGENT: Shape = Shape {
    name: "CheckAgent",
    title: "an `agent` check",
    doc: "Another agent accepts the output. What it says is recorded; without a verdict the check is inconclusive.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["agent"]),
            "agent",
            "The kind of check.",
        ),
        USE,
        Field::optional(
            "value",
            FieldKind::Json,
            "the answer is polite",
            "The criteria, unless `options.metadata.criteria` holds them.",
        ),
        Field::optional(
            "options",
            FieldKind::Object(&JUDGE_OPTIONS),
            "{metadata: {tone: friendly}}",
            "How the judge is asked.",
        ),
        SAMPLES,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        ("criteria", "the criteria are written under `value`"),
        ("agent", "the judge is written under `use`"),
        ("name", "the judge is written under `use`"),
        ("metadata", "write `metadata` under `options`"),
        ("connector", "write `connector` under `options`"),
        ("timeout", "write `timeout` under `options`"),
        ("path", "a judge sees the whole output"),
        ("script", "`script` belongs to `type: script`"),
    ],
};

/// `options` of an `agent` check.
pub(crate) static JUDGE_OPTIONS: Shape = Shape {
    name: "JudgeOptions",
    title: "the `options` of an `agent` check",
    doc: "How the judge is asked.",
    fields: &[METADATA, CONNECTOR, TIMEOUT],
    elsewhere: &[
        ("criteria", "write `criteria` under `metadata`"),
        ("samples", "write `samples` beside `options`"),
        (
            "timeout_ms",
            "write `timeout` with a unit, such as `\"30s\"`",
        ),
    ],
};

/// `judge` in a block.
pub(crate) static JUDGE: Shape = Shape {
    name: "Judge",
    title: "`judge`",
    doc: "Another agent accepts the output: the same as a check of `type: agent`.",
    fields: &[
        USE,
        Field::optional(
            "criteria",
            FieldKind::Json,
            "the answer is polite",
            "What it judges by, unless `metadata.criteria` says so.",
        ),
        METADATA,
        CONNECTOR,
        TIMEOUT,
        SAMPLES,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        ("value", "what it judges by is written under `criteria`"),
        ("agent", "the judge is written under `use`"),
        ("name", "the judge is written under `use`"),
        (
            "options",
            "write `metadata`, `connector` and `timeout` in `judge` itself",
        ),
        (
            "timeout_ms",
            "write `timeout` with a unit, such as `\"30s\"`",
        ),
        ("type", "a `judge` has no type"),
    ],
};
