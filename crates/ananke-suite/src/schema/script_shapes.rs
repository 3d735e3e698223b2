//! The script of an agent, `*.script.yaml`, for `ananke serve`.

use super::shape::{Field, FieldKind, Shape};

/// The longest pause that can be asked for, some 24 days.
const MAX_MS: u64 = i32::MAX.cast_unsigned() as u64;
/// What a script may count to: requests, turns.
const MAX_COUNT: u64 = 1 << 32;

/// A script inside another file, which has the version.
pub(crate) static INLINE_SCRIPT: Shape = Shape {
    name: "InlineScript",
    title: "a script",
    doc: "The script of an agent: rules that match a request, and what is sent.",
    fields: match SCRIPT.fields {
        [_version, rest @ ..] => rest,
        [] => &[],
    },
    elsewhere: &[("version", "the file around the script has it")],
};

/// The steps that are one word.
pub(crate) const STEP_WORDS: &[&str] = &["truncate", "reset", "stall"];

/// The script of an agent.
pub(crate) static SCRIPT: Shape = Shape {
    name: "Script",
    title: "a script",
    doc: "The script of an agent that `ananke serve` plays: rules that match a request, and what is sent.",
    fields: &[
        Field::required(
            "version",
            FieldKind::Version,
            "\"1.0\"",
            "The version of this format.",
        ),
        Field::required(
            "rules",
            FieldKind::Objects(&RULE),
            "[{reply: [{text: Hello}]}]",
            "The rules; the first that matches a request answers it.",
        ),
        Field::optional(
            "fallback",
            FieldKind::Steps(&STEP),
            "[{text: I did not understand that.}]",
            "The answer when no rule matches (default: that nothing was understood).",
        ),
        Field::optional(
            "timestamps",
            FieldKind::Bool,
            "true",
            "Puts a timestamp on every event; they begin at a fixed moment and advance by the delays (default false).",
        ),
    ],
    elsewhere: &[
        (
            "reply",
            "a reply belongs to a rule: `rules: [{reply: [{text: Hello}]}]`",
        ),
        (
            "turns",
            "a script has `rules`; `turns` belong in a test file, `*.test.yaml`",
        ),
    ],
};

/// One answer, and when it is given.
pub(crate) static RULE: Shape = Shape {
    name: "Rule",
    title: "a rule",
    doc: "One answer, and when it is given.",
    fields: &[
        Field::optional(
            "when",
            FieldKind::Object(&WHEN),
            "{user_contains: refund}",
            "All conditions must hold; without any the rule answers everything.",
        ),
        Field::required(
            "reply",
            FieldKind::Steps(&STEP),
            "[{text: Hello}]",
            "What is sent, one step after another.",
        ),
        Field::optional(
            "times",
            FieldKind::Whole(1, MAX_COUNT),
            "2",
            "Answers only this many requests of the server; later ones go to the rules below.",
        ),
        Field::optional(
            "every",
            FieldKind::Whole(1, MAX_COUNT),
            "3",
            "Answers only every so many-th of the requests that it could answer; the others go to the rules below.",
        ),
        Field::optional(
            "bare",
            FieldKind::Bool,
            "true",
            "Sends the steps alone: no RUN_STARTED before them, no RUN_FINISHED after them (default false).",
        ),
    ],
    elsewhere: &[
        (
            "user",
            "conditions stand under `when`: `when: {user_contains: refund}`",
        ),
        ("user_contains", "write it under `when`"),
        ("user_equals", "write it under `when`"),
        ("turn", "write it under `when`"),
        (
            "text",
            "what is sent stands under `reply`: `reply: [{text: Hello}]`",
        ),
    ],
};

/// Conditions on a request.
pub(crate) static WHEN: Shape = Shape {
    name: "When",
    title: "`when`",
    doc: "Conditions on a request, all of which must hold.",
    fields: &[
        Field::optional(
            "user_contains",
            FieldKind::Text,
            "refund",
            "The user message has this fragment, in any case.",
        ),
        Field::optional(
            "user_equals",
            FieldKind::Text,
            "Hello",
            "The user message is exactly this.",
        ),
        Field::optional(
            "turn",
            FieldKind::Whole(1, MAX_COUNT),
            "1",
            "The history holds this many user messages.",
        ),
        Field::optional(
            "has_tool_result",
            FieldKind::Bool,
            "true",
            "The newest message is, or is not, the answer to a tool call.",
        ),
        Field::optional(
            "has_resume",
            FieldKind::Bool,
            "true",
            "Interrupts are, or are not, answered.",
        ),
    ],
    elsewhere: &[
        ("contains", "write `user_contains`"),
        ("equals", "write `user_equals`"),
        ("user", "write `user_contains` or `user_equals`"),
    ],
};

