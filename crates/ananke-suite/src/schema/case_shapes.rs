//! A case: one object of a JSONL file.

use super::assert_shapes::ASSERT;
use super::check_shapes::CHECKS;
use super::message_shapes::MESSAGE;
use super::shape::{Field, FieldKind, Shape};

/// How many turns a case may take at most.
pub(crate) const MOST_TURNS: u64 = 1000;

/// A case.
pub(crate) static CASE: Shape = Shape {
    name: "Case",
    title: "a case",
    doc: "A case: what is sent to the agent, and what must hold of its answer. A file holds any number of them.",
    fields: &[
        Field::required(
            "id",
            FieldKind::Text,
            "T001",
            "What the case is called in reports and with `--run`; unique in its file.",
        ),
        Field::optional(
            "name",
            FieldKind::Text,
            "asks for the order number",
            "What the case is about, for people.",
        ),
        Field::optional(
            "input",
            FieldKind::Prompt(&MESSAGE),
            "Hello",
            "What is sent: a text, a message, or a list of messages.",
        ),
        Field::optional(
            "messages",
            FieldKind::Objects(&MESSAGE),
            "[{role: user, content: Hello}]",
            "The conversation so far, the agent answers its last message. Overrides `input`.",
        ),
        Field::optional(
            "expected",
            FieldKind::Json,
            "{need_search: false}",
            "The exact output. Only shown in the report if there is an `assert`.",
        ),
        Field::optional(
            "assert",
            FieldKind::Demands(&ASSERT, CHECKS),
            "{type: contains, value: Hi}",
            "What must hold: a check, a block as in test files, or a list of them.",
        ),
        Field::optional(
            "assertions",
            FieldKind::Demands(&ASSERT, CHECKS),
            "[{type: contains, value: Hi}]",
            "The same as `assert`; all entries of both count.",
        ),
        Field::optional(
            "simulator",
            FieldKind::Object(&SIMULATOR),
            "{use: user-simulator, options: {metadata: {goal: get a refund}}}",
            "The agent that plays the user; `--simulator` names one for cases that have none.",
        ),
        Field::optional(
            "checkpoints",
            FieldKind::Objects(&CHECKPOINT),
            "[{id: asks, assert: {type: contains, value: order}}]",
            "What has to happen in a conversation that a simulator leads.",
        ),
        Field::optional(
            "max_turns",
            FieldKind::Whole(1, MOST_TURNS),
            "10",
            "After how many turns a simulator is stopped and the case has failed (default 20).",
        ),
        Field::optional(
            "user",
            FieldKind::Text,
            "admin",
            "Who asks; `-u` and `--ctx` override it.",
        ),
        Field::optional(
            "team",
            FieldKind::Text,
            "ops-team",
            "The team of who asks; `-t` and `--ctx` override it.",
        ),
        Field::optional(
            "metadata",
            FieldKind::JsonMap,
            "{priority: high}",
            "Anything else that the agent is told.",
        ),
        Field::optional(
            "options",
            FieldKind::Object(&OPTIONS),
            "{metadata: {mode: fast}}",
            "What is different about this call of the agent.",
        ),
        Field::optional(
            "skip",
            FieldKind::OrBool(&FieldKind::Text),
            "waits for the new cart",
            "Whether, or why, this case is not to be run.",
        ),
        Field::optional(
            "timeout",
            FieldKind::Duration,
            "30s",
            "Overrides `--timeout` for this case.",
        ),
        Field::optional("tags", FieldKind::TextList, "[smoke]", "Words for `--tag`."),
        Field::optional(
            "before",
            FieldKind::Text,
            "env_test.Before",
            "A function of a script that is called before the agent is asked.",
        ),
        Field::optional(
            "after",
            FieldKind::Text,
            "env_test.Before",
            "A function of a script that is called when all is judged, if `before` went well.",
        ),
        Field::optional(
            "target",
            FieldKind::Text,
            "local",
            "Which of the config's `targets` the case is for.",
        ),
        Field::optional(
            "targets",
            FieldKind::TextList,
            "[local, staging]",
            "Which of the config's `targets` the case is run against, one after another.",
        ),
    ],
    elsewhere: &[
        (
            "expect",
            "write `expected` for the exact output, or `assert` for checks",
        ),
        ("prompt", "what is sent is written under `input`"),
        ("question", "what is sent is written under `input`"),
        ("query", "what is sent is written under `input`"),
        (
            "text",
            "what is sent is written under `input`, checks under `assert`",
        ),
        ("message", "what is sent is written under `input`"),
        (
            "content",
            "a message is written under `input` or `messages`",
        ),
        ("role", "a message is written under `input` or `messages`"),
        (
            "turns",
            "earlier turns are written under `messages`; turns that are run belong in a `*.test.yaml`",
        ),
        ("attachments", "files are parts of a message's `content`"),
        ("checks", "checks are written under `assert`"),
        ("tools", "write `tools` in an entry of `assert`"),
        ("timing", "write `timing` in an entry of `assert`"),
        (
            "timeout_ms",
            "write `timeout` with a unit, such as `\"30s\"`",
        ),
        ("user_id", "write `user`"),
        ("team_id", "write `team`"),
        ("connector", "write `connector` under `options`"),
        ("hooks", "commands before a test belong in a `*.test.yaml`"),
        ("version", "a case has no version"),
        (
            "type",
            "a check belongs in the `assert` of a case, and a line of a report is no case",
        ),
        ("value", "a check belongs in the `assert` of a case"),
        ("persona", "write `persona` in `simulator.options.metadata`"),
        ("goal", "write `goal` in `simulator.options.metadata`"),
        ("checkpoint", "write `checkpoints`, a list"),
        ("maxTurns", "write `max_turns`"),
        ("status", "a result of a report is no case"),
    ],
};

