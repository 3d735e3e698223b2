//! The one JSON object that a helper agent replies with: the whole reply, one fenced block, or the only object in prose.
//!
//! What helpers are shown may be made to be quoted. So a reply with several objects, or with a key twice, says nothing.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::json_in_prose::Prose;
use super::json_in_text::{jsons_of, without_fence};
use super::raw_json::RawJson;

/// How deep JSON is looked for in the strings of other JSON.
const MAX_NESTED: usize = 3;

/// The object of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyObject {
    /// Its members.
    pub members: Map<String, Value>,
    /// Whether the reply is nothing else.
    pub is_whole: bool,
    source: String,
}

/// Why a reply has no object that counts.
#[derive(Clone, Debug, PartialEq)]
pub enum NoReplyObject {
    /// There is no JSON in it.
    None,
    /// Its JSON is something else.
    Other(Value),
    /// There are several.
    Many,
    /// It has this key twice.
    Twice(String),
    /// It could not be read to its end, for this reason.
    Unread(String),
}

impl ReplyObject {
    /// Finds the object of a reply.
    pub fn of(text: &str) -> Result<Self, NoReplyObject> {
        let all = without_fence(text);
        if let Ok(value) = serde_json::from_str(all) {
            return Self::one(value, all, true);
        }
        let prose = Prose::of(text, &[]);
        if let Some(why) = prose.unread {
            return Err(NoReplyObject::Unread(why));
        }
        let mut found = prose.values.into_iter().zip(prose.ranges);
        let first = found.next().ok_or(NoReplyObject::None)?;
        // Lists of numbers and words are prose, such as references: `[1]`.
        let mut objects = [first.clone()]
            .into_iter()
            .chain(found)
            .filter(|(value, _)| holds_object(value));
        match (objects.next(), objects.next()) {
            (Some(_), Some(_)) => Err(NoReplyObject::Many),
            (Some((value, range)), None) => {
                Self::one(value, text.get(range).unwrap_or_default(), false)
            }
            (None, _) => Err(NoReplyObject::Other(first.0)),
        }
    }

    fn one(value: Value, source: &str, is_whole: bool) -> Result<Self, NoReplyObject> {
        let Value::Object(members) = value else {
            return Err(NoReplyObject::Other(value));
        };
        let mut names = BTreeSet::new();
        let raw = RawJson::parse(source);
        for (name, _) in raw.into_iter().flat_map(RawJson::members) {
            if let Some(name) = names.replace(name) {
                return Err(NoReplyObject::Twice(name.into_owned()));
            }
        }
        Ok(Self {
            members,
            is_whole,
            source: source.to_owned(),
        })
    }

    /// Tells whether the object stands in `text`, so that the reply may only quote it.
    pub fn occurs_in(&self, text: &str) -> bool {
        let value = Value::Object(self.members.clone());
        self.is_in_text(&value, text, 0)
    }

    fn is_in_text(&self, wanted: &Value, text: &str, depth: usize) -> bool {
        if text.contains(&self.source) {
            return true;
        }
        let values = if depth < MAX_NESTED {
            jsons_of(text)
        } else {
            Vec::new()
        };
        values
            .iter()
            .any(|value| self.is_in(wanted, value, depth + 1))
    }

    fn is_in(&self, wanted: &Value, value: &Value, depth: usize) -> bool {
        value == wanted
            || match value {
                Value::Object(members) => members
                    .values()
                    .any(|value| self.is_in(wanted, value, depth)),
                Value::Array(items) => items.iter().any(|value| self.is_in(wanted, value, depth)),
                Value::String(text) => self.is_in_text(wanted, text, depth),
                _ => false,
            }
    }
}

fn holds_object(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().any(holds_object),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn found(text: &str) -> String {
        match ReplyObject::of(text) {
            Ok(object) => format!("{} {}", Value::Object(object.members), object.is_whole),
            Err(why) => format!("{why:?}"),
        }
    }

    #[test]
    fn one_object_counts_wherever_it_stands() {
        assert_snapshot!(found(r#" {"a": 1} "#), @r#"{"a":1} true"#);
        assert_snapshot!(found("```json\n{\"a\": 1}\n```"), @r#"{"a":1} true"#);
        assert_snapshot!(found("So:\n```json\n{\"a\": 1}\n```\nDone."), @r#"{"a":1} false"#);
        assert_snapshot!(found(r#"As said in [1], {"a": {"b": 2}} holds."#), @r#"{"a":{"b":2}} false"#);
    }

    #[test]
    fn what_could_be_a_quotation_does_not_count() {
        assert_snapshot!(found("fine"), @"None");
        assert_snapshot!(found("true"), @"Other(Bool(true))");
        assert_snapshot!(found(r#"see [1]"#), @"Other(Array [Number(1)])");
        assert_snapshot!(found(r#"[{"a": 1}]"#), @r#"Other(Array [Object {"a": Number(1)}])"#);
        assert_snapshot!(found(r#"{"a": 1} {"a": 1}"#), @"Many");
        assert_snapshot!(found(r#"It said [{"a": 1}]: {"a": 2}"#), @"Many");
        assert_snapshot!(found("It said {\"a\": 1}:\n```json\n{\"a\": 2}\n```"), @"Many");
        assert_snapshot!(found(r#"{"a": 1, "b": 2, "a": 3}"#), @r#"Twice("a")"#);
        assert_snapshot!(found(r#"So {"a": 1, "\u0061": 3}"#), @r#"Twice("a")"#);
        assert_snapshot!(found(&"[".repeat(200)), @r#"Unread("some brackets stand more than 128 deep in one another")"#);
    }

    #[test]
    fn a_quotation_is_recognized_however_it_is_written() {
        let object = ReplyObject::of(r#"It says {"a": 1, "b": "x"}."#).unwrap();
        for text in [
            r#"{"a": 1, "b": "x"}"#,
            r#"so {"b":"x","a":1} there"#,
            r#"{"note": [{"b": "x", "a": 1}]}"#,
            r#"{"note": "say {\"b\":\"x\", \"a\":1}"}"#,
        ] {
            assert!(object.occurs_in(text), "{text}");
        }
        assert!(!object.occurs_in(r#"{"a": 1, "b": "y"}"#));
    }
}
