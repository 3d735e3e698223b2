//! `a2a:send`: a message with parts of any kind.

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Json, Text};
use ananke_model::plan::TaskMessage;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::Found;
use super::object::{Object, word_list};
use super::target_a2a::json_map;
use super::values::{boolean, items, json, scalar, text};
use crate::schema::SEND_PART;
use crate::yaml::Node;

/// The keys of which a part has one.
const CONTENTS: [&str; 5] = ["text", "data", "url", "raw", "file"];

/// A file whose content goes into a part of a message.
#[derive(Clone, Debug)]
pub(crate) struct SentFile {
    /// Which part, counted from 0.
    pub(crate) part: usize,
    /// The path as written, from the folder of the test.
    pub(crate) path: Text,
}

/// Reads the message of a turn, and the files that belong into it.
pub(super) fn task_message(
    object: &Object<'_>,
    found: &mut Found,
) -> Option<(TaskMessage, Vec<SentFile>)> {
    let mut parts = Vec::new();
    let mut files = Vec::new();
    let own_text = object.get("text");
    let list = object.get("parts");
    let metadata = object
        .get("metadata")
        .and_then(|node| json_map(node, found));
    let task_id = object.get("taskId").and_then(|node| text(node, found));
    let context_id = object.get("contextId").and_then(|node| text(node, found));
    let new_task = object.get("newTask").and_then(|node| boolean(node, found));
    if let Some((true, id)) = new_task.zip(task_id.as_ref()) {
        found.push(
            Diagnostic::error(
                &id.place,
                "`taskId` goes on with a task, `newTask` begins one",
            )
            .hint("leave one of them out"),
        );
    }
    let place = match (list, own_text) {
        (Some(node), _) | (None, Some(node)) => node.place.clone(),
        (None, None) => {
            found.push(
                Diagnostic::error(
                    object.place(),
                    "`text` or `parts` is missing in an `a2a:send` turn",
                )
                .hint("write `text: Hello`"),
            );
            return None;
        }
    };
    if let Some(own_text) = own_text.and_then(|node| text(node, found)) {
        parts.push(Map::from_iter([(
            "text".to_owned(),
            Value::String(own_text.text),
        )]));
    }
    for item in list.and_then(|node| items(node, found)).unwrap_or_default() {
        if let Some((members, file)) = part(item, found) {
            files.extend(file.map(|path| SentFile {
                part: parts.len(),
                path,
            }));
            parts.push(members);
        }
    }
    if parts.is_empty() {
        // What was refused is reported.
        let is_empty = list
            .and_then(|node| items(node, &mut Found::new()))
            .is_some_and(<[Node]>::is_empty);
        if is_empty && own_text.is_none() {
            found.push(Diagnostic::error(&place, "`parts` is empty").hint("write `text: Hello`"));
        }
        return None;
    }
    let message = TaskMessage {
        parts: Json {
            value: parts.into_iter().map(Value::Object).collect(),
            place,
        },
        metadata,
        task_id,
        new_task: new_task.unwrap_or(false),
        context_id,
    };
    Some((message, files))
}

/// Reads a part, and the path of the file that belongs into it.
fn part(node: &Node, found: &mut Found) -> Option<(Map<String, Value>, Option<Text>)> {
    let object = Object::open(node, &SEND_PART, found)?;
    let content = object.get("text").and_then(|node| scalar(node, found));
    let data = object.get("data").and_then(|node| json(node, found));
    let url = object.get("url").and_then(|node| text(node, found));
    let raw = object.get("raw").and_then(|node| base64(node, found));
    let file = object.get("file").and_then(|node| plain_path(node, found));
    let media_type = object.get("mediaType").and_then(|node| text(node, found));
    let filename = object.get("filename").and_then(|node| text(node, found));
    let metadata = object
        .get("metadata")
        .and_then(|node| json_map(node, found));
    let written: Vec<&str> = CONTENTS
        .into_iter()
        .filter(|key| node.get(key).is_some())
        .collect();
    let [kind] = written[..] else {
        let message = match written[..] {
            [] => format!(
                "a part has none of {}",
                word_list(&CONTENTS).replace(" or ", " and ")
            ),
            _ => format!("a part has one content, found `{}`", written.join("`, `")),
        };
        found.push(
            Diagnostic::error(&node.place, message)
                .hint("write one part for each: `[{text: Hello}, {data: {sku: mug-blue}}]`"),
        );
        return None;
    };
    let of_file = [("mediaType", &media_type), ("filename", &filename)];
    if matches!(kind, "text" | "data") {
        for (key, _) in of_file.iter().filter(|(_, value)| value.is_some()) {
            let message = format!("`{key}` says something about a file, and the part has none");
            found.push(
                Diagnostic::error(&object.key_place(key), message)
                    .hint("leave it out, or write `url`, `raw` or `file`"),
            );
        }
    }
    let mut members = Map::new();
    let value = match kind {
        "text" => Value::String(content?.text),
        "data" => data?.value,
        "url" => Value::String(url?.text),
        "raw" => Value::String(raw?.text),
        // The content of the file goes here.
        _ => Value::String(String::new()),
    };
    let key = if kind == "file" { "raw" } else { kind };
    members.insert(key.to_owned(), value);
    for (key, value) in of_file {
        if let Some(value) = value {
            members.insert(key.to_owned(), Value::String(value.text.clone()));
        }
    }
    if let Some(metadata) = metadata {
        members.insert("metadata".to_owned(), metadata.value);
    }
    if kind == "file" && file.is_none() {
        return None;
    }
    Some((members, file))
}

/// Reads the content of a file, which may be empty.
fn base64(node: &Node, found: &mut Found) -> Option<Text> {
    let content = scalar(node, found)?;
    // What a reference stands for is not known yet.
    if !content.text.contains("${") && STANDARD.decode(&content.text).is_err() {
        found.push(
            Diagnostic::error(&content.place, "`raw` is not Base64")
                .hint("encode it with `base64 -w0`, or write `file` with the path of the file"),
        );
        return None;
    }
    Some(content)
}

/// Reads the path of a file. Files are read before any hook runs, so it holds no references.
fn plain_path(node: &Node, found: &mut Found) -> Option<Text> {
    let path = text(node, found)?;
    if path.text.contains("${") {
        found.push(
            Diagnostic::error(&path.place, "the path of a file holds no references")
                .hint("write the path itself: files are read before the first test runs"),
        );
        return None;
    }
    Some(path)
}
