//! Lines that were not run, in few words, and shares of what was.

use ananke_model::coverage::FileCoverage;

use crate::rate::percent;

/// Returns the stretches of lines that were not run: first and last. Lines without code between two of them do not part
/// them.
pub(super) fn uncovered(file: &FileCoverage) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut is_open = false;
    for (line, hits) in &file.lines {
        if *hits > 0 {
            is_open = false;
            continue;
        }
        match ranges.last_mut().filter(|_| is_open) {
            Some((_, last)) => *last = *line,
            None => ranges.push((*line, *line)),
        }
        is_open = true;
    }
    ranges
}

/// Returns the stretches as `3-6, 8`, at most `limit` of them.
pub(super) fn in_words(ranges: &[(u32, u32)], limit: usize, ellipsis: &str) -> String {
    let shown = ranges.iter().take(limit).map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    });
    let mut words = shown.collect::<Vec<_>>().join(", ");
    if let Some(more @ 1..) = ranges.len().checked_sub(limit) {
        words.extend([", ", ellipsis, " ", &more.to_string(), " more"]);
    }
    words
}

/// Returns a share in percent, never rounded up to a hundred; of nothing everything was run.
pub(super) fn share((hit, all): (usize, usize)) -> f64 {
    if all == 0 { 100.0 } else { percent(hit, all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_joined_over_lines_without_code() {
        let file = FileCoverage {
            lines: vec![(1, 0), (2, 0), (5, 0), (6, 1), (9, 0), (10, 3), (12, 0)],
            ..FileCoverage::default()
        };
        let ranges = uncovered(&file);
        assert_eq!(ranges, [(1, 5), (9, 9), (12, 12)]);
        assert_eq!(in_words(&ranges, 9, "…"), "1-5, 9, 12");
        assert_eq!(in_words(&ranges, 1, "…"), "1-5, … 2 more");
        assert_eq!(in_words(&[], 1, "…"), "");
    }

    #[test]
    fn a_hundred_percent_needs_all() {
        assert_eq!(share((0, 0)), 100.0);
        assert_eq!(share((9_999, 10_000)), 99.9);
        assert_eq!(share((0, 3)), 0.0);
    }
}
