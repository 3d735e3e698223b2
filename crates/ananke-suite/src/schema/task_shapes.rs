//! `task`, `artifacts` and `card` in a block: what an agent worked on, what it made, what it says of itself.

use ananke_model::task_check::TASK_STATES;

use super::assert_shapes::COUNT;
use super::shape::{Field, FieldKind, Shape};

/// `task` in a block.
pub(crate) static TASK: Shape = Shape {
    name: "Task",
    title: "`task`",
    doc: "What became of the task, for agents that work on tasks.",
    fields: &[
        Field::optional(
            "state",
            FieldKind::OrFalse(&FieldKind::Choices(TASK_STATES)),
            "completed",
            "The last state of the task, or a list of which one is enough. To name `failed`, `canceled` or `rejected` is to expect it.",
        ),
        Field::optional(
            "states",
            FieldKind::OrFalse(&FieldKind::Choices(TASK_STATES)),
            "[working, completed]",
            "States that came in this order; others may stand between them.",
        ),
    ],
    elsewhere: &[("artifacts", "write `artifacts` beside `task`, not in it")],
};

/// `artifacts` in a block.
pub(crate) static ARTIFACTS: Shape = Shape {
    name: "Artifacts",
    title: "`artifacts`",
    doc: "What the task made, for agents that work on tasks.",
    fields: &[
        Field::optional(
            "count",
            FieldKind::OrFalse(&FieldKind::Object(&COUNT)),
            "{min: 1}",
            "How many artifacts there must be.",
        ),
        Field::optional(
            "require",
            FieldKind::OrFalse(&FieldKind::Objects(&ARTIFACT)),
            "[{name: invoice}]",
            "Artifacts that must be made.",
        ),
    ],
    elsewhere: &[
        ("name", "write `require: [{name: …}]`"),
        ("text_match", "write `require: [{text_match: …}]`"),
        ("data_match", "write `require: [{data_match: {…}}]`"),
        ("min", "write `min` under `count`"),
        ("max", "write `max` under `count`"),
        ("exact", "write `exact` under `count`"),
    ],
};

/// An entry of `artifacts.require`.
pub(crate) static ARTIFACT: Shape = Shape {
    name: "RequireArtifact",
    title: "an artifact in `require`",
    doc: "Filters the artifacts, then counts them.",
    fields: &[
        Field::optional(
            "name",
            FieldKind::Pattern,
            "^invoice$",
            "A pattern for the name.",
        ),
        Field::optional(
            "text_match",
            FieldKind::Pattern,
            "Total",
            "A pattern for the text, all of its parts together.",
        ),
        Field::optional(
            "data_match",
            FieldKind::PatternMap,
            "{total: ^42$}",
            "Paths with patterns, all of which match in one of the data parts.",
        ),
        Field::optional(
            "count",
            FieldKind::Object(&COUNT),
            "{exact: 1}",
            "How many artifacts must match (default at least 1).",
        ),
    ],
    elsewhere: &[
        ("text", "texts are matched with `text_match`"),
        ("data", "data is matched with `data_match`"),
        ("min", "write `min` under `count`"),
        ("max", "write `max` under `count`"),
        ("exact", "write `exact` under `count`"),
    ],
};

/// `card` in a block.
pub(crate) static CARD: Shape = Shape {
    name: "Card",
    title: "`card`",
    doc: "What the agent's card says.",
    fields: &[
        Field::optional(
            "skills",
            FieldKind::OrFalse(&FieldKind::Texts),
            "[refund]",
            "Ids of skills that the card must have.",
        ),
        Field::optional(
            "capabilities",
            FieldKind::OrFalse(&FieldKind::BoolMap),
            "{streaming: true}",
            "Names of capabilities with what the card must say. What a card does not name is `false`.",
        ),
        Field::optional(
            "security",
            FieldKind::OrFalse(&FieldKind::Texts),
            "[bearer]",
            "Names of security schemes that the card must have.",
        ),
        Field::optional(
            "match",
            FieldKind::OrFalse(&FieldKind::PatternMap),
            "{provider.organization: Acme}",
            "Paths into the card with patterns that must match.",
        ),
    ],
    elsewhere: &[
        ("name", "write `match: {name: …}`"),
        ("version", "write `match: {version: …}`"),
        ("streaming", "write `capabilities: {streaming: true}`"),
        ("securitySchemes", "write `security: […]`"),
    ],
};
