//! Values that grow: a state that is sent again and again while a text in it gets longer shows all but the end of a secret
//! before it shows the whole.
//!
//! A string counts as a secret that has not come to its end if it ends in at least half of one. A string that is nothing
//! else needs four characters for that, any other eight: a word of a sentence must not be taken for it.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::inner::{Edit, Inner, apply};

/// Half of a secret is never fewer characters than this.
const MIN_HALF: usize = 4;
/// What stands behind other text is at least this long.
const MIN_BEHIND: usize = 8;
/// How many secrets that begin alike are looked at.
const MOST_ALIKE: usize = 64;

/// Returns the first half of a secret.
pub(super) fn half(text: &str) -> &str {
    let n_chars = half_chars(text);
    let end = text.char_indices().nth(n_chars).map(|(at, _)| at);
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

fn half_chars(text: &str) -> usize {
    text.chars().count().div_ceil(2).max(MIN_HALF)
}

/// Tells whether half of a secret may be in an event whose values grow. Others say what they say once.
pub(super) fn may_grow(inner: &Inner, payload: &str) -> bool {
    inner.halves.find(payload, 0).is_some() && has_growing_values(payload)
}

fn has_growing_values(payload: &str) -> bool {
    let Ok(members) = serde_json::from_str::<HashMap<String, &RawValue>>(payload) else {
        return false;
    };
    let kind = members.get("type").map(|kind| kind.get());
    kind.is_some_and(|kind| {
        kind.ends_with("_SNAPSHOT\"") || kind.ends_with("_DELTA\"") || kind == "\"CUSTOM\""
    })
}

/// Returns the secret that has begun at the end of a string, if it has not come to its end.
pub(super) fn unfinished(inner: &Inner, text: &str) -> Option<Edit> {
    let mut at = text.len().saturating_sub(inner.patterns.longest());
    while let Some((found, ())) = inner.halves.find(text, at) {
        let begun = text.get(found.start..)?;
        let n_chars = begun.chars().count();
        if found.start == 0 || n_chars >= MIN_BEHIND {
            let alike = inner.patterns.beginning_with(begun).take(MOST_ALIKE);
            let secret = alike
                .filter(|(whole, pattern)| !pattern.is_weak && n_chars >= half_chars(whole))
                .find_map(|(_, pattern)| pattern.shown.clone());
            if let Some(shown) = secret {
                let range = found.start..text.len();
                return Some(Edit { range, shown });
            }
        }
        at = found.start + 1;
    }
    None
}

impl Inner {
    /// Hides secrets that have not come to their end in all strings of a value. Tells whether there were any.
    pub(super) fn unfinished(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                let edit = unfinished(self, text);
                edit.map(|edit| *text = apply(text, &[edit])).is_some()
            }
            Value::Array(items) => items
                .iter_mut()
                .fold(false, |is_hit, item| self.unfinished(item) | is_hit),
            Value::Object(members) => members
                .iter_mut()
                .fold(false, |is_hit, (_, item)| self.unfinished(item) | is_hit),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use crate::redact::tests::{events, redactor};

    const PAIRS: [(&str, &str); 2] = [("KEY", "sk-live.7f\"3a+2b"), ("WORD", "user")];

    #[test]
    fn values_that_grow_into_a_secret_are_hidden_from_its_half_on() {
        assert_snapshot!(events(&PAIRS, &[
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/k","value":"sk-live"}]}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/k","value":"sk-live.7"}]}"#,
            r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/k","value":"sk-live.7f\"3a+2"}]}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"k":"sk-live.7f\"3a","text":"the key is sk-live.7f","n":"us"}}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"k":"sk-live.7f\"3a+2b"}}"#,
            r#"{"type":"CUSTOM","name":"typing","value":"sk-live.7f\"3a sk-live.7f\"3a"}"#,
        ]), @r#"
        {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/k","value":"sk-live"}]}
        {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/k","value":"[redacted KEY]"}]}
        {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/k","value":"[redacted KEY]"}]}
        {"type":"STATE_SNAPSHOT","snapshot":{"k":"[redacted KEY]","text":"the key is [redacted KEY]","n":"us"}}
        {"type":"STATE_SNAPSHOT","snapshot":{"k":"[redacted KEY]"}}
        {"type":"CUSTOM","name":"typing","value":"sk-live.7f\"3a [redacted KEY]"}
        "#);
    }

    #[test]
    fn what_is_said_once_is_no_value_that_grows() {
        let said = r#"{"type":"TOOL_CALL_RESULT","content":"keys begin with sk-live.7f"}"#;
        assert_eq!(events(&PAIRS, &[said]), said);
    }

    #[test]
    fn the_last_state_shows_no_more_than_the_events() {
        let mut state = json!({"k": ["sk-live.7f\"3a"], "text": "sk-live.7f in the middle"});
        let redactor = redactor(&PAIRS);
        let inner = redactor.inner().unwrap();
        assert!(inner.unfinished(&mut state));
        assert_snapshot!(state, @r#"{"k":["[redacted KEY]"],"text":"sk-live.7f in the middle"}"#);
    }
}
