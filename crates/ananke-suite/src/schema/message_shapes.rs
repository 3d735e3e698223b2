//! The messages of a case, and the parts of their content.

use super::shape::{Field, FieldKind, Shape};

/// The words of `role`.
pub(crate) const ROLES: &[&str] = &["user", "assistant", "system", "developer", "tool"];

/// The words of `type` in a part.
pub(crate) const PART_TYPES: &[&str] = &[
    "text",
    "image",
    "audio",
    "video",
    "document",
    "file",
    "image_url",
    "input_audio",
];

/// The words of `type` in a source.
pub(crate) const SOURCE_TYPES: &[&str] = &["data", "url", "file"];

/// The parts that a content can have.
const PARTS: &[&Shape] = &[
    &PART_TEXT,
    &PART_IMAGE,
    &PART_AUDIO,
    &PART_VIDEO,
    &PART_DOCUMENT,
    &PART_FILE,
    &PART_IMAGE_URL,
    &PART_INPUT_AUDIO,
];

/// A message.
pub(crate) static MESSAGE: Shape = Shape {
    name: "Message",
    title: "a message",
    doc: "A message of the conversation.",
    fields: &[
        Field::optional(
            "role",
            FieldKind::Choice(ROLES),
            "user",
            "Who says it (default user).",
        ),
        Field::optional(
            "content",
            FieldKind::Content(PARTS),
            "Hello",
            "What is said: a text, or a list of parts.",
        ),
        Field::optional("name", FieldKind::Text, "ada", "The name of who says it."),
        Field::optional(
            "tool_calls",
            FieldKind::Objects(&TOOL_CALL),
            "[{id: c1, function: {name: search, arguments: {q: tea}}}]",
            "The tools that an assistant calls.",
        ),
        Field::optional(
            "toolCalls",
            FieldKind::Objects(&TOOL_CALL),
            "[{id: c1, function: {name: search, arguments: {q: tea}}}]",
            "The same as `tool_calls`.",
        ),
        Field::optional(
            "tool_call_id",
            FieldKind::Text,
            "c1",
            "The call that a tool answers.",
        ),
        Field::optional(
            "toolCallId",
            FieldKind::Text,
            "c1",
            "The same as `tool_call_id`.",
        ),
        Field::optional(
            "error",
            FieldKind::Text,
            "not found",
            "Why a tool could not answer.",
        ),
    ],
    elsewhere: &[
        ("id", "each message gets an id of its own when it is sent"),
        ("text", "what is said is written under `content`"),
        ("attachments", "files are parts of `content`"),
        (
            "refusal",
            "what an assistant says is written under `content`",
        ),
        ("function_call", "calls are written under `tool_calls`"),
    ],
};

/// An entry of `tool_calls`.
pub(crate) static TOOL_CALL: Shape = Shape {
    name: "ToolCall",
    title: "a tool call",
    doc: "A tool that an assistant calls.",
    fields: &[
        Field::required("id", FieldKind::Text, "c1", "What the answer refers to."),
        Field::optional(
            "type",
            FieldKind::Choice(&["function"]),
            "function",
            "What is called.",
        ),
        Field::optional(
            "function",
            FieldKind::Object(&TOOL_FUNCTION),
            "{name: search, arguments: {q: tea}}",
            "The tool and its arguments.",
        ),
        Field::optional(
            "name",
            FieldKind::Text,
            "search",
            "The tool, if there is no `function`.",
        ),
        Field::optional(
            "arguments",
            FieldKind::Json,
            "{q: tea}",
            "The arguments, if there is no `function`.",
        ),
    ],
    elsewhere: &[],
};

/// `function` of a tool call.
pub(crate) static TOOL_FUNCTION: Shape = Shape {
    name: "ToolFunction",
    title: "`function`",
    doc: "A tool and its arguments.",
    fields: &[
        Field::required("name", FieldKind::Text, "search", "The tool."),
        Field::optional(
            "arguments",
            FieldKind::Json,
            "{q: tea}",
            "The arguments, as an object or as text.",
        ),
    ],
    elsewhere: &[],
};