/// The agent that plays the user.
pub(crate) static SIMULATOR: Shape = Shape {
    name: "Simulator",
    title: "`simulator`",
    doc: "The agent that plays the user.",
    fields: &[
        Field::optional(
            "use",
            FieldKind::Text,
            "user-simulator",
            "Its id, without a prefix; without it `--simulator` says who it is.",
        ),
        Field::optional(
            "options",
            FieldKind::Object(&OPTIONS),
            "{metadata: {persona: new employee, goal: get a refund}}",
            "What it is told: `metadata` with `persona`, `goal` and whatever else it knows; and its `connector`.",
        ),
    ],
    elsewhere: &[
        ("agent", "write the id under `use`"),
        ("id", "write the id under `use`"),
        ("metadata", "write `metadata` under `options`"),
        ("persona", "write `persona` in `options.metadata`"),
        ("goal", "write `goal` in `options.metadata`"),
        ("connector", "write `connector` under `options`"),
        ("max_turns", "write `max_turns` in the case itself"),
    ],
};

/// Something that has to happen in a conversation that a simulator leads.
pub(crate) static CHECKPOINT: Shape = Shape {
    name: "Checkpoint",
    title: "a checkpoint",
    doc: "Something that has to happen: it is reached in the first turn for which its checks hold.",
    fields: &[
        Field::required(
            "id",
            FieldKind::Text,
            "asks",
            "What it is called; unique in its case.",
        ),
        Field::optional(
            "description",
            FieldKind::Text,
            "asks for the order number",
            "What it is about, for people.",
        ),
        Field::optional(
            "after",
            FieldKind::Texts,
            "[]",
            "Ids of checkpoints that must have been reached, in the same turn at the latest.",
        ),
        Field::optional(
            "required",
            FieldKind::Bool,
            "true",
            "Whether the case fails without it (default true).",
        ),
        Field::optional(
            "assert",
            FieldKind::Demands(&ASSERT, CHECKS),
            "{type: contains, value: Hi}",
            "What must hold of the agent's answer: a check, a block as in test files, or a list of them.",
        ),
        Field::optional(
            "assertion",
            FieldKind::Demands(&ASSERT, CHECKS),
            "{type: contains, value: Hi}",
            "The same as `assert`; all entries of both count.",
        ),
    ],
    elsewhere: &[
        ("assertions", "write `assert`, which may be a list"),
        ("checks", "checks are written under `assert`"),
        ("type", "a check is written under `assert`"),
        ("value", "a check is written under `assert`"),
        ("name", "write `id`, and for people `description`"),
        ("before", "write `after` in the other checkpoint"),
        ("optional", "write `\"required\": false`"),
    ],
};

/// `options` of a case.
pub(crate) static OPTIONS: Shape = Shape {
    name: "CaseOptions",
    title: "`options`",
    doc: "What is different about this call of the agent.",
    fields: &[
        Field::optional(
            "connector",
            FieldKind::Text,
            "fast",
            "Which of the target's `connectors` is used; `-c` overrides it.",
        ),
        Field::optional(
            "metadata",
            FieldKind::JsonMap,
            "{persona: new employee}",
            "Sent with the request, over the case's own `metadata`.",
        ),
        Field::optional(
            "mode",
            FieldKind::Text,
            "chat",
            "For assistants that have modes.",
        ),
        Field::optional(
            "search",
            FieldKind::Json,
            "true",
            "For assistants that can search.",
        ),
        Field::optional(
            "disable_global_prompts",
            FieldKind::Bool,
            "true",
            "For assistants that share prompts.",
        ),
        Field::optional(
            "skip",
            FieldKind::Object(&OPTIONS_SKIP),
            "{history: true}",
            "What an assistant leaves out.",
        ),
    ],
    elsewhere: &[
        ("user", "write `user` in the case itself"),
        ("team", "write `team` in the case itself"),
        ("timeout", "write `timeout` in the case itself"),
        ("model", "a model is chosen with a `connector`"),
    ],
};

/// `skip` in `options`.
pub(crate) static OPTIONS_SKIP: Shape = Shape {
    name: "CaseOptionsSkip",
    title: "`skip` in `options`",
    doc: "What an assistant leaves out.",
    fields: &[
        Field::optional("history", FieldKind::Bool, "true", "Stored messages."),
        Field::optional("trace", FieldKind::Bool, "true", "The trace."),
        Field::optional("output", FieldKind::Bool, "true", "The output."),
        Field::optional("keyword", FieldKind::Bool, "true", "Keywords."),
        Field::optional("search", FieldKind::Bool, "true", "The search."),
    ],
    elsewhere: &[],
};