/// The parts of a request that can be echoed.
const ECHO: &[&str] = &[
    "messages",
    "last_message",
    "forwarded_props",
    "context",
    "state",
];

/// One step of an answer: a map with one key.
pub(crate) static STEP: Shape = Shape {
    name: "Step",
    title: "a step",
    doc: "One step of an answer: one of these keys, or one of the words `truncate`, `reset` and `stall`.",
    fields: &[
        Field::optional(
            "text",
            FieldKind::AnyText,
            "Hello there",
            "An assistant message, one delta for each word.",
        ),
        Field::optional(
            "text_deltas",
            FieldKind::Object(&TEXT_DELTAS),
            "{deltas: [He, llo], every_ms: 20}",
            "An assistant message in the given deltas.",
        ),
        Field::optional(
            "echo",
            FieldKind::Choice(ECHO),
            "forwarded_props",
            "An assistant message with a part of the request as JSON.",
        ),
        Field::optional(
            "tool",
            FieldKind::Object(&TOOL),
            "{name: search, args: {q: mug}, result: [1]}",
            "A tool call, with its result if one is given.",
        ),
        Field::optional(
            "parallel_tools",
            FieldKind::Objects(&TOOL),
            "[{name: a, result: 1}, {name: b, result: 2}]",
            "Calls that are all in progress before the first result comes.",
        ),
        Field::optional(
            "tool_result",
            FieldKind::Object(&TOOL_RESULT),
            "{tool_call_id: call-1, result: done}",
            "The result of a call of an earlier run.",
        ),
        Field::optional(
            "state",
            FieldKind::Json,
            "{cart: [mug]}",
            "A snapshot of the shared state.",
        ),
        Field::optional(
            "state_delta",
            FieldKind::JsonList,
            "[{op: add, path: /cart/-, value: mug}]",
            "A JSON Patch of the shared state.",
        ),
        Field::optional(
            "reasoning",
            FieldKind::AnyText,
            "They want a mug",
            "A reasoning span with one message.",
        ),
        Field::optional(
            "step",
            FieldKind::Object(&NAMED_STEPS),
            "{name: lookup, reply: [{text: Hello}]}",
            "Steps inside STEP_STARTED and STEP_FINISHED.",
        ),
        Field::optional(
            "custom",
            FieldKind::Object(&CUSTOM),
            "{name: progress, value: 50}",
            "A custom event.",
        ),
        Field::optional(
            "event",
            FieldKind::Json,
            "{type: RUN_FINISHED, threadId: $threadId, runId: $runId}",
            "Any event; the strings `$threadId` and `$runId` stand for the request's ids.",
        ),
        Field::optional(
            "raw",
            FieldKind::AnyText,
            "\"data: {\\n\\n\"",
            "Text of the event stream, sent as it is.",
        ),
        Field::optional(
            "comment",
            FieldKind::AnyText,
            "keep-alive",
            "A comment line of the event stream.",
        ),
        Field::optional("delay_ms", FieldKind::Whole(0, MAX_MS), "100", "A pause."),
        Field::optional(
            "error",
            FieldKind::Object(&ERROR),
            "{message: the model is gone, code: MODEL}",
            "RUN_ERROR, which ends the run.",
        ),
        Field::optional(
            "interrupt",
            FieldKind::Object(&INTERRUPT),
            "{reason: approval, message: Charge the card?}",
            "RUN_FINISHED with one interrupt, which a client answers by resuming.",
        ),
        Field::optional(
            "finish",
            FieldKind::Object(&FINISH),
            "{result: done}",
            "RUN_FINISHED with options; without this step it comes by itself.",
        ),
        Field::optional(
            "http",
            FieldKind::Object(&HTTP),
            "{status: 429, headers: {Retry-After: 1}}",
            "An HTTP response instead of a stream; only `delay_ms` can come before it.",
        ),
    ],
    elsewhere: &[
        ("truncate", "it is a word: write `- truncate`"),
        ("reset", "it is a word: write `- reset`"),
        ("stall", "it is a word: write `- stall`"),
        ("say", "write `text`"),
        ("delay", "write `delay_ms`"),
        ("sleep", "write `delay_ms`"),
        ("tool_call", "write `tool`"),
        ("status", "write `http: {status: 429}`"),
    ],
};

static TEXT_DELTAS: Shape = Shape {
    name: "TextDeltas",
    title: "`text_deltas`",
    doc: "An assistant message in given deltas.",
    fields: &[
        Field::required("deltas", FieldKind::AnyTextList, "[He, llo]", "The deltas."),
        Field::optional(
            "every_ms",
            FieldKind::Whole(0, MAX_MS),
            "20",
            "A pause before each of them (default 0).",
        ),
    ],
    elsewhere: &[],
};

