//! `assert`: what a turn, a test or all tests of a target demand.

use super::check_shapes::CHECKS;
use super::judge_shapes::JUDGE;
use super::script_check_shapes::SCRIPT_DEMAND;
use super::shape::{Field, FieldKind, Shape};
use super::task_shapes::{ARTIFACTS, CARD, TASK};

/// The words of `inherit`.
pub(crate) const INHERIT: &[&str] = &["all", "limits", "none"];
/// The words of `protocol`.
pub(crate) const PROTOCOL: &[&str] = &["strict", "lenient"];

/// The words of `of` in `snapshot`.
pub(crate) const SNAPSHOT_PARTS: &[&str] = &["text", "tools", "state", "artifacts"];

/// An assertion block.
pub(crate) static ASSERT: Shape = Shape {
    name: "Assert",
    title: "an assertion block",
    doc: "What must hold. Blocks inherit from target to test to turn: lists add up, numbers override, `false` drops.",
    fields: &[
        Field::optional(
            "extends",
            FieldKind::Texts,
            "[no_errors]",
            "Named blocks of the config's `assertions` to take over.",
        ),
        Field::optional(
            "inherit",
            FieldKind::Choice(INHERIT),
            "limits",
            "What is taken over from the levels above: all, only prohibitions and limits, or nothing (default all).",
        ),
        Field::optional(
            "tools",
            FieldKind::OrFalse(&FieldKind::Object(&TOOLS)),
            "{forbid: [delete_order]}",
            "What tools are called.",
        ),
        Field::optional(
            "text",
            FieldKind::OrFalse(&FieldKind::Object(&TEXT)),
            "{must_match: hello}",
            "What the agent says.",
        ),
        Field::optional(
            "timing",
            FieldKind::OrFalse(&FieldKind::Object(&TIMING)),
            "{max_duration_ms: 5000}",
            "How long it takes.",
        ),
        Field::optional(
            "task",
            FieldKind::OrFalse(&FieldKind::Object(&TASK)),
            "{state: completed}",
            "What became of the task, for agents that work on tasks.",
        ),
        Field::optional(
            "artifacts",
            FieldKind::OrFalse(&FieldKind::Object(&ARTIFACTS)),
            "{count: {min: 1}}",
            "What the task made, for agents that work on tasks.",
        ),
        Field::optional(
            "card",
            FieldKind::OrFalse(&FieldKind::Object(&CARD)),
            "{skills: [refund]}",
            "What the agent's card says.",
        ),
        Field::optional(
            "checks",
            FieldKind::OrFalse(&FieldKind::Checks(CHECKS)),
            "[{type: contains, value: refund}]",
            "Checks on the output, told apart by `type`.",
        ),
        Field::optional(
            "judge",
            FieldKind::OrFalse(&FieldKind::OneOrMore(&JUDGE)),
            "{use: \"agents:judge\", criteria: polite}",
            "Another agent that has to accept the output, or a list of them.",
        ),
        Field::optional(
            "script",
            FieldKind::OrFalse(&FieldKind::NamesOr(&SCRIPT_DEMAND)),
            "scripts.test.Assert",
            "A function of a script that has to accept the output, or a list of them.",
        ),
        Field::optional(
            "error",
            FieldKind::OrFalse(&FieldKind::Pattern),
            "out of stock",
            "The run ends with an error whose message matches. Not for targets.",
        ),
        Field::optional(
            "protocol",
            FieldKind::OrFalse(&FieldKind::Choice(PROTOCOL)),
            "strict",
            "Whether findings about the order of protocol events fail the turn.",
        ),
        Field::optional(
            "snapshot",
            FieldKind::OrFalse(&FieldKind::NameOr(&SNAPSHOT)),
            "greeting",
            "What was seen is the same as in a file that an earlier run wrote. For tests and turns only.",
        ),
    ],
    elsewhere: &[
        ("forbid", "write `forbid` under `tools`"),
        ("require", "write `require` under `tools`"),
        ("forbid_calls", "write `forbid_calls` under `tools`"),
        ("must_match", "write `must_match` under `text`"),
        ("must_not_match", "write `must_not_match` under `text`"),
        ("max_duration_ms", "write `max_duration_ms` under `timing`"),
        ("max_idle_ms", "write `max_idle_ms` under `timing`"),
        ("state", "write `state` under `task`"),
        ("states", "write `states` under `task`"),
        ("skills", "write `skills` under `card`"),
        ("equals", "write `checks: [{type: equals, value: …}]`"),
        ("contains", "write `checks: [{type: contains, value: …}]`"),
        (
            "not_contains",
            "write `checks: [{type: not_contains, value: …}]`",
        ),
        ("regex", "write `checks: [{type: regex, value: …}]`"),
        (
            "json_path",
            "write `checks: [{type: json_path, path: …, value: …}]`",
        ),
        (
            "tool_called",
            "write `checks: [{type: tool_called, name: …}]`",
        ),
        (
            "tool_result",
            "write `checks: [{type: tool_result, tool: …}]`",
        ),
        ("type", "write `checks: [{type: …, value: …}]`"),
        ("agent", "write `judge: {use: \"agents:…\", criteria: …}`"),
        ("judges", "write `judge: […]`"),
    ],
};

