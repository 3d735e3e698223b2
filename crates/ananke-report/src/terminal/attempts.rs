//! What `-v` shows of the attempts before the last one.

use ananke_model::result::TestResult;

use super::failure::failure;
use crate::facts::facts;
use crate::page::Page;
use crate::paint::{Tone, paint};
use crate::style::Style;

/// More attempts than these are only counted.
const MOST_ATTEMPTS: usize = 10;

/// Writes `  attempt 1: FAILED (300ms)` and why, for each attempt that was tried again.
pub(super) fn attempts(page: &mut Page, result: &TestResult, style: &Style) {
    for (index, earlier) in result.earlier.iter().take(MOST_ATTEMPTS).enumerate() {
        let word = paint(style, Tone::Odd, earlier.status.word()).to_string();
        let (number, facts) = (index + 1, facts(earlier, style));
        page.line(format_args!("  attempt {number}: {word} ({facts})"));
        failure(page, earlier, style);
    }
    if let Some(more @ 1..) = result.earlier.len().checked_sub(MOST_ATTEMPTS) {
        page.line(format_args!("  {} and {more} more", style.ellipsis()));
    }
}