static TOOL: Shape = Shape {
    name: "Tool",
    title: "a tool call",
    doc: "A tool call. Without `result` and `error` it is left for the client to answer.",
    fields: &[
        Field::required("name", FieldKind::Text, "search", "The tool."),
        Field::optional(
            "args",
            FieldKind::Json,
            "{q: mug}",
            "Its arguments (default {}); text is sent as it is, so that it need not be JSON.",
        ),
        Field::optional(
            "id",
            FieldKind::Text,
            "call-1",
            "The call's id, if it is to be fixed.",
        ),
        Field::optional(
            "result",
            FieldKind::Json,
            "[1, 2]",
            "The result; text is sent as it is, anything else as JSON text.",
        ),
        Field::optional(
            "error",
            FieldKind::AnyText,
            "out of stock",
            "A failure, sent as the result `{\"error\": …}`.",
        ),
        Field::optional(
            "delay_ms",
            FieldKind::Whole(0, MAX_MS),
            "50",
            "How long the tool takes (default 0).",
        ),
    ],
    elsewhere: &[("arguments", "write `args`")],
};

static TOOL_RESULT: Shape = Shape {
    name: "ToolResult",
    title: "`tool_result`",
    doc: "The result of a call of an earlier run.",
    fields: &[
        Field::required("tool_call_id", FieldKind::Text, "call-1", "The call."),
        Field::required(
            "result",
            FieldKind::Json,
            "done",
            "The result; text is sent as it is, anything else as JSON text.",
        ),
    ],
    elsewhere: &[],
};

/// Steps under a name.
pub(crate) static NAMED_STEPS: Shape = Shape {
    name: "NamedSteps",
    title: "`step`",
    doc: "Steps under a name.",
    fields: &[
        Field::required("name", FieldKind::Text, "lookup", "The name of the step."),
        Field::required(
            "reply",
            FieldKind::Steps(&STEP),
            "[{text: Hello}]",
            "What happens in it.",
        ),
    ],
    elsewhere: &[],
};

static CUSTOM: Shape = Shape {
    name: "Custom",
    title: "`custom`",
    doc: "A custom event.",
    fields: &[
        Field::required("name", FieldKind::Text, "progress", "Its name."),
        Field::optional("value", FieldKind::Json, "50", "Its value (default null)."),
    ],
    elsewhere: &[],
};

static ERROR: Shape = Shape {
    name: "RunError",
    title: "`error`",
    doc: "The failure of a run.",
    fields: &[
        Field::required(
            "message",
            FieldKind::AnyText,
            "the model is gone",
            "What went wrong.",
        ),
        Field::optional("code", FieldKind::AnyText, "MODEL", "A code for it."),
    ],
    elsewhere: &[],
};

static INTERRUPT: Shape = Shape {
    name: "Interrupt",
    title: "`interrupt`",
    doc: "A question that ends the run.",
    fields: &[
        Field::optional(
            "id",
            FieldKind::Text,
            "ask-1",
            "Its id, if it is to be fixed.",
        ),
        Field::required("reason", FieldKind::Text, "approval", "Why the run stops."),
        Field::optional(
            "message",
            FieldKind::AnyText,
            "Charge the card?",
            "What the user is asked.",
        ),
        Field::optional(
            "tool",
            FieldKind::Text,
            "charge",
            "The tool whose newest call in this run waits for the answer.",
        ),
        Field::optional(
            "response_schema",
            FieldKind::Json,
            "{type: object}",
            "A JSON Schema of the answer.",
        ),
        Field::optional(
            "expires_at",
            FieldKind::Text,
            "\"2030-01-01T00:00:00Z\"",
            "Until when an answer is accepted.",
        ),
    ],
    elsewhere: &[],
};

static FINISH: Shape = Shape {
    name: "Finish",
    title: "`finish`",
    doc: "How a run finishes.",
    fields: &[
        Field::optional("result", FieldKind::Json, "done", "The result of the run."),
        Field::optional(
            "outcome",
            FieldKind::Json,
            "{type: success}",
            "The outcome, instead of success.",
        ),
        Field::optional(
            "usage",
            FieldKind::Json,
            "[{inputTokens: 5, outputTokens: 7}]",
            "Token usage.",
        ),
    ],
    elsewhere: &[],
};

static HTTP: Shape = Shape {
    name: "Http",
    title: "`http`",
    doc: "An HTTP response instead of a stream.",
    fields: &[
        Field::required("status", FieldKind::Whole(200, 599), "429", "The status."),
        Field::optional(
            "headers",
            FieldKind::ScalarMap,
            "{Retry-After: 1}",
            "Its headers.",
        ),
        Field::optional(
            "body",
            FieldKind::Json,
            "{error: busy}",
            "Its body; text is sent as it is, anything else as JSON.",
        ),
    ],
    elsewhere: &[("retry_after", "write `headers: {Retry-After: 1}`")],
};