/// `tools` in a block.
pub(crate) static TOOLS: Shape = Shape {
    name: "Tools",
    title: "`tools`",
    doc: "What tools are called.",
    fields: &[
        Field::optional(
            "forbid",
            FieldKind::OrFalse(&FieldKind::Texts),
            "[delete_order]",
            "Tools that must not be called.",
        ),
        Field::optional(
            "require",
            FieldKind::OrFalse(&FieldKind::Objects(&REQUIRE)),
            "[{name: search}]",
            "Calls that must happen.",
        ),
        Field::optional(
            "forbid_calls",
            FieldKind::OrFalse(&FieldKind::Objects(&FORBID_CALL)),
            "[{name: charge_card, result_match: declined}]",
            "Calls that must not happen.",
        ),
    ],
    elsewhere: &[],
};

const NAME: Field = Field::required("name", FieldKind::Text, "search", "The tool's whole name.");
const ARGS_MATCH: Field = Field::optional(
    "args_match",
    FieldKind::PatternMap,
    "{user.name: John}",
    "Argument paths with patterns that must match.",
);
const ARGS_NOT_MATCH: Field = Field::optional(
    "args_not_match",
    FieldKind::PatternMap,
    "{query: secret}",
    "Argument paths with patterns that must not match.",
);
const RESULT_MATCH: Field = Field::optional(
    "result_match",
    FieldKind::Pattern,
    "success",
    "A pattern that must match the result; a call without result does not match.",
);
const RESULT_NOT_MATCH: Field = Field::optional(
    "result_not_match",
    FieldKind::Pattern,
    "error",
    "A pattern that must not match the result; a call without result is kept.",
);

/// An entry of `require`.
pub(crate) static REQUIRE: Shape = Shape {
    name: "Require",
    title: "a `require` item",
    doc: "Filters the calls of a tool, then counts them.",
    fields: &[
        NAME,
        Field::optional(
            "count",
            FieldKind::Object(&COUNT),
            "{exact: 1}",
            "How many calls must match (default at least 1).",
        ),
        ARGS_MATCH,
        ARGS_NOT_MATCH,
        RESULT_MATCH,
        RESULT_NOT_MATCH,
        Field::optional(
            "after",
            FieldKind::Text,
            "login",
            "A tool that must have been called before the first counted call.",
        ),
    ],
    elsewhere: &[
        ("tool", "the tool is written under `name`"),
        ("args", "arguments are matched with `args_match`"),
        ("result", "results are matched with `result_match`"),
        ("min", "write `min` under `count`"),
        ("max", "write `max` under `count`"),
        ("exact", "write `exact` under `count`"),
    ],
};

/// An entry of `forbid_calls`.
pub(crate) static FORBID_CALL: Shape = Shape {
    name: "ForbidCall",
    title: "a `forbid_calls` item",
    doc: "Calls of a tool that must not happen. All conditions must hold.",
    fields: &[
        NAME,
        ARGS_MATCH,
        ARGS_NOT_MATCH,
        RESULT_MATCH,
        RESULT_NOT_MATCH,
    ],
    elsewhere: &[
        ("tool", "the tool is written under `name`"),
        ("args", "arguments are matched with `args_match`"),
        ("result", "results are matched with `result_match`"),
        (
            "count",
            "counts belong in `require`: `count: {min: 0, max: 2}` allows two calls at most",
        ),
    ],
};

/// `count`.
pub(crate) static COUNT: Shape = Shape {
    name: "Count",
    title: "`count`",
    doc: "How many there must be: `exact`, or `min` and `max`.",
    fields: &[
        Field::optional("exact", FieldKind::Count, "2", "Exactly this many."),
        Field::optional(
            "min",
            FieldKind::Count,
            "1",
            "At least this many (default 1, and 0 with `max: 0`).",
        ),
        Field::optional("max", FieldKind::Count, "3", "At most this many."),
    ],
    elsewhere: &[],
};

/// `text` in a block.
pub(crate) static TEXT: Shape = Shape {
    name: "Text",
    title: "`text`",
    doc: "What the agent says.",
    fields: &[
        Field::optional(
            "must_match",
            FieldKind::OrFalse(&FieldKind::Patterns),
            "/hello.*world/i",
            "Patterns that must all be found.",
        ),
        Field::optional(
            "must_not_match",
            FieldKind::OrFalse(&FieldKind::Patterns),
            "[error, failed]",
            "Patterns that must not be found.",
        ),
    ],
    elsewhere: &[],
};

/// `timing` in a block.
pub(crate) static TIMING: Shape = Shape {
    name: "Timing",
    title: "`timing`",
    doc: "How long it takes.",
    fields: &[
        Field::optional(
            "max_duration_ms",
            FieldKind::OrFalse(&FieldKind::Millis),
            "5000",
            "The longest duration.",
        ),
        Field::optional(
            "max_idle_ms",
            FieldKind::OrFalse(&FieldKind::Millis),
            "1000",
            "The longest stretch without a tool call in progress.",
        ),
    ],
    elsewhere: &[],
};

/// `snapshot` in a block.
pub(crate) static SNAPSHOT: Shape = Shape {
    name: "Snapshot",
    title: "`snapshot`",
    doc: "What was seen is the same as in a file that an earlier run wrote.",
    fields: &[
        Field::required(
            "name",
            FieldKind::Text,
            "greeting",
            "What it is called: letters, digits, `-`, `_`, `.` and spaces. It becomes a part of the file's name.",
        ),
        Field::optional(
            "of",
            FieldKind::Choices(SNAPSHOT_PARTS),
            "[text, tools]",
            "What is compared: `text`, `tools`, `state`, `artifacts` or several of them (default text and tools).",
        ),
    ],
    elsewhere: &[],
};
