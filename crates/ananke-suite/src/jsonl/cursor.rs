//! Where the reader is: bytes, lines and columns, and what may stand between values.

use std::sync::Arc;

use ananke_model::place::Place;

use super::chunks::Chunk;

/// What a text may hold beside plain JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Objects one after another, with comments from `//` or `#` to the end of the line.
    Lines,
    /// One object, with comments from `//` to the end of the line or from `/*` to `*/`, and with commas behind the last
    /// entries.
    Package,
}

/// A position that moves forward through a text.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    file: &'t Arc<str>,
    syntax: Syntax,
    text: &'t str,
    /// The next byte.
    offset: usize,
    /// The line of `offset`, counted from 1.
    line: u32,
    /// Where the line of `offset` begins.
    line_start: usize,
    /// The last offset on this line that was asked for, with its column: columns are counted from there, so that a long
    /// line is counted once.
    known: (usize, u32),
}

/// Where a value begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) offset: usize,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl<'t> Cursor<'t> {
    /// Returns a cursor at the beginning of a piece of text.
    pub(super) fn new(file: &'t Arc<str>, syntax: Syntax, chunk: Chunk<'t>) -> Self {
        Self {
            file,
            syntax,
            text: chunk.text,
            offset: chunk.offset,
            line: chunk.line,
            line_start: chunk.offset,
            known: (chunk.offset, 1),
        }
    }

    /// Returns the next byte; 0, which JSON has no use for, at the end.
    pub(super) fn peek(&self) -> u8 {
        let byte = self.text.as_bytes().get(self.offset);
        byte.copied().unwrap_or_default()
    }

    /// Returns what the text may hold.
    pub(super) fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Tells whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.offset >= self.text.len()
    }

    /// Returns what is left.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// Returns the offset of the next byte.
    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the text from `start` up to here.
    pub(super) fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.offset).unwrap_or_default()
    }

    /// Goes on by `n_bytes`, which hold no line break.
    pub(super) fn skip(&mut self, n_bytes: usize) {
        self.offset = (self.offset + n_bytes).min(self.text.len());
    }

    /// Takes the next byte if it is `byte`.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let is_next = !self.is_at_end() && self.peek() == byte;
        if is_next {
            self.offset += 1;
        }
        is_next
    }

    /// Tells whether a line begins here.
    pub(super) fn is_at_line_start(&self) -> bool {
        self.offset == self.line_start
    }

    /// Skips white space and comments. One that is not closed stays: it is no comment.
    pub(super) fn skip_blank(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\n' | b'\r' => self.skip_byte(),
                b'#' if self.syntax == Syntax::Lines => self.skip_line(),
                b'/' if self.rest().starts_with("//") => self.skip_line(),
                b'/' if self.syntax == Syntax::Package => {
                    let inner = self.rest().strip_prefix("/*");
                    let Some(length) = inner.and_then(|inner| inner.find("*/")) else {
                        return;
                    };
                    let end = self.offset + length + 4;
                    while self.offset < end {
                        self.skip_byte();
                    }
                }
                _ => return,
            }
        }
    }

    /// Goes on by one byte, which may end a line.
    fn skip_byte(&mut self) {
        let byte = self.peek();
        self.offset += 1;
        // Together with the line feed behind it, a carriage return ends one line.
        if byte == b'\n' || (byte == b'\r' && self.peek() != b'\n') {
            self.begin_line();
        }
    }

    /// Goes on to the next line that begins with `{`, or to the end. A line that begins here counts.
    pub(super) fn recover(&mut self) {
        while !self.is_at_end() {
            if self.is_at_line_start() && self.peek() == b'{' {
                return;
            }
            self.skip_line();
            if self.take(b'\r') && self.peek() != b'\n' {
                self.begin_line();
            }
            if self.take(b'\n') {
                self.begin_line();
            }
        }
    }

    /// Returns the position of the next byte.
    pub(super) fn start(&mut self) -> Start {
        Start {
            offset: self.offset,
            line: self.line,
            column: self.column(),
        }
    }

    /// Returns the place from `start` up to here, cut at the end of its first line.
    pub(super) fn place(&self, start: Start) -> Place {
        let mut end = self.offset;
        if start.line != self.line {
            let rest = self.text.get(start.offset..).unwrap_or_default();
            let line = rest.split(['\n', '\r']).next().unwrap_or_default();
            end = end.min(start.offset + line.trim_end().len());
        }
        self.place_at(start, end)
    }

    /// Returns the place of `n_bytes` from here on, or of what is left of the line.
    pub(super) fn place_here(&mut self, n_bytes: usize) -> Place {
        let line = self.rest().split(['\n', '\r']).next().unwrap_or_default();
        let mut length = n_bytes.min(line.len());
        while !line.is_char_boundary(length) {
            length += 1;
        }
        let start = self.start();
        self.place_at(start, start.offset + length)
    }

    fn place_at(&self, start: Start, end: usize) -> Place {
        Place {
            file: Arc::clone(self.file),
            line: start.line,
            column: start.column,
            start: small(start.offset),
            end: small(end),
        }
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        self.offset += end;
    }

    fn begin_line(&mut self) {
        self.line = self.line.saturating_add(1);
        self.line_start = self.offset;
        self.known = (self.offset, 1);
    }

    fn column(&mut self) -> u32 {
        let (from, column) = self.known;
        let between = self.text.as_bytes().get(from..self.offset);
        // Continuation bytes begin no character.
        let is_first = |byte: &&u8| **byte & 0xC0 != 0x80;
        let n_chars = between.unwrap_or_default().iter().filter(is_first).count();
        self.known = (self.offset, column.saturating_add(small(n_chars)));
        self.known.1
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
