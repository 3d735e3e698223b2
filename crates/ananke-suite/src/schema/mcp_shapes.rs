//! `type: mcp`.

use super::auth_shapes::AUTH_OF_TARGET;
use super::shape::{Field, FieldKind, Shape};
use super::target_fields::{
    ASSERT_OF_TARGET, CONCURRENCY, GROUP, HEADERS, LIMITS_OF_TARGET, TIMEOUT_MS, TLS_OF_TARGET,
};

/// The words of `transport`.
pub(crate) const TRANSPORTS: &[&str] = &["stdio", "http", "sse"];
/// The words of `isolation`.
pub(crate) const ISOLATIONS: &[&str] = &["test", "file"];
/// The words of `action` in an answer of `elicitation`.
pub(crate) const ELICIT_ACTIONS: &[&str] = &["accept", "decline", "cancel"];

const WHEN: Field = Field::optional(
    "when",
    FieldKind::Text,
    "size",
    "What the question must contain; an answer without it fits every question.",
);
const ONCE: Field = Field::optional(
    "once",
    FieldKind::Bool,
    "true",
    "Whether the answer is given once only (default false).",
);

/// A target that is an MCP server.
pub(crate) static MCP_TARGET: Shape = Shape {
    name: "McpTarget",
    title: "an `mcp` target",
    doc: "A server that speaks MCP: tools, resources and prompts.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["mcp"]),
            "mcp",
            "The protocol the server speaks. Needs `version: \"1.2\"`.",
        ),
        Field::optional(
            "transport",
            FieldKind::Choice(TRANSPORTS),
            "stdio",
            "How the server is reached (default: stdio with `command`, sse with an `endpoint` that ends in `/sse`, else http).",
        ),
        Field::optional(
            "command",
            FieldKind::Command,
            "[python3, server.py]",
            "Program and arguments of a server that is started; no shell. Either this or `endpoint`.",
        ),
        Field::optional(
            "cwd",
            FieldKind::Text,
            "servers",
            "Where the program runs, from the folder of the config (default: that folder).",
        ),
        Field::optional(
            "env",
            FieldKind::ScalarMap,
            "{MODE: test}",
            "Additional environment variables of the program.",
        ),
        Field::optional(
            "endpoint",
            FieldKind::Text,
            "\"http://localhost:8000/mcp\"",
            "The URL of a server that runs already.",
        ),
        HEADERS,
        AUTH_OF_TARGET,
        Field::optional(
            "protocolVersion",
            FieldKind::Text,
            "\"2025-11-25\"",
            "The revision to speak (default auto: the newest that both sides know).",
        ),
        Field::optional(
            "connect_timeout_ms",
            FieldKind::Millis,
            "10000",
            "Limit for everything before the first call (default 10000; 30000 for a program that is started).",
        ),
        TIMEOUT_MS,
        Field::optional(
            "userTool",
            FieldKind::Object(&USER_TOOL),
            "{name: ask, argument: question}",
            "The tool that `user` turns call.",
        ),
        Field::optional(
            "isolation",
            FieldKind::Choice(ISOLATIONS),
            "test",
            "Who shares a connection: nobody (test, the default), or the tests of a file, one after another.",
        ),
        Field::optional(
            "elicitation",
            FieldKind::Objects(&ELICITATION),
            "[{when: size, content: {size: M}}]",
            "What is said when the server asks the user: the first answer that fits.",
        ),
        Field::optional(
            "sampling",
            FieldKind::Objects(&SAMPLING),
            "[{content: Hello}]",
            "What is said when the server asks for a model: the first answer that fits.",
        ),
        Field::optional(
            "roots",
            FieldKind::Objects(&ROOT),
            "[{uri: \"file:///work\"}]",
            "The folders that the server is told of.",
        ),
        Field::optional(
            "validateOutput",
            FieldKind::Bool,
            "false",
            "Whether results are held against the tool's `outputSchema` (default true).",
        ),
        TLS_OF_TARGET,
        LIMITS_OF_TARGET,
        ASSERT_OF_TARGET,
        CONCURRENCY,
        GROUP,
    ],
    elsewhere: &[
        ("url", "write `endpoint`"),
        ("cmd", "write `command`"),
        ("args", "write them in `command`"),
        ("user_tool", "write `userTool`"),
        (
            "tool",
            "write `userTool` for what `user` turns call; other tools are named in `mcp:call` turns",
        ),
        ("protocol_version", "write `protocolVersion`"),
        ("validate_output", "write `validateOutput`"),
        ("backoff_ms", "leave it out: a call is sent once"),
        (
            "connectors",
            "an `mcp` target has no connectors; write another target",
        ),
        (
            "identity",
            "an `mcp` target is not told who asks; write what it has to know in `env` or `headers`",
        ),
    ],
};

/// `userTool`.
pub(crate) static USER_TOOL: Shape = Shape {
    name: "UserTool",
    title: "`userTool`",
    doc: "The tool that stands for an agent: `user` turns call it.",
    fields: &[
        Field::required("name", FieldKind::Text, "ask", "Its name."),
        Field::required(
            "argument",
            FieldKind::Text,
            "question",
            "The argument that gets the user's words.",
        ),
        Field::optional(
            "conversation",
            FieldKind::Text,
            "conversation",
            "The argument that gets the id of the conversation, which is new for each test: for servers that keep no sessions.",
        ),
        Field::optional(
            "args",
            FieldKind::JsonMap,
            "{verbose: true}",
            "Its other arguments.",
        ),
        Field::optional(
            "toolCalls",
            FieldKind::Text,
            "structuredContent.toolCalls",
            "A path into the result, to a list of `{id, name, args, result, error}`: the calls that the agent behind the tool made.",
        ),
    ],
    elsewhere: &[
        ("tool", "write `name`"),
        ("arguments", "write `args`"),
        ("tool_calls", "write `toolCalls`"),
    ],
};

/// An entry of `elicitation`.
pub(crate) static ELICITATION: Shape = Shape {
    name: "Elicitation",
    title: "an answer of `elicitation`",
    doc: "What the user does when the server asks.",
    fields: &[
        WHEN,
        ONCE,
        Field::optional(
            "action",
            FieldKind::Choice(ELICIT_ACTIONS),
            "accept",
            "What the user does (default accept).",
        ),
        Field::optional(
            "content",
            FieldKind::JsonMap,
            "{size: M}",
            "What the user fills in.",
        ),
    ],
    elsewhere: &[("answer", "write `content`")],
};

/// An entry of `sampling`.
pub(crate) static SAMPLING: Shape = Shape {
    name: "Sampling",
    title: "an answer of `sampling`",
    doc: "What the model says when the server asks for one.",
    fields: &[
        WHEN,
        ONCE,
        Field::required(
            "content",
            FieldKind::TextOr(&FieldKind::JsonMap),
            "Hello",
            "What the model says: text, or a whole result with `role`, `content` and `model`.",
        ),
    ],
    elsewhere: &[("text", "write `content`"), ("answer", "write `content`")],
};

/// An entry of `roots`.
pub(crate) static ROOT: Shape = Shape {
    name: "Root",
    title: "a root",
    doc: "A folder that the server is told of.",
    fields: &[
        Field::required("uri", FieldKind::Text, "\"file:///work\"", "Where it is."),
        Field::optional("name", FieldKind::Text, "work", "What it is called."),
    ],
    elsewhere: &[("path", "write `uri: file:///…`")],
};
