//! `checks` in a block, and the assertions of a case: one shape for each `type`.

use super::judge_shapes::CHECK_AGENT;
use super::script_check_shapes::CHECK_SCRIPT;
use super::shape::{Field, FieldKind, Shape};

/// The words of `type`.
pub(crate) const CHECK_TYPES: &[&str] = &[
    "equals",
    "contains",
    "not_contains",
    "regex",
    "json_path",
    "type",
    "tool_called",
    "tool_result",
    "agent",
    "script",
];

/// The words of `value` in a `type` check.
pub(crate) const JSON_TYPES: &[&str] = &["null", "string", "number", "boolean", "array", "object"];

/// One shape for each word of [`CHECK_TYPES`], in their order.
pub(crate) static CHECKS: &[&Shape] = &[
    &CHECK_EQUALS,
    &CHECK_CONTAINS,
    &CHECK_NOT_CONTAINS,
    &CHECK_REGEX,
    &CHECK_JSON_PATH,
    &CHECK_TYPE,
    &CHECK_TOOL_CALLED,
    &CHECK_TOOL_RESULT,
    &CHECK_AGENT,
    &CHECK_SCRIPT,
];

const PATH: Field = Field::optional(
    "path",
    FieldKind::Text,
    "$.status",
    "Where in the JSON of the output, as JSONPath or short: `status`, `items[0].id` (default the whole output).",
);
pub(super) const NEGATE: Field = Field::optional(
    "negate",
    FieldKind::Bool,
    "true",
    "Demands the opposite. What cannot be decided still fails.",
);
pub(super) const MESSAGE: Field = Field::optional(
    "message",
    FieldKind::Text,
    "the order must be confirmed",
    "What the report says when it does not hold.",
);

/// Keys that belong to other types.
const SCRIPT_KEY: (&str, &str) = ("script", "`script` belongs to `type: script`");
const USE_KEY: (&str, &str) = (
    "use",
    "`use` names the judge of a `type: agent` check, or the function of a `type: script` check",
);
const OPTIONS_KEY: (&str, &str) = (
    "options",
    "`options` are those of the judge of a `type: agent` check",
);
const PATTERN_KEY: (&str, &str) = (
    "pattern",
    "a pattern is written in `type: regex`; here the demand is under `value`",
);
const EXPECTED_KEY: (&str, &str) = ("expected", "the demand is written under `value`");
const NAME_KEY: (&str, &str) = ("name", "tools are demanded with `type: tool_called`");
const TOOL_KEY: (&str, &str) = ("tool", "tools are demanded with `type: tool_called`");

