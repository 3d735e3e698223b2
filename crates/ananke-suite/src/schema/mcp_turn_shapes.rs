//! Turns that only `mcp` targets know.

use super::assert_shapes::ASSERT;
use super::shape::{Field, FieldKind, Shape};

/// The words of `what` in an `mcp:list` turn.
pub(crate) const LISTED: &[&str] = &["tools", "resources", "templates", "prompts"];

const ASSERT_OF_TURN: Field = Field::optional(
    "assert",
    FieldKind::Object(&ASSERT),
    "{text: {must_match: Hello}}",
    "What this turn demands, judged at once; a turn without it is not judged by itself.",
);
const TIMEOUT_OF_TURN: Field = Field::optional(
    "timeout_ms",
    FieldKind::Millis,
    "30000",
    "Wall-clock limit of this turn.",
);

/// An `mcp:call` turn.
pub(crate) static TURN_CALL: Shape = Shape {
    name: "CallTurn",
    title: "an `mcp:call` turn",
    doc: "Calls a tool. Needs `version: \"1.2\"` and an `mcp` target.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["mcp:call"]),
            "mcp:call",
            "The kind of turn.",
        ),
        Field::required("tool", FieldKind::Text, "add", "The name of the tool."),
        Field::optional("args", FieldKind::JsonMap, "{a: 1, b: 2}", "Its arguments."),
        ASSERT_OF_TURN,
        TIMEOUT_OF_TURN,
    ],
    elsewhere: &[
        ("name", "write `tool`"),
        ("arguments", "write `args`"),
        ("user", "an `mcp:call` turn sends no message; write `args`"),
    ],
};

/// An `mcp:list` turn.
pub(crate) static TURN_LIST: Shape = Shape {
    name: "ListTurn",
    title: "an `mcp:list` turn",
    doc: "Lists what the server has. Needs `version: \"1.2\"` and an `mcp` target.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["mcp:list"]),
            "mcp:list",
            "The kind of turn.",
        ),
        Field::optional(
            "what",
            FieldKind::Choice(LISTED),
            "tools",
            "What is listed; all that the server announces if it is absent.",
        ),
        ASSERT_OF_TURN,
        TIMEOUT_OF_TURN,
    ],
    elsewhere: &[],
};

/// An `mcp:read` turn.
pub(crate) static TURN_READ: Shape = Shape {
    name: "ReadTurn",
    title: "an `mcp:read` turn",
    doc: "Reads a resource. Needs `version: \"1.2\"` and an `mcp` target.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["mcp:read"]),
            "mcp:read",
            "The kind of turn.",
        ),
        Field::required(
            "uri",
            FieldKind::Text,
            "\"file:///readme.md\"",
            "Which resource.",
        ),
        ASSERT_OF_TURN,
        TIMEOUT_OF_TURN,
    ],
    elsewhere: &[("url", "write `uri`"), ("resource", "write `uri`")],
};

/// An `mcp:prompt` turn.
pub(crate) static TURN_PROMPT: Shape = Shape {
    name: "PromptTurn",
    title: "an `mcp:prompt` turn",
    doc: "Gets a prompt. Needs `version: \"1.2\"` and an `mcp` target.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["mcp:prompt"]),
            "mcp:prompt",
            "The kind of turn.",
        ),
        Field::required(
            "name",
            FieldKind::Text,
            "greeting",
            "The name of the prompt.",
        ),
        Field::optional("args", FieldKind::JsonMap, "{name: Ada}", "Its arguments."),
        ASSERT_OF_TURN,
        TIMEOUT_OF_TURN,
    ],
    elsewhere: &[("prompt", "write `name`"), ("arguments", "write `args`")],
};
