//! Gives generated ids names by the order of their appearance, so that two runs can be compared: the same id has the
//! same name within a run, whatever it was.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::generated::{Piece, is_id, names_a_moment, pieces};

/// Known ids shorter than this are only replaced where they are a whole value: `1` is part of too much.
const SHORTEST: usize = 6;

/// The name of every moment.
const MOMENT: &str = "<time>";

/// Replaces ids and moments of one run.
#[derive(Debug)]
pub(crate) struct Renamer<'a> {
    /// Ids that are known to be generated, however they look.
    known: &'a BTreeSet<String>,
    names: HashMap<String, usize>,
}

impl<'a> Renamer<'a> {
    /// Returns a renamer that has seen nothing yet.
    pub(crate) fn new(known: &'a BTreeSet<String>) -> Self {
        Self {
            known,
            names: HashMap::new(),
        }
    }

    /// Returns `text` with its generated words replaced.
    pub(crate) fn text(&mut self, text: &str) -> String {
        if self.known.contains(text) {
            return self.name(text);
        }
        let mut out = String::with_capacity(text.len());
        for piece in pieces(text) {
            match piece {
                Piece::Plain(plain) => out.push_str(plain),
                Piece::Time(_) => out.push_str(MOMENT),
                Piece::Word(word) if self.is_generated(word) => out.push_str(&self.name(word)),
                Piece::Word(word) => out.push_str(word),
            }
        }
        out
    }

    /// Returns `value` with generated words replaced in all its strings, its keys in order.
    pub(crate) fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.text(text).into(),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(members) => {
                // Names go by appearance: it must not depend on the order in which an agent writes keys.
                let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
                sorted.sort_by_key(|(key, _)| *key);
                let renamed = sorted.into_iter().map(|(key, item)| {
                    let item = match item {
                        Value::Number(_) if names_a_moment(key) => MOMENT.into(),
                        _ => self.value(item),
                    };
                    (self.text(key), item)
                });
                renamed.collect::<Map<String, Value>>().into()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn is_generated(&self, word: &str) -> bool {
        is_id(word) || (word.len() >= SHORTEST && self.known.contains(word))
    }

    fn name(&mut self, id: &str) -> String {
        let next = self.names.len() + 1;
        let number = *self.names.entry(id.to_owned()).or_insert(next);
        format!("<id-{number}>")
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_same_id_has_the_same_name() {
        let known = BTreeSet::from(["call-1".to_owned(), "7".to_owned()]);
        let mut renamer = Renamer::new(&known);
        let first =
            "run f81d4fae-7dec-11d0-a765-00a0c91e6bf6 of call-1 at 2026-11-15T11:53:53Z, 7 mugs";
        assert_snapshot!(renamer.text(first), @"run <id-1> of <id-2> at <time>, 7 mugs");
        let value = json!({"z": "7", "created_at": 1_734_429_600_000_i64, "a": ["call-1", 7], "n": "call-12"});
        assert_snapshot!(renamer.value(&value), @r#"{"a":["<id-2>",7],"created_at":"<time>","n":"call-12","z":"<id-3>"}"#);
    }
}
