//! `identity` of a target: how the agent is told who asks.

use super::shape::{Field, FieldKind, Shape};

/// How the agent is told who asks.
pub(crate) static IDENTITY: Shape = Shape {
    name: "Identity",
    title: "`identity`",
    doc: "How the agent is told who asks. Each map gives a name to a field such as `user_id` or `client.ip`.",
    fields: &[
        Field::optional(
            "forwardedProps",
            FieldKind::OrBool(&FieldKind::ScalarMap),
            "{auth.user: user_id}",
            "Keys of `forwardedProps`, a dot for each level, with fields (default true: every field under its own name).",
        ),
        Field::optional(
            "context",
            FieldKind::ScalarMap,
            "{locale: locale}",
            "Descriptions of `context` entries, with fields.",
        ),
        Field::optional(
            "headers",
            FieldKind::ScalarMap,
            "{X-User: user_id}",
            "Request headers, with fields.",
        ),
    ],
    elsewhere: &[
        ("forwarded_props", "write `forwardedProps`"),
        (
            "user_id",
            "`-u` says who asks; here stands how the agent is told, such as `headers: {X-User: user_id}`",
        ),
        (
            "team_id",
            "`-t` says which team asks; here stands how the agent is told, such as `headers: {X-Team: team_id}`",
        ),
    ],
};
