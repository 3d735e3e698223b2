//! A message as it was sent, in whatever version and binding, in the one form in which messages can be compared.

use serde_json::{Map, Value};

use super::saying::SendMessage;
use super::wire::Part;

/// A message that was sent, without the ids that were made for it.
#[derive(Clone, Debug, PartialEq)]
pub struct SentMessage {
    /// In the form of 1.0.
    pub parts: Vec<Value>,
    /// What went with the message; `null` if nothing did.
    pub metadata: Value,
    /// The task that it went on with; `null` if it began one.
    pub task_id: Value,
    /// The conversation; `null` if the server was to make one.
    pub context_id: Value,
    /// What went with the request: `metadata`, `acceptedOutputModes` and `historyLength`.
    pub beside: Map<String, Value>,
}

impl SentMessage {
    /// Reads the body of a request; nothing if that sends no message.
    pub fn read(body: &Value) -> Option<Self> {
        let params = body.get("params").unwrap_or(body);
        let message = params.get("message")?;
        let is_proto = message.get("content").is_some();
        let parts = message.get("parts").or_else(|| message.get("content"))?;
        let parts = parts.as_array()?.iter().map(|part| {
            let mut part = Part::read(part);
            if is_proto {
                part.unwrap_data();
            }
            part.value()
        });
        let configuration = &params["configuration"];
        let beside = [
            ("metadata", params.get("metadata")),
            (
                "acceptedOutputModes",
                configuration.get("acceptedOutputModes"),
            ),
            ("historyLength", configuration.get("historyLength")),
        ];
        let beside = beside.into_iter();
        Some(Self {
            parts: parts.collect(),
            metadata: message["metadata"].clone(),
            task_id: message["taskId"].clone(),
            context_id: message["contextId"].clone(),
            beside: beside
                .filter_map(|(name, value)| Some((name.to_owned(), value?.clone())))
                .collect(),
        })
    }
}

impl SendMessage {
    /// Returns the parts in the form in which they can be compared.
    pub fn comparable_parts(&self) -> Vec<Value> {
        let parts = self.parts.iter();
        parts.map(|part| Part::read(part).value()).collect()
    }

    /// Returns the words of the message; nothing if it has none.
    pub fn text(&self) -> Option<String> {
        let texts = self.parts.iter().filter_map(|part| part["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        (!text.is_empty()).then_some(text)
    }
}
