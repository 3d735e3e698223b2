//! Shares as numbers, for people and for `jq`.

/// Returns `part` of `whole` in percent with one decimal; 0 if there is nothing.
///
/// It is rounded, but never up to a whole number: 2 of 3 are 66.7, 2999 of 3000 are 99.9. So `>= 80` means what it says,
/// and 100 means that nothing stands against it.
pub(crate) fn percent(part: usize, whole: usize) -> f64 {
    rounded(part, whole, 1_000, 10) as f64 / 10.0
}

/// Returns `part` of `whole` as a number up to 1 with two decimals, never rounded up to 1; 0 if there is nothing.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    rounded(part, whole, 100, 100) as f64 / 100.0
}

/// Returns the share in steps of which the whole has `scale`, never rounded up to a multiple of `mark`.
fn rounded(part: usize, whole: usize, scale: usize, mark: usize) -> usize {
    let Some(down) = (part * scale).checked_div(whole) else {
        return 0;
    };
    let nearest = (2 * part * scale + whole) / (2 * whole);
    if nearest.is_multiple_of(mark) {
        down
    } else {
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_only_reached_by_what_reaches_them() {
        let rates = [(3, 3), (2, 3), (1, 3), (0, 3), (4, 5), (40, 42), (0, 0)];
        let rates = rates.map(|(part, whole)| percent(part, whole));
        assert_eq!(rates, [100.0, 66.7, 33.3, 0.0, 80.0, 95.2, 0.0]);
        assert_eq!(percent(9_999, 10_000), 99.9);
        assert_eq!(percent(7_999, 10_000), 79.9);
        assert_eq!(
            [share(2, 3), share(999, 1_000), share(5, 5)],
            [0.67, 0.99, 1.0]
        );
    }
}