const SOURCE_FIELD: Field = Field::required(
    "source",
    FieldKind::NameOr(&SOURCE),
    "\"https://example.com/a\"",
    "A file (`file://`, from the folder of the case file), a URL, a data URL, or a map.",
);
const MIME_TYPE: Field = Field::optional(
    "mimeType",
    FieldKind::Text,
    "image/png",
    "What kind of data it is, if the name does not tell.",
);
const NAME: Field = Field::optional(
    "name",
    FieldKind::Text,
    "bill.pdf",
    "What the file is called.",
);

/// `{"type": "text"}`.
pub(crate) static PART_TEXT: Shape = Shape {
    name: "TextPart",
    title: "a `text` part",
    doc: "Text.",
    fields: &[
        part_type(&["text"], "text"),
        Field::required("text", FieldKind::Text, "Hello", "The text."),
    ],
    elsewhere: &[("content", "the text is written under `text`")],
};

/// `{"type": "image"}`.
pub(crate) static PART_IMAGE: Shape = Shape {
    name: "ImagePart",
    title: "an `image` part",
    doc: "An image.",
    fields: &[
        part_type(&["image"], "image"),
        SOURCE_FIELD,
        MIME_TYPE,
        Field::optional(
            "detail",
            FieldKind::Text,
            "low",
            "How closely the agent is to look; sent as metadata.",
        ),
    ],
    elsewhere: MEDIA_ELSEWHERE,
};

/// `{"type": "audio"}`.
pub(crate) static PART_AUDIO: Shape = Shape {
    name: "AudioPart",
    title: "an `audio` part",
    doc: "Sound.",
    fields: &[part_type(&["audio"], "audio"), SOURCE_FIELD, MIME_TYPE],
    elsewhere: MEDIA_ELSEWHERE,
};

/// `{"type": "video"}`.
pub(crate) static PART_VIDEO: Shape = Shape {
    name: "VideoPart",
    title: "a `video` part",
    doc: "A video.",
    fields: &[part_type(&["video"], "video"), SOURCE_FIELD, MIME_TYPE],
    elsewhere: MEDIA_ELSEWHERE,
};

/// `{"type": "document"}`.
pub(crate) static PART_DOCUMENT: Shape = Shape {
    name: "DocumentPart",
    title: "a `document` part",
    doc: "Any file.",
    fields: &[
        part_type(&["document"], "document"),
        SOURCE_FIELD,
        MIME_TYPE,
        NAME,
    ],
    elsewhere: MEDIA_ELSEWHERE,
};

/// `{"type": "file"}`.
pub(crate) static PART_FILE: Shape = Shape {
    name: "FilePart",
    title: "a `file` part",
    doc: "Any file; sent as a document.",
    fields: &[
        part_type(&["file"], "file"),
        Field::optional(
            "source",
            FieldKind::NameOr(&SOURCE),
            "\"https://example.com/a\"",
            "As in a `document` part.",
        ),
        Field::optional(
            "url",
            FieldKind::Text,
            "\"https://example.com/a.pdf\"",
            "Where the file is, if there is no `source`.",
        ),
        Field::optional(
            "file",
            FieldKind::Object(&FILE),
            "{file_id: file-1}",
            "The file, if there is no `source`.",
        ),
        MIME_TYPE,
        NAME,
        Field::optional(
            "filename",
            FieldKind::Text,
            "bill.pdf",
            "The same as `name`.",
        ),
    ],
    elsewhere: MEDIA_ELSEWHERE,
};

/// `{"type": "image_url"}`.
pub(crate) static PART_IMAGE_URL: Shape = Shape {
    name: "ImageUrlPart",
    title: "an `image_url` part",
    doc: "An image; sent like an `image` part.",
    fields: &[
        part_type(&["image_url"], "image_url"),
        Field::required(
            "image_url",
            FieldKind::NameOr(&IMAGE_URL),
            "{url: \"https://example.com/a.png\"}",
            "Where the image is.",
        ),
    ],
    elsewhere: &[("url", "write `url` under `image_url`")],
};

