//! What a handful of runs says about the runs that were not made.

/// The quantile of the normal distribution that leaves 2.5 % on each side.
const Z: f64 = 1.959_963_984_540_054;

/// A range of percentages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    /// The lower end, rounded down to a tenth.
    pub(crate) low: f64,
    /// The upper end, rounded up to a tenth.
    pub(crate) high: f64,
}

/// Returns the Wilson score interval for the true pass rate, with 95 % confidence.
pub(super) fn wilson(passed: usize, runs: usize) -> Interval {
    let n = runs as f64;
    let rate = passed as f64 / n;
    let spread = Z * Z / n;
    let center = rate + spread / 2.0;
    let margin = Z * (rate * (1.0 - rate) / n + spread / (4.0 * n)).sqrt();
    let tenths = |end: f64| end / (1.0 + spread) * 1_000.0;
    Interval {
        // The ends of "all" and "none" are exact; floats may miss them by a hair.
        low: if passed == 0 {
            0.0
        } else {
            tenths(center - margin).floor() / 10.0
        },
        high: if passed == runs {
            100.0
        } else {
            tenths(center + margin).ceil() / 10.0
        },
    }
}

/// Returns for k = 1 to `runs` how likely `k` runs all pass: the share of the ways to choose `k` of the runs that were made
/// in which all of them passed, C(passed, k) / C(runs, k). Four decimals, never rounded up to 1.
pub(super) fn pass_k(passed: usize, runs: usize) -> Vec<f64> {
    let mut all = 1.0;
    let likely = (0..runs).map(|chosen| {
        all *= passed.saturating_sub(chosen) as f64 / (runs - chosen) as f64;
        let rounded = (all * 10_000.0).round() / 10_000.0;
        if passed < runs {
            rounded.min(0.9999)
        } else {
            1.0
        }
    });
    likely.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, proptest};

    use super::*;

    #[test]
    fn wilson_intervals_are_those_of_the_books() {
        let ends = |passed, runs| {
            let Interval { low, high } = wilson(passed, runs);
            (low, high)
        };
        assert_eq!(ends(3, 3), (43.8, 100.0));
        assert_eq!(ends(0, 3), (0.0, 56.2));
        assert_eq!(ends(4, 5), (37.5, 96.4));
        assert_eq!(ends(2, 3), (20.7, 93.9));
        assert_eq!(ends(95, 100), (88.8, 97.9));
        assert_eq!(ends(1, 1), (20.6, 100.0));
    }

    #[test]
    fn pass_k_counts_the_ways_to_choose() {
        assert_eq!(pass_k(4, 5), [0.8, 0.6, 0.4, 0.2, 0.0]);
        assert_eq!(pass_k(2, 3), [0.6667, 0.3333, 0.0]);
        assert_eq!(pass_k(3, 3), [1.0, 1.0, 1.0]);
        assert_eq!(pass_k(0, 2), [0.0, 0.0]);
        assert_eq!(pass_k(99_999, 100_000).first(), Some(&0.9999));
    }

    proptest! {
        #[test]
        fn estimates_stay_in_their_bounds(runs in 1..300_usize, share in 0.0..=1.0_f64) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small number")]
            let passed = (runs as f64 * share) as usize;
            let rate = passed as f64 * 100.0 / runs as f64;
            let Interval { low, high } = wilson(passed, runs);
            prop_assert!((0.0..=100.0).contains(&low) && (0.0..=100.0).contains(&high));
            prop_assert!(low <= rate && rate <= high);
            let likely = pass_k(passed, runs);
            prop_assert!(likely.len() == runs);
            prop_assert!(likely.windows(2).all(|pair| pair[1] <= pair[0]));
            prop_assert!(likely.iter().all(|share| (0.0..=1.0).contains(share)));
        }
    }
}
