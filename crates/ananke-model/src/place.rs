//! Places in files that users wrote, and values that remember where they were written.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A stretch of text in a file, kept with line and column so that it can be named without the file's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file as the user would type it, with forward slashes.
    pub file: Arc<str>,
    /// First line, counted from 1.
    pub line: u32,
    /// First column, counted from 1 in characters.
    pub column: u32,
    /// Byte offset of the first character.
    pub start: u32,
    /// Byte offset after the last character.
    pub end: u32,
}

impl Place {
    /// Returns a place that covers no text: the beginning of `file`.
    pub fn file(file: &str) -> Self {
        Self {
            file: file.into(),
            line: 1,
            column: 1,
            start: 0,
            end: 0,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Text that a user wrote, with its place. It may hold `${…}` references until [`crate::variables`] resolves them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The text as written, after YAML or JSON unquoting.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Any JSON value that a user wrote, with its place. Strings inside may hold `${…}` references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Json {
    /// The value as written.
    pub value: serde_json::Value,
    /// Where it stands.
    pub place: Place,
}

/// The text of every file that was read, for carets in diagnostics.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<Arc<str>, Arc<str>>);

impl Sources {
    /// Keeps the text of `file`.
    pub fn insert(&mut self, file: &str, text: &str) {
        self.0.insert(file.into(), text.into());
    }

    /// Returns the text of `file`, if it was read.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(AsRef::as_ref)
    }

    /// Goes through every file and its text, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(file, text)| (&**file, &**text))
    }

    /// Takes over everything `other` holds.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}
