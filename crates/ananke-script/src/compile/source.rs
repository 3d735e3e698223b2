//! A file as the user wrote it: what kind it is, and where in it an offset stands.

use std::borrow::Cow;

use ananke_model::diagnostic::Diagnostic;
use ananke_model::place::Place;
use oxc::span::{SourceType, Span};

/// The largest file that is read.
const MAX_BYTES: usize = 10 * 1024 * 1024;

/// A byte order mark, which is no part of the text.
const BOM: &str = "\u{feff}";

/// A file: its name in positions, which ends in the extension that tells its language, and its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub shown: &'a str,
    pub text: &'a str,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    TypeScript,
    TypeScriptWithJsx,
    JavaScript,
    Json,
}

impl Language {
    pub(super) fn of(shown: &str) -> Self {
        let extension = shown
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension);
        match extension {
            "json" => Self::Json,
            "js" | "mjs" | "cjs" | "jsx" => Self::JavaScript,
            "tsx" => Self::TypeScriptWithJsx,
            _ => Self::TypeScript,
        }
    }

    pub(super) fn source_type(self) -> SourceType {
        match self {
            Self::TypeScript => SourceType::ts(),
            Self::TypeScriptWithJsx => SourceType::tsx(),
            // Markup is parsed wherever it can be told from types, so that it can be refused by name.
            Self::JavaScript | Self::Json => SourceType::mjs().with_jsx(true),
        }
    }
}

/// A file without its byte order mark, and the offsets at which its lines begin.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    pub(super) shown: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
    /// How many bytes of the file stand before `text`.
    n_skipped: usize,
    starts: Vec<u32>,
}

impl<'a> Lines<'a> {
    /// Splits a file into lines, unless it is too large.
    pub(super) fn new(source: Source<'a>) -> Result<Self, Diagnostic> {
        let text = source.text.strip_prefix(BOM).unwrap_or(source.text);
        if text.len() > MAX_BYTES {
            let place = Place::file(source.shown);
            let message = format!("the file is larger than {} MiB", MAX_BYTES >> 20);
            return Err(Diagnostic::error(&place, message)
                .hint("move data to a JSON file that tests do not import, or split the script"));
        }
        Ok(Self {
            shown: Cow::Borrowed(source.shown),
            n_skipped: source.text.len() - text.len(),
            starts: line_starts(text),
            text: Cow::Borrowed(text),
        })
    }

    pub(super) fn into_owned(self) -> Lines<'static> {
        Lines {
            shown: Cow::Owned(self.shown.into_owned()),
            text: Cow::Owned(self.text.into_owned()),
            n_skipped: self.n_skipped,
            starts: self.starts,
        }
    }

    /// Returns line and column of an offset, counted from 1, the column in characters.
    pub(super) fn position(&self, offset: usize) -> (u32, u32) {
        let offset = self.text.floor_char_boundary(offset);
        let index = self
            .starts
            .partition_point(|start| *start as usize <= offset)
            .saturating_sub(1);
        let start = self.starts.get(index).map_or(0, |start| *start as usize);
        let column = self
            .text
            .get(start..offset)
            .map_or(0, |before| before.chars().count());
        (number(index + 1), number(column + 1))
    }

    /// Returns the offset of a line and a column, counted from 0, the column in UTF-16 units.
    pub(super) fn offset(&self, line: u32, column: u32) -> usize {
        let start = match self.starts.get(line as usize) {
            Some(start) => *start as usize,
            None => return self.text.len(),
        };
        let rest = self.text.get(start..).unwrap_or_default();
        start + utf16_to_bytes(rest, column)
    }

    /// Returns the text of a line, counted from 1, without its end.
    pub(super) fn line(&self, line: u32) -> Option<&str> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)? as usize;
        let end = self
            .starts
            .get(index + 1)
            .map_or(self.text.len(), |end| *end as usize);
        let text = self.text.get(start..end)?;
        Some(text.trim_end_matches(['\n', '\r', '\u{2028}', '\u{2029}']))
    }

    /// Returns the place of a stretch of the text.
    pub(super) fn place(&self, span: Span) -> Place {
        let start = (span.start as usize).min(self.text.len());
        let end = (span.end as usize).clamp(start, self.text.len());
        let (line, column) = self.position(start);
        Place {
            file: (&*self.shown).into(),
            line,
            column,
            start: number(start + self.n_skipped),
            end: number(end + self.n_skipped),
        }
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Counts the bytes of the first `column` UTF-16 units.
pub(super) fn utf16_to_bytes(text: &str, column: u32) -> usize {
    let mut units = 0;
    for (offset, one) in text.char_indices() {
        if units >= column as usize {
            return offset;
        }
        units += one.len_utf16();
    }
    text.len()
}

/// Finds the beginnings of lines as the language defines them: the separators of Unicode end lines too.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (index, byte) in bytes.iter().enumerate() {
        let is_end = match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            0xA8 | 0xA9 => index >= 2 && bytes[index - 2] == 0xE2 && bytes[index - 1] == 0x80,
            _ => false,
        };
        if is_end {
            starts.push(number(index + 1));
        }
    }
    starts
}
