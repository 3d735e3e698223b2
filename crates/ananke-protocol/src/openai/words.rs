//! What a server says went wrong, in one line and without the key.

use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::Value;

use crate::agui::tree;

/// How much of a server's words is shown, in characters.
const SHOWN: usize = 500;
/// A shorter key would be found in innocent words.
const MIN_SECRET: usize = 6;

/// An error that a server told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerError {
    pub(crate) message: String,
    pub(crate) code: Option<String>,
}

impl ServerError {
    /// Finds `error` in an answer: an object, a string, or the answer itself where it says that it is an error.
    pub(crate) fn in_answer(answer: &Value) -> Option<Self> {
        match &answer["error"] {
            Value::Null | Value::Bool(false) if answer["object"] == "error" => {
                Some(Self::of(answer))
            }
            Value::Null | Value::Bool(false) => None,
            Value::String(text) if text.is_empty() => None,
            Value::String(text) => Some(Self {
                message: shortened(text),
                code: code(answer),
            }),
            error => Some(Self::of(error)),
        }
    }

    /// Reads the body of a refused request, where the words may stand in other places too.
    fn in_body(body: &Value) -> Option<Self> {
        let has_words = !body["message"].is_null() || !body["detail"].is_null();
        Self::in_answer(body).or_else(|| has_words.then(|| Self::of(body)))
    }

    /// Reads an object that is an error.
    pub(crate) fn of(error: &Value) -> Self {
        let words = [&error["message"], &error["detail"]];
        let message = words.into_iter().find_map(|words| match words {
            Value::Null => None,
            Value::String(text) => Some(shortened(text)),
            other => Some(shortened(&other.to_string())),
        });
        Self {
            message: message.unwrap_or_else(|| shortened(&error.to_string())),
            code: code(error),
        }
    }
}

fn code(error: &Value) -> Option<String> {
    let named = [&error["code"], &error["type"]];
    named.into_iter().find_map(|code| match code {
        Value::String(text) if !text.is_empty() => Some(shortened(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// Returns `HTTP <status>: <body>` with the server's own words in place of the body, and their code.
pub(crate) fn refusal(message: &str) -> (String, Option<String>) {
    let Some((status, body)) = message.split_once(": ") else {
        return (message.to_owned(), None);
    };
    let Some(error) = tree(body).as_ref().and_then(ServerError::in_body) else {
        return (format!("{status}: {}", shortened(body)), None);
    };
    let shown = match &error.code {
        Some(code) => format!("{status}: {} ({code})", error.message),
        None => format!("{status}: {}", error.message),
    };
    (shown, error.code)
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The keys that requests carry, so that a server cannot have them shown by repeating them.
#[derive(Clone, Debug)]
pub(crate) struct Keys(Vec<String>);

impl Keys {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let names = [AUTHORIZATION.as_str(), "api-key", "x-api-key"];
        let values = names
            .into_iter()
            .filter_map(|name| headers.get(name)?.to_str().ok());
        let keys = values.map(|value| value.rsplit(' ').next().unwrap_or_default());
        let long = keys.filter(|key| key.len() >= MIN_SECRET);
        Self(long.map(str::to_owned).collect())
    }

    pub(crate) fn hidden(&self, text: String) -> String {
        self.0.iter().fold(text, |text, key| {
            if text.contains(key) {
                text.replace(key, "[redacted]")
            } else {
                text
            }
        })
    }
}
