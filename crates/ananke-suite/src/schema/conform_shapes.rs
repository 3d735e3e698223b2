//! The files of `ananke conform`: how scenarios are brought about on an agent, and failures that are known.

use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{FORWARDED_PROPS, HEADERS};

/// What a server can be held to.
pub(crate) const PROFILES: &[&str] =
    &["ag-ui@1.0", "ag-ui@0.x", "a2a", "a2a@1.0", "a2a@0.3", "mcp"];

/// What a finding of a rule can do.
pub(crate) const SEVERITIES: &[&str] = &["off", "warn", "error"];

/// A setup file.
pub(crate) static CONFORM: Shape = Shape {
    name: "Conform",
    title: "a conformance setup",
    doc: "How `ananke conform` talks to a server: where it is, what brings about each scenario, and what rules do.",
    fields: &[
        VERSION,
        Field::optional(
            "url",
            FieldKind::Text,
            "\"http://localhost:8000/agent\"",
            "The server, unless the command line names one.",
        ),
        HEADERS,
        Field::optional(
            "profile",
            FieldKind::Choice(PROFILES),
            "ag-ui@1.0",
            "What the server is held to, unless the command line says so (default ag-ui@1.0).",
        ),
        Field::optional(
            "capabilities",
            FieldKind::Text,
            "capabilities.json",
            "What the agent says it can do: a URL, or a file beside this one.",
        ),
        FORWARDED_PROPS,
        Field::optional(
            "scenarios",
            FieldKind::Object(&SCENARIOS),
            "{hello: {prompt: Say hello}}",
            "What brings about each scenario on this agent. Those that are missing are as by default.",
        ),
        Field::optional(
            "rules",
            FieldKind::ChoiceMap(SEVERITIES),
            "{shape.null: warn}",
            "Rules by id, and what a finding does: `off`, `warn` or `error`.",
        ),
    ],
    elsewhere: &[
        ("endpoint", "write `url`"),
        ("target", "write `url`"),
        (
            "known",
            "known failures have a file of their own: `--baseline`",
        ),
        (
            "prompt",
            "a prompt belongs to a scenario: `scenarios: {hello: {prompt: …}}`",
        ),
        (
            "tools",
            "tools belong to a scenario: `scenarios: {frontend-tool: {tools: …}}`",
        ),
    ],
};

const VERSION: Field = Field::required(
    "version",
    FieldKind::Version,
    "\"1.0\"",
    "The version of this format.",
);

/// `scenarios`.
pub(crate) static SCENARIOS: Shape = Shape {
    name: "Scenarios",
    title: "`scenarios`",
    doc: "What brings about each scenario; `off` leaves one out.",
    fields: &[
        scenario("hello", "The agent answers with text."),
        scenario("multi-turn", "A conversation of several runs."),
        scenario("backend-tool", "The agent calls a tool of its own."),
        scenario(
            "parallel-tools",
            "The agent calls several tools in one run.",
        ),
        scenario("failing-tool", "A tool of the agent fails."),
        scenario(
            "frontend-tool",
            "The agent calls a tool that the client offers, and is told its result.",
        ),
        Field::optional(
            "interrupt",
            FieldKind::OrOff(&FieldKind::Object(&INTERRUPT_SCENARIO)),
            "{prompt: Delete my account, resolve: {approved: true}}",
            "The agent asks for something before it goes on.",
        ),
        scenario("state", "The agent changes the shared state."),
        Field::optional(
            "abort",
            FieldKind::OrOff(&FieldKind::Object(&ABORT_SCENARIO)),
            "{prompt: Tell me a long story, after_events: 5}",
            "The client goes away in the middle of a run.",
        ),
        scenario("error", "Something goes wrong in the agent."),
        scenario(
            "probes",
            "Odd requests: minimal ones, unknown members, bad JSON, other headers.",
        ),
        scenario("stream", "A2A: a message whose answer is streamed."),
        scenario(
            "continue",
            "A2A: the agent asks for something, and is told. `prompts` has what makes it ask, and the answer.",
        ),
        scenario(
            "discover",
            "MCP: what the server says of itself without a handshake.",
        ),
        scenario("initialize", "MCP: the handshake."),
        scenario("list", "MCP: tools, resources and prompts are listed."),
        Field::optional(
            "call",
            FieldKind::OrOff(&FieldKind::Object(&CALL_SCENARIO)),
            "{tool: add, args: {a: 1, b: 2}}",
            "MCP: a tool is called.",
        ),
    ],
    elsewhere: &[
        ("multiturn", "write `multi-turn`"),
        ("tool", "write `backend-tool` or `frontend-tool`"),
        ("resume", "resuming is part of `interrupt`"),
        (
            "cancel",
            "write `abort`; cancelled interrupts are part of `interrupt`",
        ),
    ],
};

/// A scenario without keys of its own.
static ANY: FieldKind = FieldKind::Object(&SCENARIO);

const fn scenario(name: &'static str, doc: &'static str) -> Field {
    Field::optional(name, FieldKind::OrOff(&ANY), "{prompt: Hello}", doc)
}

