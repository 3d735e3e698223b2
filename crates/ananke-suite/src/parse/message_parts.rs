//! The parts of a message's content: text and media, in the protocol's own form and in the one of chat completions.

use ananke_model::case::Attachment;
use ananke_model::diagnostic::{Diagnostic, did_you_mean};
use serde_json::{Map, Value, json};

use super::Found;
use super::case::CaseFolders;
use super::messages::member;
use super::object::{Object, word_list};
use super::source::{Media, source, source_text};
use super::values::{mismatch, text};
use crate::schema::{
    FILE, IMAGE_URL, INPUT_AUDIO, PART_AUDIO, PART_DOCUMENT, PART_FILE, PART_IMAGE, PART_IMAGE_URL,
    PART_INPUT_AUDIO, PART_TEXT, PART_TYPES, PART_VIDEO, Shape,
};
use crate::yaml::{Kind, Node, ScalarKind};

/// Which part it is, and where its files are.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartPlace<'a> {
    pub(super) message: usize,
    pub(super) part: usize,
    pub(super) folders: CaseFolders<'a>,
}

/// Reads a part. The file that it stands for, if it does, is added to the attachments.
pub(super) fn part(
    node: &Node,
    at: PartPlace<'_>,
    attachments: &mut Vec<Attachment>,
    found: &mut Found,
) -> Option<Value> {
    let Kind::Map(_) = node.kind else {
        mismatch(
            node,
            "a part such as `{\"type\": \"text\", \"text\": \"Hello\"}`",
            found,
        );
        return None;
    };
    let Some(kind) = node.get("type") else {
        found.push(
            Diagnostic::error(&node.place, "`type` is missing in a part")
                .label(format!("expected {}", word_list(PART_TYPES))),
        );
        return None;
    };
    let word = part_type(kind, found)?;
    let mut reader = Reader {
        at,
        attachments,
        found,
    };
    match word {
        "text" => reader.text(node),
        "image" => reader.media(node, &PART_IMAGE, Media::Image),
        "audio" => reader.media(node, &PART_AUDIO, Media::Audio),
        "video" => reader.media(node, &PART_VIDEO, Media::Video),
        "document" => reader.media(node, &PART_DOCUMENT, Media::Document),
        "file" => reader.file(node),
        "image_url" => reader.image_url(node),
        _ => reader.input_audio(node),
    }
}

fn part_type(node: &Node, found: &mut Found) -> Option<&'static str> {
    let Some(scalar) = node.scalar().filter(|s| s.kind == ScalarKind::Str) else {
        mismatch(node, &word_list(PART_TYPES), found);
        return None;
    };
    let known = PART_TYPES.iter().find(|word| **word == scalar.text);
    if known.is_none() {
        let meant = match scalar.text.as_str() {
            "input_text" => Some("text"),
            "input_image" => Some("image"),
            "input_file" | "binary" | "attachment" | "pdf" => Some("file"),
            other => did_you_mean(other, PART_TYPES.iter().copied()),
        };
        let message = format!("unknown part type `{}`", scalar.text);
        let label = format!("expected {}", word_list(PART_TYPES));
        let diagnostic = Diagnostic::error(&node.place, message).label(label);
        found.push(match meant {
            Some(meant) => diagnostic.hint(format!("did you mean `{meant}`?")),
            None => diagnostic,
        });
    }
    known.copied()
}

struct Reader<'a, 'f> {
    at: PartPlace<'a>,
    attachments: &'f mut Vec<Attachment>,
    found: &'f mut Found,
}

impl Reader<'_, '_> {
    fn text(&mut self, node: &Node) -> Option<Value> {
        let object = Object::open(node, &PART_TEXT, self.found)?;
        object.get("type");
        let text = text(object.get("text")?, self.found)?;
        Some(json!({"type": "text", "text": text.text}))
    }

    fn media(&mut self, node: &Node, shape: &'static Shape, media: Media) -> Option<Value> {
        let object = Object::open(node, shape, self.found)?;
        object.get("type");
        let mime_type = self.word(object.get("mimeType"));
        let mut metadata = Map::new();
        // Which of the two there is, is up to the kind of part.
        let has = |key: &str| shape.fields.iter().any(|field| field.name == key);
        if has("detail") {
            let detail = object.get("detail").and_then(|node| text(node, self.found));
            metadata.extend(member("detail", detail));
        }
        if has("name") {
            let name = object.get("name").and_then(|node| text(node, self.found));
            metadata.extend(member("filename", name));
        }
        let node = object.get("source")?;
        let source = source(
            node,
            media,
            mime_type,
            self.at,
            self.attachments,
            self.found,
        )?;
        Some(media_part(media, source, metadata))
    }

