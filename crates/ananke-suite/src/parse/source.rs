//! Where the data of a part comes from: a file, a URL, a data URL, or a map as the protocol has it.

use std::path::PathBuf;

use ananke_model::case::Attachment;
use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Text;
use serde_json::{Value, json};

use super::Found;
use super::message_parts::PartPlace;
use super::mime_type::of_path;
use super::object::Object;
use super::values::{choice, mismatch, text};
use crate::discover::{absolute, nearest_sibling, shown};
use crate::schema::{SOURCE, SOURCE_TYPES};
use crate::yaml::{Kind, Node};

/// The largest file that is sent.
const MAX_BYTES: u64 = 20 * 1024 * 1024;

/// What kind of data a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Media {
    Image,
    Audio,
    Video,
    Document,
}

impl Media {
    /// Returns the part's type.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Document => "document",
        }
    }

    /// Returns what a message calls it.
    fn described(self) -> &'static str {
        match self {
            Self::Image => "an image",
            Self::Audio => "audio",
            Self::Video => "a video",
            Self::Document => "a document",
        }
    }

    /// Tells whether data of this type can stand in such a part.
    fn takes(self, mime_type: &str) -> bool {
        self == Self::Document || mime_type.split('/').next() == Some(self.word())
    }
}

/// Reads a source: a text or a map. The file that it names, if it does, is added to the attachments.
pub(super) fn source(
    node: &Node,
    media: Media,
    mime_type: Option<String>,
    at: PartPlace<'_>,
    attachments: &mut Vec<Attachment>,
    found: &mut Found,
) -> Option<Value> {
    match node.kind {
        Kind::Map(_) => source_map(node, mime_type, found),
        Kind::Scalar(_) => source_text(node, media, mime_type, at, attachments, found),
        Kind::Seq(_) | Kind::Broken => {
            mismatch(node, "a file, a URL or a map", found);
            None
        }
    }
}

/// Reads a source that is a text.
pub(super) fn source_text(
    node: &Node,
    media: Media,
    mime_type: Option<String>,
    at: PartPlace<'_>,
    attachments: &mut Vec<Attachment>,
    found: &mut Found,
) -> Option<Value> {
    let source = text(node, found)?;
    let scheme = source.text.split(':').next().unwrap_or_default();
    match scheme.to_ascii_lowercase().as_str() {
        "file" => file(&source, media, mime_type, at, attachments, found),
        "data" => data_url(&source, mime_type, found),
        "http" | "https" => Some(url(&source, mime_type)),
        _ if source.text.starts_with("${") => Some(url(&source, mime_type)),
        _ => {
            let shown: String = source.text.chars().take(40).collect();
            let message = format!("`{shown}` is neither a file nor a URL");
            let diagnostic = Diagnostic::error(&source.place, message)
                .label("expected `file://…`, `https://…` or `data:…;base64,…`");
            found.push(match shown.contains(':') {
                true => diagnostic,
                false => diagnostic.hint(format!("write `file://{shown}` for a file")),
            });
            None
        }
    }
}

/// Reads data in base64.
pub(super) fn base64(node: &Node, found: &mut Found) -> Option<String> {
    let data = text(node, found)?;
    is_base64(&data, &data.text, found).then_some(data.text)
}

fn source_map(node: &Node, mime_type: Option<String>, found: &mut Found) -> Option<Value> {
    let object = Object::open(node, &SOURCE, found)?;
    let kind = object.get("type");
    let value = object.get("value");
    let own = object.get("mimeType").and_then(|node| text(node, found));
    let provider = object.get("provider").and_then(|node| text(node, found));
    let kind = choice(kind?, SOURCE_TYPES, found)?;
    let value = text(value?, found)?;
    let mime_type = own.map(|text| text.text).or(mime_type);
    if kind == "data" {
        if mime_type.is_none() {
            found.push(
                Diagnostic::error(
                    &node.place,
                    "`mimeType` is missing in a source of type `data`",
                )
                .hint("write `\"mimeType\": \"image/png\"`"),
            );
            return None;
        }
        if !is_base64(&value, &value.text, found) {
            return None;
        }
    }
    let mut source = json!({"type": kind, "value": value.text});
    if let Some(provider) = provider {
        source["provider"] = Value::from(provider.text);
    }
    Some(with_mime_type(source, mime_type))
}

fn url(source: &Text, mime_type: Option<String>) -> Value {
    let value = json!({"type": "url", "value": source.text});
    with_mime_type(value, mime_type)
}

fn with_mime_type(mut source: Value, mime_type: Option<String>) -> Value {
    if let Some(mime_type) = mime_type {
        source["mimeType"] = Value::from(mime_type);
    }
    source
}

