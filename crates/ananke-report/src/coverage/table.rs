//! The table for the console.

use ananke_model::coverage::Coverage;
use unicode_width::UnicodeWidthStr as _;

use super::ranges::{in_words, share, uncovered};
use crate::escape::cut;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// Stretches of lines beyond these are counted.
const MOST_RANGES: usize = 8;

/// From here on a share is good, and from here on it is not bad.
const BANDS: (f64, f64) = (80.0, 50.0);

/// One file, or all of them.
struct Row {
    file: String,
    lines: (usize, usize),
    functions: (usize, usize),
    uncovered: String,
}

/// Returns how much of each file was run, as an aligned table; empty if there is no file.
pub fn coverage_table(coverage: &Coverage, style: &Style) -> String {
    let mut page = Page::default();
    if coverage.files.is_empty() {
        return page.finish();
    }
    let mut rows: Vec<Row> = coverage
        .files
        .iter()
        .map(|file| Row {
            file: cut(&file.file, 200, style.ellipsis()),
            lines: file.n_lines(),
            functions: file.n_functions(),
            uncovered: in_words(&uncovered(file), MOST_RANGES, style.ellipsis()),
        })
        .collect();
    rows.push(Row {
        file: "All files".to_owned(),
        lines: coverage.lines(),
        functions: coverage.functions(),
        uncovered: String::new(),
    });
    let width = rows.iter().map(|row| row.file.width()).max();
    let width = width.unwrap_or_default();
    let head = format!(
        "{}  {:>7}  {:>9}  Uncovered lines",
        padded("File", width),
        "Lines",
        "Functions"
    );
    page.line(format_args!("{}", paint(style, Tone::Strong, head)));
    let ruler = style.pick("─", "-").repeat(width + 20);
    let n_files = coverage.files.len();
    for (index, row) in rows.iter().enumerate() {
        if index == n_files {
            page.line(format_args!("{}", paint(style, Tone::Faint, &ruler)));
        }
        let (lines, functions) = (cell(row.lines, 7, style), cell(row.functions, 9, style));
        let file = padded(&row.file, width);
        let line = format!("{file}  {lines}  {functions}  {}", row.uncovered);
        page.line(format_args!("{}", line.trim_end()));
    }
    page.finish()
}

fn padded(text: &str, width: usize) -> String {
    let n_blanks = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(n_blanks))
}

/// Returns a share as `66.7%`; a dash where there is nothing to run.
fn cell(counts: (usize, usize), width: usize, style: &Style) -> String {
    if counts.1 == 0 {
        return format!("{:>width$}", "-");
    }
    let share = share(counts);
    let text = format!("{:>width$}", format!("{share:.1}%"));
    let tone = match share {
        share if share >= BANDS.0 => Tone::Good,
        share if share >= BANDS.1 => Tone::Odd,
        _ => Tone::Bad,
    };
    paint(style, tone, text).to_string()
}

#[cfg(test)]
mod tests {
    use ananke_model::coverage::FileCoverage;
    use insta::assert_snapshot;

    use super::*;
    use crate::samples::{HOSTILE, coverage, plain};

    #[test]
    fn files_and_their_shares() {
        assert_snapshot!(coverage_table(&coverage(), &plain()), @"
        File                    Lines  Functions  Uncovered lines
        expense/src/setup.ts    42.9%      50.0%  3-8
        expense/src/tools.ts   100.0%     100.0%
        expense/src/types.ts        -          -
        ────────────────────────────────────────
        All files               55.6%      66.7%
        ");
        assert_eq!(coverage_table(&Coverage::default(), &plain()), "");
    }

    #[test]
    fn hostile_names_stay_in_their_row() {
        let mut hostile = coverage();
        hostile.files.push(FileCoverage {
            file: HOSTILE.to_owned(),
            lines: vec![(1, 0)],
            ..FileCoverage::default()
        });
        let colored = Style {
            color: true,
            ..plain()
        };
        let table = coverage_table(&hostile, &plain());
        assert_eq!(table.lines().count(), 7);
        assert!(!table.contains(|c: char| c.is_control() && c != '\n'));
        assert!(coverage_table(&hostile, &colored).contains("\x1b[31m"));
    }
}
