//! Text that grows line by line, and blocks of foreign text in it.

use std::fmt::{self, Write as _};

use crate::count::count;
use crate::escape::{escape, preview};
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Text for a person, whole lines only.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

/// How much of a foreign text is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excerpt {
    /// At most this many lines.
    pub(crate) lines: usize,
    /// At most this many characters.
    pub(crate) chars: usize,
}

impl Page {
    /// Appends one line.
    pub(crate) fn line(&mut self, line: fmt::Arguments<'_>) {
        self.0
            .write_fmt(line)
            .expect("writing to a string cannot fail");
        self.0.push('\n');
    }

    /// Appends an empty line.
    pub(crate) fn gap(&mut self) {
        self.0.push('\n');
    }

    /// Appends whole lines that were made elsewhere.
    pub(crate) fn lines(&mut self, lines: &str) {
        self.0.push_str(lines);
    }

    /// Appends foreign text, each line escaped and behind a bar.
    ///
    /// The bar is more than decoration: a line of an agent can then neither look like a line of ananke nor be a command
    /// for the CI that reads the log. Blanks alone would not do: GitHub skips them before `::error::`.
    pub(crate) fn block(&mut self, style: &Style, indent: &str, text: &str, excerpt: Excerpt) {
        let bar = paint(style, Tone::Faint, style.bar()).to_string();
        let mut left = excerpt.chars;
        let mut n_shown = 0;
        for (n_lines, line) in text.lines().enumerate() {
            if n_lines == excerpt.lines || left == 0 {
                break;
            }
            let (shown, n_chars) = preview(line, left);
            let shown = shown.trim_end();
            if shown.is_empty() {
                self.line(format_args!("{indent}{bar}"));
            } else {
                self.line(format_args!("{indent}{bar} {shown}"));
            }
            left = left.saturating_sub(n_chars);
            n_shown += n_chars;
        }
        let is_line_end = |c: &char| matches!(c, '\n' | '\r');
        let n_chars = text.chars().filter(|c| !is_line_end(c)).count();
        if n_chars > n_shown {
            let more = count(n_chars - n_shown, "more character");
            let ellipsis = style.ellipsis();
            let note = paint(style, Tone::Faint, format_args!("{ellipsis} {more}")).to_string();
            self.line(format_args!("{indent}{bar} {note}"));
        }
    }

    /// Appends one line of text that ananke composed but that may quote others.
    pub(crate) fn guarded(&mut self, style: &Style, indent: &str, text: &str) {
        let shown = escape(text);
        if shown.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '"' | '`')) {
            self.line(format_args!("{indent}{shown}"));
        } else {
            self.line(format_args!("{indent}{} {shown}", style.bar()));
        }
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    fn block(text: &str, lines: usize, chars: usize) -> String {
        let style = Style {
            color: false,
            unicode: true,
            width: 80,
        };
        let mut page = Page::default();
        page.block(&style, "  ", text, Excerpt { lines, chars });
        page.finish()
    }

    #[test]
    fn every_line_stands_behind_a_bar() {
        let text = "fine\r\n✓ PASSED\n\n  ::error::x\rover\x1b[2J";
        assert_snapshot!(block(text, 10, 100), @r"
        │ fine
        │ ✓ PASSED
        │
        │   ::error::x\rover\u{1b}[2J
        ");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_snapshot!(block("äöüß\nsecond", 10, 2), @"
        │ äö
        │ … 8 more characters
        ");
        assert_snapshot!(block("one\ntwo\nthree", 1, 100), @"
        │ one
        │ … 8 more characters
        ");
        assert_snapshot!(block("", 1, 100), @"");
    }
}
