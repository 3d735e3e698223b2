//! Secrets in JSON values: in strings, which may hold JSON themselves, in keys and in numbers.

use serde_json::{Map, Value};

use super::inner::{Edit, Inner, Weak, apply};
use super::json_text;

impl Inner {
    /// Hides the secrets in `value`. Tells whether there were any.
    pub(super) fn value(&self, value: &mut Value) -> bool {
        self.has(value, Weak::Hide) && self.hide(value, Weak::Hide)
    }

    pub(super) fn has(&self, value: &Value, weak: Weak) -> bool {
        match value {
            Value::String(text) => self.may_hit(text) && !self.string_edits(text, weak).is_empty(),
            Value::Number(number) => {
                self.has_numbers() && self.number(&number.to_string()).is_some()
            }
            Value::Array(items) => items.iter().any(|item| self.has(item, Weak::Hide)),
            Value::Object(members) => self.has_members(members),
            Value::Null | Value::Bool(_) => false,
        }
    }

    pub(super) fn hide(&self, value: &mut Value, weak: Weak) -> bool {
        match value {
            Value::String(text) => {
                let edits = self.string_edits(text, weak);
                if !edits.is_empty() {
                    *text = apply(text, &edits);
                }
                !edits.is_empty()
            }
            Value::Number(number) => {
                let shown = self.number(&number.to_string()).map(Value::from);
                shown.map(|shown| *value = shown).is_some()
            }
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |is_hit, item| self.hide(item, Weak::Hide) | is_hit),
            Value::Object(members) => self.hide_members(members),
            Value::Null | Value::Bool(_) => false,
        }
    }

    pub(super) fn has_members(&self, members: &Map<String, Value>) -> bool {
        members.iter().any(|(key, item)| {
            !self.edits(key, Weak::Keep).is_empty() || self.has(item, weak_under(key))
        })
    }

    pub(super) fn hide_members(&self, members: &mut Map<String, Value>) -> bool {
        let mut is_hit = false;
        for (key, item) in members.iter_mut() {
            is_hit |= self.hide(item, weak_under(key));
        }
        is_hit | self.hide_keys(members)
    }

    fn hide_keys(&self, members: &mut Map<String, Value>) -> bool {
        let is_hit = |key: &String| !self.edits(key, Weak::Keep).is_empty();
        if !members.keys().any(is_hit) {
            return false;
        }
        *members = std::mem::take(members)
            .into_iter()
            .map(|(key, item)| (apply(&key, &self.edits(&key, Weak::Keep)), item))
            .collect();
        true
    }

    /// A string may hold JSON itself: the arguments of a call in its message.
    fn string_edits(&self, text: &str, weak: Weak) -> Vec<Edit> {
        match weak {
            Weak::Hide => json_text::edits(self, text),
            Weak::Keep => self.edits(text, weak),
        }
    }
}

/// Returns how weak secrets are treated in the value of a member.
pub(super) fn weak_under(key: &str) -> Weak {
    match key {
        "type" | "role" => Weak::Keep,
        _ => Weak::Hide,
    }
}
