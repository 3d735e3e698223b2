//! What is recorded of the data in messages: short ones as they are, others by length and hash. A recording that held every
//! image of every case would be too large to be kept, and nobody reads base64.

use std::sync::Arc;

use ananke_model::recording::Turn;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;

use super::sha256::sha256;

/// The longest data that is recorded as it is, in characters.
const MAX_CHARS: usize = 4096;
/// Where a part holds data: in the form of AG-UI, in those of a chat endpoint, and in those of messages about tasks.
const PLACES: [&str; 8] = [
    "/source/value",
    "/image_url/url",
    "/input_audio/data",
    "/video_url/url",
    "/file/file_data",
    "/raw",
    "/file/bytes",
    "/file/fileWithBytes",
];
/// What stands before the data in a data URL.
const BASE64: &str = ";base64,";

/// Shortens the data in the messages that a turn sent.
pub(crate) fn keep_short(turn: &mut Turn) {
    for body in &mut turn.requests {
        let input = match body.get_mut("body") {
            Some(_) => &mut body["body"],
            None => body,
        };
        let messages = input.get_mut("messages").and_then(Value::as_array_mut);
        messages.into_iter().flatten().for_each(shorten);
        let params = match input.get_mut("params") {
            Some(_) => &mut input["params"],
            None => input,
        };
        if let Some(message) = params.get_mut("message") {
            shorten(message);
        }
    }
    for message in &mut turn.messages {
        if data(message).any(is_long) {
            shorten(Arc::make_mut(message));
        }
    }
}

/// Shortens the data in a message, as a recording holds it.
pub(crate) fn shorten(message: &mut Value) {
    for name in ["content", "parts"] {
        if let Some(parts) = message.get_mut(name) {
            shorten_parts(parts);
        }
    }
}

/// Shortens the data in parts, as a recording holds it.
pub(crate) fn shorten_parts(parts: &mut Value) {
    for part in parts.as_array_mut().into_iter().flatten() {
        for place in PLACES {
            match part.pointer_mut(place) {
                Some(Value::String(value)) if is_long(value) => *value = summary(value),
                _ => {}
            }
        }
    }
}

/// Goes through the data of a message.
fn data(message: &Value) -> impl Iterator<Item = &str> {
    let parts = message["content"].as_array().into_iter().flatten();
    parts.flat_map(|part| {
        let places = PLACES.into_iter();
        places.filter_map(|place| part.pointer(place)?.as_str())
    })
}

fn is_long(data: &str) -> bool {
    data.len() > MAX_CHARS
}

/// Says what data is without holding it; the hash is that of the file.
fn summary(data: &str) -> String {
    let (prefix, data) = match data.split_once(BASE64) {
        Some((kind, data)) if kind.starts_with("data:") => (format!("{kind}{BASE64}"), data),
        _ => (String::new(), data),
    };
    let content = BASE64_STANDARD.decode(data);
    let bytes = content.as_deref().unwrap_or(data.as_bytes());
    format!("{prefix}[{} bytes, sha256 {}]", bytes.len(), sha256(bytes))
}
