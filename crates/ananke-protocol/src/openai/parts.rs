//! Content parts: from the form of AG-UI to that of a chat endpoint.

use serde_json::{Map, Value, json};

/// Returns the content of a message as a chat endpoint takes it; says which part it cannot take.
pub(crate) fn content(content: &Value) -> Result<Value, String> {
    let Some(parts) = content.as_array() else {
        return Ok(match content {
            Value::String(_) => content.clone(),
            Value::Null => Value::String(String::new()),
            // The protocol knows strings and parts; anything else was meant as JSON text.
            other => Value::String(other.to_string()),
        });
    };
    parts.iter().map(part).collect()
}

fn part(part: &Value) -> Result<Value, String> {
    let kind = part["type"].as_str().unwrap_or_default();
    match kind {
        "text" => Ok(json!({"type": "text", "text": part["text"]})),
        "image" | "audio" | "video" | "document" => {
            media(kind, part, &Source::of(&part["source"])?)
        }
        "binary" => {
            let source = Source::of_binary(part)?;
            let (kind, _) = source.mime_type.split_once('/').unwrap_or_default();
            media(kind, part, &source)
        }
        // A part in the endpoint's own form, or one that only this endpoint knows.
        _ => Ok(part.clone()),
    }
}

/// Where the bytes of a part are.
struct Source<'a> {
    place: Place,
    value: &'a str,
    mime_type: &'a str,
}

enum Place {
    /// In the part, as base64.
    Data,
    Url,
    /// At the provider, under a name of its own.
    File,
}

impl<'a> Source<'a> {
    fn of(source: &'a Value) -> Result<Self, String> {
        let place = match source["type"].as_str() {
            Some("data") => Place::Data,
            Some("url") => Place::Url,
            Some("file") => Place::File,
            _ => return Err(format!("a part has the unknown source {}", shown(source))),
        };
        Ok(Self {
            place,
            value: source["value"].as_str().unwrap_or_default(),
            mime_type: source["mimeType"].as_str().unwrap_or_default(),
        })
    }

    /// The retired part says the same with members of its own.
    fn of_binary(part: &'a Value) -> Result<Self, String> {
        let places = [
            ("data", Place::Data),
            ("url", Place::Url),
            ("id", Place::File),
        ];
        let found = places
            .into_iter()
            .find_map(|(name, place)| Some((place, part[name].as_str()?)));
        let (place, value) =
            found.ok_or_else(|| "a `binary` part has neither `data`, `url` nor `id`".to_owned())?;
        Ok(Self {
            place,
            value,
            mime_type: part["mimeType"].as_str().unwrap_or_default(),
        })
    }

    /// Returns a URL of the bytes, a data URL if they are in the part.
    fn url(&self) -> String {
        let mime_type = match self.mime_type {
            "" => "application/octet-stream",
            known => known,
        };
        match self.place {
            Place::Data => format!("data:{mime_type};base64,{}", self.value),
            Place::Url | Place::File => self.value.to_owned(),
        }
    }
}

/// Returns a part that is not text; what is neither picture, sound nor film is a file.
fn media(kind: &str, part: &Value, source: &Source<'_>) -> Result<Value, String> {
    if matches!(source.place, Place::File) {
        return Ok(json!({"type": "file", "file": {"file_id": source.value}}));
    }
    let url = source.url();
    Ok(match kind {
        "image" => {
            let mut image = Map::from_iter([("url".to_owned(), url.into())]);
            if let Some(detail) = part["metadata"]["detail"].as_str() {
                image.insert("detail".to_owned(), detail.into());
            }
            json!({"type": "image_url", "image_url": image})
        }
        "audio" => {
            if matches!(source.place, Place::Url) {
                return Err(format!(
                    "an audio part names the URL {}: a chat endpoint takes sound as data only, so name a file instead",
                    shown(&Value::String(url))
                ));
            }
            let format = audio_format(source.mime_type);
            json!({"type": "input_audio", "input_audio": {"data": source.value, "format": format}})
        }
        "video" => json!({"type": "video_url", "video_url": {"url": url}}),
        _ => {
            let filename = file_name(part, source.mime_type);
            json!({"type": "file", "file": {"filename": filename, "file_data": url}})
        }
    })
}

/// Returns the word for a kind of sound: `wav` and `mp3` are what most endpoints take.
fn audio_format(mime_type: &str) -> &str {
    match mime_type {
        "audio/wav" | "audio/x-wav" | "audio/wave" | "audio/vnd.wave" | "" => "wav",
        "audio/mpeg" | "audio/mp3" | "audio/x-mp3" => "mp3",
        other => {
            let kind = other.rsplit('/').next().unwrap_or_default();
            kind.strip_prefix("x-").unwrap_or(kind)
        }
    }
}

/// Returns the name of a document, which endpoints want to have: they tell its kind by the ending.
fn file_name(part: &Value, mime_type: &str) -> String {
    let names = [
        &part["metadata"]["filename"],
        &part["metadata"]["name"],
        &part["filename"],
    ];
    let named = names.into_iter().find_map(Value::as_str);
    named.map_or_else(
        || {
            let ending = match mime_type {
                "text/plain" => "txt",
                "text/markdown" => "md",
                "text/csv" => "csv",
                "application/json" => "json",
                _ => "pdf",
            };
            format!("document.{ending}")
        },
        str::to_owned,
    )
}

/// Shows the beginning of a value: data may be of any length.
fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    };
    text.chars().take(200).collect()
}
