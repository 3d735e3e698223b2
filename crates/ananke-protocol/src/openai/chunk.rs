//! One chunk of a streamed answer, or the whole of one that is not streamed, read leniently: every server writes its own
//! dialect.

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::words::ServerError;
use crate::agui::tree;

/// What a chunk says.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// The server failed.
    pub(crate) error: Option<ServerError>,
    /// What is new in the first choice.
    pub(crate) deltas: Vec<Delta>,
    /// Why the first choice ended.
    pub(crate) finish_reason: Option<String>,
    /// Token usage, if it is told here.
    pub(crate) usage: Option<Value>,
    /// Whether there are choices beside the first.
    pub(crate) has_other_choices: bool,
    /// Whether it says none of this, and has no list of choices either.
    pub(crate) is_strange: bool,
}

/// What a chunk adds to the answer.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    pub(crate) text: String,
    pub(crate) refusal: String,
    pub(crate) reasoning: String,
    pub(crate) calls: Vec<CallPiece>,
}

/// A piece of a tool call; what it does not tell is empty.
#[derive(Debug, Default)]
pub(crate) struct CallPiece {
    pub(crate) index: Option<u64>,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

impl Chunk {
    /// Reads a payload; says why it cannot be read. `is_error` if the stream itself calls it an error.
    pub(crate) fn read(payload: &str, is_error: bool) -> Result<Self, String> {
        let Some(Value::Object(mut members)) = tree(payload) else {
            return match serde_json::from_str::<IgnoredAny>(payload) {
                Err(error) => Err(error.to_string()),
                Ok(_) if payload.trim_start().starts_with('{') => {
                    Err("it nests too deeply, or holds too many values".to_owned())
                }
                Ok(_) => Err("it is not a JSON object".to_owned()),
            };
        };
        let choices = members.remove("choices");
        let usage = members.remove("usage").filter(Value::is_object);
        let rest = Value::Object(members);
        let error =
            ServerError::in_answer(&rest).or_else(|| is_error.then(|| ServerError::of(&rest)));
        let mut chunk = Self {
            is_strange: choices.is_none() && usage.is_none() && error.is_none(),
            error,
            usage,
            ..Self::default()
        };
        if let Some(Value::Array(choices)) = choices {
            for choice in choices {
                chunk.take(choice);
            }
        }
        Ok(chunk)
    }

    fn take(&mut self, choice: Value) {
        let Value::Object(mut choice) = choice else {
            return;
        };
        if choice.get("index").and_then(Value::as_u64).unwrap_or(0) != 0 {
            self.has_other_choices = true;
            return;
        }
        if let Some(reason) = text(choice.get_mut("finish_reason")) {
            self.finish_reason = Some(reason);
        }
        // A server that does not stream sends `message`, and some that do send it too.
        let said = ["delta", "message"]
            .into_iter()
            .find_map(|name| match choice.remove(name) {
                Some(Value::Object(said)) => Some(said),
                _ => None,
            });
        self.deltas.extend(said.map(Delta::of));
    }
}

impl Delta {
    fn of(mut said: Map<String, Value>) -> Self {
        let mut delta = Self {
            refusal: text(said.get_mut("refusal")).unwrap_or_default(),
            // The same under two names, by the habit of servers; one that sends both repeats itself.
            reasoning: text(said.get_mut("reasoning_content"))
                .or_else(|| text(said.get_mut("reasoning")))
                .unwrap_or_default(),
            ..Self::default()
        };
        match said.remove("content") {
            Some(Value::String(content)) => delta.text = content,
            Some(Value::Array(parts)) => {
                for part in &parts {
                    delta.part(part);
                }
            }
            _ => {}
        }
        if let Some(Value::Array(pieces)) = said.remove("tool_calls") {
            let is_list = pieces.len() > 1;
            delta.calls.extend(pieces.into_iter().map(CallPiece::of));
            // Pieces that come together belong to calls of their own, with or without an index.
            for (position, piece) in (0..).zip(&mut delta.calls).filter(|_| is_list) {
                piece.index.get_or_insert(position);
            }
        }
        delta
    }

    /// Adds a part of content that is a list, as some servers send it: texts, and thoughts that hold texts.
    fn part(&mut self, part: &Value) {
        let thoughts = part["thinking"].as_array().into_iter().flatten();
        for thought in thoughts {
            self.reasoning
                .push_str(thought["text"].as_str().unwrap_or_default());
        }
        self.text
            .push_str(part["text"].as_str().unwrap_or_default());
    }
}

impl CallPiece {
    fn of(piece: Value) -> Self {
        let Value::Object(mut piece) = piece else {
            return Self::default();
        };
        let mut function = match piece.remove("function") {
            Some(Value::Object(function)) => function,
            _ => Map::new(),
        };
        let arguments = match function.remove("arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            // Some servers send the arguments themselves instead of their JSON text.
            Some(arguments) => arguments.to_string(),
        };
        Self {
            index: piece.get("index").and_then(Value::as_u64),
            id: text(piece.get_mut("id")).unwrap_or_default(),
            name: text(function.get_mut("name")).unwrap_or_default(),
            arguments,
        }
    }
}

/// Takes a text that says something.
fn text(value: Option<&mut Value>) -> Option<String> {
    match value.map(Value::take) {
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}
