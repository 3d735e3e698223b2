//! One source line with the columns of its carets: tabs widened, hidden characters shown, long lines cut to a window.

use std::ops::Range;

use ananke_model::place::Place;
use unicode_width::UnicodeWidthStr as _;

use super::mask;
use crate::escape::escaped;
use crate::style::Style;

/// What a tab is widened to; a fixed width keeps the carets right in a window.
const TAB: &str = "    ";

/// Columns for the line number and the bar.
const GUTTER: usize = 8;

/// The narrowest window; even a terminal of ten columns gets a readable frame.
const NARROWEST: usize = 32;

/// A line to be shown and where its carets stand.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The line, or a window of it.
    pub(crate) line: String,
    /// Columns before the first caret.
    pub(crate) caret_column: usize,
    /// How many carets there are, at least one.
    pub(crate) n_carets: usize,
}

/// The first line of a place, as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'s> {
    before: &'s str,
    marked: &'s str,
    after: &'s str,
    /// The line in front of it.
    previous: &'s str,
    /// Whether it is a line of a script.
    is_code: bool,
}

impl<'s> Line<'s> {
    /// Returns the first line of `place`; `None` if `source` has no such place.
    pub(super) fn of(source: &'s str, place: &Place) -> Option<Self> {
        let (start, end) = offsets(source, place)?;
        let (before_all, from_start) = source.split_at_checked(start)?;
        let (marked_all, after_all) = from_start.split_at_checked(end.saturating_sub(start))?;
        let mut lines = before_all.rsplit('\n');
        let before = before_all.rsplit(['\n', '\r']).next().unwrap_or("");
        let previous = lines.nth(1).unwrap_or("").trim_end_matches('\r');
        let before = if before.len() == before_all.len() {
            before.trim_start_matches('\u{feff}')
        } else {
            before
        };
        let first = |text: &str| text.find(['\n', '\r']);
        let (marked, after) = match first(marked_all) {
            // Only the first line of a longer span is shown.
            Some(at) => (marked_all.split_at(at).0, ""),
            None => {
                let line_end = first(after_all).unwrap_or(after_all.len());
                (marked_all, after_all.split_at(line_end).0)
            }
        };
        Some(Self {
            before,
            marked,
            after,
            previous,
            is_code: is_script(&place.file),
        })
    }

    /// Returns a line of a script of which the word at `column`, counted from 1 in characters, is marked; `previous` is the line in front
    /// of it.
    pub(crate) fn at(line: &'s str, column: u32, previous: &'s str) -> Self {
        let n_before = usize::try_from(column).unwrap_or(usize::MAX);
        let start = line.char_indices().nth(n_before.saturating_sub(1));
        let (before, rest) = line.split_at(start.map_or(line.len(), |(at, _)| at));
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let end = rest.find(|c: char| !is_word(c));
        let (marked, after) = rest.split_at(end.unwrap_or(rest.len()));
        Self {
            before,
            marked,
            after,
            previous,
            is_code: true,
        }
    }

    /// Returns `text` without the credentials that stand in the line.
    pub(super) fn hidden_in(&self, text: &str) -> String {
        let line = self.whole();
        mask::without(text, &line, &self.credentials(&line))
    }

    /// Returns the whole line with masks in the place of credentials.
    pub(crate) fn without_credentials(&self) -> String {
        self.masked().concat()
    }

    /// Returns where `line`, which is the whole line, holds credentials.
    fn credentials(&self, line: &str) -> Vec<Range<usize>> {
        if self.is_code {
            mask::credentials_in_code(line)
        } else {
            mask::credentials(line, self.previous)
        }
    }

    fn whole(&self) -> String {
        [self.before, self.marked, self.after].concat()
    }

    /// Returns the three parts with masks in the place of credentials; a mask stands where its credential begins.
    fn masked(&self) -> [String; 3] {
        let line = self.whole();
        let ranges = self.credentials(&line);
        let mut at = 0;
        [self.before, self.marked, self.after].map(|part| {
            let end = at + part.len();
            let mut shown = String::new();
            for range in &ranges {
                if range.start >= end || range.end <= at {
                    continue;
                }
                shown += line.get(at..range.start).unwrap_or_default();
                if range.start >= at {
                    shown += mask::MASK;
                }
                at = range.end.min(end);
            }
            shown += line.get(at..end).unwrap_or_default();
            at = end;
            shown
        })
    }
}