const PROMPT: Field = Field::optional(
    "prompt",
    FieldKind::Text,
    "Say hello",
    "What the user says.",
);
const PROMPTS: Field = Field::optional(
    "prompts",
    FieldKind::TextList,
    "[Say hello, Say it again]",
    "What the user says, one text for each run.",
);
const BEFORE: Field = Field::optional(
    "before",
    FieldKind::Texts,
    "[Log me in]",
    "What the user says first, to bring the agent to where the scenario begins.",
);
const TOOLS: Field = Field::optional(
    "tools",
    FieldKind::Objects(&OFFERED_TOOL),
    "[{name: confirm, description: Asks the user, result: {confirmed: true}}]",
    "Tools that the client offers, with what it answers.",
);
const STATE: Field = Field::optional(
    "state",
    FieldKind::Json,
    "{counter: 0}",
    "The state that is sent.",
);

/// What is written under a key that another scenario has.
const INTERRUPT_ONLY: &str = "only `interrupt` has it";
const ABORT_ONLY: &str = "only `abort` has it";

/// A scenario.
pub(crate) static SCENARIO: Shape = Shape {
    name: "Scenario",
    title: "a scenario",
    doc: "What brings about a scenario on this agent.",
    fields: &[PROMPT, PROMPTS, BEFORE, TOOLS, STATE],
    elsewhere: &[
        ("resolve", INTERRUPT_ONLY),
        ("wrong", INTERRUPT_ONLY),
        ("after_events", ABORT_ONLY),
    ],
};

/// `interrupt`.
pub(crate) static INTERRUPT_SCENARIO: Shape = Shape {
    name: "InterruptScenario",
    title: "the scenario `interrupt`",
    doc: "What makes this agent ask for something before it goes on.",
    fields: &[
        PROMPT,
        PROMPTS,
        BEFORE,
        TOOLS,
        STATE,
        Field::optional(
            "resolve",
            FieldKind::Json,
            "{approved: true}",
            "The payload that resolves the interrupt.",
        ),
        Field::optional(
            "wrong",
            FieldKind::Json,
            "{approved: perhaps}",
            "A payload that does not match what was asked for.",
        ),
    ],
    elsewhere: &[("after_events", ABORT_ONLY)],
};

/// `abort`.
pub(crate) static ABORT_SCENARIO: Shape = Shape {
    name: "AbortScenario",
    title: "the scenario `abort`",
    doc: "What makes this agent answer at length, and when the client goes away.",
    fields: &[
        PROMPT,
        PROMPTS,
        BEFORE,
        TOOLS,
        STATE,
        Field::optional(
            "after_events",
            FieldKind::Positive,
            "5",
            "After how many events the client goes away.",
        ),
    ],
    elsewhere: &[("resolve", INTERRUPT_ONLY), ("wrong", INTERRUPT_ONLY)],
};

/// `call`.
pub(crate) static CALL_SCENARIO: Shape = Shape {
    name: "CallScenario",
    title: "the scenario `call`",
    doc: "Which tool of this server is called.",
    fields: &[
        Field::optional(
            "tool",
            FieldKind::Text,
            "add",
            "Its name (default: one that says it changes nothing and needs no arguments).",
        ),
        Field::optional(
            "args",
            FieldKind::JsonMap,
            "{a: 1, b: 2}",
            "Its arguments (default none).",
        ),
    ],
    elsewhere: &[
        ("name", "write `tool`"),
        ("arguments", "write `args`"),
        (
            "prompt",
            "a server of MCP has no prompt: write `tool` and `args`",
        ),
    ],
};

/// An entry of `tools`.
pub(crate) static OFFERED_TOOL: Shape = Shape {
    name: "OfferedTool",
    title: "an offered tool",
    doc: "A tool that the client offers to the agent, and what it answers.",
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
            FieldKind::JsonMap,
            "{type: object, properties: {question: {type: string}}}",
            "A JSON Schema of its arguments (default: any object).",
        ),
        Field::optional(
            "result",
            FieldKind::Json,
            "{confirmed: true}",
            "What the client answers (default `{\"ok\": true}`).",
        ),
    ],
    elsewhere: &[],
};

/// A baseline.
pub(crate) static BASELINE: Shape = Shape {
    name: "ConformBaseline",
    title: "a conformance baseline",
    doc: "Failures of a server that are known and accepted for now. An entry that passes fails the run until it is removed.",
    fields: &[
        Field {
            required: false,
            ..VERSION
        },
        Field::required(
            "known",
            FieldKind::Objects(&KNOWN_FAILURE),
            "[{rule: shape.null, reason: fixed in the next release}]",
            "The failures.",
        ),
    ],
    elsewhere: &[
        (
            "rules",
            "rules are switched in the setup file; a baseline has `known`",
        ),
        ("failures", "write `known`"),
    ],
};

/// An entry of `known`.
pub(crate) static KNOWN_FAILURE: Shape = Shape {
    name: "KnownFailure",
    title: "a known failure",
    doc: "A rule that is broken, in all scenarios or in one.",
    fields: &[
        Field::required("rule", FieldKind::Text, "shape.null", "The rule's id."),
        Field::optional(
            "scenario",
            FieldKind::Text,
            "hello",
            "The only scenario in which it is accepted (default all): one of the setup, or `file`, `capabilities`, `card`, `sse-stack`.",
        ),
        Field::optional(
            "reason",
            FieldKind::Text,
            "fixed in the next release",
            "Why it is accepted.",
        ),
    ],
    elsewhere: &[("id", "write `rule`"), ("why", "write `reason`")],
};
