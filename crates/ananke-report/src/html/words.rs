//! Words that come again and again (event types, check keys, agents), written once and then named by number.

use std::collections::BTreeMap;

use serde::Serialize;

/// More words than this are written where they stand: a hostile agent cannot make the table grow without end.
const MOST_WORDS: usize = 2_000;

/// Longer texts are written where they stand.
const LONGEST: usize = 300;

/// The table of words, in the order in which they were first seen.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: BTreeMap<String, usize>,
    list: Vec<String>,
}

/// A word as it is written: its number, or itself.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Word {
    Number(usize),
    Text(String),
}

impl Words {
    /// Returns the word as it is written, keeping it for the next time.
    pub(super) fn word(&mut self, text: &str) -> Word {
        if let Some(number) = self.numbers.get(text) {
            return Word::Number(*number);
        }
        if self.list.len() >= MOST_WORDS || text.len() > LONGEST {
            return Word::Text(text.to_owned());
        }
        let number = self.list.len();
        self.numbers.insert(text.to_owned(), number);
        self.list.push(text.to_owned());
        Word::Number(number)
    }

    /// Returns all words by number.
    pub(super) fn list(&self) -> &[String] {
        &self.list
    }
}
