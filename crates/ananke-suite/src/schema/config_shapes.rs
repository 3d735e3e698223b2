//! `ananke.config.yaml`.

use super::agent_shapes::TARGETS;
use super::assert_shapes::ASSERT;
use super::chat_shapes::CONNECTOR;
use super::script_check_shapes::SCRIPTS;
use super::shape::{Field, FieldKind, Shape};

/// The config file.
pub(crate) static CONFIG: Shape = Shape {
    name: "Config",
    title: "a config file",
    doc: "The project's config file, `ananke.config.yaml`: the agent under test and what all tests share.",
    fields: &[
        Field::required(
            "version",
            FieldKind::Version,
            "\"1.0\"",
            "The version of this format.",
        ),
        Field::optional(
            "target",
            FieldKind::Typed(TARGETS),
            "{type: agui, endpoint: \"http://localhost:8000/agent\"}",
            "The agent under test. Either this or `targets`.",
        ),
        Field::optional(
            "targets",
            FieldKind::TypedMap(TARGETS),
            "{local: {type: agui, endpoint: \"http://localhost:8000/agent\"}}",
            "Several agents by name; `--target` or a test's `target` picks one.",
        ),
        Field::optional(
            "agents",
            FieldKind::TypedMap(TARGETS),
            "{judge: {type: scripted, script: {rules: [{reply: [{text: Hello}]}]}}}",
            "Agents that help to test: simulators, judges, generators, reporters. `-n` can name them too.",
        ),
        Field::optional(
            "connectors",
            FieldKind::ObjectMap(&CONNECTOR),
            "{fast: {type: openai, host: \"http://localhost:11434\", model: small}}",
            "Models and how to reach them, for `openai` and `assistant` targets.",
        ),
        Field::optional(
            "assertions",
            FieldKind::ObjectMap(&ASSERT),
            "{no_errors: {text: {must_not_match: [exception]}}}",
            "Named assertion blocks, to be used with `extends`.",
        ),
        Field::optional(
            "server",
            FieldKind::Object(&SERVER),
            "{cmd: [node, server.js], url: \"http://localhost:8000/health\"}",
            "The app under test, started before the first test and stopped after the last.",
        ),
        Field::optional(
            "bundle",
            FieldKind::Object(&BUNDLE),
            "{keep: 20}",
            "Where runs leave their bundles, and how many are kept.",
        ),
        Field::optional(
            "scripts",
            FieldKind::Object(&SCRIPTS),
            "{net: [api.example.com]}",
            "What scripts may touch: hosts, files and environment variables. Nothing by default.",
        ),
    ],
    elsewhere: &[
        ("script", "write `scripts` for what scripts may touch"),
        ("hooks", "hooks belong in the test files that need them"),
        ("turns", "turns belong in a test file, `*.test.yaml`"),
        (
            "assert",
            "write `assert` under `target` to apply it to all tests",
        ),
        ("endpoint", "write `endpoint` under `target`"),
        ("headers", "write `headers` under `target`"),
    ],
};

/// Bundles of runs.
pub(crate) static BUNDLE: Shape = Shape {
    name: "Bundle",
    title: "`bundle`",
    doc: "Where runs leave their bundles, and how many are kept.",
    fields: &[
        Field::optional(
            "dir",
            FieldKind::Text,
            ".ananke/runs",
            "The folder, from the folder of the config file (default `.ananke/runs`).",
        ),
        Field::optional(
            "keep",
            FieldKind::Count,
            "20",
            "How many bundles are kept (default 20); the oldest go first, 0 keeps all.",
        ),
    ],
    elsewhere: &[("path", "the folder is `dir`")],
};

/// The app under test.
pub(crate) static SERVER: Shape = Shape {
    name: "Server",
    title: "a server",
    doc: "The app under test, started by ananke.",
    fields: &[
        Field::required(
            "cmd",
            FieldKind::Command,
            "[node, server.js]",
            "Program and arguments; no shell.",
        ),
        Field::required(
            "url",
            FieldKind::Text,
            "\"http://localhost:8000/health\"",
            "What must answer before the first test starts; any HTTP response counts.",
        ),
        Field::optional(
            "timeout_ms",
            FieldKind::Millis,
            "30000",
            "How long it may take to answer (default 30000).",
        ),
        Field::optional(
            "env",
            FieldKind::ScalarMap,
            "{PORT: 8000}",
            "Additional environment variables.",
        ),
    ],
    elsewhere: &[],
};
