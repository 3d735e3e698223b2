//! The file of `--ctx`: who asks, and from where.

use super::shape::{Field, FieldKind, Shape};

/// The file that `--ctx` names.
pub(crate) static CONTEXT_FILE: Shape = Shape {
    name: "ContextFile",
    title: "a context file",
    doc: "Who asks the agent, and from where: the file that `--ctx` names.",
    fields: &[
        Field::optional(
            "authorized",
            FieldKind::Object(&AUTHORIZED),
            "{user_id: admin, team_id: ops}",
            "The user, the team, and what they may do.",
        ),
        Field::optional(
            "metadata",
            FieldKind::Json,
            "{request_id: req-123}",
            "Anything else that the agent is told, as a map.",
        ),
        Field::optional(
            "client",
            FieldKind::Object(&CLIENT),
            "{type: web, ip: 192.168.1.100}",
            "The program that asks.",
        ),
        Field::optional(
            "locale",
            FieldKind::Text,
            "zh-cn",
            "The language (default en-us).",
        ),
        Field::optional(
            "referer",
            FieldKind::Text,
            "\"https://example.com/dashboard\"",
            "Where the request came from (default test).",
        ),
        Field::optional(
            "accept",
            FieldKind::Text,
            "standard",
            "Which form of answer is wanted (default standard).",
        ),
        Field::optional(
            "chat_id",
            FieldKind::Text,
            "chat-42",
            "The conversation, as scripts and prompts are told; AG-UI agents know it by their `threadId`.",
        ),
    ],
    elsewhere: &[
        ("user", "write `authorized: {user_id: …}`"),
        ("user_id", "write `user_id` under `authorized`"),
        ("team", "write `authorized: {team_id: …}`"),
        ("team_id", "write `team_id` under `authorized`"),
        ("ip", "write `ip` under `client`"),
        ("user_agent", "write `user_agent` under `client`"),
        ("referrer", "write `referer`"),
    ],
};

/// `authorized`.
pub(crate) static AUTHORIZED: Shape = Shape {
    name: "Authorized",
    title: "`authorized`",
    doc: "The user, the team, and what they may do.",
    fields: &[
        Field::optional(
            "sub",
            FieldKind::Text,
            "user-12345",
            "The subject (default the user).",
        ),
        Field::optional("client_id", FieldKind::Text, "my-app", "The OAuth client."),
        Field::optional(
            "scope",
            FieldKind::AnyText,
            "read write",
            "The scope of access.",
        ),
        Field::optional("session_id", FieldKind::Text, "sess-abc123", "The session."),
        Field::optional(
            "user_id",
            FieldKind::Text,
            "admin",
            "The user; wins over `-u` (default test-user).",
        ),
        Field::optional(
            "team_id",
            FieldKind::Text,
            "team-001",
            "The team; wins over `-t` (default test-team).",
        ),
        Field::optional("tenant_id", FieldKind::Text, "acme-corp", "The tenant."),
        Field::optional(
            "remember_me",
            FieldKind::Bool,
            "false",
            "Whether the session is to be remembered.",
        ),
        Field::optional(
            "constraints",
            FieldKind::Object(&CONSTRAINTS),
            "{team_only: true}",
            "Which data may be seen.",
        ),
    ],
    elsewhere: &[
        ("user", "write `user_id`"),
        ("team", "write `team_id`"),
        ("tenant", "write `tenant_id`"),
    ],
};

/// `constraints`.
pub(crate) static CONSTRAINTS: Shape = Shape {
    name: "Constraints",
    title: "`constraints`",
    doc: "Which data may be seen.",
    fields: &[
        Field::optional(
            "owner_only",
            FieldKind::Bool,
            "false",
            "Only what the user owns.",
        ),
        Field::optional(
            "creator_only",
            FieldKind::Bool,
            "false",
            "Only what the user made.",
        ),
        Field::optional(
            "editor_only",
            FieldKind::Bool,
            "false",
            "Only what the user edited last.",
        ),
        Field::optional(
            "team_only",
            FieldKind::Bool,
            "true",
            "Only what belongs to the team.",
        ),
        Field::optional(
            "extra",
            FieldKind::Json,
            "{department: engineering}",
            "Constraints of your own, as a map.",
        ),
    ],
    elsewhere: &[],
};

/// `client`.
pub(crate) static CLIENT: Shape = Shape {
    name: "Client",
    title: "`client`",
    doc: "The program that asks.",
    fields: &[
        Field::optional(
            "type",
            FieldKind::Text,
            "web",
            "What kind of client it is (default test).",
        ),
        Field::optional(
            "user_agent",
            FieldKind::Text,
            "\"Mozilla/5.0\"",
            "What the client calls itself.",
        ),
        Field::optional(
            "ip",
            FieldKind::Text,
            "192.168.1.100",
            "Where the client is (default 127.0.0.1).",
        ),
    ],
    elsewhere: &[("name", "write `user_agent`")],
};
