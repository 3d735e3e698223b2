//! `type: type`: the output is of a JSON type. Text that is JSON, or one fenced block of it, has that type; any other text is a
//! string.

use ananke_model::check::JsonType;
use serde_json::Value;

use super::looking::quoted;
use super::{Judged, Looking};
use crate::evidence::Evidence;
use crate::value::{RawJson, brief, without_fence};

/// Demands a type.
#[derive(Clone, Debug)]
pub(super) struct TypeIs {
    pub(super) json_type: JsonType,
}

impl TypeIs {
    /// Returns the word that a user writes.
    pub(super) fn word(&self) -> &'static str {
        word(self.json_type)
    }

    /// Says what is demanded.
    pub(super) fn expected(&self, looking: &Looking) -> String {
        format!("type {}{}", self.word(), looking.at())
    }

    /// Says that it holds although it must not.
    pub(super) fn said_not(&self, looking: &Looking) -> String {
        format!(
            "{} should not be of type '{}'",
            looking.named(),
            self.word()
        )
    }

    /// Judges the evidence: every value at the path is of the type; negated, none of them.
    pub(super) fn judge(
        &self,
        looking: &Looking,
        evidence: &Evidence<'_>,
        is_negated: bool,
    ) -> Judged {
        let wanted = self.word();
        let Some(path) = looking.path() else {
            let data = evidence.only_data().map(type_of);
            let Some(seen) = data.or_else(|| type_of_text(&evidence.text)) else {
                return Judged::undecided("there is no output", "no text at all");
            };
            if seen == self.json_type {
                return Judged::holds(word(seen));
            }
            let said = format!("expected type '{wanted}', got '{}'", word(seen));
            let judged = Judged::fails(said, word(seen)).details([quoted(&evidence.text)]);
            let inside = evidence.first_json();
            let is_inside = inside.is_some_and(|value| type_of(value) == self.json_type);
            return judged.details(is_inside.then(|| {
                format!("there is JSON of type {wanted} in the text: `path: $` looks at it")
            }));
        };
        let seen = match looking.some_nodes(evidence, is_negated) {
            Ok(seen) => seen,
            Err(judged) => return judged,
        };
        if is_negated && seen.nodes().any(|node| type_of(node) == self.json_type) {
            return Judged::holds(wanted);
        }
        if let Some(judged) = looking.unread(seen.unread, evidence) {
            return judged;
        }
        let other = seen.nodes().find(|node| type_of(node) != self.json_type);
        match other {
            None => Judged::holds(wanted),
            Some(node) => {
                let seen = word(type_of(node));
                let said = format!("path '{path}': expected type '{wanted}', got '{seen}'");
                Judged::fails(said, seen).details([brief(node)])
            }
        }
    }
}

fn word(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Null => "null",
        JsonType::String => "string",
        JsonType::Number => "number",
        JsonType::Boolean => "boolean",
        JsonType::Array => "array",
        JsonType::Object => "object",
    }
}

fn type_of(value: &Value) -> JsonType {
    match value {
        Value::Null => JsonType::Null,
        Value::String(_) => JsonType::String,
        Value::Number(_) => JsonType::Number,
        Value::Bool(_) => JsonType::Boolean,
        Value::Array(_) => JsonType::Array,
        Value::Object(_) => JsonType::Object,
    }
}

/// Returns the type of an output; nothing if there is none. How deep it is nested does not matter.
fn type_of_text(text: &str) -> Option<JsonType> {
    let content = without_fence(text);
    let first = content.chars().next()?;
    if RawJson::parse(content).is_none() {
        return Some(JsonType::String);
    }
    Some(match first {
        '{' => JsonType::Object,
        '[' => JsonType::Array,
        '"' => JsonType::String,
        't' | 'f' => JsonType::Boolean,
        'n' => JsonType::Null,
        _ => JsonType::Number,
    })
}
