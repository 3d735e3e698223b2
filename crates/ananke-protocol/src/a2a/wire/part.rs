//! Parts: text, data and files. Inside they have the form of 1.0, whatever came.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::version::Form;

/// A piece of a message or of an artifact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) content: Content,
    pub(crate) metadata: Value,
}

/// What a part holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    Text(String),
    Data(Value),
    /// `url` or `raw`, `mediaType`, `filename`.
    File(Map<String, Value>),
    /// None of the kinds that are described.
    Other(Value),
}

impl Part {
    /// Reads a part of any version.
    pub(crate) fn read(part: &Value) -> Self {
        let content = if let Some(text) = part["text"].as_str() {
            Content::Text(text.to_owned())
        } else if let Some(text) = part.as_str() {
            Content::Text(text.to_owned())
        } else if let Some(data) = part.get("data").filter(|data| !data.is_null()) {
            Content::Data(plain(data.clone()))
        } else {
            file(part).map_or_else(|| Content::Other(part.clone()), Content::File)
        };
        Self {
            content,
            metadata: part["metadata"].clone(),
        }
    }

    /// Returns the text that counts: thoughts do not.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) if !self.is_thought() => Some(text),
            _ => None,
        }
    }

    /// Returns what the agent thought, if this is a thought.
    pub(crate) fn thought(&self) -> Option<&str> {
        match &self.content {
            Content::Text(text) if self.is_thought() => Some(text),
            _ => None,
        }
    }

    /// Marks the part as a thought.
    pub(crate) fn mark_thought(&mut self) {
        match &mut self.metadata {
            Value::Object(marks) => {
                marks.insert("thought".to_owned(), true.into());
            }
            other => *other = json!({"thought": true}),
        }
    }

    fn is_thought(&self) -> bool {
        let marks = self.metadata.as_object().into_iter().flatten();
        self.metadata["type"] == "thinking"
            || marks.into_iter().any(|(name, value)| {
                *value == Value::Bool(true) && (name == "thought" || name.ends_with("_thought"))
            })
    }

    /// Returns the part in the form of 1.0.
    pub(crate) fn value(&self) -> Value {
        let mut part = match &self.content {
            Content::Text(text) => json!({"text": text}),
            Content::Data(data) => json!({"data": data}),
            Content::File(file) => Value::Object(file.clone()),
            Content::Other(part) => part.clone(),
        };
        if !self.metadata.is_null() && part.is_object() {
            part["metadata"] = self.metadata.clone();
        }
        part
    }

    /// Returns the part as it is sent.
    pub(crate) fn sent(&self, form: Form) -> Value {
        let mut part = match (&self.content, form) {
            (_, Form::New) | (Content::Other(_), _) => return self.value(),
            (Content::Text(text), Form::Named) => json!({"kind": "text", "text": text}),
            (Content::Text(text), Form::Proto) => json!({"text": text}),
            (Content::Data(data), Form::Named) => json!({"kind": "data", "data": data}),
            (Content::Data(data), Form::Proto) => json!({"data": {"data": data}}),
            (Content::File(file), Form::Named) => {
                let names = [("url", "uri"), ("raw", "bytes")];
                json!({"kind": "file", "file": renamed(file, names)})
            }
            (Content::File(file), Form::Proto) => {
                let names = [("url", "fileWithUri"), ("raw", "fileWithBytes")];
                json!({"file": renamed(file, names)})
            }
        };
        if !self.metadata.is_null() {
            part["metadata"] = self.metadata.clone();
        }
        part
    }

    /// Takes off what an old form puts around data.
    pub(crate) fn unwrap_data(&mut self) {
        if let Content::Data(Value::Object(data)) = &mut self.content
            && data.len() == 1
            && let Some(inner) = data.get_mut("data")
        {
            self.content = Content::Data(inner.take());
        }
    }
}

/// Spells data in one way. On the wire all numbers are doubles and members have no order: some servers write every `3` as
/// `3.0`, and the same object differently each time.
fn plain(value: Value) -> Value {
    /// Beyond this a double does not tell whole numbers apart.
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(double) if number.is_f64() && double.fract() == 0.0 && double.abs() <= LARGEST => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "it has no fraction and fits"
                )]
                let whole = double as i64;
                whole.into()
            }
            _ => Value::Number(number),
        },
        Value::Array(values) => values.into_iter().map(plain).collect(),
        Value::Object(members) => {
            let sorted: BTreeMap<String, Value> = members.into_iter().collect();
            let members = sorted.into_iter();
            Value::Object(members.map(|(name, value)| (name, plain(value))).collect())
        }
        other => other,
    }
}

/// Returns a file with the member names of an old form.
fn renamed(file: &Map<String, Value>, places: [(&str, &str); 2]) -> Map<String, Value> {
    let others = [("mediaType", "mimeType"), ("filename", "name")];
    let names = places.into_iter().chain(others);
    let members = names.filter_map(|(new, old)| Some((old.to_owned(), file.get(new)?.clone())));
    members.collect()
}

/// Reads a file with the member names of any version.
fn file(part: &Value) -> Option<Map<String, Value>> {
    let inner = part.get("file").unwrap_or(part);
    let mut file = Map::new();
    for (new, names) in [
        ("url", ["url", "uri", "fileWithUri"]),
        ("raw", ["raw", "bytes", "fileWithBytes"]),
        ("mediaType", ["mediaType", "mimeType", "media_type"]),
        ("filename", ["filename", "name", "fileName"]),
    ] {
        let value = names.into_iter().find_map(|name| inner[name].as_str());
        if let Some(value) = value {
            file.insert(new.to_owned(), value.into());
        }
    }
    let has_content = file.contains_key("url") || file.contains_key("raw");
    has_content.then_some(file)
}

/// Reads the content of a message of the conversation: a text, or parts of the kinds that it knows.
pub(crate) fn parts_of_content(content: &Value) -> Result<Vec<Part>, String> {
    let text = |text: &str| Part {
        content: Content::Text(text.to_owned()),
        metadata: Value::Null,
    };
    match content {
        Value::String(content) => Ok(vec![text(content)]),
        Value::Array(parts) => parts.iter().map(part_of_content).collect(),
        Value::Null => Ok(vec![text("")]),
        other => Ok(vec![text(&other.to_string())]),
    }
}

fn part_of_content(part: &Value) -> Result<Part, String> {
    let kind = part["type"].as_str().unwrap_or_default();
    let (place, value, media_type) = match kind {
        "text" => return Ok(Part::read(&json!({"text": part["text"]}))),
        "image" | "audio" | "video" | "document" => {
            let source = &part["source"];
            (
                source["type"].as_str(),
                &source["value"],
                &source["mimeType"],
            )
        }
        "binary" if part["url"].is_string() => (Some("url"), &part["url"], &part["mimeType"]),
        "binary" => (Some("data"), &part["data"], &part["mimeType"]),
        // A part in the agent's own form.
        _ => return Ok(Part::read(part)),
    };
    let name = match place {
        Some("data") => "raw",
        Some("url") => "url",
        _ => {
            return Err(format!(
                "a part of the kind `{kind}` has neither a URL nor data"
            ));
        }
    };
    let mut file = Map::new();
    file.insert(name.to_owned(), value.clone());
    if media_type.is_string() {
        file.insert("mediaType".to_owned(), media_type.clone());
    }
    if part["filename"].is_string() {
        file.insert("filename".to_owned(), part["filename"].clone());
    }
    Ok(Part {
        content: Content::File(file),
        metadata: Value::Null,
    })
}