/// `type: equals`.
pub(crate) static CHECK_EQUALS: Shape = Shape {
    name: "CheckEquals",
    title: "an `equals` check",
    doc: "The output is this: text as it is, anything else as JSON in which neither key order nor the spelling of numbers matters.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["equals"]),
            "equals",
            "The kind of check.",
        ),
        Field::required(
            "value",
            FieldKind::Json,
            "{status: paid}",
            "What the output, or what stands at `path`, must be.",
        ),
        PATH,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        EXPECTED_KEY,
        PATTERN_KEY,
        NAME_KEY,
        TOOL_KEY,
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: contains`.
pub(crate) static CHECK_CONTAINS: Shape = Shape {
    name: "CheckContains",
    title: "a `contains` check",
    doc: "The text is found in the output, with case; of a list, each item; other values anywhere in the JSON of the output.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["contains"]),
            "contains",
            "The kind of check.",
        ),
        Field::required(
            "value",
            FieldKind::Json,
            "refund",
            "What must be found; of a list, each item.",
        ),
        PATH,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        EXPECTED_KEY,
        PATTERN_KEY,
        NAME_KEY,
        TOOL_KEY,
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: not_contains`.
pub(crate) static CHECK_NOT_CONTAINS: Shape = Shape {
    name: "CheckNotContains",
    title: "a `not_contains` check",
    doc: "The text is not found in the output; of a list, no item.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["not_contains"]),
            "not_contains",
            "The kind of check.",
        ),
        Field::required(
            "value",
            FieldKind::Json,
            "error",
            "What must not be found; of a list, no item.",
        ),
        PATH,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        EXPECTED_KEY,
        PATTERN_KEY,
        NAME_KEY,
        TOOL_KEY,
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: regex`.
pub(crate) static CHECK_REGEX: Shape = Shape {
    name: "CheckRegex",
    title: "a `regex` check",
    doc: "The pattern is found in the output.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["regex"]),
            "regex",
            "The kind of check.",
        ),
        Field::optional("value", FieldKind::Pattern, "/order/i", "The pattern."),
        Field::optional(
            "pattern",
            FieldKind::Pattern,
            "order",
            "The same as `value`.",
        ),
        PATH,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        ("flags", "flags stand behind the pattern: `/order/i`"),
        NAME_KEY,
        TOOL_KEY,
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: json_path`.
pub(crate) static CHECK_JSON_PATH: Shape = Shape {
    name: "CheckJsonPath",
    title: "a `json_path` check",
    doc: "What stands at `path` in the JSON of the output is `value`; without `value`, something stands there.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["json_path"]),
            "json_path",
            "The kind of check.",
        ),
        Field::required(
            "path",
            FieldKind::Text,
            "$.status",
            "Where in the JSON of the output, as JSONPath or short: `status`, `items[0].id`.",
        ),
        Field::optional(
            "value",
            FieldKind::Json,
            "paid",
            "What must stand there; of a list, one of its items will do unless a list stands there.",
        ),
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        EXPECTED_KEY,
        PATTERN_KEY,
        NAME_KEY,
        TOOL_KEY,
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: type`.
pub(crate) static CHECK_TYPE: Shape = Shape {
    name: "CheckType",
    title: "a `type` check",
    doc: "The output, or what stands at `path`, is of this JSON type. Text that is not JSON is a string.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["type"]),
            "type",
            "The kind of check.",
        ),
        Field::required(
            "value",
            FieldKind::Choice(JSON_TYPES),
            "object",
            "The type.",
        ),
        PATH,
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        EXPECTED_KEY,
        PATTERN_KEY,
        NAME_KEY,
        TOOL_KEY,
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: tool_called`.
pub(crate) static CHECK_TOOL_CALLED: Shape = Shape {
    name: "CheckToolCalled",
    title: "a `tool_called` check",
    doc: "A tool was called. Names are whole, or the part after `server__` or `server.`.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["tool_called"]),
            "tool_called",
            "The kind of check.",
        ),
        Field::optional(
            "name",
            FieldKind::Texts,
            "search",
            "The tool; of a list, any of them.",
        ),
        Field::optional(
            "arguments",
            FieldKind::Json,
            "{query: mugs}",
            "Members that the arguments must have, deeply; others may be there too.",
        ),
        Field::optional(
            "value",
            FieldKind::Json,
            "{name: search, arguments: {query: mugs}}",
            "The tool, a list of which any will do, or a map of `name` and `arguments`.",
        ),
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        (
            "path",
            "`path` looks into the output; demand arguments under `arguments`",
        ),
        ("tool", "the tool is written under `name`"),
        ("args", "arguments are written under `arguments`"),
        (
            "args_match",
            "patterns for arguments are for `tools.require`; here write values under `arguments`",
        ),
        ("result", "results are demanded with `type: tool_result`"),
        ("count", "calls are counted with `tools.require`"),
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `type: tool_result`.
pub(crate) static CHECK_TOOL_RESULT: Shape = Shape {
    name: "CheckToolResult",
    title: "a `tool_result` check",
    doc: "A call of the tool gave a result, and no error.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["tool_result"]),
            "tool_result",
            "The kind of check.",
        ),
        Field::optional(
            "tool",
            FieldKind::Text,
            "search",
            "The tool: its whole name, or the part after `server__` or `server.`.",
        ),
        Field::optional(
            "result",
            FieldKind::Json,
            "{status: ok}",
            "Members that the result must have, deeply; text that begins with `regex:` is a pattern.",
        ),
        Field::optional(
            "value",
            FieldKind::Json,
            "{tool: search, result: {status: ok}}",
            "The same as one map.",
        ),
        NEGATE,
        MESSAGE,
    ],
    elsewhere: &[
        (
            "path",
            "`path` looks into the output; demand parts of the result under `result`",
        ),
        ("name", "the tool is written under `tool`"),
        (
            "arguments",
            "arguments are demanded with `type: tool_called`",
        ),
        (
            "result_match",
            "write `result: \"regex:…\"`, or use `tools.require`",
        ),
        SCRIPT_KEY,
        USE_KEY,
        OPTIONS_KEY,
    ],
};

/// `value` of a `tool_called` check, as a map.
pub(crate) static CALLED_VALUE: Shape = Shape {
    name: "CalledValue",
    title: "the `value` of a `tool_called` check",
    doc: "A tool and its arguments.",
    fields: &[
        Field::required("name", FieldKind::Texts, "search", "The tool."),
        Field::optional(
            "arguments",
            FieldKind::Json,
            "{query: mugs}",
            "Members that the arguments must have.",
        ),
    ],
    elsewhere: &[("tool", "the tool is written under `name`")],
};

/// `value` of a `tool_result` check.
pub(crate) static RESULT_VALUE: Shape = Shape {
    name: "ResultValue",
    title: "the `value` of a `tool_result` check",
    doc: "A tool and its result.",
    fields: &[
        Field::required("tool", FieldKind::Text, "search", "The tool."),
        Field::optional(
            "result",
            FieldKind::Json,
            "{status: ok}",
            "Members that the result must have.",
        ),
    ],
    elsewhere: &[("name", "the tool is written under `tool`")],
};
