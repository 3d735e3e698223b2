//! Reading a pattern character by character.

/// A position in a pattern.
#[derive(Debug)]
pub(super) struct Cursor {
    chars: Vec<char>,
    at: usize,
}

impl Cursor {
    /// Returns the beginning of `text`.
    pub(super) fn new(text: &str) -> Self {
        Self {
            chars: text.chars().collect(),
            at: 0,
        }
    }

    /// Returns how many characters were read.
    pub(super) fn index(&self) -> usize {
        self.at
    }

    /// Goes back to a position that [`Self::index`] returned.
    pub(super) fn back_to(&mut self, index: usize) {
        self.at = index;
    }

    /// Returns the next character without reading it.
    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    /// Returns the character after `skipped` others without reading it.
    pub(super) fn peek_at(&self, skipped: usize) -> Option<char> {
        self.chars.get(self.at + skipped).copied()
    }

    /// Reads the next character.
    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    /// Reads `text` if it is what comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let comes = text
            .chars()
            .enumerate()
            .all(|(skipped, expected)| self.peek_at(skipped) == Some(expected));
        if comes {
            self.at += text.chars().count();
        }
        comes
    }

    /// Reads characters as long as `wanted` holds, at most `limit` of them.
    pub(super) fn take_while(&mut self, limit: usize, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        for _ in 0..limit {
            match self.peek() {
                Some(next) if wanted(next) => taken.push(next),
                _ => break,
            }
            self.at += 1;
        }
        taken
    }
}