fn is_script(file: &str) -> bool {
    [".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".tsx", ".jsx"]
        .iter()
        .any(|ending| file.ends_with(ending))
}

/// Returns a line as it is shown.
pub(crate) fn frame(line: &Line<'_>, style: &Style) -> Frame {
    let [before, marked, after] = line.masked();
    let room = style.width.saturating_sub(GUTTER).max(NARROWEST);
    window(&before, &marked, &after, room, style.ellipsis())
}

/// Returns the byte offsets of `place`, both at the border of a character.
fn offsets(source: &str, place: &Place) -> Option<(usize, usize)> {
    if place.start == 0 && place.end == 0 && place.line > 1 {
        // The place was made from a line and a column only.
        let n_lines_before = usize::try_from(place.line).ok()? - 1;
        let line = source.split_inclusive('\n').nth(n_lines_before)?;
        let line_start = line.as_ptr().addr() - source.as_ptr().addr();
        let n_chars_before = usize::try_from(place.column).ok()?.saturating_sub(1);
        let content = line.trim_end_matches(['\n', '\r']);
        let in_line = content.char_indices().nth(n_chars_before);
        let start = line_start + in_line.map_or(content.len(), |(at, _)| at);
        return Some((start, start));
    }
    let start = usize::try_from(place.start).ok()?;
    let end = usize::try_from(place.end).ok()?.min(source.len());
    if start > source.len() {
        return None;
    }
    let start = source.floor_char_boundary(start);
    Some((start, source.ceil_char_boundary(end.max(start))))
}

/// One character as it is shown.
struct Cell {
    shown: String,
    width: usize,
}

/// Lays out a line in at most `room` columns so that the first caret is among them.
fn window(before: &str, marked: &str, after: &str, room: usize, ellipsis: &str) -> Frame {
    // More than `room` characters on either side cannot be seen (a few of no width aside), so a line of a megabyte costs
    // no more than a short one.
    let (left_cut, before) = last_chars(before, room);
    let (marked_cut, marked_shown) = first_chars(marked, room);
    let (after_cut, after_shown) = if marked_cut {
        (false, "")
    } else {
        first_chars(after, room)
    };
    let left = cells(before, marked);
    let middle = cells(marked_shown, after);
    let right = cells(after_shown, "");
    let (n_left, n_middle, n_right) = (width(&left), width(&middle), width(&right));
    let fits = n_left + n_middle.max(1) + n_right <= room;
    if fits && !left_cut && !marked_cut && !after_cut {
        return Frame {
            line: text(&left) + &text(&middle) + &text(&right),
            caret_column: n_left,
            n_carets: n_middle.max(1),
        };
    }
    let n_dots = ellipsis.width();
    // The marked part comes first, then what stands before it, then what follows.
    let n_for_left = room.saturating_sub(n_middle + 2 * n_dots).max(room / 4);
    let n_for_left = n_for_left.min(room.saturating_sub(n_right + n_middle).max(room / 2));
    let (left, left_cut) = keep_last(left, n_for_left, left_cut);
    let lead = if left_cut { ellipsis } else { "" };
    let caret_column = lead.width() + width(&left);
    let n_rest = room.saturating_sub(caret_column + n_dots);
    let (middle, marked_cut) = keep_first(middle, n_rest, marked_cut);
    let n_rest = n_rest.saturating_sub(width(&middle));
    let (right, right_cut) = if marked_cut {
        (Vec::new(), true)
    } else {
        keep_first(right, n_rest, after_cut)
    };
    let tail = if right_cut { ellipsis } else { "" };
    Frame {
        line: format!(
            "{lead}{}{}{}{tail}",
            text(&left),
            text(&middle),
            text(&right)
        ),
        caret_column,
        n_carets: width(&middle).max(1),
    }
}

/// Returns the characters of `text` as they are shown; `next` is what follows them.
fn cells(text: &str, next: &str) -> Vec<Cell> {
    let mut chars = text.chars();
    let mut cells = Vec::new();
    while let Some(c) = chars.next() {
        let rest = match chars.as_str() {
            "" => next,
            rest => rest,
        };
        let shown = match c {
            '\t' => TAB.to_owned(),
            _ => escaped(c, rest).unwrap_or_else(|| c.to_string()),
        };
        let width = shown.width();
        cells.push(Cell { shown, width });
    }
    cells
}

fn width(cells: &[Cell]) -> usize {
    cells.iter().map(|cell| cell.width).sum()
}

fn text(cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.shown.as_str()).collect()
}

/// Keeps the last cells that fit in `room` and tells whether something was cut, now or before.
fn keep_last(mut cells: Vec<Cell>, room: usize, was_cut: bool) -> (Vec<Cell>, bool) {
    let mut used = 0;
    let n_kept = cells
        .iter()
        .rev()
        .take_while(|cell| {
            used += cell.width;
            used <= room
        })
        .count();
    let n_cut = cells.len() - n_kept;
    (cells.split_off(n_cut), was_cut || n_cut > 0)
}

/// Keeps the first cells that fit in `room` and tells whether something was cut, now or before.
fn keep_first(mut cells: Vec<Cell>, room: usize, was_cut: bool) -> (Vec<Cell>, bool) {
    let mut used = 0;
    let n_kept = cells
        .iter()
        .take_while(|cell| {
            used += cell.width;
            used <= room
        })
        .count();
    let is_cut = was_cut || n_kept < cells.len();
    cells.truncate(n_kept);
    (cells, is_cut)
}

fn first_chars(text: &str, limit: usize) -> (bool, &str) {
    match text.char_indices().nth(limit) {
        Some((end, _)) => (true, text.split_at(end).0),
        None => (false, text),
    }
}

fn last_chars(text: &str, limit: usize) -> (bool, &str) {
    let first = limit
        .checked_sub(1)
        .and_then(|n| text.char_indices().rev().nth(n));
    match first {
        Some((start, _)) if start > 0 => (true, text.split_at(start).1),
        Some(_) | None => (false, text),
    }
}
