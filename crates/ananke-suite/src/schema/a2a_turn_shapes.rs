//! The turn that only `a2a` targets know.

use super::assert_shapes::ASSERT;
use super::shape::{Field, FieldKind, Shape};

/// An `a2a:send` turn.
pub(crate) static TURN_SEND: Shape = Shape {
    name: "SendTurn",
    title: "an `a2a:send` turn",
    doc: "Sends a message with parts of any kind. Needs `version: \"1.1\"` and an `a2a` target.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(&["a2a:send"]),
            "a2a:send",
            "The kind of turn.",
        ),
        Field::optional(
            "text",
            FieldKind::Text,
            "Hello",
            "The first part of the message.",
        ),
        Field::optional(
            "parts",
            FieldKind::Objects(&SEND_PART),
            "[{text: Hello}, {data: {sku: mug-blue}}]",
            "The parts of the message. Either these or `text` are needed.",
        ),
        Field::optional(
            "metadata",
            FieldKind::JsonMap,
            "{locale: en}",
            "`metadata` of the message.",
        ),
        Field::optional(
            "taskId",
            FieldKind::Text,
            "\"task-1\"",
            "The task to go on with, in place of the one that waits.",
        ),
        Field::optional(
            "newTask",
            FieldKind::Bool,
            "true",
            "Begin another task although one waits.",
        ),
        Field::optional(
            "contextId",
            FieldKind::Text,
            "\"context-1\"",
            "The conversation, in place of the one that was begun.",
        ),
        Field::optional(
            "assert",
            FieldKind::Object(&ASSERT),
            "{tools: {require: [{name: search}]}}",
            "What this turn demands, judged at once; a turn without it is not judged by itself.",
        ),
        Field::optional(
            "timeout_ms",
            FieldKind::Millis,
            "30000",
            "Wall-clock limit of this turn.",
        ),
    ],
    elsewhere: &[
        ("user", "write `text`"),
        ("message", "write `text`, or `parts`"),
        ("task_id", "write `taskId`"),
        ("context_id", "write `contextId`"),
    ],
};

/// An entry of `parts` in an `a2a:send` turn.
pub(crate) static SEND_PART: Shape = Shape {
    name: "SendPart",
    title: "a part",
    doc: "A part of a message: one of `text`, `data`, `url`, `raw` and `file`.",
    fields: &[
        Field::optional("text", FieldKind::AnyText, "Hello", "Text."),
        Field::optional(
            "data",
            FieldKind::Json,
            "{sku: mug-blue}",
            "Any JSON value.",
        ),
        Field::optional(
            "url",
            FieldKind::Text,
            "\"https://example.com/a.png\"",
            "Where a file is, for the agent to fetch it.",
        ),
        Field::optional(
            "raw",
            FieldKind::AnyText,
            "aGk=",
            "The content of a file, in Base64.",
        ),
        Field::optional(
            "file",
            FieldKind::Text,
            "receipt.txt",
            "A file to send, from the folder of the test; at most 16 MiB.",
        ),
        Field::optional(
            "mediaType",
            FieldKind::Text,
            "image/png",
            "What the file holds; with `file` by its extension if absent.",
        ),
        Field::optional(
            "filename",
            FieldKind::Text,
            "receipt.txt",
            "What the file is called; with `file` its own name if absent.",
        ),
        Field::optional(
            "metadata",
            FieldKind::JsonMap,
            "{source: scan}",
            "`metadata` of the part.",
        ),
    ],
    elsewhere: &[
        ("kind", "leave it out: the key of the content says it"),
        ("type", "leave it out: the key of the content says it"),
        ("mimeType", "write `mediaType`"),
        ("name", "write `filename`"),
        ("bytes", "write `raw`"),
    ],
};
