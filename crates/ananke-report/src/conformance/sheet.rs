//! Lines for a terminal that go on below where they began, instead of at its left edge in the middle of a word.

use std::fmt;

use unicode_width::UnicodeWidthStr as _;

use crate::page::{Excerpt, Page};
use crate::style::Style;

/// Text whose lines are folded.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    page: Page,
    pub(super) style: &'a Style,
    columns: Option<usize>,
}

impl<'a> Sheet<'a> {
    /// Begins a sheet. Without `columns` no line is folded: what a program reads stays on one line.
    pub(super) fn new(style: &'a Style, columns: Option<usize>) -> Self {
        Self {
            page: Page::default(),
            style,
            columns,
        }
    }

    /// Appends a line; what does not fit goes on below, after `hang` blanks.
    pub(super) fn line(&mut self, hang: usize, line: fmt::Arguments<'_>) {
        match self.columns {
            Some(columns) => {
                let line = folded(&line.to_string(), hang, columns);
                self.page.line(format_args!("{line}"));
            }
            None => self.page.line(line),
        }
    }

    /// Appends an empty line.
    pub(super) fn gap(&mut self) {
        self.page.gap();
    }

    /// Appends foreign text behind bars; its lines stay as they are.
    pub(super) fn block(&mut self, indent: &str, text: &str, excerpt: Excerpt) {
        self.page.block(self.style, indent, text, excerpt);
    }

    /// Returns the text.
    pub(super) fn finish(self) -> String {
        self.page.finish()
    }
}

/// Folds a line between words. Words that are too long stay whole, so that they can be copied.
fn folded(line: &str, hang: usize, columns: usize) -> String {
    // A narrow terminal has no room for a deep one.
    let hang = hang.min(columns / 2);
    let mut text = String::with_capacity(line.len());
    let mut used = 0;
    for piece in pieces(line) {
        let is_first = text.is_empty();
        let shown = piece.trim_end_matches(' ');
        if !is_first && used + width(shown) > columns && used > hang {
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', hang));
            used = hang;
        }
        text.push_str(piece);
        used += width(piece);
    }
    text
}

/// Returns words with the blanks after them; those that may not begin a line belong to the one before.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let mut blanks = rest.match_indices(' ').map(|(at, _)| at + 1);
        let end = blanks.find(|end| rest.get(*end..).is_some_and(may_begin));
        let (piece, others) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = others;
    }
    pieces
}

/// Tells whether a line may begin with this word. What a CI obeys at the beginning of a line (`::error::`), and marks that
/// only ananke writes there, may not: words can be those of a server.
fn may_begin(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '`' | '(' | '/'))
}

/// Returns how many columns a word takes; colors take none.
fn width(word: &str) -> usize {
    let mut parts = word.split('\x1b');
    let first = parts.next().unwrap_or_default().width();
    let colored = parts.map(|part| part.split_once('m').map_or(0, |(_, shown)| shown.width()));
    first + colored.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::folded;

    #[test]
    fn lines_go_on_below_where_they_began() {
        let line = "  [fail] hello: the message `m0` of http://localhost:8000/a/long/path is open 世界 世界";
        assert_snapshot!(folded(line, 9, 30), @"
        [fail] hello: the message
               `m0` of
               http://localhost:8000/a/long/path
               is open 世界 世界
        ");
        let colored = folded("    \x1b[2mwhy:\x1b[0m one two three", 9, 21);
        assert_snapshot!(colored.replace('\x1b', "ESC"), @"
        ESC[2mwhy:ESC[0m one two
             three
        ");
        assert_snapshot!(folded("fits as  it is", 4, 14), @"fits as  it is");
        assert_snapshot!(folded("a narrow one", 40, 9), @"
        a narrow
            one
        ");
    }

    #[test]
    fn nothing_that_is_obeyed_begins_a_line() {
        assert_snapshot!(folded("he said ::error::x ##[group] [pass] ✓ done", 2, 8), @"
        he
          said ::error::x ##[group] [pass] ✓
          done
        ");
    }

    proptest! {
        #[test]
        fn no_word_is_lost(line in "[a-c`:世 ]{0,60}", hang in 0_usize..12, columns in 0_usize..30) {
            let text = folded(&line, hang, columns);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(words(&text), words(&line));
            prop_assert!(!text.contains(" \n"));
        }
    }
}
