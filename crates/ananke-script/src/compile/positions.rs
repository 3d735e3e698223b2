//! The way back from positions of the engine to the lines that the user wrote.

use super::sites::Site;
use super::source::{Lines, Source};

/// How many lines are shown before and after the one that counts.
const LINES_BEFORE: u32 = 2;
const LINES_AFTER: u32 = 1;

/// How many characters of a line around the one that counts are shown at most.
const MAX_SHOWN: usize = 240;

/// How many characters are kept of the line that counts: whoever shows it picks the part around the column.
const MAX_KEPT: usize = 10_000;

/// A point of the generated code and where it came from: lines and columns from 0, columns in UTF-16 units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapped {
    pub(super) generated: (u32, u32),
    pub(super) original: (u32, u32),
}

/// What is needed to find the way back.
#[derive(Debug)]
pub(super) struct Positions {
    pub(super) lines: Lines<'static>,
    /// By position in the generated code, which is counted without the lines put before it.
    pub(super) mapped: Vec<Mapped>,
    pub(super) n_lines_before: u32,
    pub(super) sites: Vec<Site>,
}

impl Positions {
    /// Returns where something stands that the engine saw at a position of `code`: line and column from 1, in characters.
    pub(super) fn original(
        &self,
        code: &str,
        line: u32,
        column: u32,
        callee: Option<&str>,
    ) -> (u32, u32) {
        let Some(generated) = line.checked_sub(self.n_lines_before + 1) else {
            return (1, 1);
        };
        let column = units(code, line, column);
        let Some(mapped) = self.look_up((generated, column)) else {
            return (1, 1);
        };
        let offset = self.lines.offset(mapped.0, mapped.1);
        self.lines.position(self.snap(offset, callee))
    }

    fn look_up(&self, at: (u32, u32)) -> Option<(u32, u32)> {
        let index = self.mapped.partition_point(|one| one.generated <= at);
        let before = index
            .checked_sub(1)
            .and_then(|index| self.mapped.get(index));
        match before {
            Some(before) if before.generated.0 == at.0 => Some(before.original),
            // Nothing of this line is known before the position: what comes after it is nearer than another line.
            _ => self
                .mapped
                .get(index)
                .filter(|after| after.generated.0 == at.0)
                .or(before)
                .map(|one| one.original),
        }
    }

    /// The engine takes a call to be where it last looked up a name among the arguments. This returns where the call is.
    fn snap(&self, offset: usize, callee: Option<&str>) -> usize {
        let n_before = self
            .sites
            .partition_point(|site| site.span.start as usize <= offset);
        let enclosing = self
            .sites
            .get(..n_before)
            .unwrap_or_default()
            .iter()
            .rev()
            .filter(|site| offset < site.span.end as usize);
        let Some(callee) = callee else {
            let thrown = enclosing.clone().find(|site| site.is_thrown);
            return thrown.map_or(offset, |site| site.span.start as usize);
        };
        let callee = bare(callee);
        let site = enclosing
            .clone()
            .find(|site| self.name(site) == callee)
            .or_else(|| enclosing.clone().next());
        site.map_or(offset, |site| site.name.start as usize)
    }

    fn name(&self, site: &Site) -> &str {
        let range = site.name.start as usize..site.name.end as usize;
        self.lines
            .text
            .get(range)
            .unwrap_or_default()
            .trim_start_matches('#')
    }

    /// Returns the lines around `line`, with their numbers.
    pub(super) fn excerpt(&self, line: u32) -> Vec<(u32, String)> {
        around(&self.lines, line)
    }
}

/// Returns the lines around `line` of a text, with their numbers.
pub(crate) fn excerpt(text: &str, line: u32) -> Vec<(u32, String)> {
    let lines = Lines::new(Source { shown: "", text });
    lines.map_or_else(|_| Vec::new(), |lines| around(&lines, line))
}

fn around(lines: &Lines<'_>, line: u32) -> Vec<(u32, String)> {
    let first = line.saturating_sub(LINES_BEFORE).max(1);
    let last = line.saturating_add(LINES_AFTER);
    let most = |number| if number == line { MAX_KEPT } else { MAX_SHOWN };
    (first..=last)
        .map_while(|number| Some((number, shortened(lines.line(number)?, most(number)))))
        .collect()
}

/// Returns the name itself of a function that the engine calls `Shop.find` or `get total`.
fn bare(callee: &str) -> &str {
    let name = callee.rsplit([' ', '.']).next().unwrap_or(callee);
    name.trim_start_matches('#')
}

fn shortened(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Counts the UTF-16 units before a column that is counted in bytes from 1.
fn units(code: &str, line: u32, column: u32) -> u32 {
    let text = code
        .split('\n')
        .nth((line as usize).saturating_sub(1))
        .unwrap_or_default();
    let end = text.floor_char_boundary((column as usize).saturating_sub(1));
    let before = text.get(..end).unwrap_or_default();
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}