/// `{"type": "input_audio"}`.
pub(crate) static PART_INPUT_AUDIO: Shape = Shape {
    name: "InputAudioPart",
    title: "an `input_audio` part",
    doc: "Sound; sent like an `audio` part.",
    fields: &[
        part_type(&["input_audio"], "input_audio"),
        Field::required(
            "input_audio",
            FieldKind::Object(&INPUT_AUDIO),
            "{data: UklGRg==, format: wav}",
            "The sound.",
        ),
    ],
    elsewhere: &[
        ("data", "write `data` under `input_audio`"),
        ("format", "write `format` under `input_audio`"),
        ("source", "a part with `source` is of type `audio`"),
    ],
};

/// `source` as a map.
pub(crate) static SOURCE: Shape = Shape {
    name: "Source",
    title: "a source",
    doc: "Where the data of a part comes from, as the protocol has it.",
    fields: &[
        Field::required(
            "type",
            FieldKind::Choice(SOURCE_TYPES),
            "url",
            "Data in base64, a URL, or a file that the provider knows.",
        ),
        Field::required(
            "value",
            FieldKind::Text,
            "aGVsbG8=",
            "The data, the URL, or the name of the file.",
        ),
        Field::optional(
            "mimeType",
            FieldKind::Text,
            "image/png",
            "What kind of data it is; needed for `data`.",
        ),
        Field::optional(
            "provider",
            FieldKind::Text,
            "openai",
            "Who knows the file, for `file`.",
        ),
    ],
    elsewhere: &[
        ("data", "the data is written under `value`"),
        ("url", "the URL is written under `value`"),
        ("media_type", "write `mimeType`"),
        ("mime_type", "write `mimeType`"),
    ],
};

/// `image_url` of a part.
pub(crate) static IMAGE_URL: Shape = Shape {
    name: "ImageUrl",
    title: "`image_url`",
    doc: "Where an image is.",
    fields: &[
        Field::required(
            "url",
            FieldKind::Text,
            "\"https://example.com/a.png\"",
            "A URL, a data URL, or a file (`file://`).",
        ),
        Field::optional(
            "detail",
            FieldKind::Text,
            "low",
            "How closely the agent is to look; sent as metadata.",
        ),
    ],
    elsewhere: &[],
};

/// `input_audio` of a part.
pub(crate) static INPUT_AUDIO: Shape = Shape {
    name: "InputAudio",
    title: "`input_audio`",
    doc: "Sound as data.",
    fields: &[
        Field::required("data", FieldKind::Text, "UklGRg==", "The sound in base64."),
        Field::required("format", FieldKind::Text, "wav", "Its format."),
    ],
    elsewhere: &[],
};

/// `file` of a part.
pub(crate) static FILE: Shape = Shape {
    name: "File",
    title: "`file`",
    doc: "A file as data, or as a name that the provider knows.",
    fields: &[
        Field::optional(
            "file_id",
            FieldKind::Text,
            "file-1",
            "What the provider calls it.",
        ),
        Field::optional(
            "file_data",
            FieldKind::Text,
            "\"data:application/pdf;base64,JVBERi0=\"",
            "The file as a data URL.",
        ),
        Field::optional(
            "url",
            FieldKind::Text,
            "\"https://example.com/a.pdf\"",
            "Where the file is.",
        ),
        Field::optional(
            "filename",
            FieldKind::Text,
            "bill.pdf",
            "What the file is called.",
        ),
    ],
    elsewhere: &[],
};

const MEDIA_ELSEWHERE: &[(&str, &str)] = &[
    ("path", "a file is written as `\"source\": \"file://…\"`"),
    (
        "data",
        "data is written as `\"source\": \"data:…;base64,…\"`",
    ),
    ("mime_type", "write `mimeType`"),
    ("media_type", "write `mimeType`"),
    (
        "image_url",
        "a part with `image_url` is of type `image_url`",
    ),
    ("url", "the URL is written under `source`"),
];

const fn part_type(words: &'static [&'static str], example: &'static str) -> Field {
    Field::required(
        "type",
        FieldKind::Choice(words),
        example,
        "What kind of part it is.",
    )
}