    fn file(&mut self, node: &Node) -> Option<Value> {
        let object = Object::open(node, &PART_FILE, self.found)?;
        object.get("type");
        let mime_type = self.word(object.get("mimeType"));
        let names = [object.get("name"), object.get("filename")];
        let mut name = names.into_iter().flatten().next();
        let forms = [object.get("source"), object.get("url"), object.get("file")];
        let given: Vec<_> = forms.iter().flatten().collect();
        if given.len() != 1 {
            let message = match given.is_empty() {
                true => "the part names no file",
                false => "the part names its file more than once",
            };
            self.found.push(
                Diagnostic::error(&node.place, message)
                    .label("expected one of `source`, `url` and `file`")
                    .hint("write `\"source\": \"file://./bill.pdf\"`"),
            );
            return None;
        }
        let media = Media::Document;
        let source = match forms {
            [Some(node), ..] | [None, Some(node), _] => source(
                node,
                media,
                mime_type,
                self.at,
                self.attachments,
                self.found,
            )?,
            [None, None, inner] => {
                let inner = Object::open(inner?, &FILE, self.found)?;
                let (id, data) = (inner.get("file_id"), inner.get("file_data"));
                let (url, filename) = (inner.get("url"), inner.get("filename"));
                name = name.or(filename);
                match (id, data.or(url)) {
                    (Some(id), None) => {
                        let id = text(id, self.found)?;
                        json!({"type": "file", "value": id.text})
                    }
                    (None, Some(node)) if data.is_none() || url.is_none() => {
                        let place = self.at;
                        source_text(node, media, mime_type, place, self.attachments, self.found)?
                    }
                    _ => {
                        self.found.push(
                            Diagnostic::error(
                                &node.place,
                                "`file` names no file, or more than one",
                            )
                            .label("expected one of `file_id`, `file_data` and `url`"),
                        );
                        return None;
                    }
                }
            }
        };
        let name = name.and_then(|node| text(node, self.found));
        let metadata = member("filename", name).into_iter().collect();
        Some(media_part(media, source, metadata))
    }

    fn image_url(&mut self, node: &Node) -> Option<Value> {
        let object = Object::open(node, &PART_IMAGE_URL, self.found)?;
        object.get("type");
        let node = object.get("image_url")?;
        let mut metadata = Map::new();
        let url = match node.kind {
            Kind::Map(_) => {
                let inner = Object::open(node, &IMAGE_URL, self.found)?;
                let (url, detail) = (inner.get("url"), inner.get("detail"));
                let detail = detail.and_then(|node| text(node, self.found));
                metadata.extend(member("detail", detail));
                url?
            }
            _ => node,
        };
        let media = Media::Image;
        let source = source_text(url, media, None, self.at, self.attachments, self.found)?;
        Some(media_part(media, source, metadata))
    }

    fn input_audio(&mut self, node: &Node) -> Option<Value> {
        let object = Object::open(node, &PART_INPUT_AUDIO, self.found)?;
        object.get("type");
        let inner = Object::open(object.get("input_audio")?, &INPUT_AUDIO, self.found)?;
        let (data, format) = (inner.get("data"), inner.get("format"));
        let (data, format) = (data?, format?);
        let format = text(format, self.found)?;
        let data = super::source::base64(data, self.found)?;
        let mime_type = match super::mime_type::of_extension(&format.text) {
            Some(known) if known.starts_with("audio/") => known.to_owned(),
            _ => format!("audio/{}", format.text),
        };
        let source = json!({"type": "data", "value": data, "mimeType": mime_type});
        Some(media_part(Media::Audio, source, Map::new()))
    }

    fn word(&mut self, node: Option<&Node>) -> Option<String> {
        let text = node.and_then(|node| text(node, self.found));
        text.map(|text| text.text)
    }
}

fn media_part(media: Media, source: Value, metadata: Map<String, Value>) -> Value {
    let mut part = json!({"type": media.word(), "source": source});
    if !metadata.is_empty() {
        part["metadata"] = Value::Object(metadata);
    }
    part
}
