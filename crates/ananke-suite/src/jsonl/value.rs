//! Values: objects, lists, strings, numbers and words.

use std::collections::HashMap;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::{Place, Text};

use super::cursor::{Cursor, Start, Syntax};
use super::mistakes;
use super::number::number;
use super::string::string;
use crate::yaml::{Entry, Kind, MAX_DEPTH, MAX_NODES, Node, Scalar, ScalarKind};

/// From how many keys on an object looks for a key it has in a table.
const MANY_KEYS: usize = 16;

/// A mistake behind which the object cannot be read on.
pub(super) type Broken = Diagnostic;

/// Reads values. Mistakes that leave the rest readable go to `found`.
#[derive(Debug)]
pub(super) struct Reader<'t, 'f> {
    pub(super) cursor: Cursor<'t>,
    pub(super) found: &'f mut Vec<Diagnostic>,
    /// Where the outermost object begins.
    outermost: Start,
    n_nodes: usize,
}

impl<'t, 'f> Reader<'t, 'f> {
    /// Returns a reader of what the cursor points at.
    pub(super) fn new(mut cursor: Cursor<'t>, found: &'f mut Vec<Diagnostic>) -> Self {
        let outermost = cursor.start();
        Self {
            cursor,
            found,
            outermost,
            n_nodes: 0,
        }
    }

    /// Reads the object that begins at the brace here.
    pub(super) fn object(&mut self, depth: usize) -> Result<Node, Broken> {
        let start = self.cursor.start();
        if depth == 0 {
            self.outermost = start;
        }
        self.cursor.skip(1);
        let mut entries: Vec<Entry> = Vec::new();
        let mut keys = Keys::default();
        self.cursor.skip_blank();
        if self.cursor.take(b'}') {
            return self.node(start, Kind::Map(entries));
        }
        loop {
            let key = self.key()?;
            self.cursor.skip_blank();
            if !self.cursor.take(b':') {
                return Err(mistakes::after_key(&mut self.cursor, &key));
            }
            self.cursor.skip_blank();
            let value = self.value(depth + 1)?;
            match keys.first(&key, &entries) {
                Some(first) => self.found.push(mistakes::written_twice(&key, &first)),
                None => {
                    keys.add(&key, entries.len());
                    entries.push(Entry { key, value });
                }
            }
            self.cursor.skip_blank();
            if self.cursor.take(b',') {
                self.cursor.skip_blank();
                if self.ends_behind_comma('}')? {
                    return self.node(start, Kind::Map(entries));
                }
            } else if self.cursor.take(b'}') {
                return self.node(start, Kind::Map(entries));
            } else {
                return Err(mistakes::after_value(&mut self.cursor, self.outermost, '}'));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Node, Broken> {
        let start = self.cursor.start();
        self.cursor.skip(1);
        let mut items = Vec::new();
        self.cursor.skip_blank();
        if self.cursor.take(b']') {
            return self.node(start, Kind::Seq(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.cursor.skip_blank();
            if self.cursor.take(b',') {
                self.cursor.skip_blank();
                if self.ends_behind_comma(']')? {
                    return self.node(start, Kind::Seq(items));
                }
            } else if self.cursor.take(b']') {
                return self.node(start, Kind::Seq(items));
            } else {
                return Err(mistakes::after_value(&mut self.cursor, self.outermost, ']'));
            }
        }
    }

    /// Takes what closes an object or a list, if it stands behind a comma and may.
    fn ends_behind_comma(&mut self, close: char) -> Result<bool, Broken> {
        if !self.cursor.rest().starts_with(close) {
            return Ok(false);
        }
        match self.cursor.syntax() {
            Syntax::Lines => Err(mistakes::trailing_comma(&mut self.cursor, close)),
            Syntax::Package => {
                self.cursor.skip(close.len_utf8());
                Ok(true)
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Broken> {
        let start = self.cursor.start();
        match self.cursor.peek() {
            b'{' | b'[' if depth >= MAX_DEPTH => Err(mistakes::too_deep(&mut self.cursor)),
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => {
                let text = string(&mut self.cursor);
                let text = text.map_err(|bad| mistakes::string(&mut self.cursor, start, bad))?;
                self.scalar(start, text, ScalarKind::Str)
            }
            b'-' | b'0'..=b'9' => match number(&mut self.cursor) {
                Some(kind) => {
                    let text = self.cursor.since(start.offset).to_owned();
                    self.scalar(start, text, kind)
                }
                None => Err(mistakes::number(&mut self.cursor, start)),
            },
            _ => self.word(start),
        }
    }

    fn word(&mut self, start: Start) -> Result<Node, Broken> {
        let kinds = [
            ("true", ScalarKind::Bool(true)),
            ("false", ScalarKind::Bool(false)),
            ("null", ScalarKind::Null),
        ];
        let word = mistakes::word(self.cursor.rest());
        let Some((_, kind)) = kinds.into_iter().find(|(known, _)| *known == word) else {
            return Err(mistakes::value(&mut self.cursor, self.outermost));
        };
        self.cursor.skip(word.len());
        self.scalar(start, word.to_owned(), kind)
    }

    fn key(&mut self) -> Result<Text, Broken> {
        let start = self.cursor.start();
        if self.cursor.peek() != b'"' {
            return Err(mistakes::key(&mut self.cursor, self.outermost));
        }
        let text = string(&mut self.cursor);
        let text = text.map_err(|bad| mistakes::string(&mut self.cursor, start, bad))?;
        Ok(Text {
            text,
            place: self.cursor.place(start),
        })
    }

    fn scalar(&mut self, start: Start, text: String, kind: ScalarKind) -> Result<Node, Broken> {
        self.node(start, Kind::Scalar(Scalar { text, kind }))
    }

    fn node(&mut self, start: Start, kind: Kind) -> Result<Node, Broken> {
        let place = self.cursor.place(start);
        self.n_nodes += 1;
        if self.n_nodes > MAX_NODES {
            return Err(mistakes::too_many(&place));
        }
        Ok(Node { place, kind })
    }

    /// Tells whether the file holds more than is read, so that there is no use in going on.
    pub(super) fn is_full(&self) -> bool {
        self.n_nodes > MAX_NODES
    }
}

/// The keys of an object, for finding one that is written twice.
#[derive(Default)]
struct Keys {
    /// Where each key is among the entries, once there are many.
    indices: HashMap<String, usize>,
}

impl Keys {
    fn first(&self, key: &Text, entries: &[Entry]) -> Option<Place> {
        let entry = if entries.len() < MANY_KEYS {
            entries.iter().find(|entry| entry.key.text == key.text)
        } else {
            let index = self.indices.get(&key.text);
            let late = index.and_then(|index| entries.get(*index));
            let mut early = entries.iter().take(MANY_KEYS);
            late.or_else(|| early.find(|entry| entry.key.text == key.text))
        };
        entry.map(|entry| entry.key.place.clone())
    }

    fn add(&mut self, key: &Text, index: usize) {
        if index >= MANY_KEYS {
            self.indices.insert(key.text.clone(), index);
        }
    }
}