fn data_url(source: &Text, mime_type: Option<String>, found: &mut Found) -> Option<Value> {
    let parts = source.text.split_once(',').and_then(|(head, data)| {
        let (_, head) = head.split_once(':')?;
        Some((head.strip_suffix(";base64")?, data))
    });
    let Some((head, data)) = parts else {
        found.push(
            Diagnostic::error(&source.place, "the data URL is not in base64")
                .hint("write `data:image/png;base64,…`"),
        );
        return None;
    };
    if !is_base64(source, data, found) {
        return None;
    }
    let own = head.split(';').next().filter(|own| !own.is_empty());
    let mime_type = mime_type.or_else(|| own.map(str::to_owned));
    let mime_type = mime_type.unwrap_or_else(|| "text/plain".to_owned());
    Some(json!({"type": "data", "value": data, "mimeType": mime_type}))
}

fn is_base64(at: &Text, data: &str, found: &mut Found) -> bool {
    // What a reference stands for is not known yet.
    if data.contains("${") {
        return true;
    }
    let digits = data.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let is_base64 = data.len().is_multiple_of(4)
        && data.len() - digits.len() <= 2
        && !digits.is_empty()
        && digits.bytes().all(is_digit);
    if !is_base64 {
        found.push(
            Diagnostic::error(&at.place, "the data is not base64")
                .hint("encode it with `base64 -w0`, or name the file as `file://…`"),
        );
    }
    is_base64
}

fn file(
    source: &Text,
    media: Media,
    mime_type: Option<String>,
    at: PartPlace<'_>,
    attachments: &mut Vec<Attachment>,
    found: &mut Found,
) -> Option<Value> {
    let mut refuse = |message: String, hint: Option<String>| {
        let mut diagnostic = Diagnostic::error(&source.place, message);
        diagnostic.hint = hint;
        found.push(diagnostic);
    };
    let Some(path) = file_path(&source.text) else {
        let hint = "write `file://` and a path, from the folder of this file or absolute";
        refuse(
            "the path of the file cannot be read".to_owned(),
            Some(hint.to_owned()),
        );
        return None;
    };
    if path.contains("${") {
        let hint = "write the path itself: files are looked for before the first test runs";
        refuse(
            "the path of a file holds no references".to_owned(),
            Some(hint.to_owned()),
        );
        return None;
    }
    let path = absolute(at.folders.file, &PathBuf::from(path));
    let name = shown(&path, at.folders.cwd);
    match std::fs::metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let sibling = nearest_sibling(&path, at.folders.cwd);
            let hint = sibling.map(|sibling| format!("did you mean `{sibling}`?"));
            refuse(format!("there is no file `{name}`"), hint);
            return None;
        }
        Err(error) => {
            refuse(format!("cannot read `{name}`: {error}"), None);
            return None;
        }
        Ok(metadata) if !metadata.is_file() => {
            refuse(format!("`{name}` is no file"), None);
            return None;
        }
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            let hint = "send a smaller one, or a URL".to_owned();
            refuse(format!("`{name}` is larger than 20 MiB"), Some(hint));
            return None;
        }
        Ok(_) => {}
    }
    let known = mime_type.or_else(|| of_path(&path).map(str::to_owned));
    let mime_type = match known {
        Some(mime_type) if media.takes(&mime_type) => mime_type,
        None if media == Media::Document => "application/octet-stream".to_owned(),
        known => {
            let hint = match known {
                Some(_) => "write `\"type\": \"document\"`, or name another file".to_owned(),
                None => format!("say what it is with `\"mimeType\": \"{}/…\"`", media.word()),
            };
            refuse(
                format!("`{name}` does not look like {}", media.described()),
                Some(hint),
            );
            return None;
        }
    };
    attachments.push(Attachment {
        message: at.message,
        part: at.part,
        path,
        shown: name,
        place: source.place.clone(),
    });
    Some(json!({"type": "data", "value": "", "mimeType": mime_type}))
}

/// Returns the path in a `file:` URL, with `%20` and the like decoded.
fn file_path(url: &str) -> Option<String> {
    let (_, rest) = url.split_once(':')?;
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let rest = match rest.strip_prefix("localhost/") {
        Some(path) => format!("/{path}"),
        None => rest.to_owned(),
    };
    let mut bytes = Vec::with_capacity(rest.len());
    let mut rest = rest.as_bytes();
    while let [first, more @ ..] = rest {
        let (byte, after) = match (first, more) {
            (b'%', [high, low, after @ ..]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let value = digit(*high)? * 16 + digit(*low)?;
                (u8::try_from(value).ok()?, after)
            }
            (b'%', _) => return None,
            _ => (*first, more),
        };
        bytes.push(byte);
        rest = after;
    }
    let path = String::from_utf8(bytes).ok()?;
    (!path.trim().is_empty() && !path.contains('\0')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_files_are_decoded() {
        let urls = [
            "file://./a%20b.png",
            "file:///tmp/a.png",
            "file:a.png",
            "FILE://localhost/x",
            "file://%C3%A4.md",
        ];
        let paths = urls.map(|url| file_path(url).unwrap());
        assert_eq!(paths, ["./a b.png", "/tmp/a.png", "a.png", "/x", "ä.md"]);
        let wrong = [
            "file://",
            "file://%zz",
            "file://a%2",
            "file://%ff",
            "file://a%00",
        ];
        assert!(wrong.iter().all(|url| file_path(url).is_none()));
    }
}
